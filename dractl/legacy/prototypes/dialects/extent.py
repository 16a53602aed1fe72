"""How many devices and counters the pools of an input come to, before any of them is made.

A count, partitions and ranges say in a few bytes what takes gigabytes as devices. What is beyond the limits
is left out of the inventory, and whoever reads the pool reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from dractl.api import budgets
from dractl.api.path import Steps
from dractl.cel.interpreter.cost_tracker import CostTracker
from dractl.legacy.prototypes.dialects.amounts import members
from dractl.legacy.prototypes.dialects.ranges import Cells
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["Extent", "cells_of", "extents"]


class Extent(NamedTuple):
    """How much of a pool takes part.

    ``devices`` is the number of its counted or partitioned devices that do (None: its list says), and
    ``partitions`` how many of each entry are computed. ``is_left_out`` if nothing of it does. ``reason`` says
    what does not, empty if everything does, and ``steps`` where the pool says so. ``meter`` is charged for
    computed partitions.
    """

    devices: int | None = None
    partitions: tuple[int, ...] = ()
    is_left_out: bool = False
    reason: str = ""
    steps: Steps = ()
    meter: CostTracker = CostTracker(0)


def extents(items: Iterable[Item]) -> dict[Item, Extent]:
    """The extents of pools, in the order in which they use up the limits of the run."""
    run = _Run()
    return {item: run.of(item) for item in items}


class _Run:
    def __init__(self) -> None:
        self.devices = budgets.PROTOTYPE_DEVICES.value
        self.partitions = budgets.PROTOTYPE_PARTITIONS.value
        self.ranges = budgets.PROTOTYPE_RANGES.value
        self.inherited = budgets.PROTOTYPE_INHERITED.value
        self.meter = CostTracker(budgets.PROTOTYPE_CEL.value)

    def of(self, item: Item) -> Extent:
        extent = self._of(item)
        wanted = _inherited(item, extent)
        if wanted > self.inherited:
            return Extent(is_left_out=True, reason=budgets.PROTOTYPE_INHERITED.message(wanted=f"{wanted:,}"))
        self.inherited -= wanted
        return extent

    def _of(self, item: Item) -> Extent:
        if item.dialect == "proto-pools":
            return self._counted(item)
        if item.dialect in _RANGED:
            return self._ranged(item)
        return self._shaped(item) if item.spec.get("deviceShape") else Extent()

    def _counted(self, item: Item) -> Extent:
        wanted = max(item.spec.get("count") or 0, 0)
        kept, reason = self._devices(wanted, "the pool counts")
        return Extent(kept, reason=reason, steps=("spec", "count"))

    def _devices(self, wanted: int, what: str) -> tuple[int, str]:
        """How many of the devices may be there, and the message for the others."""
        kept = min(wanted, budgets.PROTOTYPE_COUNT.value, self.devices)
        is_run = self.devices < budgets.PROTOTYPE_COUNT.value
        row = budgets.PROTOTYPE_DEVICES if is_run else budgets.PROTOTYPE_COUNT
        self.devices -= kept
        return kept, "" if kept == wanted else _said(row, wanted, kept, what=what)

    def _shaped(self, item: Item) -> Extent:
        """Every device of a shape has all partitions of it."""
        steps: Steps = ("spec", "deviceShape", "partitions")
        entries: list[objects.Partition] = item.spec["deviceShape"].get("partitions") or []
        wanted = [max(0, entry.get("count", 1)) for entry in entries]
        kept = []
        for entry, count in zip(entries, wanted, strict=True):
            kept.append(min(count, self.partitions) if "count" in entry else 1)
            self.partitions -= kept[-1] if "count" in entry else 0
        row = budgets.PROTOTYPE_PARTITIONS
        reason = "" if kept == wanted else _said(row, sum(wanted), sum(kept))
        number = len(item.spec.get("devices") or ())
        devices, more = self._devices(number * (sum(kept) or 1), "its devices and partitions make")
        return Extent(
            devices,
            tuple(kept),
            reason="; ".join(filter(None, (reason, more))),
            steps=steps,
            meter=self.meter,
        )

    def _ranged(self, item: Item) -> Extent:
        """A pool that has more parts than are left is left out: each of its devices might need them."""
        found = list(_ranges_of(item))
        cells = Cells(found)
        wanted = sum(cells.count(name, text) for name, text in found)
        if wanted <= self.ranges:
            self.ranges -= wanted
            return Extent()
        reason = budgets.PROTOTYPE_RANGES.message(wanted=f"{wanted:,}")
        return Extent(is_left_out=True, reason=reason)


def _inherited(item: Item, extent: Extent) -> int:
    """How many attributes and capacities the devices of a pool have from it."""
    spec = item.spec
    shape = cast("objects.DeviceShape", spec.get("deviceShape") or {})
    named = cast("objects.NamedDevices", item.value.get("namedDevices") or {})
    devices = spec.get("devices") or named.get("devices") or ()
    common = [spec.get("attributes"), shape.get("attributes"), named.get("commonAttributes")]
    each = sum(len(entries or ()) for entries in common)
    number = len(devices) if extent.devices is None else extent.devices
    return number * each + len(devices) * len(shape.get("sharedCapacity") or ())


_RANGED = ("proto-status", "dra-evo-named")


def _said(row: budgets.Budget, wanted: int, kept: int, **more: str) -> str:
    return row.message(wanted=f"{wanted:,}", kept=f"{kept:,}", lost=f"{wanted - kept:,}", **more)


def cells_of(item: Item) -> Cells:
    """The ranges of a pool, cut where any of them begins or ends."""
    return Cells(_ranges_of(item))


def _ranges_of(item: Item) -> Iterator[tuple[str, object]]:
    """The ranges of a pool: what it shares, then what its devices consume, each with its resource's name."""
    if item.dialect == "proto-status":
        for entry in item.spec.get("sharedResources") or ():
            for _ in members(entry, ("intrange",)):
                yield entry.get("name", ""), entry["intrange"].get("value")
        lists = [device.get("sharedResourceRequests") for device in item.spec.get("devices") or ()]
        field = "intrange"
    else:
        named = cast("objects.NamedDevices", item.value.get("namedDevices") or {})
        lists = [named.get("sharedResources")]
        for device in named.get("devices") or ():
            resources = device.get("resources") or {}
            lists += [resources.get("local"), resources.get("fromSharedPool")]
        field = "intRange"
    for entries in lists:
        for entry in entries or ():
            if entry.get(field) is not None:
                yield entry.get("name", ""), entry[field]
