"""Rules for derived attributes of a request (alpha in 1.37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import unique
from dractl.admission.shared.selectors import too_long_to_compile, type_of_cel_error
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.cel.compile import MAX_COST, CelError, compile_derived_attribute

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceConstraint, DeviceSubRequest, ExactDeviceRequest

_GATE = "DRADerivedAttributes"


_DERIVED = Scope(
    kind="ResourceClaim",
    at=(
        "spec.devices.requests[*].exactly.derivedAttributes",
        "spec.devices.requests[*].firstAvailable[*].derivedAttributes",
    ),
    since="1.37",
    gate=_GATE,
    upstream="Validate_DeviceDerivedAttribute",
    frame="""
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                <here>
            constraints: [{matchAttribute: example.com/driver}]
        """,
)

DERIVED_SIZE = _DERIVED.rule(
    "request/derived-size",
    type=ErrorType.TOO_MANY,
    upstream="Validate_ExactDeviceRequest",
    doc="""A request can have at most 32 derived attributes.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes: [<32 times {name: example.com/a#, expression: device.driver}, >]
            constraints: [<32 times {matchAttribute: example.com/a#}, >]
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes: [<33 times {name: example.com/a#, expression: device.driver}, >]
            constraints: [<32 times {matchAttribute: example.com/a#}, >]
    """,
)

DERIVED_NAME = _DERIVED.rule(
    "request/derived-name-format",
    at="[*].name",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    doc="""The name of a derived attribute must be fully qualified: a domain, `/` and an identifier.

    Good here:
        derivedAttributes: [{name: example.com/driver, expression: device.driver}]
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes: [{name: Example.com/driver, expression: device.driver}]
            constraints: [{matchAttribute: Example.com/driver}]
    """,
)

DERIVED_NAME_REQUIRED = _DERIVED.rule(
    "request/derived-name-required",
    at="[*].name",
    type=ErrorType.REQUIRED,
    doc="""A derived attribute must have a name.

    Good here:
        derivedAttributes: [{name: example.com/driver, expression: device.driver}]
    Bad here:
        derivedAttributes: [{expression: device.driver}]
    """,
)

DERIVED_NAME_DUPLICATE = _DERIVED.rule(
    "request/derived-name-duplicate",
    at="[*]",
    type=ErrorType.DUPLICATE,
    upstream="validateDeviceDerivedAttributes",
    doc="""The names of derived attributes must be unique within a request.

    Good here:
        derivedAttributes: [{name: example.com/driver, expression: device.driver}]
    Bad here:
        derivedAttributes:
        - {name: example.com/driver, expression: device.driver}
        - {name: example.com/driver, expression: '"gpu.example.com"'}
    """,
)

DERIVED_UNUSED = _DERIVED.rule(
    "request/derived-unused",
    at="[*].name",
    type=ErrorType.INVALID,
    upstream="validateDeviceDerivedAttribute",
    doc="""A derived attribute must be used by a constraint that covers its request.

    Only constraints use derived attributes. One that no `matchAttribute` or `distinctAttribute` names would
    have no effect.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes: [{name: example.com/driver, expression: device.driver}]
            constraints: [{requests: [gpu], matchAttribute: example.com/driver}]
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes: [{name: example.com/driver, expression: device.driver}]
            constraints: [{requests: [gpu], matchAttribute: example.com/drivers}]
    """,
)

DERIVED_EXPRESSION_REQUIRED = _DERIVED.rule(
    "request/derived-expr-required",
    at="[*].expression",
    type=ErrorType.REQUIRED,
    doc="""A derived attribute must have an expression.

    Good here:
        derivedAttributes: [{name: example.com/driver, expression: device.driver}]
    Bad here:
        derivedAttributes: [{name: example.com/driver}]
    """,
)


DERIVED_EXPRESSION = _DERIVED.rule(
    "request/derived-expr",
    at="[*].expression",
    type=(ErrorType.INVALID, ErrorType.INTERNAL, ErrorType.TOO_LONG, ErrorType.FORBIDDEN),
    upstream="validateCELExpression",
    doc="""The expression of a derived attribute must compile and stay within the limits on length and cost.

    Its variable is `device`, as in a selector. It must evaluate to an attribute value: a bool, int, string or
    version.

    Good here:
        derivedAttributes: [{name: example.com/driver, expression: device.driver}]
    Bad here:
        derivedAttributes: [{name: example.com/driver, expression: device.drivers}]
    """,
)

DERIVED_TOTAL_COST = rule(
    "claim/derived-total-cost",
    kind="ResourceClaim",
    at="spec.devices",
    type=ErrorType.FORBIDDEN,
    since="1.37",
    gate=_GATE,
    upstream="validateDeviceClaim",
    doc="""The total worst-case cost of all derived attributes of a claim must be at most 1000000.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes:
                - {name: example.com/many, expression: 'lists.range(99999).all(i, i != -1)'}
            constraints: [{matchAttribute: example.com/many}]
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                derivedAttributes:
                - {name: example.com/many, expression: 'lists.range(99999).all(i, i != -1)'}
                - {name: example.com/more, expression: 'lists.range(99999).all(i, i != -2)'}
            constraints: [{matchAttribute: example.com/many}, {matchAttribute: example.com/more}]
    """,
)


def check_derived_attributes(
    ctx: Context,
    wanted: ExactDeviceRequest | DeviceSubRequest,
    path: FieldPath,
    reference: str,
    constraints: list[DeviceConstraint],
) -> int:
    """The derived attributes of the request or subrequest that constraints know as ``reference``.

    Answers the sum of their worst-case costs.
    """
    derived = wanted.get("derivedAttributes")
    if not derived:
        return 0
    cost = 0
    place = path.child("derivedAttributes")
    for position, attribute in enumerate(derived):
        name, expression = attribute.get("name", ""), attribute.get("expression", "")
        if name and not _is_used(name, reference, constraints):
            message = (
                f"no constraint on {reference!r} uses {name!r}; use it in a matchAttribute or "
                "distinctAttribute, or remove it"
            )
            ctx.refuse(DERIVED_UNUSED, place.index(position).child("name"), name, message)
        if expression:
            cost += _check_expression(ctx, expression, place.index(position).child("expression"))
    unique(ctx, DERIVED_NAME_DUPLICATE, place, (item.get("name", "") for item in derived), what="the name")
    return cost


def _check_expression(ctx: Context, expression: str, path: FieldPath) -> int:
    if too_long_to_compile(ctx, DERIVED_EXPRESSION, expression, path):
        return 0
    compiled = compile_derived_attribute(expression, ctx.cel)
    if isinstance(compiled, CelError):
        type_ = type_of_cel_error(compiled)
        ctx.refuse(DERIVED_EXPRESSION, path, expression, compiled.message, type=type_, offset=compiled.offset)
        return 0
    costly = compiled.cost_error()
    if costly is not None:
        ctx.refuse(
            DERIVED_EXPRESSION, path, "", costly.message, type=ErrorType.FORBIDDEN, offset=costly.offset
        )
    return compiled.max_cost or 0


def check_total_cost(ctx: Context, cost: int, path: FieldPath) -> None:
    """The costs of all derived attributes of the claim at ``path``."""
    if cost > MAX_COST:
        message = (
            f"the derived attributes of the claim are too complex: their total worst-case cost is {cost}; at "
            f"most {MAX_COST} is allowed"
        )
        ctx.refuse(DERIVED_TOTAL_COST, path, "", message)


def _is_used(name: str, reference: str, constraints: list[DeviceConstraint]) -> bool:
    parent = reference.partition("/")[0]
    for constraint in constraints:
        attribute = constraint.get("matchAttribute", constraint.get("distinctAttribute"))
        requests = constraint.get("requests") or []
        if attribute == name and (not requests or reference in requests or parent in requests):
            return True
    return False
