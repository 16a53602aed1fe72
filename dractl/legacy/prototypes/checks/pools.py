"""Rules about the pools of devmgmtproto.k8s.io, in all of its states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import names
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.api.quantity import Quantity
from dractl.api.wording import did_you_mean
from dractl.legacy.prototypes.checks.status_pools import check_shared_resources
from dractl.legacy.prototypes.dialects.amounts import amount, is_identifier, members, rounded_down, some
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["VALUES", "check_pool"]

VALUES = ("stringValue", "intValue", "quantityValue", "semVerValue")
_STATUS_VALUES = ("string", "int", "quantity", "semver")
_ZERO = amount("0")


def check_pool(item: Item) -> None:
    """Note what is wrong with a pool that lists or counts devices."""
    if item.dialect == "proto-status":
        _check_status_pool(item)
        return
    _driver(item, "driver")
    _attributes(item, item.spec.get("attributes"), ("spec", "attributes"), VALUES)
    if item.dialect == "proto-pools":
        count = item.spec.get("count")
        if count is None or count < 0:
            item.fault("pp-1", ("spec", "count"), "the device count must be set and not negative")
        return
    _devices(item)
    shared = _resources(item, item.spec.get("sharedResources"), ("spec", "sharedResources"))
    for number, device in enumerate(item.spec.get("devices") or ()):
        steps: Steps = ("spec", "devices", number)
        _attributes(item, device.get("attributes"), (*steps, "attributes"), VALUES)
        _resources(item, device.get("claimResourcesProvided"), (*steps, "claimResourcesProvided"))
        _consumed(item, device, steps, shared)
    _hyphens(item)
    _allocated(item, "deviceStatuses")


def _driver(item: Item, field: str) -> None:
    driver = item.spec.get(field)
    if not driver:
        item.fault("dp-1", ("spec", field), "the pool requires a driver")
    elif names.dns_subdomain(driver):
        item.fault(
            "dp-1-form", ("spec", field), f"{driver!r} is not a DNS subdomain, which v1 requires for drivers"
        )


def _devices(item: Item) -> None:
    devices = item.spec.get("devices") or ()
    if not devices:
        item.fault("dp-2", ("spec", "devices"), "the pool requires a device")
    _names(item, devices, ("spec", "devices"), "dp-3", "device")


def _names(item: Item, entries: Sequence[JsonObject], steps: Steps, rule: str, what: str) -> None:
    seen: dict[str, int] = {}
    for number, entry in enumerate(entries):
        name = cast("str | None", entry.get("name"))
        if not name:
            item.fault(rule, (*steps, number), f"the {what} requires a name")
        elif name in seen:
            first = seen[name]
            item.fault(rule, (*steps, number, "name"), f"duplicate {what} {name!r}, also at #{first}")
        else:
            seen[name] = number


def _attributes(
    item: Item, found: Sequence[objects.Attribute] | None, steps: Steps, values: tuple[str, ...]
) -> None:
    _names(item, found or (), steps, "dp-4", "attribute")
    for number, entry in enumerate(found or ()):
        given = members(entry, values)
        if len(given) != 1:
            which = " and ".join(given) if given else "none"
            item.fault(
                "dp-5",
                (*steps, number),
                f"an attribute must have exactly one value, got {which}",
                f"use one of {', '.join(values)}",
                is_empty=not given,
            )


def _resources(item: Item, found: Sequence[objects.Capacity] | None, steps: Steps) -> dict[str, Quantity]:
    """The amounts by name, after a look at what is wrong with them."""
    _names(item, found or (), steps, "dp-7", "resource")
    amounts: dict[str, Quantity] = {}
    for number, entry in enumerate(found or ()):
        here: Steps = (*steps, number)
        size, block = amount(entry.get("capacity")), amount(entry.get("blockSize"))
        if size is None or _below_zero(size):
            item.fault("dp-6", (*here, "capacity"), "the capacity must be set and not negative")
            continue
        amounts[entry.get("name", "")] = size
        if block is None:
            continue
        if block.compare(_ZERO) <= 0 if _ZERO is not None else False:
            item.fault("dp-6", (*here, "blockSize"), "a block must be greater than zero")
        elif rounded_down(size, block) != size:
            item.fault(
                "dp-13",
                (*here, "capacity"),
                f"{size} is not a multiple of {block}; the remainder can never be allocated",
            )
    return amounts


def _below_zero(size: Quantity) -> bool:
    return _ZERO is not None and size.compare(_ZERO) < 0


def _consumed(item: Item, device: objects.PoolDevice, steps: Steps, shared: Mapping[str, Quantity]) -> None:
    missing = []
    for name, text in (device.get("sharedResourcesConsumed") or {}).items():
        wanted = amount(text)
        here: Steps = (*steps, "sharedResourcesConsumed", name)
        if wanted is None or _below_zero(wanted):
            item.fault("dp-6", here, "the amount must not be negative")
        elif name not in shared:
            missing.append(name)
        elif wanted.compare(shared[name]) > 0:
            item.fault(
                "dp-10", here, f"{wanted} of {name} can never be allocated: the pool has {shared[name]}"
            )
    if missing:
        listed = some(missing)
        item.fault(
            "dp-8",
            (*steps, "sharedResourcesConsumed", missing[0]),
            f"device {device.get('name', '')} consumes {listed}, which is not in the sharedResources of the "
            "pool",
            did_you_mean(missing[0], shared),
        )


def _hyphens(item: Item) -> None:
    lists = [item.spec.get("attributes") or ()]
    lists += [device.get("attributes") or () for device in item.spec.get("devices") or ()]
    written = dict.fromkeys(entry.get("name", "") for found in lists for entry in found)
    odd = [name for name in written if name and not is_identifier(name)]
    if odd:
        more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        message = f"attribute {odd[0]}{more} must be accessed as device['{odd[0]}'], not with a dot"
        item.fault("dp-12", ("spec",), message)


def _allocated(item: Item, field: str) -> None:
    devices = {device.get("name") for device in item.spec.get("devices") or ()}
    counts: Counter[str] = Counter()
    for number, entry in enumerate(item.status.get(field) or ()):
        name = entry.get("name") or ""
        counts[name] += 1
        if name not in devices:
            item.fault("ks-5", ("status", field, number), f"the pool requires a device {name!r}")
        elif counts[name] > 1:
            item.fault("ks-5", ("status", field, number), f"duplicate device {name}")


def _check_status_pool(item: Item) -> None:
    _driver(item, "driverName")
    _devices(item)
    _attributes(item, item.spec.get("attributes"), ("spec", "attributes"), _STATUS_VALUES)
    _names(item, item.spec.get("sharedResources") or (), ("spec", "sharedResources"), "dp-7", "resource")
    for number, device in enumerate(item.spec.get("devices") or ()):
        _attributes(item, device.get("attributes"), ("spec", "devices", number, "attributes"), _STATUS_VALUES)
    check_shared_resources(item)
    _allocated(item, "allocatedDevices")
