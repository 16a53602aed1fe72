"""Ways out by asking for less: of a capacity of a device, or of a resource of the node."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import quantity
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.api.quantity import Quantity
from dractl.cluster.devices import Capacity, Device, Slice
from dractl.cluster.objects import Key, allocation_of
from dractl.explanation.trials.edits import at, dropped, field, replaced
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.ways_out.count import largest
from dractl.explanation.world import Change
from dractl.simulation.scheduler import resources

__all__ = ["lower_capacity", "lower_resource"]

_MOST_TRIED = 6
_CONTAINERS = ("containers", "initContainers")
_LISTS = ("requests", "limits")


def lower_capacity(situation: Situation) -> Iterator[Candidate]:
    """The largest amount of a capacity that fits, of those that some device can still give."""
    for source in situation.sources:
        for body in source.bodies:
            for name, text in (at(body.data, ("capacity", "requests")) or {}).items():
                steps = (*body.steps, "capacity", "requests")
                for size, less in enumerate(_offered(situation, name, quantity.parse(str(text)))):
                    change = source.replaced(situation.world, (*steps, name), less)
                    if situation.fits(change) is not None:
                        yield Candidate(source.key, source.field(steps, name), text, less, size, change)
                        break


def lower_resource(situation: Situation) -> Iterator[Candidate]:
    """The largest amount of a resource that fits, for each container that asks for too much of it."""
    pod = situation.world.objects[situation.world.pod_key]
    for kind in _CONTAINERS:
        for number, container in enumerate(at(pod, ("spec", kind)) or ()):
            given = at(container, ("resources",)) or {}
            asked = {**(given.get("limits") or {}), **(given.get("requests") or {})}
            for name, text in asked.items():
                place = ("spec", kind, number, "resources")
                less = _less(situation, pod, place, name, str(text))
                if less is not None:
                    where = field((*place, "requests"), name)
                    change = _with_amount(situation.world.pod_key, pod, place, name, less)
                    yield Candidate(situation.world.pod_key, where, text, less, 0, change)


def _offered(situation: Situation, name: str, asked: Quantity) -> list[str]:
    """What devices have left of a capacity, or sell of it, below what is asked: the most first."""
    found: set[Quantity] = set()
    used = _consumed(situation, name)
    for key, item in situation.cut.objects.items():
        for device in Slice(item).devices if key.kind == "ResourceSlice" else ():
            for amount in _sold(device, name, used.get(device.id)):
                if amount.sign > 0 and amount < asked:
                    found.add(amount)
    return [str(amount) for amount in sorted(found, reverse=True)[:_MOST_TRIED]]


def _sold(device: Device, name: str, used: Quantity | None) -> Iterator[Quantity]:
    capacity = _named(device, name)
    if capacity is None:
        return
    left = capacity.value if used is None else capacity.value.subtract(used)
    yield left
    if capacity.policy is not None:
        policy = capacity.policy
        bounds = (policy.default, policy.minimum, policy.maximum)
        yield from (amount for amount in (*policy.valid_values, *bounds) if amount is not None)


def _named(device: Device, name: str) -> Capacity | None:
    own = name.removeprefix(f"{device.id.driver}/")
    return (
        device.capacity.get(name)
        or device.capacity.get(own)
        or device.capacity.get(f"{device.id.driver}/{own}")
    )


def _consumed(situation: Situation, name: str) -> dict[object, Quantity]:
    """What claims take of a capacity, by device."""
    found: dict[object, Quantity] = {}
    bare = name.rpartition("/")[2]
    for key, item in situation.cut.objects.items():
        allocation = allocation_of(item) if key.kind == "ResourceClaim" else None
        for result in at(allocation, ("devices", "results")) or ():
            amounts = result.get("consumedCapacity") or {}
            text = amounts.get(name) or amounts.get(bare)
            if text is not None:
                device = (result.get("driver"), result.get("pool"), result.get("device"))
                amount = quantity.parse(str(text))
                found[device] = found[device].add(amount) if device in found else amount
    return found


def _less(situation: Situation, pod: JsonDict, place: Steps, name: str, text: str) -> str | None:
    """The largest smaller amount with which the pod fits, as a manifest has it."""
    key = situation.world.pod_key
    asked = resources.amount(name, text)
    if asked < 1 or situation.fits({key: _without_amount(pod, place, name)}) is None:
        return None
    for less in _left(situation, name, asked):
        shown = resources.shown(name, less)
        if situation.fits(_with_amount(key, pod, place, name, shown)) is not None:
            return shown
    if "/" not in name:
        return None

    def counted(count: int) -> Change:
        return _with_amount(key, pod, place, name, str(count))

    count = largest(situation, counted, asked - 1)
    return None if count is None else str(count)


def _left(situation: Situation, name: str, asked: int) -> list[int]:
    """What would be left for a container on each node, the most first."""
    scheduler = situation.cut.scheduler
    loads = scheduler.snapshot(situation.cut.pod).loads
    wanted = resources.demand_of(situation.cut.pod).requests.get(name, 0)
    found = set()
    for node in scheduler.nodes:
        if node.allocatable is None:
            continue
        (number,) = loads.numbers([node.name])
        free = node.allocatable.get(name, 0) - loads.load(number).requests.get(name, 0)
        less = asked - (wanted - free)
        if 0 < less < asked:
            found.add(less)
    return sorted(found, reverse=True)[:_MOST_TRIED]


def _with_amount(key: Key, pod: JsonDict, place: Steps, name: str, text: str) -> Change:
    """The pod with another request; a limit that must be equal follows it."""
    changed = replaced(pod, (*place, "requests", name), text)
    if "/" in name:
        changed = replaced(changed, (*place, "limits", name), text)
    return {key: changed}


def _without_amount(pod: JsonDict, place: Steps, name: str) -> JsonDict:
    for part in _LISTS:
        pod = dropped(pod, (*place, part, name))
    return pod
