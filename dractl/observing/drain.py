"""What a drain of a node would do: which pods move where, and which stay Pending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.wording import did_you_mean
from dractl.live.trimming import entries, mapping
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Simulation
from dractl.source.document import Document
from dractl.workflows.mixed_input import simulate

__all__ = ["Drain", "Moved", "UnknownNodeError", "drained"]

SCHEMA = "dractl.drain/1"

_ENDED = frozenset({"Succeeded", "Failed"})


class UnknownNodeError(ValueError):
    """The cluster has no node of that name; the message is for the user."""


class Moved(NamedTuple):
    """A pod that is evicted: its new node with the devices there, or None and why it stays Pending."""

    pod: str
    node: str | None
    devices: tuple[str, ...]
    reason: str


class Drain(NamedTuple):
    """The result of a drain.

    ``ended`` are pods that nothing creates again, ``staying`` those of DaemonSets and static pods.
    """

    kube_version: str
    node: str
    pods: tuple[Moved, ...]
    ended: tuple[str, ...]
    staying: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every evicted pod has a new node."""
        return all(pod.node is not None for pod in self.pods)

    def to_dict(self) -> JsonDict:
        """The JSON document."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "node": self.node,
            "moved": [
                {"pod": pod.pod, "node": pod.node, "devices": list(pod.devices)}
                for pod in self.pods
                if pod.node is not None
            ],
            "pending": [{"pod": pod.pod, "reason": pod.reason} for pod in self.pods if pod.node is None],
            "ended": list(self.ended),
            "staying": list(self.staying),
        }


def drained(objects: Iterable[JsonObject], gates: GateSet, node: str) -> Drain:
    """Simulate the drain of ``node`` in a cluster that has ``objects``.

    Pods with a controller come back under their name, with new claims of their templates. Their claims are
    freed as in a cluster. Raises UnknownNodeError.
    """
    given = list(objects)
    nodes = [_name(item) for item in given if item.get("kind") == "Node"]
    if node not in nodes:
        raise UnknownNodeError(f"unknown node {node}; {did_you_mean(node, nodes)}".rstrip("; "))
    here = [item for item in given if item.get("kind") == "Pod" and _is_on(item, node)]
    staying = [item for item in here if _stays(item)]
    leaving = [item for item in here if not _stays(item)]
    again = [item for item in leaving if _controller(item) is not None]
    left = _without(given, leaving, node)
    documents = [
        Document(item, file="cluster", index=number)
        for number, item in enumerate([*left, *map(_fresh, again)])
    ]
    simulation = simulate(documents, gates, None)
    moved = _moved(simulation, [_full(item) for item in again])
    gone = tuple(_full(item) for item in leaving if _controller(item) is None)
    return Drain(gates.minor.version, node, moved, gone, tuple(map(_full, staying)))


def _moved(simulation: Simulation, names: Sequence[str]) -> tuple[Moved, ...]:
    nodes = {pod.pod: pod.node for pod in simulation.outcome.pods}
    reasons = {row.pod: row.message for row in simulation.pending}
    for row, explained in zip(simulation.pending, simulation.explanations, strict=True):
        if explained is not None:
            reasons[row.pod] = explained.summary
    left_out = {
        f"{entry.object.get('namespace')}/{entry.object.get('name')}": entry.reason
        for entry in simulation.left_out
        if entry.object.get("kind") == "Pod"
    }
    devices: dict[str | None, dict[str, None]] = {}
    for placement in simulation.placements:
        device = f"{placement.driver}/{placement.pool}/{placement.device}"
        devices.setdefault(placement.pod, {})[device] = None
    return tuple(
        Moved(
            name,
            None if name in reasons else nodes.get(name),
            tuple(devices.get(name, ())),
            reasons.get(name) or left_out.get(name) or "",
        )
        for name in names
    )


def _without(objects: Iterable[JsonObject], leaving: Iterable[JsonObject], node: str) -> list[JsonDict]:
    """The cluster without the pods that leave, with the node cordoned and their claims freed."""
    uids = {_metadata(item).get("uid") for item in leaving}
    found = []
    for item in objects:
        kind, own = item.get("kind"), dict(item)
        if kind == "Pod" and _metadata(item).get("uid") in uids:
            continue
        if kind == "Node" and _name(item) == node:
            own["spec"] = {**mapping(item.get("spec")), "unschedulable": True}
        if kind == "ResourceClaim":
            if any(owner.get("uid") in uids for owner in _owners(item)):
                continue
            own["status"] = _freed(mapping(item.get("status")), uids)
        found.append(own)
    return found


def _freed(status: JsonDict, uids: set[object]) -> JsonDict:
    """The status of a claim without some users; without any users it is deallocated."""
    before = entries(status.get("reservedFor"))
    after = [user for user in before if user.get("uid") not in uids]
    if len(after) == len(before):
        return status
    if after:
        return {**status, "reservedFor": after}
    return {
        name: value for name, value in status.items() if name not in ("allocation", "devices", "reservedFor")
    }


def _fresh(pod: JsonObject) -> JsonDict:
    """The pod as its controller creates it again."""
    spec = {name: value for name, value in mapping(pod.get("spec")).items() if name != "nodeName"}
    metadata = {**_metadata(pod), "uid": f"{_metadata(pod).get('uid')}-again"}
    metadata.pop("deletionTimestamp", None)
    return {**pod, "metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}


def _is_on(pod: JsonObject, node: str) -> bool:
    return (
        mapping(pod.get("spec")).get("nodeName") == node
        and mapping(pod.get("status")).get("phase") not in _ENDED
    )


def _stays(pod: JsonObject) -> bool:
    """Whether a drain leaves the pod alone: those of DaemonSets, and those of the node's own files."""
    owner = _controller(pod)
    annotations = mapping(_metadata(pod).get("annotations"))
    return "kubernetes.io/config.mirror" in annotations or (
        owner is not None and owner.get("kind") in ("DaemonSet", "Node")
    )


def _controller(item: JsonObject) -> JsonDict | None:
    return next((owner for owner in _owners(item) if owner.get("controller") is True), None)


def _owners(item: JsonObject) -> list[JsonDict]:
    return entries(_metadata(item).get("ownerReferences"))


def _metadata(item: JsonObject) -> JsonDict:
    return mapping(item.get("metadata"))


def _name(item: JsonObject) -> str:
    return str(_metadata(item).get("name") or "")


def _full(item: JsonObject) -> str:
    return f"{_metadata(item).get('namespace') or 'default'}/{_name(item)}"
