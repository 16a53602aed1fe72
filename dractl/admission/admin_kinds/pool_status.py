"""Rules for the status of a ResourcePoolStatusRequest that the server's hand-written checks hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared import conditions
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.versions.equality import struct_equal
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourcePoolStatusRequestStatus

_STATUS_TYPE = "resource/v1alpha3.ResourcePoolStatusRequestStatus"

STATUS_IMMUTABLE = rule(
    "rpsr/status-immutable",
    kind="ResourcePoolStatusRequest",
    at="status",
    type=ErrorType.INVALID,
    since="1.36",
    upstream="validateResourcePoolStatusRequestStatusUpdate",
    doc="""The status of a request is immutable once set.

    It cannot be cleared either. To get a new status, create another request.

    Good:
        status: {poolCount: 1}
        ---
        metadata: {labels: {team: red}}
        status: {poolCount: 1}
    Bad:
        status: {poolCount: 1}
        ---
        status: {poolCount: 2}
    """,
)

STATUS_CONDITIONS = rule(
    "rpsr/status-conditions",
    kind="ResourcePoolStatusRequest",
    at=conditions.places("status.conditions"),
    type=conditions.TYPES,
    since="1.36",
    upstream="validateResourcePoolStatusRequestStatusUpdate",
    doc="""The conditions in the status of a request must be valid.

    A condition needs a type that is unique in the list and has the format of a label key, a status `True`,
    `False` or `Unknown`, a `lastTransitionTime`, and a one-word reason.

    Good:
        status:
          poolCount: 0
          conditions:
          - type: Complete
            status: "True"
            reason: CalculationComplete
            lastTransitionTime: 2026-01-31T12:00:00Z
    Bad:
        status:
          poolCount: 0
          conditions:
          - type: Complete
            status: "True"
            reason: all pools were counted
            lastTransitionTime: 2026-01-31T12:00:00Z
    """,
)


def check_pool_status_request_status(
    ctx: Context,
    status: ResourcePoolStatusRequestStatus | None,
    old_status: ResourcePoolStatusRequestStatus | None,
) -> None:
    """The new status, None if missing; mirrors ``validateResourcePoolStatusRequestStatusUpdate``.

    What a status must contain is checked by the declarative rules.
    """
    path = FieldPath("status")
    if old_status is not None:
        if not struct_equal(tables(ctx.minor), _STATUS_TYPE)(status, old_status):
            message = "the status is complete and cannot be changed; create another request to ask again"
            ctx.refuse(STATUS_IMMUTABLE, path, status, message)
    elif status is not None:
        items = status.get("conditions") or []
        conditions.check_conditions(ctx, STATUS_CONDITIONS, items, path.child("conditions"))
