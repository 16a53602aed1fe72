"""How many of some devices a constraint lets together: groups of one value, and distinct values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product

from dractl.cluster.devices import Attribute, Device
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.constraints import SCALARS, elements, refusal, scalar
from dractl.simulation.allocator.model.demand import Constraint, Request
from dractl.simulation.allocator.model.reasons import Fatal

__all__ = ["Largest", "Lookup", "largest_across", "largest_of"]

Lookup = Callable[[Request, Device, str], Attribute | Fatal | None]
Value = tuple[str, object]


class Largest(NamedTuple):
    """The most devices that constraints let together.

    ``value`` is what the devices of the largest group share for the last constraint; ``without`` is the
    number of devices that lack its attribute.
    """

    size: int
    value: str
    without: int


def largest_of(
    constraints: Sequence[Constraint],
    request: Request,
    devices: Sequence[Device],
    lookup: Lookup,
    *,
    as_sets: bool,
) -> Largest:
    """The most devices of one request that satisfy all ``constraints``; of several the last one is told."""
    last = constraints[-1]
    found = {device: _values(last, request, device, lookup, as_sets=as_sets) for device in devices}
    without = sum(1 for values in found.values() if not values)
    matching = [rule for rule in constraints if not rule.is_distinct]
    groups: dict[tuple[Value, ...], list[Device]] = {}
    for device in devices:
        for key in product(*(_values(rule, request, device, lookup, as_sets=as_sets) for rule in matching)):
            groups.setdefault(key, []).append(device)
    distinct = [rule for rule in constraints if rule.is_distinct]
    best = 0
    shared: tuple[Value, ...] = ()
    for key, members in groups.items():
        size = _most_distinct(distinct, request, members, lookup, as_sets=as_sets)
        if size > best:
            best, shared = size, key
    value = str(shared[-1][1]) if shared and not last.is_distinct else ""
    return Largest(best, value, without)


def largest_across(
    constraint: Constraint,
    wanted: Sequence[tuple[Request, int, Sequence[Device]]],
    lookup: Lookup,
    *,
    as_sets: bool,
) -> Largest:
    """How much of several requests one value of an attribute can serve: at most what each needs.

    ``wanted`` has each request with the number that it needs and the devices that it could get.
    """
    served: Counter[Value] = Counter()
    members: dict[Value, set[Device]] = {}
    without = 0
    for request, needed, devices in wanted:
        counts: Counter[Value] = Counter()
        for device in devices:
            values = _values(constraint, request, device, lookup, as_sets=as_sets)
            without += 0 if values else 1
            counts.update(values)
            for value in values:
                members.setdefault(value, set()).add(device)
        served.update({value: min(count, needed) for value, count in counts.items()})
    for value, devices_of_value in members.items():
        if not any(device.is_multi_use for device in devices_of_value):
            # A device that several requests could get serves one of them.
            served[value] = min(served[value], len(devices_of_value))
    if constraint.is_distinct:
        return Largest(min(len(served), sum(needed for _, needed, _ in wanted)), "", without)
    if not served:
        return Largest(0, "", without)
    value, size = max(served.items(), key=lambda entry: entry[1])
    return Largest(size, str(value[1]), without)


def _values(
    constraint: Constraint, request: Request, device: Device, lookup: Lookup, *, as_sets: bool
) -> Sequence[Value]:
    """The values by which a device joins others; none if the constraint never lets it in."""
    attribute = lookup(request, device, constraint.attribute)
    if attribute is None or isinstance(attribute, Fatal):
        return ()
    if as_sets:
        return sorted(elements(attribute), key=str)
    single = scalar(attribute, SCALARS)
    # Nothing is compared with a device that has no scalar: it can only be the first one.
    return (("", id(device)),) if single is None else (single,)


def _most_distinct(
    constraints: Sequence[Constraint],
    request: Request,
    devices: Sequence[Device],
    lookup: Lookup,
    *,
    as_sets: bool,
) -> int:
    singles = (
        len(_values(rule, request, device, lookup, as_sets=as_sets)) == 1
        for rule in constraints
        for device in devices
    )
    if not constraints or (as_sets and not all(singles)):
        # To choose among lists that overlap is left to a search.
        return len(devices)
    chosen: list[tuple[Request, Device]] = []
    for device in devices:
        if refusal(constraints, chosen, (request, device), lookup, as_sets=as_sets) is None:
            chosen.append((request, device))
    return len(chosen)
