"""Checks of a node selector: which nodes a slice, a device or an allocation is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import SELECTS_LABEL_VALUES
from dractl.admission.framework.rule import Rule
from dractl.admission.shared.checks import well_formed
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector, NodeSelectorRequirement

_SETS = ("In", "NotIn")
_EXISTENCE = ("Exists", "DoesNotExist")
_NUMBERS = ("Gt", "Lt")

TYPES = (ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.FORBIDDEN)
"""The types of error that a node selector can have."""


def places(selector: str) -> tuple[str, ...]:
    """All places of the node selector at ``selector`` that can be refused, for the row of a rule."""
    terms = f"{selector}.nodeSelectorTerms"
    below = (
        f"{terms}[*].{requirements}[*].{field}"
        for requirements in ("matchExpressions", "matchFields")
        for field in ("operator", "key", "values", "values[*]")
    )
    return (terms, *below)


def check_node_selector(ctx: Context, row: Rule, selector: NodeSelector, path: FieldPath) -> None:
    """One node selector, every error being one of ``row``; mirrors core ``ValidateNodeSelector``."""
    terms = selector.get("nodeSelectorTerms")
    place = path.child("nodeSelectorTerms")
    if not terms:
        message = "a node selector requires at least one term"
        ctx.refuse(row, place, "", message, type=ErrorType.REQUIRED)
        return
    for position, term in enumerate(terms):
        at = place.index(position)
        for number, requirement in enumerate(term.get("matchExpressions") or ()):
            _check_expression(ctx, row, requirement, at.child("matchExpressions").index(number))
        for number, requirement in enumerate(term.get("matchFields") or ()):
            _check_field(ctx, row, requirement, at.child("matchFields").index(number))


def _check_expression(ctx: Context, row: Rule, requirement: NodeSelectorRequirement, path: FieldPath) -> None:
    """A requirement on node labels; mirrors core ``ValidateNodeSelectorRequirement``."""
    operator = requirement.get("operator", "")
    values = requirement.get("values") or []
    place = path.child("values")
    if operator in _SETS:
        if not values:
            message = f"operator {operator} requires values"
            ctx.refuse(row, place, "", message, type=ErrorType.REQUIRED)
    elif operator in _EXISTENCE:
        if values:
            message = f"operator {operator} must not have values; use In or NotIn to compare them"
            ctx.refuse(row, place, "", message, type=ErrorType.FORBIDDEN)
    elif operator in _NUMBERS:
        if len(values) != 1:
            message = f"operator {operator} requires exactly one value, got {len(values)}"
            ctx.refuse(row, place, "", message, type=ErrorType.REQUIRED)
    else:
        allowed = ", ".join(_SETS + _EXISTENCE + _NUMBERS)
        message = f"unknown node selector operator {operator!r}; use one of {allowed}"
        ctx.refuse(row, path.child("operator"), operator, message)
    key = requirement.get("key", "")
    well_formed(ctx, row, path.child("key"), key, names.label_key(key))
    if ctx.does(SELECTS_LABEL_VALUES):
        for number, value in enumerate(values):
            well_formed(ctx, row, place.index(number), value, names.label_value(value))


def _check_field(ctx: Context, row: Rule, requirement: NodeSelectorRequirement, path: FieldPath) -> None:
    """A requirement on node fields; mirrors core ``ValidateNodeFieldSelectorRequirement``."""
    operator = requirement.get("operator", "")
    values = requirement.get("values") or []
    place = path.child("values")
    if operator not in _SETS:
        message = f"operator {operator!r} is not supported for node fields; use In or NotIn"
        ctx.refuse(row, path.child("operator"), operator, message)
    elif len(values) != 1:
        message = f"a node field requires exactly one value, got {len(values)}"
        ctx.refuse(row, place, "", message, type=ErrorType.REQUIRED)
    key = requirement.get("key", "")
    if key != "metadata.name":
        message = f"unsupported node field {key!r}; use metadata.name"
        ctx.refuse(row, path.child("key"), key, message)
        return
    for number, value in enumerate(values):
        well_formed(ctx, row, place.index(number), value, names.dns_subdomain(value))
