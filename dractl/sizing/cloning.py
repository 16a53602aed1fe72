"""A new node like a given one, with slices of its own, as a cluster autoscaler makes it of a template.

Mirrors ``SanitizedNodeInfo`` of the cluster autoscaler: names and hostname are new, pools are renamed, taints
and conditions that pass are gone, pods of DaemonSets come along, and nothing else runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.devices import PoolID, Slice
from dractl.cluster.objects import Objects, key_of, metadata_of, name_of
from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Pod

__all__ = ["NodeTemplate"]

_HOSTNAME = "kubernetes.io/hostname"
_PASSING_TAINTS = (
    "node.kubernetes.io/",
    "node.cloudprovider.kubernetes.io/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)
_LEFT_OF_SPEC = frozenset({"unschedulable", "providerID", "podCIDR", "podCIDRs", "taints"})
_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"


class NodeTemplate(NamedTuple):
    """What every new node gets a copy of, and what it does not get, in sentences.

    ``node`` is None where only slices name the node. ``pods`` are those of DaemonSets on it.
    """

    name: str
    node: Object | None
    slices: tuple[Object, ...]
    pods: tuple[Object, ...]
    not_cloned: tuple[str, ...]

    @classmethod
    def of(cls, name: str, api_objects: Objects) -> NodeTemplate | None:
        """The template of a node; None if neither a Node nor a slice has the name."""
        node = api_objects.get("Node", "", name)
        items = api_objects.of_kind("ResourceSlice")
        slices = [Slice(item) for item in items]
        if node is None and not any(entry.target.node_name == name for entry in slices):
            return None
        spread = {entry.pool_id for entry in slices if entry.target.node_name != name or entry.is_per_device}
        own = tuple(
            item
            for item, entry in zip(items, slices, strict=True)
            if entry.target.node_name == name and entry.pool_id not in spread
        )
        pods = tuple(pod for pod in api_objects.of_kind("Pod") if _comes_along(pod, name))
        return cls(name, node, own, pods, tuple(_not_cloned(name, node, slices, spread)))

    def parts(self) -> Iterator[Object]:
        """The objects of the node itself: it, its slices and all its pods of DaemonSets."""
        if self.node is not None:
            yield self.node
        yield from self.slices
        yield from self.pods

    def clones(self, number: int, api_objects: Objects) -> list[Object]:
        """The objects of so many new nodes, under names that are free."""
        taken = {key_of(item) for item in api_objects}
        names = {name_of(item) for item in api_objects.of_kind("Node")}
        made: list[Object] = []
        count = 0
        while number > 0:
            count += 1
            name = f"{self.name}-new-{count}"
            clone = self._clone(name)
            if name in names or any(key_of(item) in taken for item in clone):
                continue
            made += clone
            number -= 1
        return made

    def _clone(self, name: str) -> list[Object]:
        suffix = name.removeprefix(self.name)
        found = [] if self.node is None else [_node(self.node, name)]
        found += (_slice(item, self.name, name, suffix) for item in self.slices)
        found += (_daemon(pod, self.name, name, suffix) for pod in self.pods)
        return found


def _comes_along(pod: Object, node: str) -> bool:
    """Whether a pod of the node belongs to a DaemonSet, or to the node itself as static pods do."""
    owners = metadata_of(pod).get("ownerReferences") or ()
    is_there = Pod(pod).node == node or _pinned_to(pod) == node
    return is_there and any(
        owner.get("controller") and owner.get("kind") in ("DaemonSet", "Node") for owner in owners
    )


def _pinned_to(pod: Object) -> str | None:
    """The node that the DaemonSet controller made a pod for."""
    terms = (Pod(pod).node_affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    for term in terms:
        for field in term.get("matchFields") or ():
            values = field.get("values") or ()
            if field.get("key") == "metadata.name" and len(values) == 1:
                return values[0]
    return None


def _fresh(item: JsonObject, name: str) -> dict[str, object]:
    """The metadata of a copy: labels and annotations, under a new name."""
    given = cast("Mapping[str, object]", item.get("metadata") or {})
    kept = ("namespace", "labels", "annotations", "ownerReferences")
    return {**{key: given[key] for key in kept if key in given}, "name": name}


def _node(node: Object, name: str) -> Object:
    metadata = _fresh(node, name)
    labels = dict(metadata_of(node).get("labels") or {})
    if _HOSTNAME in labels:
        metadata["labels"] = {**labels, _HOSTNAME: name}
    metadata.pop("ownerReferences", None)
    given = node.get("spec") or {}
    spec = {key: value for key, value in given.items() if key not in _LEFT_OF_SPEC}
    taints = [
        taint
        for taint in given.get("taints") or ()
        if not str(taint.get("key", "")).startswith(_PASSING_TAINTS)
    ]
    if taints:
        spec["taints"] = taints
    return {**node, "metadata": metadata, "spec": spec}


def _slice(item: Object, old: str, name: str, suffix: str) -> Object:
    pool = item["spec"]["pool"]
    spec = {**item["spec"], "nodeName": name, "pool": {**pool, "name": _renamed(pool["name"], old, suffix)}}
    metadata = _fresh(item, _renamed(name_of(item), old, suffix))
    metadata.pop("ownerReferences", None)
    return {**item, "metadata": metadata, "spec": spec}


def _renamed(text: str, old: str, suffix: str) -> str:
    """A name of its own: after the node's name in it, else at its end."""
    return text.replace(old, old + suffix, 1) if old in text else text + suffix


def _daemon(pod: Object, old: str, name: str, suffix: str) -> Object:
    """The pod of a DaemonSet on the new node; one with claims is scheduled there, to get its own devices."""
    metadata = _fresh(pod, _renamed(name_of(pod), old, suffix))
    spec: Object = {key: value for key, value in pod["spec"].items() if key != "nodeName"}
    if Pod(pod).claims:
        field = {"key": "metadata.name", "operator": "In", "values": [name]}
        affinity = spec.get("affinity") or {}
        node_affinity = {
            **(affinity.get("nodeAffinity") or {}),
            _REQUIRED: {"nodeSelectorTerms": [{"matchFields": [field]}]},
        }
        spec["affinity"] = {**affinity, "nodeAffinity": node_affinity}
    else:
        spec["nodeName"] = name
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _not_cloned(
    name: str, node: Object | None, slices: Sequence[Slice], spread: set[PoolID]
) -> Iterator[str]:
    """What a new node does not get, by pool."""
    labels = metadata_of(node or {}).get("labels") or {}
    said: set[tuple[PoolID, str]] = set()
    for entry in slices:
        why = _why_not(entry, name, labels, is_spread=entry.pool_id in spread)
        if why and (entry.pool_id, why) not in said:
            said.add((entry.pool_id, why))
            yield f"pool {entry.pool_id}: {why}"


def _why_not(entry: Slice, name: str, labels: Mapping[str, str], *, is_spread: bool) -> str:
    target = entry.target
    if target.node_name == name:
        return "it has devices for other nodes, too, so a new node cannot have a copy" if is_spread else ""
    if target.all_nodes:
        return "its devices are for all nodes; a new node shares them and adds none"
    if target.selector is not None and target.selector.matches(name, labels):
        return "its devices are for the nodes of a selector; a new node shares them at most, and adds none"
    if entry.is_per_device and any(device.target.node_name == name for device in entry.devices):
        return "its devices name their nodes one by one; a new node gets none"
    return ""
