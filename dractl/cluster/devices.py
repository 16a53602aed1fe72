"""Devices and resource slices as values, made once from their v1-shaped objects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.api.selectors import Labels, NodeSelector, node_selector
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import resource
    from dractl.api.objects.meta import ObjectMeta
    from dractl.api.objects.resource import (
        CapacityRequestPolicy,
        Counter,
        CounterSet,
        DeviceTaint,
        ResourceSliceSpec,
    )

Attribute: TypeAlias = Mapping[str, Any]
"""The value of an attribute: one field, named for the type."""


class DeviceID(NamedTuple):
    """What "in use" is keyed by."""

    driver: str
    pool: str
    device: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}/{self.device}"


class PoolID(NamedTuple):
    """Two drivers may use one pool name; those are two pools."""

    driver: str
    pool: str

    def __str__(self) -> str:
        return f"{self.driver}/{self.pool}"


def pool_id_of(item: JsonObject) -> PoolID:
    """The pool of a ResourceSlice; empty names for what a stored one lacks."""
    spec = cast("ResourceSliceSpec | None", item.get("spec")) or {}
    return PoolID(spec.get("driver") or "", (spec.get("pool") or {}).get("name") or "")


class NodeRef(NamedTuple):
    """What devices know of a node."""

    name: str
    labels: Labels
    declared_features: frozenset[str] = frozenset()


class Consumption(NamedTuple):
    """What a device takes from one counter set while it is allocated."""

    counter_set: str
    counters: Mapping[str, Quantity]
    compatibility_groups: frozenset[str]


class Capacity(NamedTuple):
    """One capacity of a device: its size and, maybe, how requests for it are rounded."""

    value: Quantity
    policy: CapacityPolicy | None


class CapacityPolicy(NamedTuple):
    """A ``CapacityRequestPolicy``: the amount without a request, and what a request may be."""

    default: Quantity | None
    valid_values: tuple[Quantity, ...]
    has_range: bool
    minimum: Quantity | None
    maximum: Quantity | None
    step: Quantity | None


class Target(NamedTuple):
    """The nodes that a slice, or a device of it, is for."""

    node_name: str | None
    all_nodes: bool
    selector: NodeSelector | None

    @property
    def is_set(self) -> bool:
        """Whether any of the three is set."""
        return bool(self.node_name) or self.all_nodes or self.selector is not None

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the node selector, where that is what decides."""
        if self.node_name or self.all_nodes or self.selector is None:
            return ()
        return self.selector.problems

    def includes(self, node: NodeRef) -> bool:
        """Whether the node is meant, as ``NodeMatches``."""
        if self.node_name:
            return self.node_name == node.name
        if self.all_nodes:
            return True
        return self.selector is not None and self.selector.matches(node.name, node.labels)


