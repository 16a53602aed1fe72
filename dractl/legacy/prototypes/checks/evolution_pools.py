"""Rules about the pools of DRA evolution and of its branches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from dractl.api import names, semver
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.partitions import computed
from dractl.legacy.prototypes.checks.shared_amounts import (
    Amount,
    Ids,
    amount_of,
    check_consumed,
    check_shared,
)
from dractl.legacy.prototypes.checks.status_pools import check_range
from dractl.legacy.prototypes.dialects.amounts import attribute_name, is_identifier, members
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.extent import Extent
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["check_device_names", "check_resource_pool"]

_VALUES = ("quantity", "bool", "string", "version", "int")
_MOST = {
    "devices": 128,
    "sharedCapacity": 128,
    "attributes": 32,
    "sharedCapacityConsumed": 32,
    "capacity": 32,
}
_MOST_GROUPS = 16
_LONGEST_TEXT = 64


def check_resource_pool(item: Item, extent: Extent) -> None:
    """Note what is wrong with a pool, of which ``extent`` is looked at."""
    is_flat = item.dialect == "dra-evo-named"
    spec, steps = (item.value, ()) if is_flat else (item.spec, ("spec",))
    _driver(item, spec.get("driverName"), (*steps, "driverName"))
    _node(item, cast("objects.EvolutionPool", spec), steps)
    if item.dialect == "dra-evo-content" and spec.get("sliceContent") != "Devices":
        message = "the content must be Devices; the slice is ignored, because it may have unknown content"
        item.fault("de-content", (*steps, "sliceContent"), message)
    written = item.document.value.get("spec")
    if isinstance(written, dict) and "distributedAllocation" in written:
        item.fault(
            "de-22", (*steps, "distributedAllocation"), "the field was removed; such pools are ignored"
        )
    if is_flat:
        _named(item, item.value.get("namedDevices", {}))
        return
    declared = _declared(item, spec.get("sharedCapacity"), (*steps, "sharedCapacity"))
    _attributes(item, spec.get("attributes"), (*steps, "attributes"))
    shape = spec.get("deviceShape")
    if shape is not None:
        _shape(item, shape, (*steps, "deviceShape"), extent)
    _sizes(item, spec, steps)
    shared = check_shared(item, _capacities(spec.get("sharedCapacity"), (*steps, "sharedCapacity")), _IDS)
    for number, device in enumerate(spec.get("devices") or ()):
        here: Steps = (*steps, "devices", number)
        _sizes(item, device, here)
        consumed = _capacities(device.get("sharedCapacityConsumed"), (*here, "sharedCapacityConsumed"))
        check_consumed(item, consumed, shared, _IDS)
        check_consumed(item, _capacities(device.get("capacity"), (*here, "capacity")), {}, _IDS)
        _attributes(item, device.get("attributes"), (*here, "attributes"))
        _consumed(item, device.get("sharedCapacityConsumed"), (*here, "sharedCapacityConsumed"), declared)


def _driver(item: Item, driver: str | None, steps: Steps) -> None:
    if not driver:
        item.fault("de-1", steps, "the pool requires a driver")
    elif names.dns_subdomain(driver.lower()) or len(driver) > names.DRIVER_MAX:
        item.fault(
            "de-1", steps, f"{driver!r} is not a DNS subdomain of at most {names.DRIVER_MAX} characters"
        )


def _node(item: Item, spec: objects.EvolutionPool, steps: Steps) -> None:
    given = members(spec, ("nodeName", "devicePool"))
    if item.dialect != "dra-evo-netpool":
        if not spec.get("nodeName"):
            item.fault("de-2", (*steps, "nodeName"), "the pool requires a node")
        return
    if len(given) != 1:
        which = " and ".join(given) if given else "none"
        item.fault("de-node", steps, f"a pool must have exactly one of nodeName and devicePool, got {which}")
    name = (spec.get("devicePool") or {}).get("name")
    if name and (len(name) > names.POOL_MAX or any(names.dns_subdomain(part) for part in name.split("/"))):
        message = (
            f"{name!r} is not a pool name: DNS subdomains joined with '/', at most {names.POOL_MAX} "
            "characters"
        )
        item.fault("de-node", (*steps, "devicePool", "name"), message)


def _sizes(item: Item, holder: JsonObject, steps: Steps) -> None:
    for name, most in _MOST.items():
        found = holder.get(name)
        limit = _MOST_GROUPS if item.dialect == "dra-evo-groups" and name.startswith("shared") else most
        if isinstance(found, list) and len(found) > limit:
            item.fault("de-4", (*steps, name), f"must have at most {limit} entries, got {len(found)}")


def _attributes(item: Item, found: Sequence[objects.Attribute] | None, steps: Steps) -> None:
    seen: set[str] = set()
    for number, entry in enumerate(found or ()):
        here: Steps = (*steps, number)
        name = entry.get("name") or ""
        problem = attribute_name(name)
        if problem:
            note = "" if len(name) > _LONGEST_OF_TEST else "; the test in its repository accepts it"
            item.fault("de-6", (*here, "name"), f"{name!r} is not an attribute name: {problem}{note}")
        elif name in seen:
            item.fault("de-6", (*here, "name"), f"duplicate {name!r}")
        seen.add(name)
        _value(item, entry, here)


_LONGEST_OF_TEST = 63
"""Longest name that the test of the prototype takes, whatever the comments say."""


def _value(item: Item, entry: objects.Attribute, steps: Steps) -> None:
    given = members(entry, _VALUES)
    if len(given) != 1:
        which = " and ".join(given) if given else "none, or an unknown one of a newer client"
        message = f"an attribute must have exactly one value, got {which}"
        item.fault("de-5", steps, message, is_empty=not given)
    version, text = entry.get("version"), entry.get("string")
    if version is not None and (len(version) > _LONGEST_TEXT or not semver.is_valid(version)):
        item.fault("de-7", (*steps, "version"), f"{version!r} is not a semantic version")
    if text is not None and len(text) > _LONGEST_TEXT:
        item.fault("de-7", (*steps, "string"), f"a string must have at most {_LONGEST_TEXT} characters")


Declared = Mapping[str, frozenset[str] | None]
"""The names that may be consumed; those of groups with what is in them."""


def _declared(item: Item, found: Sequence[objects.SharedCapacity] | None, steps: Steps) -> Declared:
    known: dict[str, frozenset[str] | None] = {}
    for number, entry in enumerate(found or ()):
        name = entry.get("name") or ""
        _capacity_name(item, name, (*steps, number), known)
        inner = entry.get("sharedCapacity")
        known[name] = None if inner is None else frozenset(part.get("name") or "" for part in inner)
        if inner is not None and len(inner) > _MOST_GROUPS:
            message = f"must have at most {_MOST_GROUPS} entries, got {len(inner)}"
            item.fault("de-4", (*steps, number, "sharedCapacity"), message)
    return known


def _capacity_name(item: Item, name: str, steps: Steps, known: JsonObject) -> None:
    if not is_identifier(name) or len(name) > names.IDENTIFIER_MAX:
        message = f"{name!r} is not a C identifier of at most {names.IDENTIFIER_MAX} characters"
        item.fault("de-8", (*steps, "name"), message)
    elif name in known:
        item.fault("de-8", (*steps, "name"), f"duplicate {name!r}")


def _consumed(
    item: Item, found: Sequence[objects.SharedCapacity] | None, steps: Steps, declared: Declared
) -> None:
    for number, entry in enumerate(found or ()):
        name = entry.get("name") or ""
        if name not in declared:
            item.fault(
                "de-8", (*steps, number, "name"), f"{name!r} is consumed, but the pool does not declare it"
            )
            continue
        known = declared[name]
        for position, part in enumerate(entry.get("sharedCapacity") or ()):
            if known is not None and part.get("name") not in known:
                where = (*steps, number, "sharedCapacity", position)
                item.fault("de-8", where, f"group {name} has no {part.get('name')!r}")


def _shape(item: Item, shape: objects.DeviceShape, steps: Steps, extent: Extent) -> None:
    declared = _declared(item, shape.get("sharedCapacity"), (*steps, "sharedCapacity"))
    shared = check_shared(item, _capacities(shape.get("sharedCapacity"), (*steps, "sharedCapacity")), _IDS)
    _attributes(item, shape.get("attributes"), (*steps, "attributes"))
    for number, partition in enumerate(shape.get("partitions") or ()):
        here: Steps = (*steps, "partitions", number)
        if item.dialect == "dra-evo-cel":
            for place, value in _written(partition, here):
                _one_value(item, value, place)
            for made in computed(partition, extent.partitions[number], extent.meter):
                _consumed(
                    item, made.get("sharedCapacityConsumed"), (*here, "sharedCapacityConsumed"), declared
                )
            continue
        name = partition.get("name") or ""
        if names.dns_label(name):
            item.fault("de-3", (*here, "name"), f"{name!r} is not a DNS label")
        _attributes(item, partition.get("attributes"), (*here, "attributes"))
        taken = _capacities(partition.get("sharedCapacityConsumed"), (*here, "sharedCapacityConsumed"))
        check_consumed(item, taken, shared, _IDS)
        _consumed(item, partition.get("sharedCapacityConsumed"), (*here, "sharedCapacityConsumed"), declared)


def _written(partition: Mapping[str, Any], steps: Steps) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    """The values of a partition that are given or computed."""
    if "name" in partition:
        yield (*steps, "name"), partition["name"]
    for field in ("attributes", "sharedCapacityConsumed"):
        for number, entry in enumerate(partition.get(field) or ()):
            for name, value in entry.items():
                yield (*steps, field, number, name), value


def _one_value(item: Item, value: Mapping[str, Any], steps: Steps) -> None:
    given = members(value, ("value", "expression"))
    if len(given) != 1:
        which = " and ".join(given) if given else "neither"
        item.fault("de-value", steps, f"exactly one of value and expression must be set, got {which}")


def _named(item: Item, named: objects.NamedDevices) -> None:
    """The early form with a shared pool of quantities and ranges."""
    steps: Steps = ("namedDevices",)
    declared = {entry.get("name") or "": entry for entry in named.get("sharedResources") or ()}
    shared = _amounts(item, named.get("sharedResources"), (*steps, "sharedResources"))
    known = check_shared(item, shared, _IDS)
    _plain_attributes(item, named.get("commonAttributes"), (*steps, "commonAttributes"))
    for number, device in enumerate(named.get("devices") or ()):
        here: Steps = (*steps, "devices", number)
        _plain_attributes(item, device.get("attributes"), (*here, "attributes"))
        resources: objects.NamedResources = device.get("resources") or {}
        drawn = _amounts(item, resources.get("fromSharedPool"), (*here, "resources", "fromSharedPool"))
        check_consumed(item, drawn, known, _IDS)
        check_shared(item, _amounts(item, resources.get("local"), (*here, "resources", "local")), _IDS)
        for position, entry in enumerate(resources.get("fromSharedPool") or ()):
            where = (*here, "resources", "fromSharedPool", position)
            if entry.get("name") not in declared:
                message = f"{entry.get('name')!r} is consumed, but the pool does not declare it"
                item.fault("de-8", (*where, "name"), message)


def _plain_attributes(item: Item, found: Sequence[objects.Attribute] | None, steps: Steps) -> None:
    for number, entry in enumerate(found or ()):
        _value(item, entry, (*steps, number))


def _amounts(item: Item, found: Sequence[objects.Ranged] | None, steps: Steps) -> list[Amount]:
    """Quantities and ranges, after a look at their form."""
    amounts = []
    for number, entry in enumerate(found or ()):
        here: Steps = (*steps, number)
        given = members(entry, ("quantity", "intRange"))
        if len(given) != 1:
            which = " and ".join(given) if given else "none"
            message = f"a resource must have exactly one of quantity and intRange, got {which}"
            item.fault("ks-1", here, message)
        ranged = entry.get("intRange")
        check_range(item, ranged, (*here, "intRange"))
        amounts.append(amount_of(entry.get("name") or "", here, entry.get("quantity"), None, ranged))
    return amounts


def _capacities(found: Sequence[objects.SharedCapacity] | None, steps: Steps) -> Iterator[Amount]:
    """The amounts of capacities, those in groups by the names of both."""
    for number, entry in enumerate(found or ()):
        here: Steps = (*steps, number)
        if "sharedCapacity" not in entry:
            yield amount_of(entry.get("name") or "", here, entry.get("capacity"))
        for position, part in enumerate(entry.get("sharedCapacity") or ()):
            name = f"{entry.get('name')}/{part.get('name')}"
            yield amount_of(name, (*here, "sharedCapacity", position), part.get("capacity"))


_IDS = Ids(amount="de-amount", never="de-never", twice="de-8")


def check_device_names(directory: Directory) -> None:
    """Note devices without a proper name, and those that are described twice for a driver and node."""
    seen: dict[tuple[str, str, str], tuple[Item, objects.PoolDevice]] = {}
    for item in directory.of_kind("ResourcePool", family=EVOLUTION):
        is_flat = item.dialect == "dra-evo-named"
        spec = item.value if is_flat else item.spec
        place: Steps = ("namedDevices", "devices") if is_flat else ("spec", "devices")
        devices = (spec.get("namedDevices") or {}).get("devices") if is_flat else spec.get("devices")
        for number, device in enumerate(devices or ()):
            name = device.get("name") or ""
            if names.dns_label(name):
                item.fault("de-3", (*place, number, "name"), f"{name!r} is not a DNS label")
            home = spec.get("nodeName") or (spec.get("devicePool") or {}).get("name") or ""
            key = (spec.get("driverName") or "", home, name)
            if key not in seen:
                seen[key] = item, device
                continue
            first, other = seen[key]
            where = f"pool {first.name}" if first is not item else "this pool"
            if first is not item and other == device:
                item.fault("de-3-again", (*place, number, "name"), f"{name!r} is also in {where}")
            else:
                message = f"{name!r} is already in {where}; driver, node and name identify a device"
                item.fault("de-3", (*place, number, "name"), message)
