"""Rules about klueska's draft of a pool: quantities and ranges, and a status with the allocated devices."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.legacy.prototypes.checks.shared_amounts import (
    Amount,
    Ids,
    amount_of,
    check_consumed,
    check_shared,
)
from dractl.legacy.prototypes.dialects.amounts import members
from dractl.legacy.prototypes.dialects.ranges import overlaps, range_of
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["check_range", "check_shared_resources"]

_IDS = Ids(amount="dp-6", never="dp-10", twice="ks-6", remainder="dp-13")


def check_shared_resources(item: Item) -> None:
    """Note what is wrong with what a pool shares and its devices request of that."""
    kinds: dict[str, str] = {}
    shared: list[Amount] = []
    for number, entry in enumerate(item.spec.get("sharedResources") or ()):
        steps: Steps = ("spec", "sharedResources", number)
        kind = _one_value(item, entry, steps)
        if kind:
            kinds[entry.get("name", "")] = kind
        quantity = entry.get("quantity") or {}
        ranged = (entry.get("intrange") or {}).get("value")
        check_range(item, ranged, (*steps, "intrange", "value"))
        shared.append(
            amount_of(entry.get("name", ""), steps, quantity.get("value"), quantity.get("blockSize"), ranged)
        )
    known = check_shared(item, shared, _IDS)
    for number, device in enumerate(item.spec.get("devices") or ()):
        requests = []
        for position, entry in enumerate(device.get("sharedResourceRequests") or ()):
            here: Steps = ("spec", "devices", number, "sharedResourceRequests", position)
            _request(item, entry, here, kinds)
            name = entry.get("name", "")
            requests.append(amount_of(name, here, entry.get("quantity"), None, entry.get("intrange")))
        check_consumed(item, requests, known, _IDS)


def _one_value(item: Item, entry: JsonObject, steps: Steps) -> str:
    given = members(entry, ("quantity", "intrange"))
    if len(given) == 1:
        return given[0]
    which = " and ".join(given) if given else "none, or an unknown one of a newer client"
    message = f"a value must have exactly one of quantity and intrange, got {which}"
    item.fault("ks-1", steps, message, is_empty=not given)
    return ""


def _request(item: Item, entry: JsonObject, steps: Steps, kinds: Mapping[str, str]) -> None:
    kind, name = _one_value(item, entry, steps), str(entry.get("name", ""))
    check_range(item, entry.get("intrange"), (*steps, "intrange"))
    if name not in kinds:
        item.fault("ks-3", (*steps, "name"), f"unknown shared resource {name!r}")
    elif kind and kinds[name] != kind:
        item.fault("ks-2", steps, f"{name} is a {kinds[name]} of the pool, but here a {kind}")


def check_range(item: Item, text: object, steps: Steps) -> None:
    """Note a text that is no range of integers, or one whose segments overlap."""
    if text is None:
        return
    if range_of(text) is None:
        item.fault("ks-4", steps, f"{text!r} is not a range of integers such as 0-3,5")
    elif overlaps(str(text)):
        item.fault("ks-4-overlap", steps, f"segments of {text!r} overlap")
