"""Rules for the node resources that a device stands for, in the form that 1.36 had (alpha)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceCapacity, NodeAllocatableResourceMapping


_ENTRY = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].nodeAllocatableResourceMappings{*}",
    since="1.36",
    until="1.36",
    gate="DRANodeAllocatableResources",
    upstream="validateNodeAllocatableResourceMappings",
    frame="""
        spec:
          devices:
          - name: cpus-0
            <here>
        """,
)

MAPPING_KEY = _ENTRY.rule(
    "nar/mapping-key",
    type=ErrorType.INVALID,
    doc="""A device can map only to native node resources: names without a domain or in kubernetes.io.

    Good here:
        nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: 4}}
    Bad here:
        nodeAllocatableResourceMappings: {example.com/cpu: {allocationMultiplier: 4}}
    """,
)

MAPPING_MULTIPLIER = _ENTRY.rule(
    "nar/mapping-multiplier",
    at="allocationMultiplier",
    type=ErrorType.INVALID,
    doc="""The `allocationMultiplier` of a mapping must be greater than zero.

    The default is 1.

    Good here:
        nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: 500m}}
    Bad here:
        nodeAllocatableResourceMappings: {cpu: {allocationMultiplier: 0}}
    """,
)

MAPPING_CAP_KEY_EMPTY = _ENTRY.rule(
    "nar/mapping-cap-key-empty",
    at="capacityKey",
    type=ErrorType.INVALID,
    doc="""The `capacityKey` of a mapping must not be empty.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResourceMappings: {cpu: {capacityKey: cores}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResourceMappings: {cpu: {capacityKey: ""}}
    """,
)

MAPPING_CAP_KEY_UNKNOWN = _ENTRY.rule(
    "nar/mapping-cap-key-unknown",
    at="capacityKey",
    type=ErrorType.NOT_FOUND,
    doc="""The `capacityKey` of a mapping must be a capacity of the same device, written identically.

    Good here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResourceMappings: {cpu: {capacityKey: cores}}
    Bad here:
        capacity: {cores: {value: 8}}
        nodeAllocatableResourceMappings: {cpu: {capacityKey: cpus}}
    """,
)


def check_node_mappings(
    ctx: Context,
    mappings: Mapping[str, NodeAllocatableResourceMapping],
    capacity: Mapping[str, DeviceCapacity],
    path: FieldPath,
) -> None:
    """The mappings at ``path``, of a device with ``capacity``.

    Mirrors ``validateNodeAllocatableResourceMappings``; a mapping without any field cannot occur, since the
    server fills in the multiplier.
    """
    for name, mapping in mappings.items():
        place = path.key(name)
        if "/" in name and "kubernetes.io/" not in name:
            message = f"{name!r} must be a native node resource, such as cpu or memory"
            ctx.refuse(MAPPING_KEY, place, name, message)
        multiplier = mapping.get("allocationMultiplier")
        if multiplier is not None and quantity.as_written(multiplier).sign <= 0:
            message = f"allocationMultiplier must be greater than zero, got {multiplier}"
            ctx.refuse(MAPPING_MULTIPLIER, place.child("allocationMultiplier"), multiplier, message)
        key = mapping.get("capacityKey")
        at = place.child("capacityKey")
        if key == "":
            ctx.refuse(
                MAPPING_CAP_KEY_EMPTY, at, "", "capacityKey must not be empty; use a capacity of the device"
            )
        elif key is not None and key not in capacity:
            there = (
                f"the device has {', '.join(sorted(capacity))}" if capacity else "the device has no capacity"
            )
            ctx.refuse(MAPPING_CAP_KEY_UNKNOWN, at, key, f"unknown capacity {key!r}", hint=there)
