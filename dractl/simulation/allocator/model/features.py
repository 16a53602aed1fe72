"""What the allocator of a Kubernetes minor can do: the only place that turns gates into features.

The simulation asks this value and never a gate or a minor, as the upstream allocator asks its
``structured/internal.Features``.
"""

from __future__ import annotations

from dractl.api import limits
from dractl.api.gates import GateSet
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.quirks import (
    EXPERIMENTAL,
    INCUBATING,
    ONLY,
    STABLE,
    Quirks,
    is_in,
    quirks_of,
)


class Features(NamedTuple):
    """What the allocator and the scheduler around it can do; every entry is a change of control flow."""

    admin_access: bool
    prioritized_list: bool
    partitionable_devices: bool
    device_taints: bool
    device_taint_rules: bool
    binding_conditions: bool
    binding_results: bool
    """Results list the binding conditions of their device."""
    consumable_capacity: bool
    fractional_capacity_range: bool
    list_type_attributes: bool
    list_values: bool
    """Selectors can be evaluated for devices that have attributes with lists."""
    optional_node_operations: bool
    derived_attributes: bool
    compatibility_groups: bool
    extended_resources: bool
    quota_of_extended: bool
    """Claims count for the quotas of extended resources, too."""
    filter_timeout: bool
    pod_groups: bool
    """Pods that name a PodGroup share its claims."""
    gangs: bool
    """Pods that name a PodGroup wait for it, and those of a gang are placed together."""
    node_allocatable: bool
    """Devices may represent cpu, memory or huge pages of their node."""
    control_plane_controllers: bool
    """Controllers of drivers allocate the claims that name one."""
    knows_controllers: bool
    """Claims can name a controller at all."""
    knows_node_operations: bool
    """The implementation looks at ``skipNodeOperations`` at all."""
    most_consumers: int
    """How many users ``status.reservedFor`` of a claim may list."""
    quirks: Quirks


class FeatureRow(NamedTuple):
    """The gates that must all be on for a feature, and the first and last minor for which that holds."""

    feature: str
    gates: tuple[str, ...]
    since: str | None = None
    until: str | None = None


_BINDING = ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")

FEATURES: tuple[FeatureRow, ...] = (
    FeatureRow("admin_access", (), until="1.31"),
    FeatureRow("admin_access", ("DRAAdminAccess",), since="1.32"),
    FeatureRow("prioritized_list", ("DRAPrioritizedList",)),
    FeatureRow("partitionable_devices", ("DRAPartitionableDevices",)),
    FeatureRow("device_taints", ("DRADeviceTaints",)),
    FeatureRow("device_taint_rules", ("DRADeviceTaints",), until="1.34"),
    FeatureRow("device_taint_rules", ("DRADeviceTaints", "DRADeviceTaintRules"), since="1.35"),
    FeatureRow("binding_conditions", _BINDING),
    FeatureRow("binding_results", _BINDING[:1], until="1.34"),
    FeatureRow("binding_results", _BINDING, since="1.35"),
    FeatureRow("consumable_capacity", ("DRAConsumableCapacity",)),
    FeatureRow("fractional_capacity_range", ("DRAFractionalCapacityRange",)),
    # The scheduler of 1.36 has the gate and does not tell its allocator.
    FeatureRow("list_type_attributes", ("DRAListTypeAttributes",), since="1.37"),
    FeatureRow("list_values", ("DRAListTypeAttributes",), since="1.36", until="1.36"),
    FeatureRow("list_values", (), since="1.37"),
    FeatureRow("optional_node_operations", ("DRAOptionalNodeOperations",)),
    FeatureRow("derived_attributes", ("DRADerivedAttributes",)),
    FeatureRow("compatibility_groups", ("DRADeviceCompatibilityGroups",)),
    FeatureRow("extended_resources", ("DRAExtendedResource",)),
    FeatureRow("quota_of_extended", ("DRAExtendedResource",), since="1.35"),
    FeatureRow("filter_timeout", ("DRASchedulerFilterTimeout",)),
    FeatureRow("pod_groups", ("DRAWorkloadResourceClaims", "GenericWorkload")),
    FeatureRow("gangs", ("GenericWorkload", "GangScheduling"), since="1.36", until="1.36"),
    FeatureRow("gangs", ("GenericWorkload",), since="1.37"),
    FeatureRow("node_allocatable", ("DRANodeAllocatableResources",)),
    FeatureRow("control_plane_controllers", ("DRAControlPlaneController",), until="1.31"),
    FeatureRow("knows_controllers", (), until="1.31"),
)
"""Every feature with its gates. A gate that a minor does not have is off."""

