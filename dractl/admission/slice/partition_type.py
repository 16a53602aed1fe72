"""Rules for the attribute by which a pool's status counts partitions (alpha in 1.37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import is_qualified_name
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceSliceSpec

_PLACE = "spec.partitionTypeAttribute"
_ATTRIBUTE = "spec.devices[*].attributes{*}"


_PARTITION_TYPE = Scope(
    kind="ResourceSlice",
    since="1.37",
    upstream="validatePartitionTypeAttribute",
    frame="""
        spec:
          partitionTypeAttribute: gpu.example.com/profile
          devices:
          - name: gpu-0-half
            <here>
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
        """,
)

PARTITION_TYPE_GATE = _PARTITION_TYPE.rule(
    "slice/partition-type-gate",
    at=_PLACE,
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.FORBIDDEN),
    upstream="Validate_ResourceSliceSpec",
    doc="""`partitionTypeAttribute` must be a lower-case attribute name with a domain.

    It requires the feature gate DRAPartitionableDevicesType.

    Good here:
        attributes: {profile: {string: 4g.40gb}}
    Bad:
        spec:
          partitionTypeAttribute: profile
          devices:
          - name: gpu-0-half
            attributes: {profile: {string: 4g.40gb}}
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    """,
)

PARTITION_TYPE_UNUSED = _PARTITION_TYPE.rule(
    "slice/partition-type-unused",
    at=_PLACE,
    type=ErrorType.INVALID,
    doc="""`partitionTypeAttribute` requires a device that consumes counters.

    Only such devices are partitions.

    Good here:
        attributes: {profile: {string: 4g.40gb}}
    Bad:
        spec:
          partitionTypeAttribute: gpu.example.com/profile
          devices:
          - name: gpu-0
            attributes: {profile: {string: whole}}
    """,
)

PARTITION_TYPE_MISSING = _PARTITION_TYPE.rule(
    "slice/partition-type-missing",
    at=_ATTRIBUTE,
    type=ErrorType.REQUIRED,
    doc="""Devices that consume counters must have the attribute named by `partitionTypeAttribute`.

    The device can omit the domain if it is the driver name.

    Good here:
        attributes: {profile: {string: 4g.40gb}}
    Bad:
        spec:
          partitionTypeAttribute: gpu.example.com/profile
          devices:
          - name: gpu-0-half
            consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
    """,
)

PARTITION_TYPE_NOT_STRING = _PARTITION_TYPE.rule(
    "slice/partition-type-not-string",
    at=_ATTRIBUTE,
    type=ErrorType.INVALID,
    doc="""The attribute named by `partitionTypeAttribute` must be a `string`.

    Good here:
        attributes: {profile: {string: 4g.40gb}}
    Bad here:
        attributes: {profile: {int: 4}}
    """,
)


def check_partition_type(ctx: Context, name: str, spec: ResourceSliceSpec, path: FieldPath) -> None:
    """The devices of a slice whose ``partitionTypeAttribute`` is ``name``.

    The name itself is looked at by the declarative rules. Mirrors ``validatePartitionTypeAttribute``.
    """
    partitions = [
        (position, device)
        for position, device in enumerate(spec.get("devices") or ())
        if device.get("consumesCounters")
    ]
    if not partitions:
        message = "partitionTypeAttribute requires a device that consumes counters; remove it"
        ctx.refuse(PARTITION_TYPE_UNUSED, path.child("partitionTypeAttribute"), name, message)
        return
    if "/" not in name or not is_qualified_name(name):
        return
    bare = name.removeprefix(f"{spec.get('driver', '')}/")
    for position, device in partitions:
        attributes = device.get("attributes") or {}
        attribute = attributes.get(name, attributes.get(bare) if bare else None)
        place = path.child("devices").index(position).child("attributes").key(name)
        if attribute is None:
            message = f"a device that consumes counters requires the attribute {name}, the partition type"
            ctx.refuse(PARTITION_TYPE_MISSING, place, "", message)
        elif "string" not in attribute:
            message = f"the partition type must be a string: write {bare or name}: {{string: ...}}"
            ctx.refuse(PARTITION_TYPE_NOT_STRING, place, attribute, message)
