"""The actual results of a simulation, in the form of expectations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dractl.api.json_types import JsonDict, Object
from dractl.cluster.objects import CLUSTER_SCOPED, DEFAULT_NAMESPACE
from dractl.simulation.engine.report import Explained, Simulation
from dractl.simulation.pods.outcome import UNREFERENCED, LeftOut, Pending, Placement
from dractl.testing.inventory import Inventory

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta

__all__ = ["Observed", "expectation_of", "refused_key"]

Facts = dict[str, Any]

_UNREFERENCED = "no pod refers to the claim, so it is not allocated; allocateUnreferenced: true allocates it"


class Observed:
    """The actual results that expectations can refer to, by full names."""

    def __init__(self, simulation: Simulation) -> None:
        """Collect the results of a simulation."""
        self._simulation = simulation
        self.inventory = Inventory(simulation)
        resources = _resources(simulation.objects)
        self.pods: dict[str, Facts] = {pod.pod: {} for pod in simulation.outcome.pods}
        self.claims: dict[str, Facts] = {}
        for note in simulation.outcome.notes:
            if note.code == UNREFERENCED:
                self.claims |= {claim: {"message": _UNREFERENCED} for claim in note.claims}
        evicted = {row.pod for row in simulation.evictions}
        for pod in simulation.outcome.pods:
            if pod.node is not None:
                self.pods[pod.pod]["node"] = pod.node
            if pod.pod in evicted:
                self.pods[pod.pod]["evicted"] = True
        for row in simulation.placements:
            if row.pod is None:
                facts = self.claims.setdefault(row.claim, {})
                _add(facts.setdefault("devices", {}), row.request, row)
                continue
            facts = self.pods.setdefault(row.pod, {})
            for request in _requests(row, resources):
                _add(facts.setdefault("devices", {}), request, row)
            if row.container is not None:
                _add(facts.setdefault("containers", {}), row.container, row)
        for waiting in simulation.pending:
            if waiting.pod is not None:
                # A pod that waits for its bindings has devices, and no node yet.
                self.pods.setdefault(waiting.pod, {}).update(_pending(waiting))
            else:
                self.claims.setdefault(waiting.claim or "", {}).update(_pending(waiting))
        for finding in simulation.findings:
            if finding.object is not None and finding.object.kind == "Pod":
                name = f"{finding.object.namespace or DEFAULT_NAMESPACE}/{finding.object.name}"
                self.pods.get(name, {}).setdefault("warning", f"{finding.field}: {finding.message}")
        self.refused: dict[str, list[str]] = {}
        self.strays: list[str] = []
        """Why objects are left out that the API server does not refuse, or that have no name."""
        for out in simulation.left_out:
            self._leave_out(out)
        self.reasons = {refused_key(_named(out)): out.reason for out in simulation.left_out}

    def explanation_of(self, kind: str, name: str) -> Explained | None:
        """Why a pod or claim waits; None if it does not, or if only its message is known."""
        rows = zip(self._simulation.pending, self._simulation.explanations, strict=True)
        subjects = ((row.pod if kind == "pod" else row.claim, explained) for row, explained in rows)
        return next((explained for subject, explained in subjects if subject == name), None)

    def _leave_out(self, out: LeftOut) -> None:
        if out.rules and out.object.get("name") and out.object.get("kind"):
            rules = self.refused.setdefault(refused_key(_named(out)), [])
            rules += [rule for rule in out.rules if rule not in rules]
        else:
            self.strays.append(f"{_named(out)}: {out.reason}" if out.object.get("name") else out.reason)


def expectation_of(observed: Observed) -> JsonDict:
    """All that concerns devices, as an expectation that is complete."""
    pods = {short(name): _expectation(facts) for name, facts in observed.pods.items() if _concerns(facts)}
    claims = {short(name): _expectation(facts) for name, facts in observed.claims.items() if _concerns(facts)}
    refused = {key: rules[0] if len(rules) == 1 else rules for key, rules in observed.refused.items()}
    parts = {"pods": pods, "claims": claims, "refused": refused}
    return {**{name: part for name, part in parts.items() if part}, "complete": True}


def short(full_name: str) -> str:
    """A name as people write it: the namespace ``default`` goes without saying."""
    return full_name.removeprefix(f"{DEFAULT_NAMESPACE}/")


def full(name: str) -> str:
    """The name with its namespace."""
    return name if "/" in name else f"{DEFAULT_NAMESPACE}/{name}"


def one_or_list(values: list[str]) -> object:
    """A value alone where it is one."""
    return values[0] if len(values) == 1 else values


def refused_key(text: str) -> str:
    """KIND and NAME, with the namespace where the kind has one and it is not ``default``."""
    kind, _, name = text.partition(" ")
    return f"{kind} {name if kind in CLUSTER_SCOPED else short(name)}"


def _expectation(facts: Facts) -> Facts:
    """The facts of a new expectation: node, devices, or the reason."""
    expectation: Facts = {
        name: facts[name] for name in ("node", "devices", "pending", "evicted") if name in facts
    }
    if "devices" in expectation:
        expectation["devices"] = {
            request: one_or_list(names) for request, names in expectation["devices"].items()
        }
    return expectation


def _concerns(facts: Facts) -> bool:
    return "devices" in facts or "pending" in facts


def _named(out: LeftOut) -> str:
    namespace = f"{out.object['namespace']}/" if out.object.get("namespace") else ""
    return f"{out.object.get('kind', '')} {namespace}{out.object.get('name', '')}"


def _add(lists: dict[str, list[str]], key: str, row: Placement) -> None:
    device = f"{row.driver}/{row.pool}/{row.device}"
    names = lists.setdefault(key, [])
    if device not in names:
        names.append(device)


def _pending(row: Pending) -> Facts:
    return {
        "pending": row.category,
        "message": row.message,
        "nodes": {name: refusal.category for name, refusal in row.nodes.items()},
    }


def _resources(objects: Iterable[Object]) -> dict[tuple[str, str], list[str]]:
    """Per pod and request of its special claim the extended resources that are served by it."""
    found: dict[tuple[str, str], list[str]] = {}
    for item in objects:
        status = (item.get("status") or {}) if item.get("kind") == "Pod" else {}
        metadata: ObjectMeta = item.get("metadata") or {}
        pod = f"{metadata.get('namespace') or DEFAULT_NAMESPACE}/{metadata.get('name')}"
        for entry in (status.get("extendedResourceClaimStatus") or {}).get("requestMappings") or ():
            # A status is stored as it is written; what a mapping lacks is empty there.
            names = found.setdefault((pod, entry.get("requestName") or ""), [])
            resource = entry.get("resourceName") or ""
            if resource and resource not in names:
                names.append(resource)
    return found


def _requests(row: Placement, resources: Mapping[tuple[str, str], list[str]]) -> list[str]:
    """What an expectation calls the request of a device."""
    if row.pod_claim is not None:
        return [f"{row.pod_claim}/{row.request}"]
    return resources.get((row.pod or "", row.request)) or [row.request]
