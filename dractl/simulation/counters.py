"""Shared counters and compatibility groups: may one more device draw from its pool's counter sets.

As with constraints, what is reserved follows from the devices chosen so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.quantity import Quantity, of_int
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool
from dractl.simulation.reasons import CounterShort, Fatal, GroupsIncompatible
from dractl.simulation.supply import Counters, Usage


def counter_shortage(
    available: Counters, drawing: Sequence[Device], candidate: Device
) -> CounterShort | Fatal | None:
    """The first counter that a candidate over-commits together with the devices chosen from its pool.

    All counters of the pool are compared, not only those of the candidate: one that is over-committed
    already keeps every device that consumes any counter out. Mirrors ``checkAvailableCounters``.
    """
    try:
        reserved = _reserved((*drawing, candidate))
        for set_name, counters in available.items():
            for name, left in counters.items():
                wanted = reserved.get((set_name, name), _NOTHING)
                if left < wanted:
                    return CounterShort(set_name, name, left, wanted)
    except ValueError as error:
        return Fatal(f"device {candidate.id}: {error}")
    return None


_NOTHING = of_int(0)


def _reserved(devices: Iterable[Device]) -> dict[tuple[str, str], Quantity]:
    reserved: dict[tuple[str, str], Quantity] = {}
    for device in devices:
        for consumption in device.consumes:
            for name, amount in consumption.counters.items():
                key = (consumption.counter_set, name)
                reserved[key] = reserved[key].add(amount) if key in reserved else amount
    return reserved


def group_conflict(
    pool: Pool, usage: Usage, drawing: Iterable[Device], candidate: Device
) -> GroupsIncompatible | None:
    """The first counter set whose other devices share no compatibility group with the candidate.

    Devices without groups go with each other only. Mirrors ``checkAndConsumeCompatibilityGroups``.
    """
    allocated = [device for device in (*pool.devices, *pool.background) if usage.holds(device.id)]
    members = [*allocated, *drawing]
    for consumption in candidate.consumes:
        others = [
            other.compatibility_groups
            for member in members
            for other in member.consumes
            if other.counter_set == consumption.counter_set
        ]
        if others and not _admit(others, consumption.compatibility_groups):
            return GroupsIncompatible(consumption.counter_set)
    return None


def _admit(others: Sequence[frozenset[str]], groups: frozenset[str]) -> bool:
    """As ``compatibilityGroupIntersection``: the first member decides whether groups matter at all."""
    first = others[0]
    if not first or not groups:
        return not first and not groups
    return bool(groups.intersection(first, *filter(None, others)))