_FOUR = frozenset({"admin_access", "prioritized_list", "partitionable_devices", "device_taints"})
_SIX = _FOUR | {"binding_conditions", "consumable_capacity"}
_SEVEN = _SIX | {"fractional_capacity_range"}


class Implementation(NamedTuple):
    """An implementation of the allocator in some minors, and what it can do; None: everything."""

    name: str
    supports: frozenset[str] | None
    since: str | None = None
    until: str | None = None


IMPLEMENTATIONS: tuple[Implementation, ...] = (
    Implementation(ONLY, None, until="1.33"),
    Implementation(STABLE, frozenset(), "1.34", "1.35"),
    Implementation(STABLE, _FOUR, "1.36", "1.37"),
    Implementation(STABLE, _SEVEN, "1.38"),
    Implementation(INCUBATING, _FOUR, "1.34", "1.35"),
    Implementation(INCUBATING, _SIX, "1.36", "1.36"),
    Implementation(INCUBATING, _SEVEN, "1.37", "1.37"),
    Implementation(INCUBATING, None, "1.38"),
    Implementation(EXPERIMENTAL, None, "1.34"),
)
"""In the order in which a scheduler asks them: it takes the first that can do all that is on."""

AROUND: frozenset[str] = frozenset(
    {
        "device_taint_rules",
        "binding_results",
        "list_values",
        "extended_resources",
        "quota_of_extended",
        "filter_timeout",
        "pod_groups",
        "gangs",
        "node_allocatable",
        "control_plane_controllers",
        "knows_controllers",
    }
)
"""The features that do not choose between the implementations: they belong to the scheduler."""

CHOOSING: tuple[FeatureRow, ...] = (
    # In 1.34 the two gates of binding conditions are two features to choose by.
    FeatureRow("device_binding", _BINDING[:1], "1.34", "1.34"),
    FeatureRow("device_status", _BINDING[1:], "1.34", "1.34"),
)
"""What chooses between the implementations without being a feature of its own."""


def features_of(gates: GateSet) -> Features:
    """The features of a scheduler with ``gates``.

    Mirrors ``AllocatorFeatures`` of the scheduler's dynamic resources plugin and the choice of
    ``structured.NewAllocator``, in each minor.
    """
    on = _on(gates, FEATURES)
    flags = {row.feature: row.feature in on for row in FEATURES}
    implementation = implementation_of(gates)
    return Features(
        **flags,
        knows_node_operations=_supports_all(gates, implementation),
        most_consumers=limits.of("claim.reservedFor", gates.minor),
        quirks=quirks_of(gates.minor, implementation),
    )


def _supports_all(gates: GateSet, implementation: str) -> bool:
    return any(
        entry.name == implementation and entry.supports is None
        for entry in IMPLEMENTATIONS
        if is_in(gates.minor, entry.since, entry.until)
    )


def implementation_of(gates: GateSet) -> str:
    """Which implementation of the allocator a scheduler with ``gates`` uses."""
    wanted = (_on(gates, FEATURES) - AROUND) | _on(gates, CHOOSING)
    return next(
        entry.name
        for entry in IMPLEMENTATIONS
        if is_in(gates.minor, entry.since, entry.until)
        and (entry.supports is None or wanted <= entry.supports)
    )


def _on(gates: GateSet, rows: tuple[FeatureRow, ...]) -> frozenset[str]:
    return frozenset(
        row.feature
        for row in rows
        if is_in(gates.minor, row.since, row.until) and all(gate in gates for gate in row.gates)
    )
