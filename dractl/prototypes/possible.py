"""Which sets of devices of a partitionable model can be allocated together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dractl.prototypes.amounts import members
from dractl.prototypes.inventory import units
from dractl.prototypes.mixins import consumption, flattened, roots
from dractl.prototypes.reading import Item

__all__ = ["possible_sets"]

Account = dict[tuple[str, str], int]
"""Thousandths of a quantity by group and name; the integers of a range have a name each."""


def possible_sets(item: Item) -> Iterator[tuple[str, ...]]:
    """Every set of devices of a model that fits into its limits, depth first in the order of the devices.

    ``item`` is a model of named resources or of mixins. What is not declared is not there, so a device that
    consumes it is in no set. The order in which devices are taken does not matter.
    """
    limits, takes = _mixed(item.value) if item.dialect == "nv-mixin" else _named(item.value)
    names = list(takes)
    left = dict(limits)
    chosen: list[str] = []

    def below(start: int) -> Iterator[tuple[str, ...]]:
        for number in range(start, len(names)):
            wanted = takes[names[number]]
            if any(left.get(key, -1) < size for key, size in wanted.items()):
                continue
            for key, size in wanted.items():
                left[key] -= size
            chosen.append(names[number])
            yield tuple(chosen)
            yield from below(number + 1)
            chosen.pop()
            for key, size in wanted.items():
                left[key] += size

    yield from below(0)


def _named(value: Mapping[str, Any]) -> tuple[Account, dict[str, Account]]:
    model: Mapping[str, Any] = value.get("namedResources") or {}
    takes = {
        instance.get("name", ""): _account(instance.get("resources"))
        for instance in model.get("instances") or ()
    }
    return _account(model.get("sharedLimits")), takes


def _account(groups: Any) -> Account:
    found: Account = {}
    for group in groups or ():
        for entry in group.get("items") or ():
            for kind in members(entry, ("quantity", "intRange")):
                for name, size in units(entry.get("name", ""), entry[kind], kind).items():
                    key = (group.get("name", ""), name)
                    found[key] = found.get(key, 0) + size.milli_value
    return found


def _mixed(value: Mapping[str, Any]) -> tuple[Account, dict[str, Account]]:
    """The counters of all devices that others consume from, and what each device takes of which."""
    by_name = {device.get("name", ""): device for device in value.get("devices") or ()}
    sources = set(roots(value))
    takes = {}
    for name, taken in consumption(value).items():
        sources |= set(taken)
        takes[name] = {
            (source, counter): size.milli_value
            for source, counters in taken.items()
            for counter, size in counters.items()
        }
    limits = {
        (source, counter): size.milli_value
        for source in sources
        if source in by_name
        for counter, size in flattened(value, by_name[source])[1].items()
    }
    return limits, takes
