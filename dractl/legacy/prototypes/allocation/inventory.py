"""The pools of all dialects as one inventory, in the values that the search of the main path works with."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.api.selectors import node_selector
from dractl.cluster.devices import Device, PoolID, Slice
from dractl.cluster.pools import Pool, PoolState
from dractl.legacy.prototypes.checks.partitions import partitioned
from dractl.legacy.prototypes.dialects.amounts import amount, members, rounded_down, rounded_up
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.extent import Extent, cells_of, extents
from dractl.legacy.prototypes.dialects.ranges import Cells
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector

__all__ = ["Entry", "Inventory", "entries_of", "inventory_of", "pools_of"]

_VALUES = {
    "stringValue": "string", "intValue": "int", "quantityValue": "quantity", "semVerValue": "version",
    "string": "string", "int": "int", "quantity": "quantity", "semver": "version", "version": "version",
    "bool": "bool",
}  # fmt: skip
"""What an attribute's value is called, by the field that holds it."""

Counters = dict[str, dict[str, Quantity]]


class Entry(NamedTuple):
    """A pool: its devices as data, what they share, and the nodes that it is for.

    ``node`` is None where no node is named, ``selector`` picks nodes by labels then. A device has a name,
    ``attributes`` by name, ``provides`` with amounts and blocks by name, and ``consumes`` by counter set.
    ``widths`` has the counters that stand for several integers of a range, and for how many. ``stated`` is
    how statuses name the pool, which is not at all if it has no name (None: by its own ``name``).
    """

    item: Item
    name: str
    driver: str
    node: str | None
    selector: NodeSelector | None
    devices: tuple[Mapping[str, Any], ...]
    counters: Counters
    widths: Mapping[str, int] = {}
    stated: str | None = None

    @property
    def known_as(self) -> str:
        """The name in statuses, which with driver and device name identifies a device."""
        return self.name if self.stated is None else self.stated


