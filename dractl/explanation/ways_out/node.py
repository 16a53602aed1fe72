"""Ways out by the nodes: one is uncordoned or loses a taint, one more is added, or the pod names none."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.wording import nearest
from dractl.cluster.objects import Key, free_names
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change

__all__ = ["HOSTNAME", "add_node", "change_node_name", "remove_taint", "uncordon"]

HOSTNAME = "kubernetes.io/hostname"
_CORDONED = "node.kubernetes.io/unschedulable"
_MOST_CLONES = 3


def uncordon(situation: Situation) -> Iterator[Candidate]:
    """A node that takes the pod as soon as it is not cordoned."""
    for key, node in _nodes(situation):
        if at(node, ("spec", "unschedulable")) is not True:
            continue
        taints = [taint for taint in at(node, ("spec", "taints")) or () if taint.get("key") != _CORDONED]
        changed = replaced(dropped(node, ("spec", "unschedulable")), ("spec", "taints"), taints)
        change: Change = {key: changed}
        if situation.fits(change) is not None:
            yield Candidate(key, "spec.unschedulable", True, None, 0, change)
            return


def remove_taint(situation: Situation) -> Iterator[Candidate]:
    """A taint of a node, or of a device in a slice, without which the pod fits."""
    for key, node in _nodes(situation):
        for number, taint in enumerate(at(node, ("spec", "taints")) or ()):
            steps = ("spec", "taints", number)
            change: Change = {key: dropped(node, steps)}
            if situation.fits(change) is not None:
                yield Candidate(key, field(steps), taint, None, 0, change)
                return


def add_node(situation: Situation) -> Iterator[Candidate]:
    """One more node with the devices of one that takes the pod while it is empty."""
    tried = 0
    for name in situation.near:
        change = _clone(situation, name)
        if tried == _MOST_CLONES:
            return
        if change is None:
            continue
        tried += 1
        if situation.fits(change) is not None:
            key = Key("Node", "", name)
            yield Candidate(key, "", None, [made.name for made in change if made.kind == "Node"], 0, change)
            return


def change_node_name(situation: Situation) -> Iterator[Candidate]:
    """The pod without the name of a node, so that it is scheduled at all."""
    world = situation.world
    pod = world.objects[world.pod_key]
    name = at(pod, ("spec", "nodeName"))
    if not name:
        return
    change: Change = {world.pod_key: dropped(pod, ("spec", "nodeName"))}
    if situation.fits(change) is not None:
        yield Candidate(world.pod_key, "spec.nodeName", name, None, 0, change)
        near = nearest(str(name), (node.name for node in world.scheduler.nodes))
        selected = replaced(change[world.pod_key] or {}, ("spec", "nodeSelector", HOSTNAME), near)
        if near and situation.fits({world.pod_key: selected}) is not None:
            where = f"spec.nodeSelector[{HOSTNAME}]"
            yield Candidate(world.pod_key, where, None, near, 1, {world.pod_key: selected})


def _nodes(situation: Situation) -> Iterator[tuple[Key, JsonDict]]:
    for name in situation.near:
        key = Key("Node", "", name)
        if key in situation.world.objects:
            yield key, situation.world.objects[key]


def _clone(situation: Situation, name: str) -> Change | None:
    """A new node with slices like those that name a node; None without such slices."""
    world = situation.world
    new = next(free_names(name, {node.name for node in world.scheduler.nodes}.__contains__))
    change: dict[Key, JsonDict | None] = {}
    for key, item in world.objects.items():
        if key.kind == "ResourceSlice" and item["spec"].get("nodeName") == name:
            made = _cloned_slice(item, name, new)
            change[Key("ResourceSlice", "", made["metadata"]["name"])] = made  # type: ignore[index]
    if not change:
        return None
    node = world.objects.get(Key("Node", "", name))
    if node is not None:
        made = _bare(node, new)
        if at(made, ("metadata", "labels", HOSTNAME)) is not None:
            made = replaced(made, ("metadata", "labels", HOSTNAME), new)
        change[Key("Node", "", new)] = made
    return change


def _cloned_slice(item: JsonObject, old: str, new: str) -> JsonDict:
    metadata = at(item, ("metadata", "name"))
    pool = at(item, ("spec", "pool", "name"))
    made = _bare(item, _renamed(metadata, old, new))
    made = replaced(made, ("spec", "nodeName"), new)
    return replaced(made, ("spec", "pool", "name"), _renamed(pool, old, new))


def _bare(item: JsonObject, name: str) -> JsonDict:
    """An object under another name, without what the API server writes into its metadata."""
    metadata = {
        key: value for key, value in at(item, ("metadata",)).items() if key in ("labels", "annotations")
    }
    return {**item, "metadata": {"name": name, **metadata}}


def _renamed(text: str | None, old: str, new: str) -> str:
    text = text or ""
    return text.replace(old, new) if old in text else f"{text}-{new}"
