"""A cluster that lives through the events of a story, and its state in the words of the documented rows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dractl.admission.dropping import drop_disabled
from dractl.api import gates, release
from dractl.cel.environment import Environment
from dractl.cluster.objects import Objects, key_of
from dractl.cluster.workloads import with_pods
from dractl.simulation.features import features_of
from dractl.simulation.outcome import CLAIM_DELETING, CLAIM_MISSING, ERROR, NOT_OWNER, WAITING
from dractl.simulation.pods import Pod, uid_of
from dractl.simulation.scheduler import Scheduler, Settings
from tests.conformance.allocations import defaulted
from tests.conformance.difference import Difference
from tests.conformance.verdicts import without_empty

Object = dict[str, Any]

NOW = "2026-01-31T12:00:00Z"
_NO_ATTEMPT = frozenset({CLAIM_MISSING, CLAIM_DELETING, NOT_OWNER, WAITING})
_POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
_EXTENDED = "resource.kubernetes.io/extended-resource-claim"
_NUMBER = re.compile(r"#\d+")
_UNCOMPARED = frozenset({"refused", "scores"})


class World:
    """The objects of a story. ``chosen`` says which node a pod took where several were equally good."""

    def __init__(self, kube: str, gate_overrides: Mapping[str, bool], chosen: Mapping[str, str]) -> None:
        """Start without objects, with the gates of the story."""
        self.minor = release.parse(kube)
        self.gates = gates.resolve(self.minor, gate_overrides)

        def choose(pod: Pod, nodes: Sequence[str]) -> str:
            wanted = chosen.get(pod.name, chosen.get(pod.full_name, ""))
            return wanted if wanted in nodes else nodes[0]

        self.scheduler = Scheduler(
            (),
            Settings(
                features_of(self.gates),
                Environment(self.minor, self.gates, stored=True),
                knows_all_pods=True,
                choose=choose,
            ),
        )

    def create(self, value: Object) -> Object:
        """Put an object into the cluster as the server stores it; returns it."""
        stored = defaulted(self.minor, value)
        drop_disabled(stored["kind"], stored, self.gates)
        # In a demo a generateName was used as name.
        stored["metadata"].setdefault("name", stored["metadata"].get("generateName", "").removesuffix("-"))
        if stored["kind"] in ("ResourceClaim", "ResourceClaimTemplate", "Pod"):
            stored["metadata"].setdefault("namespace", "default")
        if stored["kind"] == "Pod":
            stored["metadata"].setdefault("uid", uid_of(stored))
        self.scheduler.put(stored)
        return stored

    def make_pods(self, workload: Object) -> None:
        """Create the pods of a workload, called WORKLOAD#0, WORKLOAD#1 and so on."""
        names = [node.name for node in self.scheduler.nodes]
        made = with_pods(Objects([workload]), names, lambda _pod, _node: True).objects
        for number, pod in enumerate(item for item in made if item["kind"] == "Pod"):
            name = f"{workload['metadata']['name']}#{number}"
            metadata = {key: value for key, value in pod["metadata"].items() if key != "uid"}
            self.create({**pod, "metadata": {**metadata, "name": name}})

    def settle(self) -> None:
        """Let everything come to rest."""
        self.scheduler.settle()

    def apply(self, step: Mapping[str, Any]) -> None:
        """Let one event happen, and everything that follows from it."""
        for verb, what in step.items():
            getattr(self, f"_{verb}")(what)
        self.settle()

    def _create(self, value: Object) -> None:
        self.create(value)

    def _update(self, value: Object) -> None:
        new = defaulted(self.minor, value)
        old = self._found(new["kind"], new["metadata"]["name"])
        self.create({**value, "status": (old or {}).get("status") or {}} if new["kind"] == "Pod" else value)

    def _delete(self, what: Mapping[str, str]) -> None:
        found = self._found(what["kind"], what["name"])
        if found is None:
            return
        in_use = bool((found.get("status") or {}).get("reservedFor"))
        if what["kind"] == "ResourceClaim" and in_use:
            self._with_metadata(found, deletionTimestamp=NOW)
        else:
            self.scheduler.remove(key_of(found))

    def _terminate(self, what: Mapping[str, str]) -> None:
        found = self._found(what["kind"], what["name"])
        if found is None:
            return
        if found["spec"].get("nodeName"):
            self._with_metadata(found, deletionTimestamp=NOW)
        else:
            self.scheduler.remove(key_of(found))

    def _complete(self, what: Mapping[str, str]) -> None:
        found = self._found(what["kind"], what["name"])
        if found is not None:
            self.scheduler.put({**found, "status": {**(found.get("status") or {}), "phase": "Succeeded"}})

    def _conditions(self, what: Mapping[str, Any]) -> None:
        claim = self._found("ResourceClaim", what["claim"])
        if claim is None:
            return
        results = claim["status"]["allocation"]["devices"]["results"]
        conditions = [{"type": type_, "status": status} for type_, status in what["conditions"].items()]
        devices = [
            {
                "driver": result["driver"],
                "pool": result["pool"],
                "device": result["device"],
                "conditions": conditions,
            }
            for result in results
            if result.get("bindingConditions")
        ]
        self.scheduler.put({**claim, "status": {**claim["status"], "devices": devices}})

    def _with_metadata(self, value: Object, **metadata: str) -> None:
        self.scheduler.put({**value, "metadata": {**value["metadata"], **metadata}})

    def _found(self, kind: str, name: str) -> Object | None:
        for value in self.scheduler.world.of_kind(kind):
            if name in (value["metadata"]["name"], _bare(value)):
                return value
        return None

    # Looking.

    def state(self, *, namespaced: bool) -> dict[str, Any]:
        """All pods and claims as rows describe them; ``namespaced`` keys are NAMESPACE/NAME."""
        pods = {}
        for pod in self.scheduler.pods():
            pods[pod.full_name if namespaced else pod.name] = self._pod(pod)
        claims = {}
        for claim in self.scheduler.world.of_kind("ResourceClaim"):
            name = _bare(claim)
            namespace = claim["metadata"].get("namespace", "default")
            claims[f"{namespace}/{name}" if namespaced else name] = self._claim(claim)
        return {"pods": pods, "claims": claims}

    def _pod(self, pod: Pod) -> dict[str, Any]:
        standing = self.scheduler.standing(pod)
        refused = standing.refused
        reason = None
        if pod.node is None and refused is not None and refused.category not in _NO_ATTEMPT:
            reason = "SchedulerError" if refused.category == ERROR else "Unschedulable"
        claims = {}
        for entry in pod.claims:
            name = entry.claim or pod.claim_statuses.get(entry.name)
            claims[entry.name] = self._shown(pod, name) if name else None
        state: dict[str, Any] = {"node": pod.node, "reason": reason, "claims": claims}
        phase = pod.status.get("phase")
        if phase not in (None, "Pending"):
            state["phase"] = phase
        if pod.is_terminating:
            state["terminating"] = True
        extended = pod.status.get("extendedResourceClaimStatus")
        if extended:
            mappings = [
                {
                    "container": entry["containerName"],
                    "resource": entry["resourceName"],
                    "request": entry["requestName"],
                }
                for entry in extended["requestMappings"]
            ]
            claim = self._shown(pod, extended["resourceClaimName"])
            state["extended"] = {"claim": claim, "mappings": mappings}
        return state

    def _shown(self, pod: Pod, name: str) -> str:
        """The name of a claim of a pod as rows tell it; a claim that is gone had its name from the pod."""
        claim = self.scheduler.world.get("ResourceClaim", pod.namespace, name)
        if claim is not None:
            return _bare(claim)
        return f"{name}-" if name.startswith(f"{pod.name}-") else name

    def _claim(self, claim: Object) -> dict[str, Any]:
        status = claim.get("status") or {}
        metadata = claim["metadata"]
        state: dict[str, Any] = {
            "allocation": _without_random(status.get("allocation")),
            "reservedFor": [user["name"] for user in status.get("reservedFor") or ()],
            "devices": status.get("devices"),
        }
        if metadata.get("deletionTimestamp"):
            state["deleting"] = True
        if _is_generated(claim):
            state["generated"] = True
            state["owner"] = metadata["ownerReferences"][0]["name"]
            state["labels"] = metadata.get("labels")
            state["annotations"] = metadata.get("annotations")
        if _EXTENDED in (metadata.get("annotations") or {}):
            state["requests"] = claim["spec"]["devices"]["requests"]
        return state

    def compare(self, expected: Mapping[str, Any], *, namespaced: bool = False) -> Difference | None:
        """The first pods and claims that differ from ``expected``; what rows need not tell is left out."""
        ours, theirs = _comparable(self.state(namespaced=namespaced)), _comparable(expected)
        for part in ("pods", "claims"):
            mine, wanted = ours.get(part) or {}, theirs.get(part) or {}
            for name in sorted({*mine, *wanted}):
                if mine.get(name) != wanted.get(name):
                    return Difference({part: {name: wanted.get(name)}}, {part: {name: mine.get(name)}})
        return None


