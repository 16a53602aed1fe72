"""Rules for the node operations that a driver lets the kubelet skip (alpha in 1.37)."""

from __future__ import annotations

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule, rule
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

_PLACE = "spec.skipNodeOperations"


SKIP_OPS_ENUM = rule(
    "slice/skip-ops-enum",
    kind="ResourceSlice",
    at=f"{_PLACE}[*]",
    type=ErrorType.NOT_SUPPORTED,
    since="1.37",
    upstream="Validate_SkipNodeOperation",
    doc="""Only `NodePrepareResources` and `NodeUnprepareResources` can be skipped.

    `*` means both.

    Good:
        spec: {skipNodeOperations: ["*"]}
    Bad:
        spec: {skipNodeOperations: [NodeWatchResources]}
    """,
)

SKIP_OPS_DUPLICATE = rule(
    "slice/skip-ops-duplicate",
    kind="ResourceSlice",
    at=f"{_PLACE}[*]",
    type=ErrorType.DUPLICATE,
    since="1.37",
    upstream="Validate_ResourceSliceSpec",
    doc="""The operations to skip must be unique.

    Good:
        spec: {skipNodeOperations: [NodeUnprepareResources]}
    Bad:
        spec: {skipNodeOperations: [NodeUnprepareResources, NodeUnprepareResources]}
    """,
)

SKIP_OPS_PREPARE = rule(
    "slice/skip-ops-prepare",
    kind="ResourceSlice",
    at=_PLACE,
    type=ErrorType.INVALID,
    since="1.37",
    upstream="validateSkipNodeOperations",
    doc="""Skipping `NodePrepareResources` requires skipping `NodeUnprepareResources`.

    Resources that were never prepared cannot be unprepared.

    Good:
        spec: {skipNodeOperations: [NodePrepareResources, NodeUnprepareResources]}
    Bad:
        spec: {skipNodeOperations: [NodePrepareResources]}
    """,
)


def check_skip_operations(
    ctx: Context, operations: list[str], path: FieldPath, row: Rule = SKIP_OPS_PREPARE
) -> None:
    """What the operations mean together, as ``row`` has it; mirrors ``validateSkipNodeOperations``."""
    if "NodePrepareResources" not in operations:
        return
    if "NodeUnprepareResources" not in operations and "*" not in operations:
        message = "NodePrepareResources requires NodeUnprepareResources; add it or use '*'"
        ctx.refuse(row, path, operations, message)
