"""Rules for what drivers report about allocated devices in the status of a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.claim.network_data import check_network
from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import NAMES_KEY_OF_DUPLICATE
from dractl.admission.framework.scope import Scope
from dractl.admission.shared import conditions
from dractl.admission.shared.checks import at_most, driver_name, pool_name, well_formed
from dractl.admission.shared.configuration import check_raw
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        AllocatedDeviceStatus,
        AllocationResult,
        DeviceRequestAllocationResult,
    )

DeviceKey = tuple[str, str, str, str]
"""Driver, pool, device and share of an allocated device; the share is empty if missing."""


_DEVICE = Scope(
    kind="ResourceClaim",
    at="status.devices[*]",
    since="1.32",
    upstream="validateDeviceStatus",
    frame="""
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
          <here>
        """,
)

STATUS_DEVICES_DUPLICATE = _DEVICE.rule(
    "status/devices-duplicate",
    type=ErrorType.DUPLICATE,
    covered=True,
    upstream="validateResourceClaimStatusUpdate",
    doc="""Entries in `status.devices` must be unique.

    The key of an entry is driver, pool, device and, since 1.34, `shareID`.

    Good:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices:
          - {driver: gpu.example.com, pool: node-a, device: gpu-0}
          - {driver: gpu.example.com, pool: node-a, device: gpu-0}
    """,
)

DSTAT_DRIVER = _DEVICE.rule(
    "dstat/driver",
    at="driver",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    doc="""An entry in `status.devices` must have the driver name of the allocated device.

    It is a DNS subdomain of at most 63 characters. A device with an invalid driver name cannot be allocated.

    Good here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        devices: [{driver: gpu_example_com, pool: node-a, device: gpu-0}]
    """,
)

DSTAT_POOL = _DEVICE.rule(
    "dstat/pool",
    at="pool",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    doc="""An entry in `status.devices` must have the pool of the allocated device.

    Good here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        devices: [{driver: gpu.example.com, pool: node_a, device: gpu-0}]
    """,
)

DSTAT_DEVICE = _DEVICE.rule(
    "dstat/device",
    at="device",
    type=ErrorType.INVALID,
    doc="""An entry in `status.devices` must have the name of the allocated device: a DNS label.

    Good here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu_0}]
    """,
)

DSTAT_SHARE_ID = _DEVICE.rule(
    "dstat/share-id",
    at="shareID",
    type=ErrorType.INVALID,
    since="1.34",
    covered=True,
    doc="""An entry in `status.devices` must have the `shareID` of the allocated device: a lower-case UUID.

    Good:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                shareID: 0f2c4f0a-2f4c-4f0a-8c52-0d7be2f4c001
          devices:
          - driver: gpu.example.com
            pool: node-a
            device: gpu-0
            shareID: 0f2c4f0a-2f4c-4f0a-8c52-0d7be2f4c001
    Bad:
        status:
          allocation:
            devices:
              results:
              - request: gpu
                driver: gpu.example.com
                pool: node-a
                device: gpu-0
                shareID: 0f2c4f0a-2f4c-4f0a-8c52-0d7be2f4c001
          devices:
          - {driver: gpu.example.com, pool: node-a, device: gpu-0, shareID: first}
    """,
)

DSTAT_ALLOCATED = _DEVICE.rule(
    "dstat/allocated",
    type=ErrorType.INVALID,
    doc="""`status.devices` must list only devices that are allocated for the claim.

    The allocation in the same status is checked. Entries of devices that the update deallocates are dropped
    without an error.

    Good:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0}]
    Bad:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices: [{driver: gpu.example.com, pool: node-a, device: gpu-1}]
    """,
)

DSTAT_CONDITIONS_SIZE = _DEVICE.rule(
    "dstat/conditions-size",
    at="conditions",
    type=ErrorType.TOO_MANY,
    doc="""An allocated device can have at most 8 conditions.

    Good here:
        devices:
        - driver: gpu.example.com
          pool: node-a
          device: gpu-0
          conditions:
            [<8 times {type: T#, status: "True", reason: Up, lastTransitionTime: "2026-01-31T12:00:00Z"}, >]
    Bad here:
        devices:
        - driver: gpu.example.com
          pool: node-a
          device: gpu-0
          conditions:
            [<9 times {type: T#, status: "True", reason: Up, lastTransitionTime: "2026-01-31T12:00:00Z"}, >]
    """,
)

DSTAT_CONDITIONS = _DEVICE.rule(
    "dstat/conditions",
    at=conditions.places("conditions"),
    type=conditions.TYPES,
    upstream="ValidateConditions",
    doc="""The conditions of an allocated device must be valid.

    A condition needs a type that is unique in the list and has the format of a label key, a status `True`,
    `False` or `Unknown`, a `lastTransitionTime`, and a one-word reason.

    Good:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices:
          - driver: gpu.example.com
            pool: node-a
            device: gpu-0
            conditions:
            - {type: Ready, status: "True", reason: Attached, lastTransitionTime: 2026-01-31T12:00:00Z}
    Bad:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices:
          - driver: gpu.example.com
            pool: node-a
            device: gpu-0
            conditions:
            - {type: Ready, status: "True", lastTransitionTime: 2026-01-31T12:00:00Z}
    """,
)

DSTAT_DATA_SIZE = _DEVICE.rule(
    "dstat/data-size",
    at="data",
    type=ErrorType.TOO_LONG,
    upstream="validateRawExtension",
    doc="""The data of an allocated device can have at most 10240 bytes of JSON.

    Good here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0, data: {note: short}}]
    Bad here:
        devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0, data: {note: "<10240 times x>"}}]
    """,
)

DSTAT_DATA_OBJECT = _DEVICE.rule(
    "dstat/data-object",
    at="data",
    type=ErrorType.INVALID,
    upstream="validateRawExtension",
    doc="""The data of an allocated device must be a JSON object if set.

    Good:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0, data: {firmware: 1.2.3}}]
    Bad:
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
          devices: [{driver: gpu.example.com, pool: node-a, device: gpu-0, data: [1.2.3]}]
    """,
)


def device_key(entry: AllocatedDeviceStatus | DeviceRequestAllocationResult) -> DeviceKey:
    """What identifies an allocated device; mirrors ``MakeSharedDeviceID``."""
    share = entry.get("shareID") or ""
    return entry.get("driver", ""), entry.get("pool", ""), entry.get("device", ""), share


def key_text(key: DeviceKey) -> str:
    """The identity of a device as one text, ``DRIVER/POOL/DEVICE`` with ``/SHARE`` where it has one."""
    return "/".join(key if key[3] else key[:3])


def check_device_statuses(
    ctx: Context, statuses: list[AllocatedDeviceStatus], allocation: AllocationResult | None, path: FieldPath
) -> None:
    """What is reported about the devices of ``allocation``; their number is not limited."""
    devices = (allocation or {}).get("devices") or {}
    allocated = {device_key(result): None for result in devices.get("results") or ()}
    seen: set[DeviceKey] = set()
    for position, status in enumerate(statuses):
        place = path.index(position)
        key = device_key(status)
        _check_identity(ctx, status, place)
        if key not in allocated:
            there = ", ".join(key_text(other) for other in allocated) or "none"
            message = f"device {key_text(key)} is not allocated for the claim"
            ctx.refuse(DSTAT_ALLOCATED, place, key_text(key), message, hint=f"allocated: {there}")
        _check_report(ctx, status, place)
        if key in seen:
            message = f"device {key_text(key)} has more than one entry"
            # No field has this name, but the server says so.
            at = place.child("deviceID") if ctx.does(NAMES_KEY_OF_DUPLICATE) else place
            ctx.refuse(STATUS_DEVICES_DUPLICATE, at, key_text(key), message, place=place)
        seen.add(key)


def _check_identity(ctx: Context, status: AllocatedDeviceStatus, path: FieldPath) -> None:
    driver_name(ctx, DSTAT_DRIVER, path.child("driver"), status.get("driver", ""))
    pool_name(ctx, DSTAT_POOL, path.child("pool"), status.get("pool", ""))
    device = status.get("device", "")
    well_formed(ctx, DSTAT_DEVICE, path.child("device"), device, names.dns_label(device))
    share = status.get("shareID")
    if share is not None:
        well_formed(ctx, DSTAT_SHARE_ID, path.child("shareID"), share, names.uuid(share))


def _check_report(ctx: Context, status: AllocatedDeviceStatus, path: FieldPath) -> None:
    """Conditions, data and network data of one device; mirrors ``validateDeviceStatus``."""
    items = status.get("conditions") or []
    place = path.child("conditions")
    at_most(ctx, DSTAT_CONDITIONS_SIZE, place, items, "deviceStatus.conditions")
    conditions.check_conditions(ctx, DSTAT_CONDITIONS, items, place)
    data = status.get("data")
    if data is not None:
        # They may be absent, so that no row covers their presence.
        rules = (DSTAT_DATA_OBJECT, DSTAT_DATA_SIZE, DSTAT_DATA_OBJECT)
        check_raw(ctx, rules, path.child("data"), data, what="data", limit="deviceStatus.data")
    network = status.get("networkData")
    if network is not None:
        check_network(ctx, network, path.child("networkData"))
