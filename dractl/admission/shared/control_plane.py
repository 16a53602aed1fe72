"""Rules for devices that a controller in the control plane allocates, as 1.31 had them (classic DRA)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared import node_selector
from dractl.admission.shared.checks import driver_name
from dractl.admission.shared.node_selector import check_node_selector
from dractl.api.errors import ErrorType
from dractl.api.json_types import JsonObject
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        AllocationResult,
        DeviceClassSpec,
        ResourceClaimSpec,
        ResourceClaimStatus,
    )

_GATE = "DRAControlPlaneController"
_STATUS = FieldPath("status")

_CLAIM = Scope(
    kind="ResourceClaim",
    until="1.31",
    gate=_GATE,
    upstream="validateResourceClaimStatusUpdate",
)

CLAIM_CONTROLLER = _CLAIM.rule(
    "claim/controller",
    at="spec.controller",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    upstream="validateResourceClaimSpec",
    doc="""The controller of a claim must be a driver name.

    Good:
        spec: {controller: gpu.example.com}
    Bad:
        spec: {controller: gpu_example}
    """,
)

CLASS_SUITABLE_NODES = rule(
    "class/suitable-nodes",
    kind="DeviceClass",
    at=node_selector.places("suitableNodes"),
    type=node_selector.TYPES,
    until="1.31",
    gate=_GATE,
    upstream="validateDeviceClassSpec",
    doc="""The `suitableNodes` of a class must be a valid node selector.

    The server reports the path without `spec`.

    Good:
        spec:
          suitableNodes:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/gpu, operator: Exists}]
    Bad:
        spec:
          suitableNodes:
            nodeSelectorTerms:
            - matchExpressions: [{key: example.com/gpu, operator: In}]
    """,
)

ALLOC_CONTROLLER = _CLAIM.rule(
    "alloc/controller",
    at="status.allocation.controller",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    upstream="validateAllocationResult",
    doc="""The controller that allocated a claim must be a driver name.

    Good:
        status: {allocation: {controller: gpu.example.com}}
    Bad:
        status: {allocation: {controller: gpu_example}}
    """,
)

STATUS_DEALLOC_RESERVED = _CLAIM.rule(
    "status/dealloc-reserved",
    at="status.deallocationRequested",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    doc="""Deallocation must not be requested while the claim is reserved.

    After that the claim cannot be reserved.

    Good:
        status:
          allocation: {controller: gpu.example.com}
          reservedFor: [{resource: pods, name: train, uid: 0f2c4f0a}]
        ---
        status:
          allocation: {controller: gpu.example.com}
          deallocationRequested: true
    Bad:
        status:
          allocation: {controller: gpu.example.com}
          reservedFor: [{resource: pods, name: train, uid: 0f2c4f0a}]
        ---
        status:
          allocation: {controller: gpu.example.com}
          reservedFor: [{resource: pods, name: train, uid: 0f2c4f0a}]
          deallocationRequested: true
    """,
)

STATUS_DEALLOC_UNALLOCATED = _CLAIM.rule(
    "status/dealloc-unallocated",
    at="status",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    doc="""Deallocation can be requested only for an allocated claim.

    Good:
        status: {allocation: {}, deallocationRequested: true}
    Bad:
        status: {deallocationRequested: true}
    """,
)

STATUS_DEALLOC_WITHDRAWN = _CLAIM.rule(
    "status/dealloc-withdrawn",
    at="status.deallocationRequested",
    type=ErrorType.FORBIDDEN,
    since="1.30",
    doc="""A deallocation request cannot be withdrawn while the claim is allocated.

    The driver may already be deallocating; it clears the request along with the allocation.

    Good:
        status:
          allocation: {controller: gpu.example.com}
          deallocationRequested: true
        ---
        status: {}
    Bad:
        status:
          allocation: {controller: gpu.example.com}
          deallocationRequested: true
        ---
        status:
          allocation: {controller: gpu.example.com}
    """,
)


def check_claim_controller(ctx: Context, spec: ResourceClaimSpec, path: FieldPath) -> None:
    """The controller that a claim with ``spec`` is for."""
    _check_controller(ctx, CLAIM_CONTROLLER, spec, path)


def check_suitable_nodes(ctx: Context, spec: DeviceClassSpec) -> None:
    """The nodes that a class is for."""
    selector = spec.get("suitableNodes")
    if selector is not None:
        check_node_selector(ctx, CLASS_SUITABLE_NODES, selector, FieldPath("suitableNodes"))


def check_allocating_controller(ctx: Context, allocation: AllocationResult, path: FieldPath) -> None:
    """The controller that made the allocation at ``path``."""
    _check_controller(ctx, ALLOC_CONTROLLER, allocation, path)


def _check_controller(
    ctx: Context, row: Rule, holder: ResourceClaimSpec | AllocationResult, path: FieldPath
) -> None:
    if ctx.has(row) and holder.get("controller"):
        driver_name(ctx, row, path.child("controller"), holder["controller"])


def check_deallocation(
    ctx: Context,
    status: ResourceClaimStatus | JsonObject,
    old_status: ResourceClaimStatus | JsonObject,
) -> None:
    """Whether devices are asked for; mirrors that part of ``validateResourceClaimStatusUpdate``."""
    # Claims of v1alpha2, which have a type of their own, come here too.
    wanted, wanted_before = (item.get("deallocationRequested", False) for item in (status, old_status))
    place = _STATUS.child("deallocationRequested")
    if wanted and not wanted_before and status.get("reservedFor"):
        message = "deallocation cannot be requested while the claim is reserved; remove reservedFor first"
        ctx.refuse(STATUS_DEALLOC_RESERVED, place, "", message)
    if wanted and "allocation" not in status:
        message = "deallocation can be requested only for an allocated claim"
        ctx.refuse(STATUS_DEALLOC_UNALLOCATED, _STATUS, "", message)
    if wanted_before and not wanted and "allocation" in status:
        message = "deallocationRequested cannot be cleared while the claim has an allocation"
        ctx.refuse(STATUS_DEALLOC_WITHDRAWN, place, "", message)
