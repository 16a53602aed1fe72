"""Checks of the conditions in a status, in the form that all kinds share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import CONDITIONS_BY_TYPE
from dractl.admission.framework.rule import Rule
from dractl.admission.shared.checks import well_formed
from dractl.api import names
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.meta import Condition

STATUSES = ("False", "True", "Unknown")
REASON_MAX = 1024
MESSAGE_MAX = 32 * 1024

TYPES = (
    ErrorType.INVALID,
    ErrorType.REQUIRED,
    ErrorType.NOT_SUPPORTED,
    ErrorType.DUPLICATE,
    ErrorType.TOO_LONG,
)
"""The types of error that a condition can have."""

_FIELDS = ("type", "status", "observedGeneration", "lastTransitionTime", "reason", "message")
_REASON = re.compile(r"[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?", re.ASCII)
# A time that Go cannot tell from one that was never set.
_ZERO_TIME = "0001-01-01T00:00:00Z"


def places(conditions: str) -> tuple[str, ...]:
    """All places of the list at ``conditions`` that can be refused, for the row of a rule."""
    return (f"{conditions}[*]", *(f"{conditions}[*].{field}" for field in _FIELDS))


def check_conditions(ctx: Context, row: Rule, conditions: list[Condition], path: FieldPath) -> None:
    """A list of conditions, every error being one of ``row``; mirrors ``ValidateConditions``.

    All items are looked at, also if the list is too long.
    """
    seen: set[str] = set()
    for position, condition in enumerate(conditions):
        place = path.index(position)
        name = condition.get("type", "")
        if name in seen:
            message = f"condition type {name!r} is used more than once"
            at = place.child("type") if ctx.does(CONDITIONS_BY_TYPE) else place
            ctx.refuse(row, at, name, message, type=ErrorType.DUPLICATE, covered=True)
        seen.add(name)
        _check_type_and_status(ctx, row, condition, place)
        _check_history(ctx, row, condition, place)
        _check_texts(ctx, row, condition, place)


def _check_type_and_status(ctx: Context, row: Rule, condition: Condition, path: FieldPath) -> None:
    name, status = condition.get("type", ""), condition.get("status", "")
    # Up to 1.36 an empty text is not missed, but refused for its form.
    by_form = ctx.does(CONDITIONS_BY_TYPE)
    if name or by_form:
        well_formed(ctx, row, path.child("type"), name, names.label_key(name), covered=False)
    else:
        _require(ctx, row, path.child("type"), "a condition requires a type, such as Ready")
    place = path.child("status")
    if not status and not by_form:
        _require(ctx, row, place, f"a condition requires a status: {', '.join(STATUSES)}")
    elif status not in STATUSES:
        message = f"unknown condition status {status!r}; use {', '.join(STATUSES)}"
        ctx.refuse(row, place, status, message, type=ErrorType.NOT_SUPPORTED, covered=True)


def _check_history(ctx: Context, row: Rule, condition: Condition, path: FieldPath) -> None:
    generation = condition.get("observedGeneration", 0)
    if generation < 0:
        message = f"observedGeneration must not be negative, got {generation}"
        ctx.refuse(row, path.child("observedGeneration"), generation, message, covered=True)
    if condition.get("lastTransitionTime", _ZERO_TIME) == _ZERO_TIME:
        message = "a condition requires lastTransitionTime, such as 2026-01-31T12:00:00Z"
        _require(ctx, row, path.child("lastTransitionTime"), message)


def _check_texts(ctx: Context, row: Rule, condition: Condition, path: FieldPath) -> None:
    reason = condition.get("reason", "")
    place = path.child("reason")
    if not reason:
        _require(ctx, row, place, "a condition requires a reason: one word, such as DeviceAttached")
    else:
        if _REASON.fullmatch(reason) is None:
            message = (
                f"{reason[:40]!r} must be one word of letters, digits, '_', ',' and ':', beginning with a "
                "letter and ending with a letter, digit or '_'; use message for sentences"
            )
            ctx.refuse(row, place, reason, message, covered=False)
        _check_length(ctx, row, place, reason, REASON_MAX, covered=True)
    text = condition.get("message", "")
    _check_length(ctx, row, path.child("message"), text, MESSAGE_MAX, covered=False)


def _require(ctx: Context, row: Rule, path: FieldPath, message: str) -> None:
    ctx.refuse(row, path, "", message, type=ErrorType.REQUIRED, covered=True)


def _check_length(ctx: Context, row: Rule, path: FieldPath, text: str, limit: int, *, covered: bool) -> None:
    length = names.byte_length(text)
    if length > limit:
        message = f"must have at most {limit} bytes, got {length}"
        ctx.refuse(row, path, OMITTED, message, type=ErrorType.TOO_LONG, covered=covered)
