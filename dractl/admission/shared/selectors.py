"""Rules for CEL expressions: selectors of requests and classes, and derived attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import TRUSTS_STORED_EXPRESSIONS
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, too_long
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.cel.common.environment import Environment
from dractl.cel.compile import CelError, compile_selector

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceSelector


_CEL = Scope(
    kind=("ResourceClaim", "DeviceClass", "DeviceTaintRule"),
    at=(
        "spec.devices.requests[*].exactly.selectors[*].cel",
        "spec.devices.requests[*].firstAvailable[*].selectors[*].cel",
        "spec.selectors[*].cel",
        "spec.deviceSelector.selectors[*].cel",
    ),
    upstream="validateCELExpression",
    frame="""
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                <here>
        """,
)

CEL_REQUIRED = _CEL.rule(
    "cel/required",
    type=ErrorType.REQUIRED,
    upstream="validateSelector",
    doc="""A selector must have `cel`.

    It is currently the only kind of selector. A wrongly indented expression leaves it empty.

    Good here:
        selectors:
        - cel: {expression: device.driver == "gpu.example.com"}
    Bad here:
        selectors:
        - {}
    """,
)

CEL_LENGTH = _CEL.rule(
    "cel/length",
    at="expression",
    type=ErrorType.TOO_LONG,
    since="1.32",
    doc="""A CEL expression can have at most 10240 bytes.

    A longer one is not compiled.

    Good here:
        selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]
    Bad here:
        selectors: [{cel: {expression: device.driver == "<10240 times x>"}}]
    """,
)

CEL_COMPILE = _CEL.rule(
    "cel/compile",
    at="expression",
    type=(ErrorType.INVALID, ErrorType.INTERNAL),
    doc="""A CEL expression must compile, with matching types.

    The only variable is `device`, with `driver`, `attributes`, `capacity` and, if the feature gate
    DRAConsumableCapacity is on, `allowMultipleAllocations`. An empty expression does not compile.

    Good:
        spec:
          selectors:
          - cel: {expression: 'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0'}
    Bad:
        spec:
          selectors:
          - cel: {expression: 'device.attributes["gpu.example.com"].model =='}
    """,
)

CEL_OUTPUT = _CEL.rule(
    "cel/output",
    at="expression",
    type=ErrorType.INVALID,
    upstream="CompileCELExpression",
    doc="""A selector must evaluate to a bool.

    An attribute value is also accepted, because its type is known only at run time.

    Good:
        spec:
          selectors:
          - cel: {expression: 'device.driver == "gpu.example.com"'}
    Bad:
        spec:
          selectors:
          - cel: {expression: device.driver}
    """,
)

CEL_COST = _CEL.rule(
    "cel/cost",
    at="expression",
    type=ErrorType.FORBIDDEN,
    since="1.32",
    doc="""The worst-case cost of a CEL expression must be at most 1000000.

    The API server estimates it for the largest possible device. Nested loops over attributes and comparisons
    of values of unknown size are the most expensive.

    Good:
        spec:
          selectors:
          - cel: {expression: 'device.attributes.all(d, device.attributes[d].all(k, k != "x"))'}
    Bad:
        spec:
          selectors:
          - cel: {expression: 'device.capacity["gpu.example.com"].memory != quantity("40Gi")'}
    """,
)

REQUEST_SELECTORS_SIZE = rule(
    "request/selectors-size",
    kind="ResourceClaim",
    at=("spec.devices.requests[*].exactly.selectors", "spec.devices.requests[*].firstAvailable[*].selectors"),
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateSelectorSlice",
    doc="""A request can have at most 32 selectors.

    One expression can join several conditions with `&&`.

    Good:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                selectors: [<32 times {cel: {expression: device.driver != "#"}}, >]
    Bad:
        spec:
          devices:
            requests:
            - name: gpu
              exactly:
                deviceClassName: gpu.example.com
                selectors: [<33 times {cel: {expression: device.driver != "#"}}, >]
    """,
)

CLASS_SELECTORS_SIZE = rule(
    "class/selectors-size",
    kind="DeviceClass",
    at="spec.selectors",
    type=ErrorType.TOO_MANY,
    covered=True,
    upstream="validateDeviceClassSpec",
    doc="""A device class can have at most 32 selectors.

    One expression can join several conditions with `&&`.

    Good:
        spec:
          selectors: [<32 times {cel: {expression: device.driver != "#"}}, >]
    Bad:
        spec:
          selectors: [<33 times {cel: {expression: device.driver != "#"}}, >]
    """,
)


def check_selectors(
    ctx: Context, size: Rule, selectors: list[DeviceSelector], path: FieldPath, *, stored: bool = False
) -> None:
    """A list of selectors whose number is limited by the rule ``size``.

    An expression that is ``stored`` already was valid once: since 1.37 it is not looked at, and before it is
    compiled with all that any server knows.
    """
    is_trusted = stored and ctx.does(TRUSTS_STORED_EXPRESSIONS)
    environment = ctx.cel._replace(stored=stored)
    if not at_most(ctx, size, path, selectors, "selectors"):
        return
    for position, selector in enumerate(selectors):
        cel = selector.get("cel")
        place = path.index(position).child("cel")
        if cel is None:
            message = "a selector requires cel: write cel: {expression: ...}"
            ctx.refuse(CEL_REQUIRED, place, "", message)
        elif not is_trusted:
            _check_expression(ctx, environment, cel.get("expression", ""), place.child("expression"))


def _check_expression(ctx: Context, environment: Environment, expression: str, path: FieldPath) -> None:
    """One selector expression; mirrors ``validateCELSelector``."""
    if too_long_to_compile(ctx, CEL_LENGTH, expression, path):
        return
    compiled = compile_selector(expression, environment)
    if isinstance(compiled, CelError):
        broken = CEL_OUTPUT if compiled.kind == "output" else CEL_COMPILE
        type_ = type_of_cel_error(compiled)
        ctx.refuse(broken, path, expression, compiled.message, type=type_, offset=compiled.offset)
        return
    costly = compiled.cost_error() if ctx.has(CEL_COST) else None
    if costly is not None:
        ctx.refuse(CEL_COST, path, "", costly.message, offset=costly.offset)


def type_of_cel_error(error: CelError) -> ErrorType:
    """How the server reports an expression that does not compile.

    One that only fails when its program is made counts as an internal error, as in
    ``convertCELErrorToValidationError``.
    """
    return ErrorType.INTERNAL if error.kind == "program" else ErrorType.INVALID


def too_long_to_compile(ctx: Context, row: Rule, expression: str, path: FieldPath) -> bool:
    """Whether an expression is so long that it is refused without a look."""
    if not ctx.has(row):
        return False
    return too_long(
        ctx, row, path, expression, limits.of("cel.expressionLength", ctx.minor), what="the expression"
    )
