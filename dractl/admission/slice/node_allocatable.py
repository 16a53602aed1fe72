"""Rules for the node resources that a device takes or stands for (alpha in 1.37)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import is_qualified_name, qualified_name
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceCapacity,
        NodeAllocatableMapping,
        NodeAllocatableOverhead,
        NodeAllocatableResource,
    )

    Multiplier = Literal["capacityMultiplier", "deviceMultiplier"]


_ENTRY = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].nodeAllocatableResources{*}",
    since="1.37",
    upstream="validateNodeAllocatableMapping",
    frame="""
        spec:
          devices:
          - name: cpus-0
            <here>
        """,
)

NAR_KEY = _ENTRY.rule(
    "nar/key",
    type=ErrorType.INVALID,
    upstream="validateNodeAllocatableResources",
    doc="""A device can map only to the node resources `cpu`, `memory` and `hugepages-...`.

    Good:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {memory: {overhead: {perPod: 64Mi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {ephemeral-storage: {overhead: {perPod: 64Mi}}}
    """,
)

NAR_EMPTY = _ENTRY.rule(
    "nar/empty",
    type=ErrorType.REQUIRED,
    upstream="validateNodeAllocatableResources",
    doc="""A node resource of a device must have a `mapping`, an `overhead` or both.

    Good here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 4}}}
    Bad here:
        nodeAllocatableResources: {cpu: {}}
    """,
)

NAR_UNION = _ENTRY.rule(
    "nar/union",
    at="mapping",
    type=ErrorType.INVALID,
    upstream="Validate_NodeAllocatableMapping",
    doc="""A mapping must have exactly one of `capacityKey` and `deviceMultiplier`.

    The quantity depends on the consumed capacity or on the number of devices.

    Good here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 4}}}
    Bad here:
        nodeAllocatableResources: {cpu: {mapping: {}}}
    """,
)

NAR_CAP_KEY_EMPTY = _ENTRY.rule(
    "nar/cap-key-empty",
    at="mapping.capacityKey",
    type=ErrorType.INVALID,
    doc="""The `capacityKey` of a mapping must not be empty.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 1}}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: "", capacityMultiplier: 1}}}
    """,
)

NAR_CAP_KEY_FORMAT = _ENTRY.rule(
    "nar/cap-key-format",
    at="mapping.capacityKey",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    since="1.38",
    gate="DRANodeAllocatableResources",
    upstream="validateQualifiedName",
    doc="""A `capacityKey` is well-formed as the name of a capacity.

    Up to 1.37 a malformed name is one that the device does not have.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 1}}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: the-cores, capacityMultiplier: 1}}}
    """,
)

NAR_CAP_KEY_UNKNOWN = _ENTRY.rule(
    "nar/cap-key-unknown",
    at="mapping.capacityKey",
    type=ErrorType.NOT_FOUND,
    doc="""The `capacityKey` of a mapping must be a capacity of the same device, written identically.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 1}}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cpus, capacityMultiplier: 1}}}
    """,
)

NAR_CAP_MULT_REQUIRED = _ENTRY.rule(
    "nar/cap-mult-required",
    at="mapping.capacityMultiplier",
    type=ErrorType.REQUIRED,
    doc="""`capacityKey` requires `capacityMultiplier`.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 1}}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores}}}
    """,
)

NAR_CAP_MULT_POSITIVE = _ENTRY.rule(
    "nar/cap-mult-positive",
    at="mapping.capacityMultiplier",
    type=ErrorType.INVALID,
    doc="""The `capacityMultiplier` of a mapping must be greater than zero.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 500m}}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResources: {cpu: {mapping: {capacityKey: cores, capacityMultiplier: 0}}}
    """,
)

NAR_CAP_KEY_REQUIRED = _ENTRY.rule(
    "nar/cap-key-required",
    at="mapping.capacityKey",
    type=ErrorType.REQUIRED,
    doc="""`capacityMultiplier` requires `capacityKey`.

    Good here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 4}}}
    Bad here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 4, capacityMultiplier: 1}}}
    """,
)

NAR_DEV_MULT_POSITIVE = _ENTRY.rule(
    "nar/dev-mult-positive",
    at="mapping.deviceMultiplier",
    type=ErrorType.INVALID,
    doc="""The `deviceMultiplier` of a mapping must be greater than zero.

    Good here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: 500m}}}
    Bad here:
        nodeAllocatableResources: {cpu: {mapping: {deviceMultiplier: -1}}}
    """,
)

NAR_OVERHEAD_EMPTY = _ENTRY.rule(
    "nar/overhead-empty",
    at="overhead",
    type=ErrorType.INVALID,
    upstream="validateNodeAllocatableOverheadMapping",
    doc="""An overhead must have `perPod`, `perContainer` or both.

    Good:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {memory: {overhead: {perPod: 64Mi, perContainer: 8Mi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {memory: {overhead: {}}}
    """,
)

NAR_OVERHEAD_NEGATIVE = _ENTRY.rule(
    "nar/overhead-negative",
    at=("overhead.perPod", "overhead.perContainer"),
    type=ErrorType.INVALID,
    upstream="validateNodeAllocatableOverheadMapping",
    doc="""An overhead must not be negative.

    Good:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {memory: {overhead: {perPod: 64Mi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            nodeAllocatableResources: {memory: {overhead: {perPod: -64Mi}}}
    """,
)


def check_node_allocatable(
    ctx: Context,
    resources: Mapping[str, NodeAllocatableResource],
    capacity: Mapping[str, DeviceCapacity],
    path: FieldPath,
) -> None:
    """The node resources of a device with ``capacity``; mirrors ``validateNodeAllocatableResources``."""
    for key, entry in resources.items():
        place = path.key(key)
        if key not in ("cpu", "memory") and not key.startswith("hugepages-"):
            message = f"unsupported node resource {key!r}; use cpu, memory or hugepages-SIZE"
            ctx.refuse(NAR_KEY, place, key, message)
        mapping, overhead = entry.get("mapping"), entry.get("overhead")
        if mapping is None and overhead is None:
            ctx.refuse(NAR_EMPTY, place, "", "a node resource requires a mapping or an overhead")
        if mapping is not None:
            _check_mapping(ctx, mapping, capacity, place.child("mapping"))
        if overhead is not None:
            _check_overhead(ctx, overhead, place.child("overhead"))


def _check_mapping(
    ctx: Context, mapping: NodeAllocatableMapping, capacity: Mapping[str, DeviceCapacity], path: FieldPath
) -> None:
    """One mapping, but for its one-of; mirrors ``validateNodeAllocatableMapping``."""
    key = mapping.get("capacityKey")
    place = path.child("capacityKey")
    if key is not None:
        if not key:
            ctx.refuse(
                NAR_CAP_KEY_EMPTY, place, "", "capacityKey must not be empty; use a capacity of the device"
            )
        elif ctx.has(NAR_CAP_KEY_FORMAT) and not is_qualified_name(key):
            qualified_name(ctx, NAR_CAP_KEY_FORMAT, place, key)
        elif key not in capacity:
            there = (
                f"the device has {', '.join(sorted(capacity))}" if capacity else "the device has no capacity"
            )
            ctx.refuse(NAR_CAP_KEY_UNKNOWN, place, key, f"unknown capacity {key!r}", hint=there)
        if "capacityMultiplier" not in mapping:
            message = "capacityKey requires capacityMultiplier; it can be 1"
            ctx.refuse(NAR_CAP_MULT_REQUIRED, path.child("capacityMultiplier"), "", message)
        else:
            _check_positive(ctx, NAR_CAP_MULT_POSITIVE, mapping, "capacityMultiplier", path)
    if "deviceMultiplier" in mapping:
        _check_positive(ctx, NAR_DEV_MULT_POSITIVE, mapping, "deviceMultiplier", path)
    if "capacityMultiplier" in mapping and key is None:
        message = "capacityMultiplier requires capacityKey"
        ctx.refuse(NAR_CAP_KEY_REQUIRED, place, "", message)


def _check_positive(
    ctx: Context, row: Rule, mapping: NodeAllocatableMapping, name: Multiplier, path: FieldPath
) -> None:
    if quantity.as_written(mapping[name]).sign <= 0:
        message = f"{name} must be greater than zero, got {mapping[name]}"
        ctx.refuse(row, path.child(name), mapping[name], message)


def _check_overhead(ctx: Context, overhead: NodeAllocatableOverhead, path: FieldPath) -> None:
    """One overhead; mirrors ``validateNodeAllocatableOverheadMapping``."""
    if "perPod" not in overhead and "perContainer" not in overhead:
        ctx.refuse(NAR_OVERHEAD_EMPTY, path, "", "an overhead requires perPod or perContainer")
    for name in ("perPod", "perContainer"):
        if name in overhead and quantity.as_written(overhead[name]).sign < 0:
            message = f"{name} must not be negative, got {overhead[name]}"
            ctx.refuse(NAR_OVERHEAD_NEGATIVE, path.child(name), overhead[name], message)
