"""Which sets of devices of a partitionable model can be allocated together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dractl.cluster.possible_sets import Part
from dractl.legacy.prototypes.allocation.inventory import units
from dractl.legacy.prototypes.checks.mixins import Mixins
from dractl.legacy.prototypes.dialects.amounts import members
from dractl.legacy.prototypes.dialects.ranges import Cells
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["model_of", "possible_sets"]

Account = dict[tuple[str, str], int]
"""Thousandths of a quantity by group and name; the cells of a range have a name each."""


def model_of(item: Item) -> tuple[list[Part], Account] | None:
    """The devices and limits of a model of named resources or of mixins; None for another object.

    Devices whose names differ in the numbers at their end are of one kind.
    """
    if item.dialect != "nv-mixin" and "namedResources" not in item.value:
        return None
    limits, takes = _mixed(item.value) if item.dialect == "nv-mixin" else _named(item.value)
    return [Part(name, re.sub(r"(-\d+)+$", "", name), taken) for name, taken in takes.items()], limits


def possible_sets(item: Item) -> Iterator[tuple[str, ...]]:
    """Every set of devices of a model that fits into its limits, depth first in the order of the devices.

    ``item`` is a model of named resources or of mixins. What is not declared is not there, so a device that
    consumes it is in no set. The order in which devices are taken does not matter.
    """
    limits, takes = _mixed(item.value) if item.dialect == "nv-mixin" else _named(item.value)
    names = list(takes)
    left = dict(limits)
    chosen: list[str] = []

    # A stack of its own: a set may have more devices than Python has levels.
    start = 0
    positions: list[int] = []
    while True:
        for number in range(start, len(names)):
            wanted = takes[names[number]]
            if all(left.get(key, -1) >= size for key, size in wanted.items()):
                break
        else:
            if not positions:
                return
            number = positions.pop()
            chosen.pop()
            for key, size in takes[names[number]].items():
                left[key] += size
            start = number + 1
            continue
        for key, size in wanted.items():
            left[key] -= size
        chosen.append(names[number])
        positions.append(number)
        yield tuple(chosen)
        start = number + 1


def _named(value: Mapping[str, Any]) -> tuple[Account, dict[str, Account]]:
    model: Mapping[str, Any] = value.get("namedResources") or {}
    instances = model.get("instances") or ()
    lists = [model.get("sharedLimits"), *(instance.get("resources") for instance in instances)]
    ranges: dict[str, list[tuple[str, Any]]] = {}
    for groups in lists:
        for group in groups or ():
            ranges.setdefault(group.get("name", ""), []).extend(
                (entry.get("name", ""), entry["intRange"])
                for entry in group.get("items") or ()
                if entry.get("intRange") is not None
            )
    cells = {name: Cells(found) for name, found in ranges.items()}
    takes = {instance.get("name", ""): _account(instance.get("resources"), cells) for instance in instances}
    return _account(model.get("sharedLimits"), cells), takes


def _account(groups: Any, cells: Mapping[str, Cells]) -> Account:
    found: Account = {}
    for group in groups or ():
        known = cells[group.get("name", "")]
        for entry in group.get("items") or ():
            for kind in members(entry, ("quantity", "intRange")):
                for name, size in units(entry.get("name", ""), entry[kind], kind, known).items():
                    key = (group.get("name", ""), name)
                    found[key] = found.get(key, 0) + size.milli_value
    return found


def _mixed(value: Mapping[str, Any]) -> tuple[Account, dict[str, Account]]:
    """The counters of all devices that others consume from, and what each device takes of which."""
    by_name = {device.get("name", ""): device for device in value.get("devices") or ()}
    model = Mixins(value)
    sources = set(model.roots())
    takes = {}
    for name, taken in model.consumption():
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
        for counter, size in model.flattened(by_name[source])[1].items()
    }
    return limits, takes
