"""Rules for the status of a DeviceTaintRule, which the eviction controller writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.shared import conditions
from dractl.admission.shared.checks import at_most
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaintRuleStatus

RULE_CONDITIONS = rule(
    "rule/conditions",
    kind="DeviceTaintRule",
    at=("status.conditions", *conditions.places("status.conditions")),
    type=(*conditions.TYPES, ErrorType.TOO_MANY),
    since="1.35",
    upstream="ValidateDeviceTaintRuleStatusUpdate",
    doc="""The status of a taint rule can have at most 8 conditions, and they must be valid.

    A condition needs a type that is unique in the list and has the format of a label key, a status `True`,
    `False` or `Unknown`, a `lastTransitionTime`, and a one-word reason.

    Good:
        status:
          conditions:
          - type: EvictionInProgress
            status: "True"
            reason: PodsPendingEviction
            message: 3 pods are left
            lastTransitionTime: 2026-01-31T12:00:00Z
    Bad:
        status:
          conditions:
          - type: EvictionInProgress
            status: "Yes"
            reason: PodsPendingEviction
            lastTransitionTime: 2026-01-31T12:00:00Z
    """,
)


def check_taint_rule_status(ctx: Context, status: DeviceTaintRuleStatus) -> None:
    """The new status of a rule; mirrors ``ValidateDeviceTaintRuleStatusUpdate`` without the metadata."""
    items = status.get("conditions") or []
    path = FieldPath("status").child("conditions")
    conditions.check_conditions(ctx, RULE_CONDITIONS, items, path)
    at_most(ctx, RULE_CONDITIONS, path, items, "taintRule.conditions")
