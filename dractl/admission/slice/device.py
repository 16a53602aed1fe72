"""Rules for one device of a slice: its name, its size, and the order in which the parts are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import BASIC_DEVICES
from dractl.admission.framework.rule import rule
from dractl.admission.shared.binding import check_binding
from dractl.admission.shared.checks import well_formed
from dractl.admission.shared.taints import check_taints
from dractl.admission.slice.attributes import check_attributes
from dractl.admission.slice.capacity import check_capacity
from dractl.admission.slice.consumption import check_consumption
from dractl.admission.slice.device_nodes import check_node_choice
from dractl.admission.slice.node_allocatable import check_node_allocatable
from dractl.admission.slice.node_mappings import check_node_mappings
from dractl.api import limits, names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.versions.layout import BARE

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec

DEVICE_NAME = rule(
    "device/name",
    kind="ResourceSlice",
    at="spec.devices[*].name",
    type=ErrorType.INVALID,
    upstream="validateDevice",
    doc="""A device name must be a DNS label.

    Driver, pool and device name identify a device in the cluster.

    Good:
        spec: {devices: [{name: gpu-0}]}
    Bad:
        spec: {devices: [{name: gpu_0}]}
    """,
)

DEVICE_BASIC_REQUIRED = rule(
    "device/basic-required",
    kind="ResourceSlice",
    at="spec.devices[*].basic",
    type=ErrorType.REQUIRED,
    until="1.32",
    upstream="validateDevice",
    doc="""A device must have `basic`, even if it is empty.

    It is the only kind of device in 1.31 and 1.32.

    Good:
        spec: {devices: [{name: gpu-0, basic: {}}]}
    Bad:
        spec: {devices: [{name: gpu-0}]}
    """,
)

DEVICE_ENTRIES_TOTAL = rule(
    "device/attr-cap-total",
    kind="ResourceSlice",
    at="spec.devices[*]",
    type=ErrorType.INVALID,
    upstream="validateDevice",
    doc="""A device can have at most 32 attributes and capacities in total.

    Good:
        spec:
          devices:
          - {name: gpu-0, attributes: {<16 times a#: {int: 1}, >}, capacity: {<16 times c#: {value: "1"}, >}}
    Bad:
        spec:
          devices:
          - {name: gpu-0, attributes: {<16 times a#: {int: 1}, >}, capacity: {<17 times c#: {value: "1"}, >}}
    """,
)


def check_device(
    ctx: Context,
    device: Device,
    path: FieldPath,
    *,
    nodes_of: ResourceSliceSpec | None,
    unchanged: frozenset[str] = frozenset(),
) -> None:
    """One device, with its choice of nodes if the slice ``nodes_of`` is given.

    ``unchanged`` names fields that the stored device has with the same value; they are not validated again.
    Mirrors ``validateDevice``. What a device does not have is not asked about, and paths are built only for
    what is refused: slices hold most of the values that are ever checked.
    """
    name = device.get("name", "")
    if wrong := names.dns_label(name):
        well_formed(ctx, DEVICE_NAME, path.child("name"), name, wrong)
    if ctx.does(BASIC_DEVICES):
        path = path.child("basic")
        if BARE in device:
            ctx.refuse(DEVICE_BASIC_REQUIRED, path, "", "a device requires basic; it can be empty: {}")
    attributes = device.get("attributes") or {}
    capacity = device.get("capacity") or {}
    entries = len(attributes) + len(capacity)
    if entries > (most := limits.of("device.attributesAndCapacity", ctx.minor)):
        message = f"a device must have at most {most} attributes and capacities in total, got {entries}"
        ctx.refuse(DEVICE_ENTRIES_TOTAL, path, entries, message)
    if attributes:
        check_attributes(ctx, attributes, path)
    if capacity and "capacity" not in unchanged:
        check_capacity(ctx, capacity, path, shared=device.get("allowMultipleAllocations") is True)
    taints = device.get("taints")
    if taints and "taints" not in unchanged:
        check_taints(ctx, taints, path.child("taints"))
    if consumptions := device.get("consumesCounters"):
        check_consumption(ctx, consumptions, path.child("consumesCounters"))
    if nodes_of is not None:
        check_node_choice(ctx, device, path, nodes_of)
    if "bindingConditions" in device or "bindingFailureConditions" in device:
        check_binding(ctx, device, path)
    if resources := device.get("nodeAllocatableResources"):
        check_node_allocatable(ctx, resources, capacity, path.child("nodeAllocatableResources"))
    if mappings := device.get("nodeAllocatableResourceMappings"):
        check_node_mappings(ctx, mappings, capacity, path.child("nodeAllocatableResourceMappings"))
