"""What the scheduler computes once from its objects and keeps until an event makes it outdated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cached_property, partial
from types import MappingProxyType

from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, key_of
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import PoolCache
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.result_cache import ResultCache
from dractl.simulation.allocator.taint_rules import crash_of_rules, tainted_slices
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.node_allocatable.pod_demand import demand_of
from dractl.simulation.scheduler.node_classes import NodeClasses
from dractl.simulation.scheduler.node_load import NodeLoads
from dractl.simulation.scheduler.nodes import implied_node, node_of

PlacedPods = Callable[[], Iterable[tuple[str, Pod]]]
"""Returns the placed pods with their nodes, including pods that are not bound yet."""


class Event(Enum):
    """An event that invalidates caches."""

    RESOURCE_SLICE = "ResourceSlice"
    DEVICE_TAINT_RULE = "DeviceTaintRule"
    NODE = "Node"
    DEVICE_CLASS = "DeviceClass"
    RESOURCE_CLAIM = "ResourceClaim"
    POD = "Pod"
    UNRESERVED = "a pod no longer has the node that was chosen for it"


_INVENTORY = ("node_classes", "pools", "results")

INVALIDATES: Mapping[Event, tuple[str, ...]] = MappingProxyType(
    {
        Event.RESOURCE_SLICE: _INVENTORY,
        Event.DEVICE_TAINT_RULE: _INVENTORY,
        Event.NODE: _INVENTORY,
        Event.DEVICE_CLASS: _INVENTORY,
        Event.RESOURCE_CLAIM: ("usage", "results"),
        Event.POD: ("node_loads",),
        Event.UNRESERVED: ("node_loads",),
    }
)
"""The caches that each event invalidates. A reservation updates them instead."""

_EVENT_OF_KIND: Mapping[str, Event] = {event.value: event for event in Event}


class Caches:
    """The caches of a scheduler, each computed on first use."""

    def __init__(
        self, api_objects: Objects, settings: Settings, placed_pods: PlacedPods, allowance: Allowance
    ) -> None:
        """Compute nothing yet. Each cache reads the ``api_objects`` of that time."""
        self.matcher = Matcher(settings.environment, settings.features)
        self._api_objects = api_objects
        self._settings = settings
        self._placed_pods = placed_pods
        self._allowance = allowance
        self._pods: dict[Key, Pod] = {}

    def pod(self, item: Object) -> Pod:
        """The pod of an object, parsed once; a changed pod is a new object, so no event is needed."""
        key = key_of(item)
        known = self._pods.get(key)
        if known is None or known.data is not item:
            known = self._pods[key] = Pod(item)
        return known

    def forget_pod(self, key: Key) -> None:
        """Drop a deleted pod."""
        self._pods.pop(key, None)

    def invalidate(self, event: Event) -> None:
        """Drop the caches that an event invalidates."""
        for name in INVALIDATES[event]:
            # A cached property keeps its value in the instance's dictionary.
            self.__dict__.pop(name, None)

    def object_changed(self, kind: str) -> None:
        """Drop the caches computed from objects of a kind."""
        event = _EVENT_OF_KIND.get(kind)
        if event is not None:
            self.invalidate(event)

    @cached_property
    def node_classes(self) -> NodeClasses:
        """The nodes, in the order in which equally good ones are chosen."""
        found = [node_of(item) for item in self._api_objects.of_kind("Node")]
        if not found:
            found = [implied_node(name) for name in self._inventory().node_names]
        rank = {name: number for number, name in enumerate(self._settings.node_order)}
        found.sort(key=lambda node: (rank.get(node.name, len(rank)), node.name))
        return NodeClasses(found)

    @cached_property
    def pools(self) -> PoolCache:
        """The resource pools."""
        features = self._settings.features
        return PoolCache(self._inventory(), features, crash_of_rules(self._api_objects, features))

    @cached_property
    def usage(self) -> Usage:
        """The devices in use by claims."""
        return Usage(self._api_objects.of_kind("ResourceClaim"), self._settings.features)

    @cached_property
    def results(self) -> ResultCache:
        """The results of searches for devices."""
        return ResultCache()

    @cached_property
    def node_loads(self) -> NodeLoads:
        """The pods on each node."""
        features = self._settings.features
        loads = (
            NodeLoads(partial(demand_of, quirks=features.quirks))
            if features.node_allocatable
            else NodeLoads()
        )
        for node, pod in self._placed_pods():
            loads.add(node, pod)
        return loads

    def slices(self) -> list[Object]:
        """The slices, including the taints of DeviceTaintRules."""
        found = tainted_slices(
            self._api_objects, self.matcher.holds, self._settings.features, self._allowance.give_up
        )
        self.matcher.know_slices(found)
        return found

    def _inventory(self) -> Inventory:
        return Inventory(self.slices())
