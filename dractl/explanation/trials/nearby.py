"""The few nodes on which a change is tried first: of nodes that are alike one or two, the nearest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from dractl.api.json_types import JsonObject
from dractl.cluster.devices import pool_id_of
from dractl.cluster.objects import Key, allocation_of, key_of
from dractl.explanation.world import World
from dractl.simulation.pods import outcome
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import Node, describe_taint
from dractl.simulation.scheduler.schedule_result import Refused

__all__ = ["MOST_NODES", "cut_to", "devices_in_use", "nearby", "of_every_kind"]

MOST_NODES = 8
"""So many nodes are tried; with several dozens of devices a trial on them takes some milliseconds."""

_MOST_IN_TURN = 4

MOST_KINDS = 24

_STAGES: tuple[str, ...] = (
    outcome.NODE_UNSCHEDULABLE,
    outcome.NODE_TAINT,
    outcome.NODE_AFFINITY,
    outcome.TOO_MANY_PODS,
    "",
    outcome.CLAIM_ELSEWHERE,
    outcome.NO_DEVICES,
    outcome.INVALID_POOLS,
)
"""The categories in the order in which a node is checked; the empty one stands for all others."""

_DeviceKey = tuple[str, str, str]


def nearby(
    world: World, refusals: Mapping[str, Refusal] | None = None, nearest: Sequence[str] = ()
) -> tuple[str, ...]:
    """The names of the nodes worth trying, the nearest miss first; ``refusals`` if they are known.

    The first ``nearest`` nodes, which an explanation found, are always among them. The others are of each
    kind one and then one more: by category, free devices, content of slices, and what the node itself is.
    """
    nodes = world.scheduler.nodes
    if len(nodes) <= MOST_NODES:
        return tuple(node.name for node in nodes)
    if refusals is None:
        filtered = world.filtered()
        refusals = {} if isinstance(filtered, Refused) else filtered.refusals
    offers = _Offers(world)
    classes: dict[Hashable, list[str]] = {}
    ranks: dict[Hashable, tuple[int, int]] = {}
    for node in nodes:
        refusal = refusals.get(node.name)
        category = "" if refusal is None else refusal.category
        free = offers.free.get(node.name, 0)
        alike = (category, free, offers.content.get(node.name), _of_node(node, world.pod))
        classes.setdefault(alike, []).append(node.name)
        stage = _STAGES.index(category) if category in _STAGES else _STAGES.index("")
        ranks.setdefault(alike, (-stage, -free))
    ordered = sorted(classes, key=lambda alike: ranks[alike])
    in_turn = [name for turn in range(2) for alike in ordered for name in classes[alike][turn : turn + 1]]
    # Half of the room is kept for kinds of nodes that are in a group with nearer ones.
    return tuple(dict.fromkeys((*in_turn[:_MOST_IN_TURN], *nearest[:MOST_NODES], *in_turn)))[:MOST_NODES]


def of_every_kind(world: World) -> tuple[str, ...]:
    """The names of nodes among which are devices with every set of attributes and capacities, by type.

    A selector that fails for a device fails for the pod, wherever the device is.
    """
    known: set[Hashable] = set()
    found: dict[str, None] = {}
    for key, item in world.objects.items():
        name = item["spec"].get("nodeName") if key.kind == "ResourceSlice" else None
        if not name or len(found) == MOST_KINDS:
            continue
        kinds = {_shape(device) for device in item["spec"].get("devices") or ()}
        if not kinds <= known:
            known |= kinds
            found[name] = None
    return tuple(found)


def cut_to(world: World, nodes: Collection[str]) -> World:
    """The world with these nodes only, and without claims that hold nothing there, but for those of the pod.

    A workload may have left thousands of claims for pods that wait as well.
    """
    small = world.on(nodes)
    pools = {pool_id_of(item) for key, item in small.objects.items() if key.kind == "ResourceSlice"}
    own = _own_claims(world.pod)
    gone = {
        key: None
        for key, item in small.objects.items()
        if key.kind == "ResourceClaim" and key not in own and not _holds_in(item, pools)
    }
    return small.changed(gone)


def devices_in_use(world: World) -> set[_DeviceKey]:
    """The devices that claims hold, by driver, pool and name."""
    return {
        device for key, item in world.objects.items() if key.kind == "ResourceClaim" for device in _held(item)
    }


class _Offers:
    """What nodes publish: the number of free devices, and what tells one kind of node from another."""

    def __init__(self, world: World) -> None:
        used = devices_in_use(world)
        slices = [item for key, item in world.objects.items() if key.kind == "ResourceSlice"]
        common = {key_of(item): _common(item) for item in slices}
        # What only one slice says, as a serial number, makes nothing of another kind.
        shared = Counter(pair for pairs in common.values() for pair in pairs)
        self.free: dict[str, int] = {}
        content: dict[str, list[Hashable]] = {}
        for item in slices:
            spec = item["spec"]
            name = spec.get("nodeName")
            if not name:
                continue
            pool = pool_id_of(item)
            devices = spec.get("devices") or ()
            free = sum((*pool, device.get("name")) not in used for device in devices)
            self.free[name] = self.free.get(name, 0) + free
            pairs = frozenset(pair for pair in common[key_of(item)] if shared[pair] > 1)
            tainted = sum(bool(device.get("taints")) for device in devices)
            content.setdefault(name, []).append((pool[0], len(devices), tainted, pairs))
        self.content = {name: frozenset(entries) for name, entries in content.items()}


def _common(item: JsonObject) -> set[tuple[str, str]]:
    """The attributes that all devices of a slice have in common, as texts."""
    devices = (item.get("spec") or {}).get("devices") or ()  # type: ignore[attr-defined]
    if not devices:
        return set()
    first, *others = devices
    found: set[tuple[str, str]] = set()
    for section in ("attributes", "capacity"):
        rest = [device.get(section) or {} for device in others]
        for name, value in (first.get(section) or {}).items():
            if all(given.get(name) == value for given in rest):
                found.add((name, str(value)))
    return found


def _shape(device: JsonObject) -> Hashable:
    attributes = device.get("attributes") or {}
    pairs = ((name, *value) for name, value in attributes.items())  # type: ignore[attr-defined]
    return frozenset(pairs), frozenset(device.get("capacity") or ())  # type: ignore[call-overload]


def _of_node(node: Node, pod: Pod) -> Hashable:
    """What a node itself is like to a pod."""
    asked = pod.spec.get("nodeSelector") or {}
    return (
        node.is_unschedulable,
        tuple(sorted(map(describe_taint, node.taints))),
        None if node.allocatable is None else frozenset(node.allocatable.items()),
        tuple(node.ref.labels.get(name) for name in sorted(asked)),
    )


def _own_claims(pod: Pod) -> set[Key]:
    names = [entry.claim for entry in pod.claims if entry.claim]
    names += [name for name in pod.claim_statuses.values() if name]
    return {Key("ResourceClaim", pod.namespace, name) for name in names}


def _holds_in(claim: JsonObject, pools: Collection[tuple[str, str]]) -> bool:
    return any(device[:2] in pools for device in _held(claim))


def _held(claim: JsonObject) -> Iterator[_DeviceKey]:
    allocation = allocation_of(claim)
    for result in ((allocation or {}).get("devices") or {}).get("results") or ():
        yield result.get("driver") or "", result.get("pool") or "", result.get("device") or ""
