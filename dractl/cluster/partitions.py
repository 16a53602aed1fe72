"""The devices of a pool as a partition model: what each takes, and what devices like it are called."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool, PoolRules
from dractl.cluster.possible_sets import Counter, Part

__all__ = ["kind_names", "partition_model", "shape_of"]

_PROFILE = "profile"
"""What the name of an attribute contains that says what kind of partition a device is."""
_BILLIONTH = 9
"""The digits behind the point that a quantity can have."""


def partition_model(pool: Pool, rules: PoolRules) -> tuple[list[Part], dict[Counter, int]]:
    """The devices of a usable pool and its counters; where counters are of no account, nothing is taken.

    Raises ValueError where a number has too many digits.
    """
    devices = (*pool.devices, *pool.background)
    limits: dict[Counter, int] = {}
    takes: dict[str, dict[Counter, int]] = {device.name: {} for device in devices}
    if rules.partitionable_devices and rules.counters_per_slice:
        for device in devices:
            sets = dict(device.slice.counter_sets())
            limits |= _limits(sets, f"{device.slice.name}/")
            takes[device.name] = _takes(device, f"{device.slice.name}/")
    elif rules.partitionable_devices:
        limits = _limits(pool.counters, "")
        takes = {device.name: _takes(device, "") for device in devices}
    names = kind_names(
        [device.name for device in devices],
        [device.data.get("attributes") or {} for device in devices],
        [
            (
                shape_of(takes[device.name]),
                _json(device.data.get("capacity") or {}),
                tuple(sorted(tuple(sorted(groups)) for groups in _groups(device, rules).values())),
            )
            for device in devices
        ],
    )
    parts = [
        Part(device.name, names[device.name], takes[device.name], _groups(device, rules))
        for device in devices
    ]
    return parts, limits


def _groups(device: Device, rules: PoolRules) -> dict[str, frozenset[str]]:
    if not rules.compatibility_groups:
        return {}
    return {entry.counter_set: entry.compatibility_groups for entry in device.consumes}


def _limits(sets: Mapping[str, Mapping[str, Quantity]], prefix: str) -> dict[Counter, int]:
    return {
        (prefix + owner, name): _billionths(size)
        for owner, counters in sets.items()
        for name, size in counters.items()
    }


def _takes(device: Device, prefix: str) -> dict[Counter, int]:
    found: dict[Counter, int] = {}
    for entry in device.consumes:
        for name, amount in entry.counters.items():
            key = (prefix + entry.counter_set, name)
            found[key] = found.get(key, 0) + _billionths(amount)
    return found


def _billionths(amount: Quantity) -> int:
    if amount.scale > _MOST_DIGITS:
        raise ValueError(f"{amount} has too many digits to add")
    return int(amount.unscaled * 10 ** (amount.scale + _BILLIONTH))


_MOST_DIGITS = 2000
"""Longest number that is written out; dractl's own limit."""


def shape_of(takes: Mapping[Counter, int]) -> tuple[int, ...]:
    """What a device takes, whichever counters these are: the same for the placements of one profile."""
    return tuple(sorted(filter(None, takes.values())))


def kind_names(
    names: Sequence[str], attributes: Sequence[JsonObject], traits: Sequence[Hashable]
) -> dict[str, str]:
    """What devices like each are called, by the name of the device.

    Devices are alike with the same ``traits`` and attributes; an attribute with another value for every
    device, as a UUID, does not count, unless it is a profile. A kind has the name of an attribute value that
    no other kind has, or else the part that the names of its devices have in common.
    """
    values = {
        attribute: [_json(found.get(attribute)) for found in attributes]
        for attribute in dict.fromkeys(name for found in attributes for name in found)
    }
    telling = [
        name for name, found in values.items() if len(set(found)) < len(names) or _PROFILE in name.lower()
    ]
    keys = [
        (trait, tuple(values[attribute][number] for attribute in telling))
        for number, trait in enumerate(traits)
    ]
    members: dict[Hashable, list[int]] = {}
    for number, key in enumerate(keys):
        members.setdefault(key, []).append(number)
    kinds = list(members.values())
    chosen = _by_attribute(kinds, attributes, telling) or _by_name(kinds, names)
    return {names[number]: text for kind, text in zip(kinds, chosen, strict=True) for number in kind}


def _by_attribute(
    kinds: Sequence[Sequence[int]], attributes: Sequence[JsonObject], telling: Iterable[str]
) -> list[str] | None:
    """The values of the first attribute that is another one for each kind; None without any."""
    found = sorted(telling, key=lambda name: (_PROFILE not in name.lower(), name))
    for attribute in found if len(kinds) > 1 else ():
        texts = [_text(attributes[kind[0]].get(attribute)) for kind in kinds]
        if all(texts) and len(set(texts)) == len(texts):
            return texts
    return None


def _text(value: object) -> str:
    """The value of an attribute; empty for none and for a list."""
    inner = next(iter(value.values()), None) if isinstance(value, dict) else None
    return "" if inner is None or isinstance(inner, list) else str(inner)


def _by_name(kinds: Sequence[Sequence[int]], names: Sequence[str]) -> list[str]:
    texts = [_stem([names[number] for number in kind]) for kind in kinds]
    is_unique: Callable[[str], bool] = lambda text: bool(text) and texts.count(text) == 1  # noqa: E731
    return [
        text if is_unique(text) else _listed([names[number] for number in kind])
        for kind, text in zip(kinds, texts, strict=True)
    ]


def _stem(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, last = min(names), max(names)  # what these two have in common, those between them have too
    common = next(
        (end for end, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), None
    )
    return re.sub(r"[-.]?\d*$", "", first[:common])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} like it"


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
