"""Plays stories on a running control plane without nodes, many side by side, and reads what became of them.

``$DRACTL_API_SERVER`` is the ``https://`` address of an API server beside which a scheduler and the
controllers for claims, taint evictions and garbage run; ``$DRACTL_API_TOKEN`` a token that may do anything
there. The scheduler's back-off should be one second. ``python -m tools.control_plane run`` starts one. The
server is asked for its minor and its feature gates.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dractl.api import release
from dractl.api.gates import gates_of
from tests.simulation.older_minors import GROUP_VERSIONS, RULE_VERSIONS, VERSIONS
from tests.simulation.random_scenarios import NAMESPACE, WORLD

Object = dict[str, Any]

SERVER = os.environ.get("DRACTL_API_SERVER", "")

QUIET = float(os.environ.get("DRACTL_QUIET", "4"))
"""Seconds without a change after which a cluster has come to rest: more than the scheduler's back-off."""

QUIET_AFTER_REPORT = 8.0
"""The same after a driver reported something: the scheduler looks for that every five seconds."""

LONGEST = 40.0
"""Seconds after which a cluster that never comes to rest is taken as it is."""

_PAUSE = 0.4
_METRICS = "/metrics"
_SUFFIX = 5
_OK = range(200, 300)
_SPECIAL = "resource.kubernetes.io/extended-resource-claim"

_DRA = "apis/resource.k8s.io"
"""What its version follows, which depends on the minor."""

_SCHEDULING = "apis/scheduling.k8s.io"

_RESOURCES: Mapping[str, tuple[str, str, bool]] = {
    "Namespace": ("api/v1", "namespaces", False),
    "Node": ("api/v1", "nodes", False),
    "Pod": ("api/v1", "pods", True),
    "Service": ("api/v1", "services", True),
    "PriorityClass": ("apis/scheduling.k8s.io/v1", "priorityclasses", False),
    "PodGroup": (_SCHEDULING, "podgroups", True),
    "DeviceClass": (_DRA, "deviceclasses", False),
    "ResourceSlice": (_DRA, "resourceslices", False),
    "ResourceClaim": (_DRA, "resourceclaims", True),
    "ResourceClaimTemplate": (_DRA, "resourceclaimtemplates", True),
    "DeviceTaintRule": (_DRA, "devicetaintrules", False),
}
_LEFT_BEHIND = ("ResourceSlice", "DeviceClass", "DeviceTaintRule", "Node", "PriorityClass")


class Played(NamedTuple):
    """A story as it was told: without what the server refused, and the state after each step."""

    objects: list[Object]
    steps: list[Object]
    outcome: list[Object]
    restless: bool


