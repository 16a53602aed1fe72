"""The devices of DRA evolution's pools, in the ways in which its branches wrote partitionable ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dractl.api.quantity import Quantity
from dractl.cel.interpreter.cost_tracker import CostTracker
from dractl.legacy.prototypes.cel import compute
from dractl.legacy.prototypes.dialects.amounts import amount, members
from dractl.legacy.prototypes.dialects.extent import Extent
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["computed", "partitioned"]

Counters = dict[str, dict[str, Quantity]]
Provides = Mapping[str, tuple[Quantity, Quantity | None]]
Parts = tuple[str, Mapping[str, Any], Counters, Provides]
Attributes = Callable[..., dict[str, dict[str, Any]]]
Units = Callable[[str, Any, str], dict[str, Quantity]]


def partitioned(
    item: Item, extent: Extent, attributes_of: Attributes, units: Units
) -> tuple[list[Parts], Counters]:
    """The devices of a pool, each with its name, attributes, what it takes and provides; and the counters."""
    if item.dialect == "dra-evo-named":
        return _named(item.value, attributes_of, units)
    if item.spec.get("deviceShape"):
        return _shaped(item.spec, extent, attributes_of)
    spec = item.spec
    counters = _counters(spec.get("sharedCapacity"))
    devices: list[Parts] = []
    for device in spec.get("devices") or ():
        attributes = attributes_of(spec.get("attributes"), device.get("attributes"))
        provides: Provides = {
            entry.get("name", ""): (size, None)
            for entry in device.get("capacity") or ()
            if (size := amount(entry.get("capacity"))) is not None
        }
        # What is a capacity in that branch was an attribute before, and selectors see it as one.
        attributes = {name: {"quantity": str(size)} for name, (size, _) in provides.items()} | attributes
        consumes = _counters(device.get("sharedCapacityConsumed"))
        devices.append((device.get("name", ""), attributes, consumes, provides))
    return devices, counters


def _counters(entries: Iterable[Mapping[str, Any]] | None) -> Counters:
    """Capacities by group; those without a group are in one that is called ``shared``."""
    found: Counters = {}
    for entry in entries or ():
        if "sharedCapacity" in entry:
            found.setdefault(entry.get("name", ""), {}).update(_sizes(entry["sharedCapacity"]))
        else:
            found.setdefault("shared", {}).update(_sizes([entry]))
    return found


def _sizes(entries: Iterable[Mapping[str, Any]]) -> dict[str, Quantity]:
    return {
        entry.get("name", ""): size
        for entry in entries
        if (size := amount(entry.get("capacity"))) is not None
    }


def _shaped(
    spec: Mapping[str, Any], extent: Extent, attributes_of: Attributes
) -> tuple[list[Parts], Counters]:
    """Devices of one shape, each with its own copy of what its partitions share."""
    shape: Mapping[str, Any] = spec["deviceShape"]
    shared = _sizes(shape.get("sharedCapacity") or ())
    counters: Counters = {}
    devices: list[Parts] = []
    entries = zip(shape.get("partitions") or (), extent.partitions, strict=True)
    partitions = [part for entry, count in entries for part in computed(entry, count, extent.meter)]
    for device in spec.get("devices") or ():
        if len(devices) >= (extent.devices or 0):
            break
        name = device.get("name", "")
        counters[name] = dict(shared)
        own, common = device.get("attributes"), shape.get("attributes")
        if not partitions:
            devices.append((name, attributes_of(common, own), {name: dict(shared)}, {}))
        for part in partitions[: (extent.devices or 0) - len(devices)]:
            attributes = attributes_of(common, part.get("attributes"), own)
            taken = _sizes(part.get("sharedCapacityConsumed") or ())
            devices.append((f"{name}-{part.get('name', '')}", attributes, {name: taken}, {}))
    return devices, counters


def computed(entry: Mapping[str, Any], count: int, meter: CostTracker) -> Iterator[Mapping[str, Any]]:
    """The partitions that an entry stands for: itself, or the first ``count`` ones computed from an index."""
    if "count" not in entry:
        yield entry
        return
    for index in range(count):
        yield {
            "name": _value(entry.get("name"), index, meter),
            "attributes": [
                {field: _value(part, index, meter) for field, part in attribute.items()}
                for attribute in entry.get("attributes") or ()
            ],
            "sharedCapacityConsumed": [
                {field: _value(part, index, meter) for field, part in capacity.items()}
                for capacity in entry.get("sharedCapacityConsumed") or ()
            ],
        }


def _value(part: object, index: int, meter: CostTracker) -> Any:
    """What is written as a value or computed by an expression."""
    if not isinstance(part, dict):
        return None
    if part.get("expression") is None:
        return part.get("value")
    return compute(part["expression"], index, meter)


def _named(value: Mapping[str, Any], attributes_of: Attributes, units: Units) -> tuple[list[Parts], Counters]:
    """The early form: named devices with common attributes, that draw from a shared pool."""
    named: Mapping[str, Any] = value.get("namedDevices") or {}

    def drawn(entries: Iterable[Mapping[str, Any]] | None) -> dict[str, Quantity]:
        found: dict[str, Quantity] = {}
        for entry in entries or ():
            for kind in members(entry, ("quantity", "intRange")):
                found |= units(entry.get("name", ""), entry[kind], kind)
        return found

    devices: list[Parts] = []
    for device in named.get("devices") or ():
        resources: Mapping[str, Any] = device.get("resources") or {}
        local: Provides = {name: (size, None) for name, size in drawn(resources.get("local")).items()}
        attributes = attributes_of(named.get("commonAttributes"), device.get("attributes"))
        taken = drawn(resources.get("fromSharedPool"))
        devices.append((device.get("name", ""), attributes, {"shared": taken}, local))
    return devices, {"shared": drawn(named.get("sharedResources"))}
