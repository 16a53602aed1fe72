"""Rules about bare models: those of partitionable devices, and the one-of checks of the first prototype."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dractl.api import names, semver
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.mixins import Mixins
from dractl.legacy.prototypes.checks.shared_amounts import (
    Amount,
    Ids,
    amount_of,
    check_consumed,
    check_shared,
)
from dractl.legacy.prototypes.dialects.amounts import attribute_name, members
from dractl.legacy.prototypes.dialects.ranges import range_of
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.kubecon.capacities import MODES

__all__ = ["check_model"]

_OLD_VALUES = ("quantity", "bool", "int", "intSlice", "string", "stringSlice", "version")
_MIXIN_VALUES = ("int", "bool", "string", "version")
_MOST_ENTRIES, _MOST_NAMES, _MOST_PARTS = 128, 8, 32
_ONES: Mapping[str, tuple[str, ...]] = {
    "capacities": ("counter", "quantity", "block", "accessMode"),
    "attributes": ("stringValue", "intValue", "quantityValue", "semVerValue"),
}


_REQUESTED = ("counter", "quantity", "accessMode")


def check_model(item: Item) -> None:
    """Note what is wrong with a model."""
    if item.dialect == "nv-named":
        _named(item)
    elif item.dialect == "nv-mixin":
        _mixins(item)
    elif item.dialect == "kubecon":
        for steps, kind, entry in _one_ofs(item.value, ()):
            kinds = _REQUESTED if kind == "capacities" and "capacity" in entry else _ONES[kind]
            given = members(entry, kinds)
            if len(given) != 1:
                which = " and ".join(given) if given else "none"
                item.fault("kc-1", steps, f"exactly one of {', '.join(kinds)} must be set, got {which}")
            mode = (entry.get("accessMode") or {}).get("request") if kinds is _REQUESTED else None
            if mode is not None and mode not in MODES:
                where = (*steps, "accessMode", "request")
                item.fault("kc-2", where, f"unknown access mode {mode}", f"choose from {', '.join(MODES)}")


def _one_ofs(value: Any, steps: Steps) -> Iterator[tuple[Steps, str, Mapping[str, Any]]]:
    """The entries of lists of capacities and attributes, wherever they stand."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _one_ofs(item, (*steps, number))
    elif isinstance(value, dict):
        for name, item in value.items():
            if name in _ONES and isinstance(item, list):
                for number, entry in enumerate(item):
                    yield (*steps, name, number), name, entry
            yield from _one_ofs(item, (*steps, name))


def _unique(item: Item, entries: Sequence[Mapping[str, Any]], steps: Steps, what: str) -> None:
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        name = entry.get("name") or ""
        if names.dns_subdomain(name):
            item.fault(
                "nv-1",
                (*steps, number),
                f"{name!r} is not a valid name of {what}: it must be a DNS subdomain",
            )
        elif name in seen:
            item.fault("nv-1", (*steps, number, "name"), f"duplicate {what} {name!r}")
        seen.add(name)


def _named(item: Item) -> None:
    model = item.value.get("namedResources")
    if model is None:
        item.fault("nv-5", (), "a model must have exactly one form, namedResources")
        return
    limits: dict[tuple[str, str], str] = {}
    shared: list[Amount] = []
    top: Steps = ("namedResources", "sharedLimits")
    for steps, group in _groups(item, model.get("sharedLimits"), top):
        for number, entry in enumerate(group.get("items") or ()):
            kind = _item(item, entry, (*steps, "items", number))
            limits[group.get("name", ""), entry.get("name", "")] = kind
            shared.append(_amount(group, entry, (*steps, "items", number)))
    known = check_shared(item, shared, _IDS)
    instances = model.get("instances") or ()
    _unique(item, instances, ("namedResources", "instances"), "instance")
    for number, instance in enumerate(instances):
        here: Steps = ("namedResources", "instances", number)
        for position, entry in enumerate(instance.get("attributes") or ()):
            if len(members(entry, _OLD_VALUES)) != 1:
                item.fault(
                    "nv-2", (*here, "attributes", position), "an attribute must have exactly one value"
                )
        for steps, group in _groups(item, instance.get("resources"), (*here, "resources")):
            for position, entry in enumerate(group.get("items") or ()):
                where = (*steps, "items", position)
                check_consumed(item, [_amount(group, entry, where)], known, _IDS)
                kind = _item(item, entry, where)
                limit = limits.get((group.get("name", ""), entry.get("name", "")))
                if limit is None:
                    item.fault(
                        "nv-3", where, f"missing: {group.get('name')} has no limit {entry.get('name')}"
                    )
                elif kind and limit != kind:
                    item.fault(
                        "nv-3", where, f"mismatched types: the limit is a {limit}, but this is a {kind}"
                    )


_IDS = Ids(amount="nv-2", never="nv-6")


