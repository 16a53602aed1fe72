"""Rules for a slice as a whole: its driver, its pool, and what it may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import LIMITS_ADVANCED_DEVICES, RATCHETS_DEVICE_LIST
from dractl.admission.framework.rule import rule
from dractl.admission.shared.checks import at_most, driver_name, pool_name, unique
from dractl.admission.shared.skip_operations import check_skip_operations
from dractl.admission.slice.attributes import LIST_MEMBERS
from dractl.admission.slice.counters import check_counter_sets
from dractl.admission.slice.device import check_device
from dractl.admission.slice.device_nodes import check_node_choice
from dractl.admission.slice.device_ratchet import Unchanged, same_devices, unchanged_parts
from dractl.admission.slice.early_counters import check_early_counters
from dractl.admission.slice.node_selection import check_slice_nodes
from dractl.admission.slice.partition_type import check_partition_type
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourcePool, ResourceSliceSpec

SLICE_DRIVER = rule(
    "slice/driver",
    kind="ResourceSlice",
    at="spec.driver",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    upstream="ValidateCSIDriverName",
    doc="""A slice must name its driver.

    A driver name is a DNS subdomain of at most 63 characters, by convention in a domain of the vendor.

    Good:
        spec: {driver: gpu.example.com}
    Bad:
        spec: {driver: gpu_example}
    """,
)

SLICE_POOL_NAME = rule(
    "slice/pool-name",
    kind="ResourceSlice",
    at="spec.pool.name",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    upstream="validatePoolName",
    doc="""A pool name must be one or more DNS subdomains joined with `/`.

    It can have at most 253 bytes. Drivers of node-local devices often use the node name.

    Good:
        spec: {pool: {name: rack-1/switch-2}}
    Bad:
        spec: {pool: {name: rack-1//switch-2}}
    """,
)

SLICE_POOL_COUNT = rule(
    "slice/pool-count",
    kind="ResourceSlice",
    at="spec.pool.resourceSliceCount",
    type=ErrorType.INVALID,
    upstream="validateResourcePool",
    doc="""The `resourceSliceCount` of a pool must be greater than zero.

    It is the number of slices of the pool in this generation. The scheduler ignores the pool until all of
    them exist.

    Good:
        spec: {pool: {resourceSliceCount: 2}}
    Bad:
        spec: {pool: {resourceSliceCount: 0}}
    """,
)

SLICE_POOL_GENERATION = rule(
    "slice/pool-generation",
    kind="ResourceSlice",
    at="spec.pool.generation",
    type=ErrorType.INVALID,
    upstream="validateResourcePool",
    doc="""The `generation` of a pool must not be negative.

    It counts the changes of the pool; slices of older generations are ignored.

    Good:
        spec: {pool: {generation: 0}}
    Bad:
        spec: {pool: {generation: -1}}
    """,
)

SLICE_DEVICES_AND_COUNTERS = rule(
    "slice/devices-and-counters",
    kind="ResourceSlice",
    at="spec",
    type=ErrorType.INVALID,
    since="1.35",
    upstream="validateResourceSliceSpec",
    doc="""A slice must not have both `devices` and `sharedCounters`.

    Put counter sets into another slice of the same pool. An empty device list also counts.

    Good:
        spec:
          devices: null
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
    Bad:
        spec:
          devices: [{name: gpu-0}]
          sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
    """,
)

SLICE_DEVICES_SIZE = rule(
    "slice/devices-size",
    kind="ResourceSlice",
    at="spec.devices",
    type=ErrorType.TOO_MANY,
    upstream="validateResourceSliceSpec",
    doc="""A slice can have at most 128 devices, or 64 if any uses certain features.

    Since 1.35 the limit is 64 if any device has taints or consumes counters, since 1.36 also if any has an
    attribute with a list of values. A pool can have more devices in other slices.

    Good:
        spec: {devices: [<128 times {name: gpu-#}, >]}
    Bad:
        spec: {devices: [<129 times {name: gpu-#}, >]}
    """,
)

SLICE_DEVICE_DUPLICATE = rule(
    "slice/device-duplicate",
    kind="ResourceSlice",
    at="spec.devices[*]",
    type=ErrorType.DUPLICATE,
    upstream="validateResourceSliceSpec",
    doc="""Device names must be unique within a slice.

    They should be unique within the pool: the scheduler ignores a pool with duplicate names.

    Good:
        spec: {devices: [{name: gpu-0}, {name: gpu-1}]}
    Bad:
        spec: {devices: [{name: gpu-0}, {name: gpu-0}]}
    """,
)


def check_resource_slice_spec(
    ctx: Context, spec: ResourceSliceSpec, path: FieldPath, old: ResourceSliceSpec | None = None
) -> None:
    """The spec of a slice, at ``path``; mirrors ``validateResourceSliceSpec``.

    On an update from ``old``, what did not change is not looked at again: up to 1.37 capacity and taints of
    a device, since then the list of devices as a whole.
    """
    driver_name(ctx, SLICE_DRIVER, path.child("driver"), spec.get("driver", ""))
    _check_pool(ctx, spec.get("pool") or {}, path.child("pool"))
    check_slice_nodes(ctx, spec, path)
    devices, counter_sets = spec.get("devices"), spec.get("sharedCounters")
    if devices is not None and counter_sets is not None:
        message = (
            "a slice must not have both devices and sharedCounters; move the counter sets to another slice"
        )
        ctx.refuse(SLICE_DEVICES_AND_COUNTERS, path, "", message)
    if devices:
        place = path.child("devices")
        is_known = old is not None and ctx.does(RATCHETS_DEVICE_LIST) and same_devices(spec, old)
        if not is_known:
            _check_devices(ctx, spec, devices, place, unchanged_parts(ctx.minor, old))
        if ctx.does(RATCHETS_DEVICE_LIST) and not (is_known and _keeps_choice(spec, old)):
            for position, device in enumerate(devices):
                check_node_choice(ctx, device, place.index(position), spec)
    if counter_sets:
        check_counter_sets(ctx, counter_sets, path.child("sharedCounters"))
    check_early_counters(ctx, spec, path)
    attribute = spec.get("partitionTypeAttribute")
    if attribute is not None:
        check_partition_type(ctx, attribute, spec, path)
    check_skip_operations(ctx, spec.get("skipNodeOperations") or [], path.child("skipNodeOperations"))


def _check_pool(ctx: Context, pool: ResourcePool, path: FieldPath) -> None:
    """The pool that a slice belongs to; mirrors ``validateResourcePool``."""
    pool_name(ctx, SLICE_POOL_NAME, path.child("name"), pool.get("name", ""))
    count, generation = pool.get("resourceSliceCount", 0), pool.get("generation", 0)
    if count <= 0:
        message = (
            f"resourceSliceCount, the number of slices of the pool, must be greater than zero, got {count}"
        )
        ctx.refuse(SLICE_POOL_COUNT, path.child("resourceSliceCount"), count, message)
    if generation < 0:
        message = f"the generation of a pool must not be negative, got {generation}"
        ctx.refuse(SLICE_POOL_GENERATION, path.child("generation"), generation, message)


def _keeps_choice(spec: ResourceSliceSpec, old: ResourceSliceSpec | None) -> bool:
    return old is not None and spec.get("perDeviceNodeSelection") == old.get("perDeviceNodeSelection")


def _check_devices(
    ctx: Context, spec: ResourceSliceSpec, devices: list[Device], path: FieldPath, unchanged: Unchanged
) -> None:
    has_advanced = ctx.does(LIMITS_ADVANCED_DEVICES) and any(map(is_advanced, devices))
    limit = "slice.devicesReduced" if has_advanced else "slice.devices"
    if not at_most(ctx, SLICE_DEVICES_SIZE, path, devices, limit):
        return
    nodes_of = None if ctx.does(RATCHETS_DEVICE_LIST) else spec
    for position, device in enumerate(devices):
        check_device(ctx, device, path.index(position), nodes_of=nodes_of, unchanged=unchanged(device))
    named = (device.get("name", "") for device in devices)
    unique(ctx, SLICE_DEVICE_DUPLICATE, path, named, what="the name", field="name")


def is_advanced(device: Device) -> bool:
    """Whether a device uses what lowers the limit of its slice.

    Mirrors ``haveDeviceTaints``, ``haveConsumesCounters`` and ``haveListAttributes``.
    """
    if device.get("taints") or device.get("consumesCounters"):
        return True
    no_list = LIST_MEMBERS.isdisjoint
    return not all(map(no_list, (device.get("attributes") or {}).values()))
