"""What the devices of one claim take of the node, as an entry of the pod's status.

Mirrors ``buildNodeAllocatableDRAInfo`` of the dynamic resources plugin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import quantity
from dractl.api.quantity import ZERO, Quantity
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.scheduler.node_allocatable.pod_demand import product

if TYPE_CHECKING:
    from dractl.api.objects import core, resource

    Status = core.NodeAllocatableResourceClaimStatus


class _Overhead(NamedTuple):
    per_pod: Quantity | None = None
    per_container: Quantity | None = None

    def plus(self, entry: resource.NodeAllocatableOverhead) -> _Overhead:
        return _Overhead(
            _sum(self.per_pod, entry.get("perPod")), _sum(self.per_container, entry.get("perContainer"))
        )

    def written(self, name: str) -> core.NodeAllocatableOverheadResources:
        found: core.NodeAllocatableOverheadResources = {"name": name}
        if self.per_pod is not None:
            found["perPod"] = str(self.per_pod)
        if self.per_container is not None:
            found["perContainer"] = str(self.per_container)
        return found


class ClaimShare:
    """What the devices of one claim take of the node."""

    def __init__(self, claim: str, quirks: Quirks) -> None:
        self._claim = claim
        self._quirks = quirks
        self._is_older = False
        self._mapped: dict[str, Quantity] = {}
        self._overhead: dict[str, _Overhead] = {}

    @property
    def is_something(self) -> bool:
        """Whether the devices take anything, so that the pod's status lists the claim."""
        return bool(self._mapped or self._overhead)

    def add(self, result: resource.DeviceRequestAllocationResult, device: resource.Device) -> Fatal | None:
        """Count a device; what is wrong otherwise."""
        for name, entry in shares_of(device).items():
            mapping: resource.NodeAllocatableMapping = entry.get("mapping") or {}
            overhead: resource.NodeAllocatableOverhead = entry.get("overhead") or {}
            if mapping.get("capacityKey"):
                multiplier = mapping.get("capacityMultiplier")
                problem = self._add_capacity(name, result, mapping["capacityKey"], multiplier)
                if problem is not None:
                    return problem
            elif "deviceMultiplier" in mapping:
                self._add(name, quantity.parse(mapping["deviceMultiplier"]))
            if overhead:
                self._overhead[name] = self._overhead.get(name, _Overhead()).plus(overhead)
        for name, older in older_shares_of(device).items():
            self._is_older = True
            multiplier = older.get("allocationMultiplier")
            if older.get("capacityKey"):
                problem = self._add_capacity(name, result, older["capacityKey"], multiplier)
                if problem is not None:
                    return problem
            else:
                self._add(name, quantity.parse(multiplier or "0"))
        return None

    def _add_capacity(
        self, name: str, result: resource.DeviceRequestAllocationResult, key: str, multiplier: str | None
    ) -> Fatal | None:
        consumed = result.get("consumedCapacity")
        if consumed is None:
            text = f"claim {self._claim}: node resource {name} is mapped to capacity {key} of device"
            return Fatal(f"{text} {result.get('device')}, but the claim consumes no capacity")
        names = [key] if self._quirks.literal_names else _spellings(key, result.get("driver", ""))
        found = next((consumed[spelling] for spelling in names if spelling in consumed), None)
        if found is None:
            return None
        amount = quantity.parse(found)
        if amount.unscaled < 0 and not self._quirks.takes_negative_use:
            return Fatal(
                f"claim {self._claim}: device {result.get('device')} consumes {found} of capacity {key}, but "
                "consumed capacity must not be negative"
            )
        self._add(name, product(amount, quantity.parse(multiplier or "1")))
        return None

    def _add(self, resource: str, amount: Quantity) -> None:
        self._mapped[resource] = self._mapped.get(resource, ZERO).add(amount)

    def status(self, name: str, containers: list[str]) -> Status:
        """An entry of the pod's status; devices as 1.36 has them make one as 1.36 has it."""
        found: Status = {"resourceClaimName": name, "containers": containers}
        mapped = sorted(self._mapped.items())
        if self._is_older:
            return {**found, "resources": {resource: str(amount) for resource, amount in mapped}}
        if mapped:
            found["mapping"] = [{"name": resource, "quantity": str(amount)} for resource, amount in mapped]
        if self._overhead:
            found["overhead"] = [entry.written(key) for key, entry in sorted(self._overhead.items())]
        return found


def shares_of(device: resource.Device) -> Mapping[str, resource.NodeAllocatableResource]:
    """The node resources that a device takes, since 1.37."""
    return device.get("nodeAllocatableResources") or {}


def older_shares_of(device: resource.Device) -> Mapping[str, resource.NodeAllocatableResourceMapping]:
    """The node resources that a device takes in 1.36, which has another field."""
    return device.get("nodeAllocatableResourceMappings") or {}


def results_of(allocation: resource.AllocationResult) -> Sequence[resource.DeviceRequestAllocationResult]:
    """The devices of an allocation."""
    return (allocation.get("devices") or {}).get("results") or ()


def _spellings(key: str, driver: str) -> list[str]:
    """The names of a capacity in the order of ``LookupByQualifiedName``, which defaults the domain."""
    domain, slash, name = key.rpartition("/")
    if not slash:
        return [f"{driver}/{key}", key]
    return [key, name] if domain == driver else [key]


def _sum(total: Quantity | None, more: str | None) -> Quantity | None:
    if more is None:
        return total
    return quantity.parse(more) if total is None else total.add(quantity.parse(more))