def _amount(group: JsonObject, entry: JsonObject, steps: Steps) -> Amount:
    name = f"{group.get('name')}/{entry.get('name')}"
    return amount_of(name, steps, entry.get("quantity"), None, entry.get("intRange"))


def _groups(
    item: Item, groups: Sequence[Mapping[str, Any]] | None, steps: Steps
) -> Iterator[tuple[Steps, Mapping[str, Any]]]:
    _unique(item, groups or (), steps, "group")
    for number, group in enumerate(groups or ()):
        _unique(item, group.get("items") or (), (*steps, number, "items"), "item")
        yield (*steps, number), group


def _item(item: Item, entry: Mapping[str, Any], steps: Steps) -> str:
    given = members(entry, ("quantity", "intRange"))
    if len(given) != 1:
        which = " and ".join(given) if given else "none"
        item.fault("nv-2", steps, f"an item must have exactly one of quantity and intRange, got {which}")
        return ""
    if given[0] == "intRange" and range_of(entry["intRange"]) is None:
        item.fault("nv-4", (*steps, "intRange"), f"{entry['intRange']!r} is not a range such as 0-3,5")
    return given[0]


def _mixins(item: Item) -> None:
    mixins, devices = item.value.get("deviceMixins") or (), item.value.get("devices") or ()
    for name, entries in (("deviceMixins", mixins), ("devices", devices)):
        if len(entries) > _MOST_ENTRIES:
            message = f"must have at most {_MOST_ENTRIES} entries, got {len(entries)}"
            item.fault("nm-1", (name,), message)
        seen: set[str] = set()
        for number, entry in enumerate(entries):
            label = entry.get("name") or ""
            if label in seen or not label:
                item.fault("nm-2", (name, number), f"the name {label!r} must be set and unique")
            seen.add(label)
            if entry.get("partitionable") is None:
                item.fault("nm-2", (name, number), "an entry must have exactly one form, partitionable")
            _parts(item, entry.get("partitionable") or {}, (name, number, "partitionable"))
    written = item.document.value.get("deviceMixins")
    for number, entry in enumerate(written if isinstance(written, list) else ()):
        parts = entry.get("partitionable") if isinstance(entry, dict) else None
        if isinstance(parts, dict) and "includes" in parts:
            item.fault(
                "nm-3",
                ("deviceMixins", number, "partitionable", "includes"),
                "mixins must not include mixins",
            )
    _hyphens(item, mixins, devices)
    _links(item, mixins, devices)


def _parts(item: Item, parts: Mapping[str, Any], steps: Steps) -> None:
    for name, value in (parts.get("attributes") or {}).items():
        given = members(value, _MIXIN_VALUES)
        if len(given) != 1:
            item.fault("nm-2", (*steps, "attributes", name), "an attribute must have exactly one value")
        if value.get("version") is not None and not semver.is_valid(value["version"]):
            message = f"{value['version']!r} is not a semantic version"
            item.fault("nm-5", (*steps, "attributes", name, "version"), message)


def _hyphens(item: Item, *lists: Sequence[Mapping[str, Any]]) -> None:
    found = [
        name
        for entries in lists
        for entry in entries
        for part in ("attributes", "capacity")
        for name in (entry.get("partitionable") or {}).get(part) or {}
    ]
    odd = [name for name in dict.fromkeys(found) if attribute_name(name)]
    if odd:
        more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        item.fault("nm-4", ("deviceMixins",), f"{odd[0]}{more}: {attribute_name(odd[0])}")


def _links(item: Item, mixins: Sequence[Mapping[str, Any]], devices: Sequence[Mapping[str, Any]]) -> None:
    known = {
        "includes": {entry.get("name") for entry in mixins},
        "consumesCapacityFrom": {entry.get("name") for entry in devices},
    }
    model = Mixins(item.value)
    for number, device in enumerate(devices):
        parts: Mapping[str, Any] = device.get("partitionable") or {}
        for field, names_of in known.items():
            entries = parts.get(field) or ()
            here: Steps = ("devices", number, "partitionable", field)
            if len(entries) > _MOST_NAMES:
                item.fault("nm-1", here, f"must have at most {_MOST_NAMES} entries, got {len(entries)}")
            for position, entry in enumerate(entries):
                if entry.get("name") not in names_of:
                    item.fault("nm-2", (*here, position), f"unknown {entry.get('name')!r}")
        attributes, capacity = model.flattened(device)
        if len(attributes) + len(capacity) > _MOST_PARTS:
            total = len(attributes) + len(capacity)
            message = f"must have at most {_MOST_PARTS} attributes and capacities, got {total}"
            item.fault("nm-1", ("devices", number), message)
    for number in model.circles():
        where = ("devices", number, "partitionable", "consumesCapacityFrom")
        item.fault("nm-6", where, "devices consume from each other in a cycle")
