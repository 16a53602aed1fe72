"""What the allocator of a Kubernetes minor can do: the only place that turns gates into features.

The simulation asks this value and never a gate or a minor, as the upstream allocator asks its
``structured/internal.Features``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dractl.api.gates import GateSet


class Features(NamedTuple):
    """What the allocator and the scheduler around it can do; every entry is a change of control flow."""

    admin_access: bool
    prioritized_list: bool
    partitionable_devices: bool
    device_taints: bool
    device_taint_rules: bool
    binding_conditions: bool
    consumable_capacity: bool
    fractional_capacity_range: bool
    list_type_attributes: bool
    optional_node_operations: bool
    derived_attributes: bool
    compatibility_groups: bool
    extended_resources: bool
    filter_timeout: bool
    knows_capacity: bool
    """The implementation looks at capacity requests, distinctAttribute and binding conditions at all."""
    knows_node_operations: bool
    """The implementation looks at ``skipNodeOperations`` at all."""
    counters_from_anywhere: bool
    """Slices with shared counters are read whatever node they are for."""


GATES: Mapping[str, tuple[str, ...]] = {
    "admin_access": ("DRAAdminAccess",),
    "prioritized_list": ("DRAPrioritizedList",),
    "partitionable_devices": ("DRAPartitionableDevices",),
    "device_taints": ("DRADeviceTaints",),
    "device_taint_rules": ("DRADeviceTaints", "DRADeviceTaintRules"),
    "binding_conditions": ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
    "consumable_capacity": ("DRAConsumableCapacity",),
    "fractional_capacity_range": ("DRAFractionalCapacityRange",),
    "list_type_attributes": ("DRAListTypeAttributes",),
    "optional_node_operations": ("DRAOptionalNodeOperations",),
    "derived_attributes": ("DRADerivedAttributes",),
    "compatibility_groups": ("DRADeviceCompatibilityGroups",),
    "extended_resources": ("DRAExtendedResource",),
    "filter_timeout": ("DRASchedulerFilterTimeout",),
}
"""The gates that must all be on for a feature."""

STABLE: frozenset[str] = frozenset(
    {"admin_access", "prioritized_list", "partitionable_devices", "device_taints"}
)
INCUBATING: frozenset[str] = STABLE | {
    "binding_conditions",
    "consumable_capacity",
    "fractional_capacity_range",
}
"""What the implementations of the allocator can do (1.37); the experimental one can do everything."""

ALLOCATOR: frozenset[str] = frozenset(GATES) - {"device_taint_rules", "extended_resources", "filter_timeout"}
"""The features that choose between the implementations; the others belong to the scheduler around them."""


def features_of(gates: GateSet) -> Features:
    """The features of a scheduler with ``gates``.

    Mirrors ``AllocatorFeatures`` of the scheduler's dynamic resources plugin (1.37) and the choice of
    ``structured.NewAllocator``: the first of stable, incubating and experimental that has all features that
    are on. What they make of the rest of their input tells them apart.
    """
    on = {name: all(gate in gates for gate in needed) for name, needed in GATES.items()}
    wanted = {name for name in ALLOCATOR if on[name]}
    is_stable = wanted <= STABLE
    return Features(
        **on,
        knows_capacity=not is_stable,
        knows_node_operations=not wanted <= INCUBATING,
        counters_from_anywhere=is_stable,
    )
