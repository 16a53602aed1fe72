"""Compatibility groups: whether one more device may share a counter set with those that already use it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool
from dractl.simulation.allocator.model.reasons import GroupsIncompatible
from dractl.simulation.allocator.model.usage import Usage


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