def attributes_of(*lists: Iterable[Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """Attributes by name; those of later lists win."""
    found: dict[str, dict[str, Any]] = {}
    for entries in lists:
        for entry in entries or ():
            given = members(entry, tuple(_VALUES))
            if len(given) == 1 and entry.get("name"):
                found[entry["name"]] = {_VALUES[given[0]]: entry[given[0]]}
    return found


def units(name: str, value: Any, kind: str, cells: Cells) -> dict[str, Quantity]:
    """A quantity under its name, or a range as one counter for each of its cells."""
    if kind == "quantity":
        size = amount(value)
        return {} if size is None else {name: size}
    return cells.counters(name, value)


def pools_of(directory: Directory) -> list[Entry]:
    """All pools, by name, whatever their dialect, each device where the newest of them describes it."""
    return sorted(_set_apart(_without_doubles(entries_of(directory))), key=lambda entry: entry.name)


def entries_of(directory: Directory) -> list[Entry]:
    """All pools as they are, in the order of the input."""
    return [
        entry
        for item, extent in extents(directory.of_kind("DevicePool", "ResourcePool")).items()
        if not extent.is_left_out
        for entry in _READERS.get(item.dialect, _pool_of_evolution)(item, extent)
    ]


def _pool(item: Item, _extent: Extent) -> Iterator[Entry]:
    spec = item.spec
    blocks = {
        entry.get("name"): amount(entry.get("blockSize")) for entry in spec.get("sharedResources") or ()
    }
    shared = _sizes(spec.get("sharedResources"))
    devices = []
    for device in spec.get("devices") or ():
        consumes = {
            name: rounded_up(size, blocks.get(name))
            for name, text in (device.get("sharedResourcesConsumed") or {}).items()
            if (size := amount(text)) is not None
        }
        devices.append(
            _device(
                device.get("name", ""),
                attributes_of(spec.get("attributes"), device.get("attributes")),
                {"shared": consumes},
                _provided(device.get("claimResourcesProvided")),
            )
        )
    yield _entry(item, spec.get("driver", ""), tuple(devices), {"shared": shared})


def _counted_pool(item: Item, extent: Extent) -> Iterator[Entry]:
    """A pool with a number of equal devices: they are called by their numbers."""
    attributes = attributes_of(item.spec.get("attributes"))
    devices = tuple(_device(str(number), attributes, {}, {}) for number in range(extent.devices or 0))
    yield _entry(item, item.spec.get("driver", ""), devices, {})


def _status_pool(item: Item, _extent: Extent) -> Iterator[Entry]:
    spec = item.spec
    shared: dict[str, Quantity] = {}
    blocks: dict[str, Quantity | None] = {}
    cells = cells_of(item)
    for entry in spec.get("sharedResources") or ():
        for kind in members(entry, ("quantity", "intrange")):
            shared |= units(entry.get("name", ""), entry[kind].get("value"), kind, cells)
            blocks[entry.get("name", "")] = amount(entry[kind].get("blockSize"))
    devices = []
    for device in spec.get("devices") or ():
        consumes: dict[str, Quantity] = {}
        for entry in device.get("sharedResourceRequests") or ():
            for kind in members(entry, ("quantity", "intrange")):
                found = units(entry.get("name", ""), entry[kind], kind, cells)
                block = blocks.get(entry.get("name", ""))
                consumes |= {name: rounded_up(size, block) for name, size in found.items()}
        attributes = attributes_of(spec.get("attributes"), device.get("attributes"))
        devices.append(_device(device.get("name", ""), attributes, {"shared": consumes}, {}))
    entry = _entry(item, spec.get("driverName", ""), tuple(devices), {"shared": shared})
    yield entry._replace(widths=cells.widths())


def _pool_of_evolution(item: Item, extent: Extent) -> Iterator[Entry]:
    """A ResourcePool: its devices are told apart by driver, node and name, so the node is the pool."""
    if item.dialect == "dra-evo-content" and item.spec.get("sliceContent", "Devices") != "Devices":
        return
    spec = item.value if item.dialect == "dra-evo-named" else item.spec
    network: Mapping[str, Any] = spec.get("devicePool") or {}
    is_unnamed = "devicePool" in spec and not network.get("name") and not spec.get("nodeName")
    node = spec.get("nodeName")
    cells = cells_of(item)
    devices, counters = partitioned(item, extent, attributes_of, partial(units, cells=cells))
    yield Entry(
        item,
        network.get("name") or node or item.name,
        spec.get("driverName", ""),
        node or None,
        network.get("nodeSelector"),
        tuple(_device(*device) for device in devices),
        counters,
        cells.widths(),
        "" if is_unnamed else None,
    )


def _sizes(entries: Iterable[Mapping[str, Any]] | None) -> dict[str, Quantity]:
    return {
        entry.get("name", ""): size
        for entry in entries or ()
        if (size := amount(entry.get("capacity"))) is not None
    }


def _provided(entries: Iterable[Mapping[str, Any]] | None) -> dict[str, tuple[Quantity, Quantity | None]]:
    return {
        entry.get("name", ""): (size, amount(entry.get("blockSize")))
        for entry in entries or ()
        if (size := amount(entry.get("capacity"))) is not None
    }


def _device(
    name: str,
    attributes: JsonObject,
    consumes: Counters,
    provides: Mapping[str, tuple[Quantity, Quantity | None]],
) -> dict[str, Any]:
    return {"name": name, "attributes": attributes, "consumes": consumes, "provides": provides}


def _entry(item: Item, driver: str, devices: tuple[Mapping[str, Any], ...], counters: Counters) -> Entry:
    return Entry(item, item.name, driver, item.spec.get("nodeName") or None, None, devices, counters)


_READERS: Mapping[str, Callable[[Item, Extent], Iterator[Entry]]] = {
    "proto-oneof": _pool,
    "proto-list": _pool,
    "proto-group": _pool,
    "proto-pools": _counted_pool,
    "proto-status": _status_pool,
}


def _without_doubles(entries: Iterable[Entry]) -> list[Entry]:
    """Of a device that several pools of a driver and node describe, the one of the newest pool counts."""
    found = list(entries)
    newest: dict[tuple[str, str, str], tuple[str, int]] = {}
    for number, entry in enumerate(found):
        for device in entry.devices:
            key = (entry.driver, entry.known_as, device["name"])
            stamp = str(entry.item.metadata.get("creationTimestamp") or "")
            newest[key] = max(newest.get(key, ("", -1)), (stamp, number))
    return [
        entry._replace(
            devices=tuple(
                device
                for device in entry.devices
                if newest[entry.driver, entry.known_as, device["name"]][1] == number
            )
        )
        for number, entry in enumerate(found)
    ]


def _set_apart(entries: list[Entry]) -> list[Entry]:
    """Pools that are one by driver and name, each with counters that no other's devices draw on."""
    counts = Counter((entry.driver, entry.name) for entry in entries)
    return [
        entry if counts[entry.driver, entry.name] == 1 else _with_own_sets(entry, number)
        for number, entry in enumerate(entries)
    ]


def _with_own_sets(entry: Entry, number: int) -> Entry:
    def own(sets: Counters) -> Counters:
        return {f"{name}-{number}": sizes for name, sizes in sets.items()}

    devices = tuple({**device, "consumes": own(device["consumes"])} for device in entry.devices)
    return entry._replace(devices=devices, counters=own(entry.counters))


class Inventory:
    """The pools as every node sees them."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Make the values of the search once. Pools that are one by driver, name and nodes come together."""
        self.entries = tuple(entries)
        groups: dict[tuple[str, str, str], list[Entry]] = {}
        for entry in self.entries:
            groups.setdefault((entry.driver, entry.name, f"{entry.node} {entry.selector}"), []).append(entry)
        self.pools = tuple((members[0], _search_pool(members)) for members in groups.values())
        self.local = {(entry.driver, entry.name) for entry in self.entries if entry.node is not None}
        self._homes: dict[PoolID, list[Entry]] = {}
        for entry, pool in self.pools:
            self._homes.setdefault(pool.id, []).append(entry)
        self._at: dict[str | None, list[int]] = {}
        for number, (entry, _) in enumerate(self.pools):
            self._at.setdefault(entry.node, []).append(number)

    def nodes(self) -> list[str]:
        """The nodes that pools name."""
        return [entry.node for entry in self.entries if entry.node is not None]

    def on(self, node: str, labels: Mapping[str, str]) -> list[Pool]:
        """The pools that a node sees; one without a node is seen from everywhere."""
        near = heapq.merge(self._at.get(node, ()), self._at.get(None, ()))
        return [pool for entry, pool in map(self.pools.__getitem__, near) if _is_seen(entry, node, labels)]

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[tuple[Entry, Device]]]:
        """The devices by their own names."""
        found: dict[str, list[tuple[Entry, Device]]] = {}
        for entry, pool in self.pools:
            for device in pool.devices:
                found.setdefault(device.id.device, []).append((entry, device))
        return found

    def named(self, pool: str, device: str) -> list[Device]:
        """The devices that a status may mean by the names of pool and device, one a driver."""
        return [found for entry, found in self._by_name.get(device, ()) if entry.known_as == pool]

    def of_driver(self, driver: str, device: str, node: str | None) -> list[Device]:
        """The devices of this name that a driver has on a node, those of the node itself first."""
        found = [
            (entry.node is None, held)
            for entry, held in self._by_name.get(device, ())
            if entry.driver == driver and (node is None or entry.node in (None, node))
        ]
        return [held for _, held in sorted(found, key=itemgetter(0))]

    def is_seen(self, pool: PoolID, node: str, labels: Mapping[str, str]) -> bool:
        """Whether a node sees a pool; one that the input lacks may be anywhere."""
        homes = self._homes.get(pool)
        return homes is None or any(_is_seen(entry, node, labels) for entry in homes)

    def home(self, pool: PoolID) -> str | None:
        """The node of a pool; None if it has none, or does not exist."""
        return next((entry.node for entry in self._homes.get(pool, ())), None)

    def stated(self, pool: PoolID) -> str:
        """How a status names a pool."""
        homes = self._homes.get(pool)
        return pool.pool if homes is None else homes[0].known_as

    def is_counted(self, pool: PoolID) -> bool:
        """Whether the devices of a pool are equal and have no names."""
        return any(entry.item.dialect == "proto-pools" for entry in self._homes.get(pool, ()))

    def devices(self) -> Iterator[tuple[Entry, Device]]:
        """All devices."""
        return ((entry, device) for entry, pool in self.pools for device in pool.devices)


def _is_seen(entry: Entry, node: str, labels: Mapping[str, str]) -> bool:
    if entry.node is not None:
        return entry.node == node
    return entry.selector is None or node_selector(entry.selector).matches(node, labels)


def inventory_of(directory: Directory) -> Inventory:
    """The inventory of an input."""
    return Inventory(pools_of(directory))


def _search_pool(members: list[Entry]) -> Pool:
    """A pool for the search. A counter that no pool declares is there, and empty."""
    counters: Counters = {name: dict(sizes) for entry in members for name, sizes in entry.counters.items()}
    everything = [device for entry in members for device in entry.devices]
    for device in everything:
        for name, taken in device["consumes"].items():
            for counter in taken:
                nothing = amount("0")
                if nothing is not None:
                    counters.setdefault(name, {}).setdefault(counter, nothing)
    entry = members[0]
    is_early = any(member.item.dialect == "dra-evo-named" for member in members)
    devices = [_search_device(device, is_early=is_early) for device in everything]
    pool = {"name": entry.name, "generation": 1, "resourceSliceCount": 1}
    owner = Slice(
        {
            "metadata": {"name": entry.item.name},
            "spec": {"driver": entry.driver, "pool": pool, "devices": devices},
        }
    )
    return Pool(owner.pool_id, PoolState.USABLE, owner.devices, (), counters)


def _search_device(device: Mapping[str, Any], *, is_early: bool) -> dict[str, Any]:
    return {
        "name": device["name"],
        "attributes": device["attributes"],
        "capacity": {
            name: {"value": str(rounded_down(size, block))}
            for name, (size, block) in device["provides"].items()
        },
        "consumesCounters": [
            {"counterSet": name, "counters": {key: {"value": str(size)} for key, size in taken.items()}}
            for name, taken in device["consumes"].items()
            if taken
        ],
        "provides": device["provides"],
        "early": is_early,
    }
