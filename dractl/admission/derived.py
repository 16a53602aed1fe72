"""Rules for derived attributes of a request (alpha in 1.37)."""

from __future__ import annotations

from typing import Any

from dractl.admission.context import Context
from dractl.admission.fields import unique
from dractl.admission.rule import rule
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

_GATE = "DRADerivedAttributes"
_PLACES = (
    "spec.devices.requests[*].exactly.derivedAttributes",
    "spec.devices.requests[*].firstAvailable[*].derivedAttributes",
)


def _below(suffix: str) -> tuple[str, ...]:
    return tuple(f"{place}{suffix}" for place in _PLACES)


DERIVED_SIZE = rule(
    "request/derived-size",
    kind="ResourceClaim",
    at=_below(""),
    type=ErrorType.TOO_MANY,
    since="1.37",
    gate=_GATE,
    upstream="Validate_ExactDeviceRequest",
    doc="""A request has at most 32 derived attributes.
    """,
)

DERIVED_NAME = rule(
    "request/derived-name-format",
    kind="ResourceClaim",
    at=_below("[*].name"),
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    since="1.37",
    gate=_GATE,
    upstream="Validate_DeviceDerivedAttribute",
    doc="""The name of a derived attribute is fully qualified: a domain, `/` and an identifier.
    """,
)

DERIVED_NAME_REQUIRED = rule(
    "request/derived-name-required",
    kind="ResourceClaim",
    at=_below("[*].name"),
    type=ErrorType.REQUIRED,
    since="1.37",
    gate=_GATE,
    upstream="Validate_DeviceDerivedAttribute",
    doc="""A derived attribute has a name.
    """,
)

DERIVED_NAME_DUPLICATE = rule(
    "request/derived-name-duplicate",
    kind="ResourceClaim",
    at=_below("[*]"),
    type=ErrorType.DUPLICATE,
    since="1.37",
    gate=_GATE,
    upstream="validateDeviceDerivedAttributes",
    doc="""The derived attributes of a request have different names.
    """,
)

DERIVED_UNUSED = rule(
    "request/derived-unused",
    kind="ResourceClaim",
    at=_below("[*].name"),
    type=ErrorType.INVALID,
    since="1.37",
    gate=_GATE,
    upstream="validateDeviceDerivedAttribute",
    doc="""A constraint that covers the request uses the derived attribute.

    Derived attributes serve constraints only; one that no `matchAttribute` or `distinctAttribute` names
    would have no effect.
    """,
)

DERIVED_EXPRESSION_REQUIRED = rule(
    "request/derived-expr-required",
    kind="ResourceClaim",
    at=_below("[*].expression"),
    type=ErrorType.REQUIRED,
    since="1.37",
    gate=_GATE,
    upstream="Validate_DeviceDerivedAttribute",
    doc="""A derived attribute has an expression.
    """,
)


def check_derived_attributes(
    ctx: Context, wanted: dict[str, Any], path: FieldPath, reference: str, constraints: list[dict[str, Any]]
) -> None:
    """The derived attributes of the request or subrequest that constraints know as ``reference``."""
    derived = wanted.get("derivedAttributes")
    if not derived:
        return
    place = path.child("derivedAttributes")
    for position, attribute in enumerate(derived):
        name = attribute.get("name", "")
        if name and not _is_used(name, reference, constraints):
            message = (
                f"no constraint on {reference!r} uses {name!r}; name it in a matchAttribute or "
                "distinctAttribute, or remove it"
            )
            ctx.refuse(DERIVED_UNUSED, place.index(position).child("name"), name, message)
    unique(ctx, DERIVED_NAME_DUPLICATE, place, (item.get("name", "") for item in derived), what="the name")


def _is_used(name: str, reference: str, constraints: list[dict[str, Any]]) -> bool:
    parent = reference.partition("/")[0]
    for constraint in constraints:
        attribute = constraint.get("matchAttribute", constraint.get("distinctAttribute"))
        requests = constraint.get("requests") or []
        if attribute == name and (not requests or reference in requests or parent in requests):
            return True
    return False
