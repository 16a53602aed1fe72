"""Pools of all dialects as ResourceSlices of v1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import starmap
from operator import mul
from typing import TYPE_CHECKING, Any, cast

from dractl.api import names
from dractl.api.json_types import JsonDict
from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.allocation.inventory import Counters, Entry
from dractl.legacy.prototypes.dialects.amounts import amount, rounded_down
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.v1.losses import Losses
from dractl.legacy.prototypes.v1.vocabulary import Vocabulary, kind_of, label, object_name

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["slices_of"]

_MOST_DEVICES, _MOST_DRAWING = 128, 64
_MOST_SETS, _MOST_COUNTERS, _MOST_SETS_OF_DEVICE, _MOST_PARTS = 8, 32, 2, 32
_LONGEST_TEXT = 64
_SLASH = "/"


def slices_of(
    entries: list[Entry], families: list[str], vocabulary: Vocabulary, losses: Losses
) -> Iterator[JsonDict]:
    """The slices of all pools. Pools of one driver and name, as DRA evolution has them, are one pool.

    Attributes are there under the names by which the claims of ``families`` look for them; without any under
    those of the pool's own.
    """
    pools: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        pools.setdefault((entry.driver, entry.name), []).append(entry)
    for members in pools.values():
        yield from _Pool(members, families, vocabulary, losses).slices()


class _Pool:
    def __init__(
        self, entries: list[Entry], families: list[str], vocabulary: Vocabulary, losses: Losses
    ) -> None:
        self.families = families or [entries[0].item.family]
        self.entries = [_with_integers(entry) for entry in entries]
        self.item = entries[0].item
        self.vocabulary = vocabulary
        self.losses = losses

    def slices(self) -> Iterator[JsonDict]:
        driver = self.entries[0].driver
        if names.dns_subdomain(driver) or len(driver) > names.DRIVER_MAX:
            message = f"the driver {driver!r} is not a DNS subdomain of at most {names.DRIVER_MAX} characters"
            self.losses.add(self.item, ("spec",), message)
            return
        pool = self.entries[0].name
        if len(pool) > names.POOL_MAX or any(names.dns_subdomain(part) for part in pool.split(_SLASH)):
            self.losses.add(self.item, ("metadata", "name"), f"{pool!r} is not a v1 pool name")
            return
        for entry in self.entries:
            self._losses_of(entry)
        renamed, counters = self._counters()
        devices = [made for entry in self.entries for made in self._devices(entry, renamed)]
        bodies: list[tuple[str, JsonDict]] = []
        if counters:
            bodies.append(("counters", {"sharedCounters": counters}))
        most = _MOST_DRAWING if any("consumesCounters" in device for device in devices) else _MOST_DEVICES
        chunks = [devices[start : start + most] for start in range(0, len(devices), most)] or [[]]
        for number, chunk in enumerate(chunks):
            bodies.append((f"{number:04}" if len(chunks) > 1 else "", {"devices": chunk} if chunk else {}))
        stem = object_name(self.item.name if len(self.entries) == 1 else pool)
        for suffix, body in bodies:
            yield {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": f"{stem}-{suffix}" if suffix else stem},
                "spec": {
                    "driver": driver,
                    "pool": {"name": pool, "generation": 1, "resourceSliceCount": len(bodies)},
                    **self._nodes(),
                    **body,
                },
            }

    def _nodes(self) -> JsonDict:
        entry = self.entries[0]
        if entry.node is not None:
            return {"nodeName": entry.node}
        if entry.selector is not None:
            if len(entry.selector.get("nodeSelectorTerms") or ()) > 1:
                where = ("spec", "devicePool", "nodeSelector")
                self.losses.add(entry.item, where, "the node selector of a slice must have one term")
            return {"nodeSelector": dict(entry.selector)}
        return {"allNodes": True}

    def _losses_of(self, entry: Entry) -> None:
        if entry.item.status:
            self.losses.add(entry.item, ("status",), "a slice has no status; claims list their devices")
        for number, device in enumerate(entry.devices):
            for name, (_, block) in device["provides"].items():
                if block is not None:
                    where = ("spec", "devices", number, "claimResourcesProvided")
                    text = f"v1 allocates {name} in blocks only from devices that several claims share"
                    self.losses.add(entry.item, where, text)

    def _counters(self) -> tuple[dict[str, str], list[resource.CounterSet]]:
        """The counter sets of a pool, and what sets and counters are called in them."""
        sizes: dict[str, dict[str, Quantity]] = {}
        for entry in self.entries:
            for name, found in entry.counters.items():
                sizes.setdefault(name, {}).update(found)
        nothing = amount("0")
        for entry in self.entries:
            for device in entry.devices:
                for name, taken in device["consumes"].items():
                    for counter in taken:
                        # What is not declared is never there; v1 wants to have it declared all the same.
                        if nothing is not None:
                            sizes.setdefault(name, {}).setdefault(counter, nothing)
        sizes = {name: found for name, found in sizes.items() if found}
        if len(sizes) > _MOST_SETS:
            self.losses.add(
                self.item,
                ("spec",),
                f"the pool has {len(sizes)} counter sets; v1 allows at most {_MOST_SETS}",
            )
        for name, found in sizes.items():
            if len(found) > _MOST_COUNTERS:
                text = f"{name} has {len(found)} counters; v1 allows at most {_MOST_COUNTERS}"
                self.losses.add(self.item, ("spec",), text)
        renamed = _labels([*sizes, *(counter for found in sizes.values() for counter in found)])
        sets: list[resource.CounterSet] = [
            {
                "name": renamed[name],
                "counters": {renamed[counter]: {"value": str(size)} for counter, size in found.items()},
            }
            for name, found in list(sizes.items())[:_MOST_SETS]
        ]
        return renamed, sets

    def _devices(self, entry: Entry, renamed: Mapping[str, str]) -> Iterator[resource.Device]:
        device_names = _labels([device["name"] for device in entry.devices])
        for number, device in enumerate(entry.devices):
            where = ("spec", "devices", number)
            made: resource.Device = {"name": device_names[device["name"]]}
            attributes, capacity = self._values(entry, device, where)
            if len(attributes) + len(capacity) > _MOST_PARTS:
                total = len(attributes) + len(capacity)
                text = f"it has {total} attributes and capacities; v1 allows at most {_MOST_PARTS}"
                self.losses.add(entry.item, where, text)
            if attributes:
                made["attributes"] = attributes
            if capacity:
                made["capacity"] = capacity
            consumed: list[resource.DeviceCounterConsumption] = [
                {
                    "counterSet": renamed[name],
                    "counters": {renamed[counter]: {"value": str(size)} for counter, size in taken.items()},
                }
                for name, taken in device["consumes"].items()
                if taken
            ]
            if len(consumed) > _MOST_SETS_OF_DEVICE:
                text = (
                    f"it consumes from {len(consumed)} counter sets; v1 allows at most {_MOST_SETS_OF_DEVICE}"
                )
                self.losses.add(entry.item, where, text)
            if consumed:
                made["consumesCounters"] = consumed
            yield made

    def _values(
        self, entry: Entry, device: Mapping[str, Any], where: tuple[str | int, ...]
    ) -> tuple[dict[str, resource.DeviceAttribute], dict[str, resource.DeviceCapacity]]:
        """The attributes of a device, and its quantities as capacities."""
        attributes: dict[str, resource.DeviceAttribute] = {}
        capacity: dict[str, resource.DeviceCapacity] = {}
        for name, value in device["attributes"].items():
            for family in self.families:
                other = self.vocabulary.clash(name, family)
                key = self.vocabulary.attribute(name, family).key
                if other:
                    self.losses.add(entry.item, where, f"attributes {other} and {name} are both {key} in v1")
                    continue
                for kind, (field, held) in zip(kind_of(value), value.items(), strict=True):
                    if field == "quantity":
                        capacity[key] = {"value": str(held)}
                    elif kind == "string" and len(str(held)) > _LONGEST_TEXT:
                        text = f"the string {name} must have at most {_LONGEST_TEXT} characters"
                        self.losses.add(entry.item, where, text)
                    else:
                        attributes[key] = cast("resource.DeviceAttribute", {kind: held})
        for name, (size, block) in device["provides"].items():
            is_evolution = entry.item.family == EVOLUTION
            known = (
                self.vocabulary.attribute(name, EVOLUTION) if is_evolution else self.vocabulary.capacity(name)
            )
            capacity[known.key] = {"value": str(rounded_down(size, block))}
        return attributes, capacity


_MOST_INTEGERS, _MOST_DRAWN = 1_000, 100_000
"""Ranges of more integers keep one counter for all that are consumed together; v1 has at most 256."""


def _with_integers(entry: Entry) -> Entry:
    """The pool with a counter for each integer of its ranges, if they are few enough."""
    sets = [entry.counters, *(device["consumes"] for device in entry.devices)]
    named = Counter(name for found in sets for sizes in found.values() for name in sizes)
    widths = [(entry.widths.get(name, 1), number) for name, number in named.items()]
    is_large = sum(width for width, _ in widths) > _MOST_INTEGERS
    if not entry.widths or is_large or sum(starmap(mul, widths)) > _MOST_DRAWN:
        return entry

    def each(found: Counters) -> Counters:
        return {
            name: {
                integer: size
                for key, size in sizes.items()
                for integer in _integers(key, entry.widths.get(key, 1))
            }
            for name, sizes in found.items()
        }

    devices = tuple({**device, "consumes": each(device["consumes"])} for device in entry.devices)
    return entry._replace(devices=devices, counters=each(entry.counters))


def _integers(name: str, width: int) -> Iterator[str]:
    if width == 1:
        yield name
        return
    stem, _, first = name.rpartition(".")
    yield from (f"{stem}.{number}" for number in range(int(first), int(first) + width))


def _labels(texts: list[str]) -> dict[str, str]:
    """Each text as a DNS label of its own."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for text in dict.fromkeys(texts):
        stem = label(text, "x")
        made, number = stem, 2
        while made in taken:
            made, number = f"{stem[:58]}-{number}", number + 1
        taken.add(made)
        found[text] = made
    return found