class Server:
    """The API server, asked one thing after the other."""

    def __init__(self, address: str, token: str) -> None:
        """Connect to ``address``, whose certificate nobody needs to have signed."""
        self.kube = str(release.NEWEST)
        self._connection = http.client.HTTPSConnection(
            urlsplit(address).netloc,
            context=ssl._create_unverified_context(),  # noqa: S323 - it runs on this machine, for the test
        )
        self._headers = {"Authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: Object | None = None) -> tuple[int, Object]:
        """One request; status and answer."""
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        # Compact: parameters that are stored otherwise cannot be written back by the scheduler.
        text = None if body is None else json.dumps(body, separators=(",", ":")).encode()
        self._connection.request(method, path, body=text, headers={**self._headers, "Content-Type": kind})
        response = self._connection.getresponse()
        answer = response.read()
        if path == _METRICS:
            return response.status, {"text": answer.decode()}
        return response.status, json.loads(answer or "{}")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def list(self, kind: str) -> list[Object]:
        """All objects of a kind, of all namespaces."""
        group, resource, _ = _RESOURCES[kind]
        items: list[Object] = self.ask("GET", f"/{self._group(kind, group)}/{resource}")[1].get("items") or []
        return items

    def path(self, kind: str, namespace: str, name: str = "") -> str:
        """Where objects of a kind, or one of them, are."""
        group, resource, namespaced = _RESOURCES[kind]
        inner = f"namespaces/{namespace}/{resource}" if namespaced else resource
        return f"/{self._group(kind, group)}/{inner}/{name}".rstrip("/")

    def _group(self, kind: str, group: str) -> str:
        if group == _SCHEDULING:
            return f"{group}/{GROUP_VERSIONS.get(self.kube, 'v1beta1')}"
        versions = RULE_VERSIONS if kind == "DeviceTaintRule" else VERSIONS
        return f"{group}/{versions.get(self.kube, 'v1')}" if group == _DRA else group

    def gates(self) -> dict[str, bool]:
        """The gates that differ from their defaults, by the metrics of the server."""
        metrics = self.ask("GET", _METRICS)[1]["text"]
        states = re.findall(r'kubernetes_feature_enabled{name="(\w+)",stage="\w*"} ([01])', metrics)
        known = gates_of(release.parse(self.kube))
        found = {name: value == "1" for name, value in states if name in known}
        return {name: on for name, on in sorted(found.items()) if on != known[name].default}


class Stage:
    """One story on the server, under a world name of its own."""

    def __init__(self, server: Server, replay: Mapping[str, Any], api_objects: str) -> None:
        """Get ready; ``api_objects`` is as long as the name it replaces."""
        self._server = server
        self._world = api_objects
        self._story = json.loads(json.dumps(replay).replace(WORLD, api_objects))
        self.recorded = Played([], [], [], restless=False)
        self._names: dict[str, str] = {}

    def open(self) -> None:
        """Create the objects."""
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self._world}}
        self._server.ask("POST", "/api/v1/namespaces", namespace)
        for item in self._story["objects"]:
            if self._create(item):
                self.recorded.objects.append(self._canonical(item))

    def __len__(self) -> int:
        return len(self._story["steps"])

    def tell(self, number: int) -> bool:
        """Do one step; whether it is the report of a driver."""
        step = self._story["steps"][number]
        ((word, subject),) = tuple(step.items())
        if _WORDS[word](self, subject):
            self.recorded.steps.append(self._canonical(step))
        return bool(word == "conditions")

    def note(self, state: Object, *, count: int) -> None:
        """Keep the state after the last step, if that was taken."""
        if len(self.recorded.outcome) < len(self.recorded.steps):
            self.recorded.outcome.append(state)
        self.recorded = self.recorded._replace(restless=self.recorded.restless or count > 0)

    def _canonical(self, item: Any) -> Any:
        return json.loads(json.dumps(item).replace(self._world, WORLD))

    # The words.

    def _create(self, item: Object) -> bool:
        kind, metadata = item["kind"], dict(item["metadata"])
        if kind == "Namespace":
            patch = {"metadata": {"labels": metadata.get("labels") or {}}}
            return self._server.ask("PATCH", self._server.path("Namespace", "", self._world), patch)[0] in _OK
        if "namespace" in metadata:
            metadata["namespace"] = self._world
        code, made = self._server.ask(
            "POST", self._server.path(kind, self._world), {**item, "metadata": metadata}
        )
        if code not in _OK:
            return False
        if item.get("status"):
            body = {**made, "status": item["status"]}
            path = f"{self._server.path(kind, self._world, metadata['name'])}/status"
            code, answer = self._server.ask("PUT", path, body)
            assert code in _OK, answer
        return True

    def _update(self, item: Object) -> bool:
        path = self._server.path(item["kind"], self._world, item["metadata"]["name"])
        code, live = self._server.ask("GET", path)
        if code not in _OK:
            return False
        labels = item["metadata"].get("labels") or {}
        metadata = {**live["metadata"], "labels": labels}
        spec = item["spec"] if item["kind"] != "Pod" else _ungated(live["spec"])
        body = {**live, "metadata": metadata, "spec": spec}
        code, live = self._server.ask("PUT", path, body)
        if code in _OK and item.get("status"):
            code, live = self._server.ask("PUT", f"{path}/status", {**live, "status": item["status"]})
        return code in _OK

    def _delete(self, subject: Object) -> bool:
        path = self._server.path(subject["kind"], self._world, subject["name"])
        grace = {"gracePeriodSeconds": 0} if subject["kind"] == "Pod" else {}
        return (
            self._server.ask("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", **grace})[0] in _OK
        )

    def _terminate(self, subject: Object) -> bool:
        path = self._server.path(subject["kind"], self._world, subject["name"])
        return self._server.ask("DELETE", path)[0] in _OK

    def _complete(self, subject: Object) -> bool:
        path = self._server.path("Pod", self._world, subject["name"])
        if not self._server.ask("GET", path)[1].get("spec", {}).get("nodeName"):
            return False  # without a kubelet nothing ever ran
        return self._server.ask("PATCH", f"{path}/status", {"status": {"phase": "Succeeded"}})[0] in _OK

    def _conditions(self, subject: Object) -> bool:
        claims = self._server.ask("GET", self._server.path("ResourceClaim", self._world))[1]["items"]
        claim = next((item for item in claims if claim_name(item) == subject["claim"]), None)
        results = ((claim or {}).get("status") or {}).get("allocation", {}).get("devices", {}).get(
            "results"
        ) or []
        waiting = [result for result in results if result.get("bindingConditions")]
        if claim is None or not waiting:
            return False
        conditions = [
            {
                "type": name,
                "status": status,
                "reason": "Set",
                "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            }
            for name, status in subject["conditions"].items()
        ]
        claim["status"]["devices"] = [
            {key: result[key] for key in ("driver", "pool", "device")} | {"conditions": conditions}
            for result in waiting
        ]
        path = f"{self._server.path('ResourceClaim', self._world, claim['metadata']['name'])}/status"
        return self._server.ask("PUT", path, claim)[0] in _OK


_WORDS: Mapping[str, Callable[[Stage, Any], bool]] = {
    "create": Stage._create,
    "update": Stage._update,
    "delete": Stage._delete,
    "terminate": Stage._terminate,
    "complete": Stage._complete,
    "conditions": Stage._conditions,
}


def _ungated(spec: Object) -> Object:
    return {name: value for name, value in spec.items() if name != "schedulingGates"}


def perform(server: Server, stories: Sequence[Mapping[str, Any]], first: int = 1) -> list[Played]:
    """Play stories side by side, and clear the stage; ``first`` numbers the first world."""
    worlds = [f"w{first + number:03}" for number in range(len(stories))]
    stages = [Stage(server, replay, api_objects) for replay, api_objects in zip(stories, worlds, strict=True)]
    for stage in stages:
        stage.open()
    _rest(server, worlds, QUIET)
    for number in range(max(map(len, stages))):
        acting = [
            (stage, api_objects)
            for stage, api_objects in zip(stages, worlds, strict=True)
            if number < len(stage)
        ]
        reports = [stage.tell(number) for stage, _ in acting]
        quiet = QUIET_AFTER_REPORT if any(reports) else QUIET
        states, restless = _rest(server, [api_objects for _, api_objects in acting], quiet)
        for stage, api_objects in acting:
            stage.note(states[api_objects], count=int(api_objects in restless))
    clear(server)
    return [stage.recorded for stage in stages]


def _rest(server: Server, worlds: Sequence[str], quiet: float) -> tuple[dict[str, Object], set[str]]:
    """The states of the worlds once nothing changes any more, and the worlds that never came to rest."""
    start = time.monotonic()
    since = dict.fromkeys(worlds, start)
    states: dict[str, Object] = {}
    while True:
        found = _states(server, worlds)
        now = time.monotonic()
        for api_objects in worlds:
            if found[api_objects] != states.get(api_objects):
                since[api_objects] = now
        states = found
        if all(now - since[api_objects] >= quiet for api_objects in worlds):
            return states, set()
        if now - start > LONGEST:
            return states, {api_objects for api_objects in worlds if now - since[api_objects] < quiet}
        time.sleep(_PAUSE)


def _states(server: Server, worlds: Sequence[str]) -> dict[str, Object]:
    states: dict[str, Object] = {api_objects: {"pods": {}, "claims": {}} for api_objects in worlds}
    claims = server.list("ResourceClaim")
    for part, items, shown in (("pods", server.list("Pod"), _pod_state), ("claims", claims, _claim_state)):
        for item in items:
            api_objects = item["metadata"]["namespace"]
            if api_objects in states:
                name = claim_name(item) if part == "claims" else item["metadata"]["name"]
                states[api_objects][part][name] = json.loads(
                    json.dumps(shown(item)).replace(api_objects, WORLD)
                )
    return states


def claim_name(claim: Mapping[str, Any]) -> str:
    """The name of a claim; of a generated one without its random characters."""
    name: str = claim["metadata"]["name"]
    return name[:-_SUFFIX] if claim["metadata"].get("generateName") else name


def _pod_state(pod: Mapping[str, Any]) -> Object:
    spec, status = pod["spec"], pod.get("status") or {}
    state: Object = {"node": spec.get("nodeName")}
    condition: Object = next(
        (entry for entry in status.get("conditions") or () if entry["type"] == "PodScheduled"), {}
    )
    if state["node"] is None:
        state["reason"] = condition.get("reason")
        if condition.get("reason") == "Unschedulable":
            state["refused"] = refused(condition.get("message", ""))
    if status.get("phase") != "Pending":
        state["phase"] = status.get("phase")
    if pod["metadata"].get("deletionTimestamp"):
        state["terminating"] = True
    if spec.get("resourceClaims"):
        names = {
            entry["name"]: entry.get("resourceClaimName")
            for entry in status.get("resourceClaimStatuses") or ()
        }
        state["claims"] = {}
        for entry in spec["resourceClaims"]:
            made = names.get(entry["name"])
            state["claims"][entry["name"]] = entry.get("resourceClaimName") or (made and made[:-_SUFFIX])
    extended = status.get("extendedResourceClaimStatus")
    if extended:
        mappings = [
            {
                "container": each["containerName"],
                "resource": each["resourceName"],
                "request": each["requestName"],
            }
            for each in extended["requestMappings"]
        ]
        state["extended"] = {"claim": extended["resourceClaimName"][:-_SUFFIX], "mappings": mappings}
    return state


def _claim_state(claim: Mapping[str, Any]) -> Object:
    metadata, status = claim["metadata"], claim.get("status") or {}
    allocation = status.get("allocation")
    if allocation is not None:
        allocation = {name: value for name, value in allocation.items() if name != "allocationTimestamp"}
        for result in allocation.get("devices", {}).get("results") or ():
            if "shareID" in result:
                result["shareID"] = "*"
    state: Object = {
        "allocation": allocation,
        "reservedFor": [user["name"] for user in status.get("reservedFor") or ()],
    }
    if status.get("devices"):
        state["devices"] = status["devices"]
        for device in state["devices"]:
            for condition in device.get("conditions") or ():
                condition.pop("lastTransitionTime", None)
    if metadata.get("deletionTimestamp"):
        state["deleting"] = True
    if metadata.get("ownerReferences"):
        state |= {"generated": True, "owner": metadata["ownerReferences"][0]["name"]}
        state |= {part: metadata[part] for part in ("labels", "annotations") if metadata.get(part)}
    if (metadata.get("annotations") or {}).get(_SPECIAL) == "true":
        state["requests"] = claim["spec"]["devices"]["requests"]
    return state


_CATEGORIES = (
    (
        r"didn't match Pod's node affinity/selector|didn't satisfy plugin\(s\) \[NodeAffinity\]",
        "node-affinity",
    ),
    (r"had untolerated taint", "node-taint"),
    (r"were unschedulable", "node-unschedulable"),
    (r"Too many pods", "too-many-pods"),
    (r"cannot allocate all claims", "no-devices"),
    (r"resourceclaim not available on the node", "claim-elsewhere"),
    (r"device class .* does not exist", "class-missing"),
    (r"invalid resource pools were encountered", "invalid-pools"),
)


def refused(message: str) -> dict[str, int]:
    """The message of an Unschedulable pod as categories with their nodes, those of other worlds too."""
    found: dict[str, int] = {}
    text = message.partition(" nodes are available: ")[2].partition(" preemption: ")[0] or message
    for part in re.split(r", (?=\d)|\. ", text.rstrip(". ")):
        number, _, reason = part.partition(" ") if part[:1].isdigit() else ("0", "", part)
        short = re.search(r"Insufficient (\S+)", reason)
        category = (
            f"insufficient:{short[1].rstrip('.')}"
            if short
            else next((name for pattern, name in _CATEGORIES if re.search(pattern, reason)), reason)
        )
        found[category] = found.get(category, 0) + int(number)
    return found


def row(number: str, replay: Mapping[str, Any], played: Played, kube: str, gates: Object) -> Object:
    """A story in the format of stories that are kept, under a number."""
    return {
        "id": f"scenario-random-{kube}-{number}",
        "kube": kube,
        "gates": gates,
        "features": replay["features"],
        "objects": played.objects,
        "steps": played.steps,
        "outcome": played.outcome,
    }


def clear(server: Server) -> None:
    """Delete everything that stories leave behind, and wait until it is gone."""
    grace = {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}
    for kind in ("Pod", "ResourceClaim", "ResourceClaimTemplate", "Service", "PodGroup"):
        for item in server.list(kind):
            metadata = item["metadata"]
            path = server.path(kind, metadata["namespace"], metadata["name"])
            if metadata.get("finalizers"):
                server.ask("PATCH", path, {"metadata": {"finalizers": None}})
            if not (kind == "Service" and metadata["name"] == "kubernetes"):
                server.ask("DELETE", path, grace)
    for kind in _LEFT_BEHIND:
        for item in server.list(kind):
            name = item["metadata"]["name"]
            if item["metadata"].get("finalizers"):
                server.ask("PATCH", server.path(kind, "", name), {"metadata": {"finalizers": None}})
            if not name.startswith("system-"):
                server.ask("DELETE", server.path(kind, "", name))
    deadline = time.monotonic() + LONGEST
    while any(_remains(server)) and time.monotonic() < deadline:
        time.sleep(_PAUSE)


def _remains(server: Server) -> Iterator[bool]:
    yield bool(server.list("Pod"))
    yield bool(server.list("ResourceClaim"))


def connect() -> Server:
    """The server that the environment names."""
    server = Server(SERVER, os.environ.get("DRACTL_API_TOKEN", ""))
    version = server.ask("GET", "/version")[1]
    server.kube = f"{version['major']}.{version['minor']}"
    return server


__all__ = [
    "NAMESPACE",
    "SERVER",
    "Played",
    "Server",
    "Stage",
    "claim_name",
    "clear",
    "connect",
    "perform",
    "refused",
    "row",
]