def _is_generated(claim: Object) -> bool:
    annotations = claim["metadata"].get("annotations") or {}
    return _POD_CLAIM_NAME in annotations or _EXTENDED in annotations


def _bare(value: Object) -> str:
    """The name of an object, without its random characters if it was generated for a pod."""
    metadata = value["metadata"]
    name: str = metadata.get("generateName", "") if _is_generated(value) else metadata["name"]
    return name


def _without_random(allocation: Object | None) -> Object | None:
    if allocation is None:
        return None
    devices = allocation.get("devices") or {}
    results = [
        {**result, "shareID": "*"} if "shareID" in result else result
        for result in devices.get("results") or ()
    ]
    timeless = {key: value for key, value in allocation.items() if key != "allocationTimestamp"}
    return {**timeless, "devices": {**devices, "results": results}}


def _comparable(state: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Pods and claims without what need not be told.

    The pods of a workload are alike, so only their outcomes count, whichever pod has which.
    """
    parts: dict[str, dict[str, Any]] = {}
    for part in ("pods", "claims"):
        found: dict[str, Any] = {}
        for name, entry in (state.get(part) or {}).items():
            told = without_empty({key: value for key, value in entry.items() if key not in _UNCOMPARED})
            if "#" in name:
                alike = json.loads(_NUMBER.sub("#", json.dumps(told, sort_keys=True)))
                found.setdefault(_NUMBER.sub("#", name), []).append(alike)
            else:
                found[name] = told
        for entries in found.values():
            if isinstance(entries, list):
                entries.sort(key=lambda entry: json.dumps(entry, sort_keys=True))
        parts[part] = found
    return parts
