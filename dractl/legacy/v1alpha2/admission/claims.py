"""Rules for ResourceClaim and ResourceClaimTemplate of v1alpha2 (1.30), and for the status of a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from dractl.admission.claim.claim_status import check_allocation_unchanged, check_users
from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared import node_selector
from dractl.admission.shared.checks import at_most, driver_name, well_formed
from dractl.admission.shared.control_plane import check_deallocation
from dractl.admission.shared.node_selector import check_node_selector
from dractl.api import limits, names
from dractl.api.errors import ErrorType
from dractl.api.json_types import Object
from dractl.api.path import FieldPath
from dractl.legacy.v1alpha2.admission.references import OLD, check_parameters_reference, missing_model

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceClaimStatus

_MODES = ("AllocationModeImmediate", "AllocationModeWaitForFirstConsumer")
_ALLOCATION = "status.allocation"
_HANDLE = f"{_ALLOCATION}.resourceHandles[*]"
_STATUS = FieldPath("status")

_CLAIM_STATUS = Scope(
    kind="ResourceClaim",
    since=OLD,
    until=OLD,
    upstream="validateResourceHandles",
    of_wing=True,
    frame="""
        status:
          driverName: gpu.example.com
          <here>
        """,
)

_CLAIM = Scope(
    kind="ResourceClaim",
    since=OLD,
    until=OLD,
    upstream="validateResourceClaimSpec",
    of_wing=True,
)

OLD_CLAIM_CLASS = _CLAIM.rule(
    "oldclaim/class",
    at="spec.resourceClassName",
    type=ErrorType.INVALID,
    doc="""A claim must name a resource class: a DNS subdomain.

    Good:
        spec: {resourceClassName: gpu.example.com}
    Bad:
        spec: {resourceClassName: ""}
    """,
)

OLD_CLAIM_MODE = _CLAIM.rule(
    "oldclaim/mode",
    at="spec.allocationMode",
    type=ErrorType.NOT_SUPPORTED,
    doc="""The allocation mode of a claim must be `Immediate` or `WaitForFirstConsumer`.

    The default is `WaitForFirstConsumer`.

    Good:
        spec: {resourceClassName: gpu.example.com, allocationMode: Immediate}
    Bad:
        spec: {resourceClassName: gpu.example.com, allocationMode: Later}
    """,
)

OLD_STATUS_DRIVER = _CLAIM.rule(
    "oldclaim/status-driver",
    at="status.driverName",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    upstream="ValidateClaimStatusUpdate",
    doc="""The driver in the status of a claim must be a driver name.

    Good:
        status: {driverName: gpu.example.com}
    Bad:
        status: {driverName: gpu_example}
    """,
)

OLD_STATUS_DRIVER_REQUIRED = _CLAIM.rule(
    "oldclaim/status-driver-required",
    at="status.driverName",
    type=ErrorType.REQUIRED,
    upstream="ValidateClaimStatusUpdate",
    doc="""An allocated claim must name the driver that allocated it.

    Good:
        status: {driverName: gpu.example.com, allocation: {}}
    Bad:
        status: {allocation: {}}
    """,
)

OLD_HANDLES_SIZE = _CLAIM_STATUS.rule(
    "oldclaim/handles-size",
    at=f"{_ALLOCATION}.resourceHandles",
    type=ErrorType.TOO_LONG,
    doc="""An allocation can have at most 32 handles.

    Good here:
        allocation: {resourceHandles: [<32 times {driverName: gpu.example.com, data: "#"}, >]}
    Bad here:
        allocation: {resourceHandles: [<33 times {driverName: gpu.example.com, data: "#"}, >]}
    """,
)

OLD_HANDLE_DRIVER = _CLAIM_STATUS.rule(
    "oldclaim/handle-driver",
    at=f"{_HANDLE}.driverName",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    doc="""A handle must name its driver.

    Good here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, data: gpu-0}]}
    Bad here:
        allocation: {resourceHandles: [{driverName: gpu_example, data: gpu-0}]}
    """,
)

OLD_HANDLE_DATA = _CLAIM_STATUS.rule(
    "oldclaim/handle-data",
    at=f"{_HANDLE}.data",
    type=ErrorType.TOO_LONG,
    doc="""The data of a handle can have at most 16384 bytes.

    Good here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, data: gpu-0}]}
    Bad here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, data: "<16385 times x>"}]}
    """,
)

OLD_HANDLE_BOTH = _CLAIM_STATUS.rule(
    "oldclaim/handle-both",
    at=_HANDLE,
    type=ErrorType.INVALID,
    doc="""A handle must not have both `data` and `structuredData`.

    Good here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, structuredData: {results: []}}]}
    Bad here:
        allocation:
          resourceHandles: [{driverName: gpu.example.com, data: gpu-0, structuredData: {results: []}}]
    """,
)

OLD_HANDLE_NODE = _CLAIM_STATUS.rule(
    "oldclaim/handle-node",
    at=f"{_HANDLE}.structuredData.nodeName",
    type=ErrorType.INVALID,
    upstream="validateStructuredResourceHandle",
    doc="""The node of a handle must be a node name: a DNS subdomain.

    Good here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, structuredData: {nodeName: node-a}}]}
    Bad here:
        allocation: {resourceHandles: [{driverName: gpu.example.com, structuredData: {nodeName: node_a}}]}
    """,
)

OLD_HANDLE_MODEL = _CLAIM_STATUS.rule(
    "oldclaim/handle-model",
    at=f"{_HANDLE}.structuredData.results[*]",
    type=ErrorType.REQUIRED,
    upstream="validateAllocationResultModel",
    doc="""An allocated resource must use the model `namedResources`.

    Good here:
        allocation:
          resourceHandles:
          - {driverName: gpu.example.com, structuredData: {results: [{namedResources: {name: gpu-0}}]}}
    Bad here:
        allocation:
          resourceHandles: [{driverName: gpu.example.com, structuredData: {results: [{}]}}]
    """,
)

OLD_HANDLE_INSTANCE = _CLAIM_STATUS.rule(
    "oldclaim/handle-instance",
    at=f"{_HANDLE}.structuredData.results[*].namedResources.name",
    type=ErrorType.INVALID,
    upstream="ValidateAllocationResult",
    doc="""An allocated resource name must be a DNS subdomain.

    Good here:
        allocation:
          resourceHandles:
          - {driverName: gpu.example.com, structuredData: {results: [{namedResources: {name: gpu-0}}]}}
    Bad here:
        allocation:
          resourceHandles:
          - {driverName: gpu.example.com, structuredData: {results: [{namedResources: {name: gpu_0}}]}}
    """,
)

OLD_AVAILABLE_NODES = _CLAIM_STATUS.rule(
    "oldclaim/available-nodes",
    at=node_selector.places(f"{_ALLOCATION}.availableOnNodes"),
    type=node_selector.TYPES,
    upstream="validateAllocationResult",
    doc="""The node selector of an allocation must be valid.

    Good here:
        allocation:
          availableOnNodes:
            nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-a]}]}]
    Bad here:
        allocation:
          availableOnNodes:
            nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: Exists}]}]
    """,
)

OLD_RESERVED_SHAREABLE = _CLAIM_STATUS.rule(
    "oldclaim/reserved-shareable",
    at="status.reservedFor",
    type=ErrorType.FORBIDDEN,
    upstream="ValidateClaimStatusUpdate",
    doc="""A claim with several consumers must be `shareable`.

    Good here:
        allocation: {shareable: true}
        reservedFor: [<2 times {resource: pods, name: train-#, uid: 0f2c4f0a-#}, >]
    Bad here:
        allocation: {shareable: false}
        reservedFor: [<2 times {resource: pods, name: train-#, uid: 0f2c4f0a-#}, >]
    """,
)


def check_old_claim_spec(ctx: Context, spec: dict[str, Any], path: FieldPath) -> None:
    """The spec of a claim, at ``path``; mirrors ``validateResourceClaimSpec``."""
    name, mode = spec.get("resourceClassName", ""), spec.get("allocationMode", "")
    place = path.child("resourceClassName")
    well_formed(ctx, OLD_CLAIM_CLASS, place, name, names.dns_subdomain(name))
    check_parameters_reference(ctx, spec.get("parametersRef"), path.child("parametersRef"))
    modes = [text for known in _MODES if (text := limits.constant(known, ctx.minor))]
    if mode not in modes:
        message = f"unknown allocation mode {mode!r}; use {' or '.join(modes)}"
        ctx.refuse(OLD_CLAIM_MODE, path.child("allocationMode"), mode, message)


def check_old_claim_status(ctx: Context, status: Object, old_status: Object, *, is_deleting: bool) -> None:
    """The new status of a claim; mirrors ``ValidateClaimStatusUpdate`` without the metadata."""
    driver, allocation = status.get("driverName", ""), status.get("allocation")
    if driver:
        driver_name(ctx, OLD_STATUS_DRIVER, _STATUS.child("driverName"), driver)
    elif allocation is not None:
        message = "an allocated claim requires a driverName"
        ctx.refuse(OLD_STATUS_DRIVER_REQUIRED, _STATUS.child("driverName"), "", message)
    if allocation is not None:
        _check_allocation(ctx, allocation, _STATUS.child("allocation"))
    new, old = cast("ResourceClaimStatus", status), cast("ResourceClaimStatus", old_status)
    check_users(ctx, new, old, is_deleting=is_deleting)
    users = status.get("reservedFor") or []
    if allocation is not None and len(users) > 1 and not allocation.get("shareable"):
        message = f"the claim is not shareable, but reserved for {len(users)} consumers"
        ctx.refuse(OLD_RESERVED_SHAREABLE, _STATUS.child("reservedFor"), "", message)
    check_allocation_unchanged(ctx, allocation, old_status.get("allocation"))
    check_deallocation(ctx, status, old_status)


def _check_allocation(ctx: Context, allocation: dict[str, Any], path: FieldPath) -> None:
    """One allocation; mirrors ``validateAllocationResult``."""
    handles = allocation.get("resourceHandles") or []
    place = path.child("resourceHandles")
    at_most(ctx, OLD_HANDLES_SIZE, place, handles, "classic.resourceHandles")
    for position, handle in enumerate(handles):
        _check_handle(ctx, handle, place.index(position))
    selector = allocation.get("availableOnNodes")
    if selector is not None:
        check_node_selector(ctx, OLD_AVAILABLE_NODES, selector, path.child("availableOnNodes"))


def _check_handle(ctx: Context, handle: dict[str, Any], path: FieldPath) -> None:
    """One handle; mirrors ``validateResourceHandles``."""
    driver_name(ctx, OLD_HANDLE_DRIVER, path.child("driverName"), handle.get("driverName", ""))
    data, structured = handle.get("data", ""), handle.get("structuredData")
    length = names.byte_length(data)
    if length > (most := limits.of("classic.resourceHandleData", ctx.minor)):
        message = f"the data must have at most {most} bytes, got {length}"
        ctx.refuse(OLD_HANDLE_DATA, path.child("data"), length, message)
    if structured is None:
        return
    if data:
        message = "a handle must not have both data and structuredData; remove one"
        ctx.refuse(OLD_HANDLE_BOTH, path, None, message)
    place = path.child("structuredData")
    node = structured.get("nodeName", "")
    if node:
        well_formed(ctx, OLD_HANDLE_NODE, place.child("nodeName"), node, names.dns_subdomain(node))
    for position, result in enumerate(structured.get("results") or ()):
        at = place.child("results").index(position)
        resource = result.get("namedResources")
        if resource is None:
            missing_model(ctx, OLD_HANDLE_MODEL, at)
            continue
        name = resource.get("name", "")
        name_path = at.child("namedResources").child("name")
        well_formed(ctx, OLD_HANDLE_INSTANCE, name_path, name, names.dns_subdomain(name))