class Device:
    """A device of a slice. Compared by identity: the same object is the same device in the same slice."""

    __slots__ = (
        "__dict__",
        "binding_conditions",
        "binds_to_node",
        "data",
        "id",
        "is_multi_use",
        "slice",
        "taints",
    )

    def __init__(self, owner: Slice, data: resource.Device) -> None:
        """Read what the search looks at again and again; the rest is read when it is asked for."""
        self.slice = owner
        # The devices of prototypes have fields of their own.
        self.data: Any = data
        self.id = DeviceID(owner.driver, owner.pool, data.get("name", ""))
        self.is_multi_use: bool = data.get("allowMultipleAllocations") is True
        self.binding_conditions: list[str] | None = data.get("bindingConditions")
        self.binds_to_node: bool = data.get("bindsToNode") is True
        self.taints: tuple[DeviceTaint, ...] = tuple(data.get("taints") or ())

    def __repr__(self) -> str:
        return f"Device({self.id})"

    @property
    def name(self) -> str:
        """The device's name within its pool."""
        return self.id.device

    @cached_property
    def consumes(self) -> tuple[Consumption, ...]:
        """What it takes from the pool's counter sets."""
        data: resource.Device = self.data
        return tuple(
            Consumption(
                entry.get("counterSet", ""),
                _counters(entry.get("counters")),
                frozenset(entry.get("compatibilityGroups") or ()),
            )
            for entry in data.get("consumesCounters") or ()
        )

    @cached_property
    def capacity(self) -> Mapping[str, Capacity]:
        """Its capacities, by their names as written."""
        data: resource.Device = self.data
        return {name: capacity_of(entry) for name, entry in (data.get("capacity") or {}).items()}

    @cached_property
    def named_capacity(self) -> Mapping[str, Capacity]:
        """Its capacities, of two spellings of one name only the one with the driver's domain."""
        found = self.capacity
        lost = {name for name in found if f"{self.id.driver}/{name}" in found}
        return {name: entry for name, entry in found.items() if name not in lost} if lost else found

    @cached_property
    def gives_all(self) -> bool:
        """Whether it is for one user, who gets its capacities as they are unless he asks for less."""
        data: resource.Device = self.data
        entries = (data.get("capacity") or {}).values()
        return not self.is_multi_use and not any(
            entry.get("requestPolicy") is not None or str(entry.get("value")).startswith("-")
            for entry in entries
        )

    @cached_property
    def target(self) -> Target:
        """The nodes it is for; only looked at where its slice selects nodes per device."""
        return _target(self.data)

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of a fully qualified name, else the driver's own of that name.

        As ``lookupStaticAttribute``.
        """
        attributes: Mapping[str, Attribute] = self.data.get("attributes") or {}
        found = attributes.get(name)
        if found is not None:
            return found
        domain, slash, identifier = name.partition("/")
        return attributes.get(identifier) if slash and domain == self.id.driver else None


class Slice:
    """A resource slice. Compared by identity."""

    __slots__ = (
        "_devices",
        "_uses_groups",
        "data",
        "driver",
        "generation",
        "is_per_device",
        "name",
        "pool",
        "skip_node_operations",
        "slice_count",
        "target",
        "tells_per_device",
    )

    def __init__(self, data: JsonObject) -> None:
        """Read a v1-shaped ResourceSlice."""
        metadata = cast("ObjectMeta | None", data.get("metadata"))
        spec = cast("ResourceSliceSpec | None", data.get("spec"))
        spec = spec or {}
        pool = spec.get("pool") or {}
        self.data = data
        self.name: str = (metadata or {}).get("name", "")
        self.driver: str = spec.get("driver", "")
        self.pool: str = pool.get("name", "")
        self.generation: int = pool.get("generation", 0)
        self.slice_count: int = pool.get("resourceSliceCount", 0)
        self.target = _target(spec)
        self.is_per_device: bool = spec.get("perDeviceNodeSelection") is True
        self.tells_per_device: bool = spec.get("perDeviceNodeSelection") is not None
        self.skip_node_operations: list[str] = spec.get("skipNodeOperations") or []
        self._devices: tuple[Device, ...] | None = None
        self._uses_groups: bool | None = None

    def __repr__(self) -> str:
        return f"Slice({self.name})"

    @property
    def devices(self) -> tuple[Device, ...]:
        """Its devices, which are read when they are asked for: most slices are for other nodes."""
        if self._devices is None:
            spec = cast("ResourceSliceSpec | None", self.data.get("spec"))
            self._devices = tuple(Device(self, entry) for entry in (spec or {}).get("devices") or ())
        return self._devices

    @property
    def uses_groups(self) -> bool:
        """Whether some device of it names a compatibility group."""
        if self._uses_groups is None:
            spec = cast("ResourceSliceSpec | None", self.data.get("spec"))
            self._uses_groups = any(
                consumption.get("compatibilityGroups")
                for device in (spec or {}).get("devices") or ()
                for consumption in device.get("consumesCounters") or ()
            )
        return self._uses_groups

    @property
    def pool_id(self) -> PoolID:
        """The pool it belongs to."""
        return PoolID(self.driver, self.pool)

    @property
    def shared_counters(self) -> list[CounterSet]:
        """Its counter sets, as written."""
        spec = cast("ResourceSliceSpec | None", self.data.get("spec"))
        return (spec or {}).get("sharedCounters") or []

    def counter_sets(self) -> list[tuple[str, Mapping[str, Quantity]]]:
        """Its counter sets by name; a name may come twice."""
        return [(entry.get("name", ""), _counters(entry.get("counters"))) for entry in self.shared_counters]


def _counters(entries: Mapping[str, Counter] | None) -> dict[str, Quantity]:
    return {name: quantity.parse(entry.get("value") or "0") for name, entry in (entries or {}).items()}


def capacity_of(entry: resource.DeviceCapacity) -> Capacity:
    """A capacity of a device in a slice."""
    return Capacity(quantity.parse(entry.get("value") or "0"), _policy(entry.get("requestPolicy")))


def _policy(entry: CapacityRequestPolicy | None) -> CapacityPolicy | None:
    if entry is None:
        return None
    span = entry.get("validRange")
    return CapacityPolicy(
        default=_quantity(entry.get("default")),
        valid_values=tuple(quantity.parse(value) for value in entry.get("validValues") or ()),
        has_range=span is not None,
        minimum=_quantity((span or {}).get("min")),
        maximum=_quantity((span or {}).get("max")),
        step=_quantity((span or {}).get("step")),
    )


def _quantity(text: str | None) -> Quantity | None:
    return None if text is None else quantity.parse(text)


def _target(entry: ResourceSliceSpec | resource.Device) -> Target:
    selector = entry.get("nodeSelector")
    return Target(
        entry.get("nodeName"),
        entry.get("allNodes") is True,
        None if selector is None else node_selector(selector),
    )
