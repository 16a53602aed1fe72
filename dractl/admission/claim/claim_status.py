"""Rules for the status of a claim: who may use it, and what its allocation may become."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from dractl.admission.claim.allocation import check_allocation
from dractl.admission.claim.device_status import check_device_statuses
from dractl.admission.claim.references import request_names
from dractl.admission.claim.resource_claim import admin_label
from dractl.admission.framework.context import Context, NamespaceLabels
from dractl.admission.framework.quirks import CHECKS_OLD_ALLOCATION, SKIPS_REPEATED_ITEMS
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, unique
from dractl.admission.shared.control_plane import check_deallocation
from dractl.api.errors import ErrorType
from dractl.api.json_types import JsonObject
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.versions.equality import Equal, field_equal
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.resource import (
        DeviceClaim,
        DeviceRequestAllocationResult,
        ResourceClaimConsumerReference,
        ResourceClaimStatus,
    )

_STATUS = FieldPath("status")


_RESERVED = Scope(
    kind="ResourceClaim",
    at="status.reservedFor",
    since="1.30",
    upstream="validateResourceClaimStatusUpdate",
    frame="""
        status:
          allocation: {}
          <here>
        """,
)

STATUS_RESERVED_SIZE = _RESERVED.rule(
    "status/reserved-size",
    type=ErrorType.TOO_MANY,
    covered=True,
    doc="""A claim can be reserved for at most 256 consumers.

    So at most 256 pods can share it at the same time.

    Good here:
        reservedFor: [<256 times {resource: pods, name: train-#, uid: 0f2c4f0a-#}, >]
    Bad here:
        reservedFor: [<257 times {resource: pods, name: train-#, uid: 0f2c4f0a-#}, >]
    """,
)

STATUS_RESERVED_DUPLICATE = _RESERVED.rule(
    "status/reserved-duplicate",
    at="[*]",
    type=ErrorType.DUPLICATE,
    covered=True,
    doc="""The `uid` values in `reservedFor` must be unique.

    Good here:
        reservedFor:
        - {resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}
        - {resource: pods, name: train-1, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c002}
    Bad here:
        reservedFor:
        - {resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}
        - {resource: pods, name: train-1, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}
    """,
)

STATUS_RESERVED_RESOURCE = _RESERVED.rule(
    "status/reserved-resource",
    at="[*].resource",
    type=ErrorType.REQUIRED,
    upstream="validateResourceClaimUserReference",
    doc="""A consumer of a claim must have a `resource`: the plural name of its kind, such as `pods`.

    Good here:
        reservedFor: [{resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    Bad here:
        reservedFor: [{name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    """,
)

STATUS_RESERVED_NAME = _RESERVED.rule(
    "status/reserved-name",
    at="[*].name",
    type=ErrorType.REQUIRED,
    upstream="validateResourceClaimUserReference",
    doc="""A consumer of a claim must have a name.

    Good here:
        reservedFor: [{resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    Bad here:
        reservedFor: [{resource: pods, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    """,
)

STATUS_RESERVED_UID = _RESERVED.rule(
    "status/reserved-uid",
    at="[*].uid",
    type=ErrorType.REQUIRED,
    upstream="validateResourceClaimUserReference",
    doc="""A consumer of a claim must have a `uid`.

    Good here:
        reservedFor: [{resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    Bad here:
        reservedFor: [{resource: pods, name: train-0}]
    """,
)

STATUS_RESERVED_UNALLOCATED = _RESERVED.rule(
    "status/reserved-unallocated",
    type=ErrorType.FORBIDDEN,
    doc="""Only an allocated claim can be reserved.

    Good here:
        reservedFor: [{resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    Bad:
        status:
          reservedFor: [{resource: pods, name: train-0, uid: 4f0a7f0e-2f4c-4f0a-8c52-0d7be2f4c001}]
    """,
)

STATUS_RESERVED_DELETING = _RESERVED.rule(
    "status/reserved-deleting",
    type=ErrorType.FORBIDDEN,
    doc="""A claim that is being deleted cannot be reserved for new consumers.

    Existing consumers can be removed. A changed entry counts as a new consumer.

    Good:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", finalizers: [example.com/keep]}
        status:
          allocation: {}
          reservedFor: [{resource: pods, name: train, uid: 0f2c4f0a}]
        ---
        status:
          allocation: {}
    Bad:
        metadata: {deletionTimestamp: "2026-01-31T12:00:00Z", finalizers: [example.com/keep]}
        status:
          allocation: {}
        ---
        status:
          allocation: {}
          reservedFor: [{resource: pods, name: train, uid: 0f2c4f0a}]
    """,
)

STATUS_ALLOCATION_IMMUTABLE = rule(
    "status/allocation-immutable",
    kind="ResourceClaim",
    at="status.allocation",
    type=ErrorType.INVALID,
    covered=True,
    since="1.30",
    upstream="validateResourceClaimStatusUpdate",
    doc="""The allocation of a claim is immutable once set.

    It can be removed, and the claim can be allocated again later.

    Good:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
        ---
        status: {}
    Bad:
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]
        ---
        status:
          allocation:
            devices:
              results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-1}]
    """,
)

ADMIN_STATUS = rule(
    "admin/status",
    kind="ResourceClaim",
    at="status.allocation.devices.results[*].adminAccess",
    type=ErrorType.FORBIDDEN,
    since="1.33",
    upstream="AuthorizedForAdminStatus",
    doc="""Devices with admin access can be allocated only in namespaces labeled for admin access.

    The namespace of a claim that gets a device with `adminAccess: true` needs the label
    `resource.kubernetes.io/admin-access: "true"` (in 1.33 `resource.k8s.io/admin-access`). Claims that
    already have such a device are not checked again.

    Good:
        kind: Namespace
        metadata: {name: default, labels: {resource.kubernetes.io/admin-access: "true"}}
        ---
        status:
          allocation:
            devices:
              results:
              - {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0, adminAccess: true}
    Bad:
        kind: Namespace
        metadata: {name: default}
        ---
        status:
          allocation:
            devices:
              results:
              - {request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0, adminAccess: true}
    """,
)


def check_claim_status(
    ctx: Context,
    devices_spec: DeviceClaim,
    status: ResourceClaimStatus,
    old_status: ResourceClaimStatus,
    *,
    is_deleting: bool,
) -> None:
    """The new status of a claim that asks for ``devices_spec``.

    ``is_deleting`` is for a claim with a ``deletionTimestamp``. An allocation is validated when the claim
    gets it, and never again (since 1.32). Mirrors ``validateResourceClaimStatusUpdate``.
    """
    allocation, old_allocation = status.get("allocation"), old_status.get("allocation")
    check_users(ctx, status, old_status, is_deleting=is_deleting)
    check_device_statuses(ctx, status.get("devices") or [], allocation, _STATUS.child("devices"))
    check_deallocation(ctx, status, old_status)
    if allocation is not None and (old_allocation is None or ctx.does(CHECKS_OLD_ALLOCATION)):
        check_allocation(ctx, allocation, _STATUS.child("allocation"), request_names(devices_spec))
    check_allocation_unchanged(ctx, allocation, old_allocation)


def check_allocation_unchanged(ctx: Context, allocation: JsonObject | None, old: JsonObject | None) -> None:
    """An allocation that existed before is unchanged."""
    if allocation is None or old is None or _allocations_equal(ctx.minor)(allocation, old):
        return
    message = "an allocation is immutable; remove it before setting another one"
    ctx.refuse(STATUS_ALLOCATION_IMMUTABLE, _STATUS.child("allocation"), allocation, message)


@cache
def _allocations_equal(minor: Minor) -> Equal:
    """The comparison of allocations, in the newest version that ``minor`` has of a claim."""
    source = tables(minor)
    claim = source.kinds[source.api_versions("ResourceClaim")[0], "ResourceClaim"]
    status = source.struct(claim.type).fields["status"].ref
    return field_equal(source, source.struct(status).fields["allocation"])


def check_users(
    ctx: Context,
    status: ResourceClaimStatus,
    old_status: ResourceClaimStatus,
    *,
    is_deleting: bool,
) -> None:
    """Who a claim is reserved for, in its new status."""
    # Claims of v1alpha2, which have a type of their own, come here too.
    path = _STATUS.child("reservedFor")
    users = status.get("reservedFor") or []
    if at_most(ctx, STATUS_RESERVED_SIZE, path, users, "claim.reservedFor"):
        seen: set[str] = set()
        for position, user in enumerate(users):
            identity = user.get("uid", "")
            if identity not in seen or not ctx.does(SKIPS_REPEATED_ITEMS):
                _check_user(ctx, user, path.index(position))
            seen.add(identity)
        identities = (user.get("uid", "") for user in users)
        unique(ctx, STATUS_RESERVED_DUPLICATE, path, identities, what="the uid", field="uid")
    if users and "allocation" not in status:
        message = "only an allocated claim can be reserved; set an allocation or remove reservedFor"
        ctx.refuse(STATUS_RESERVED_UNALLOCATED, path, "", message)
    elif is_deleting or status.get("deallocationRequested"):
        _check_new_users(ctx, users, old_status.get("reservedFor") or [], path)


def _check_user(ctx: Context, user: ResourceClaimConsumerReference, path: FieldPath) -> None:
    """One user of the claim; mirrors ``validateResourceClaimUserReference``."""
    for row, field, example in (
        (STATUS_RESERVED_RESOURCE, "resource", ", such as pods"),
        (STATUS_RESERVED_NAME, "name", ""),
        (STATUS_RESERVED_UID, "uid", ""),
    ):
        if not user.get(field):
            ctx.refuse(row, path.child(field), "", f"a consumer of the claim requires a {field}{example}")


def _check_new_users(
    ctx: Context,
    users: list[ResourceClaimConsumerReference],
    old_users: list[ResourceClaimConsumerReference],
    path: FieldPath,
) -> None:
    fields = ("apiGroup", "resource", "name", "uid")
    known = {tuple(user.get(field, "") for field in fields) for user in old_users}
    added = [user for user in users if tuple(user.get(field, "") for field in fields) not in known]
    if added:
        named = ", ".join(user.get("name", "") for user in added)
        message = f"the claim is being deleted and cannot be reserved for new consumers ({named})"
        ctx.refuse(STATUS_RESERVED_DELETING, path, "", message)


def check_admin_status(
    ctx: Context,
    results: list[DeviceRequestAllocationResult],
    old_results: list[DeviceRequestAllocationResult],
    namespace: str,
    namespaces: NamespaceLabels | None,
) -> None:
    """The namespace allows admin access, where an allocated device has it; the first one is reported.

    ``results`` are the allocated devices after the update, ``old_results`` those before; None for
    ``namespaces`` means that nothing is known. Mirrors ``AuthorizedForAdminStatus``.
    """
    if namespaces is None or not ctx.has(ADMIN_STATUS) or _first_admin(old_results) is not None:
        return
    position = _first_admin(results)
    label = admin_label(ctx)
    if position is not None and namespaces.get(namespace, {}).get(label) != "true":
        message = f'admin access requires the label {label}: "true" on the namespace {namespace}'
        place = _STATUS.at("allocation", "devices", "results").index(position).child("adminAccess")
        ctx.refuse(ADMIN_STATUS, place, "", message)


def _first_admin(results: list[DeviceRequestAllocationResult]) -> int | None:
    return next((at for at, result in enumerate(results) if result.get("adminAccess") is True), None)
