"""Rules for the valid range of a shared capacity: its ends and its default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.slice.capacity_steps import ValidRange, check_steps
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequestPolicyRange


_RANGE = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].capacity{*}.requestPolicy.validRange",
    since="1.34",
    upstream="validateRequestPolicyRange",
    frame="""
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              <here>
        """,
)

POLICY_MIN_REQUIRED = _RANGE.rule(
    "policy/min-required",
    at="min",
    type=ErrorType.REQUIRED,
    doc="""A valid range must have a `min`.

    `max` and `step` are optional.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {max: 40Gi}}}
    """,
)

POLICY_MIN_LIMIT = _RANGE.rule(
    "policy/min-limit",
    at="min",
    type=ErrorType.INVALID,
    doc="""The `min` of a valid range must not exceed the capacity.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 80Gi, validRange: {min: 80Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 100Gi, validRange: {min: 100Gi}}}
    """,
)

POLICY_DEFAULT_MIN = _RANGE.rule(
    "policy/default-min",
    at="default",
    type=ErrorType.INVALID,
    since="1.37",
    doc="""The default of a request policy must be at least the `min` of its valid range.

    The server reports the error at `validRange.default`, which does not exist; `default` is next to
    `validRange`. Up to 1.36 it reports the error at `min`.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 10Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 5Gi, validRange: {min: 10Gi}}}
    """,
)

POLICY_DEFAULT_MIN_AT_MIN = _RANGE.rule(
    "policy/default-min",
    at="min",
    type=ErrorType.INVALID,
    until="1.36",
    doc="""The default of a request policy must be at least the `min` of its valid range.

    The server reports the error at `min`; since 1.37 at `validRange.default`.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 10Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 5Gi, validRange: {min: 10Gi}}}
    """,
)

POLICY_MIN_MAX = _RANGE.rule(
    "policy/min-max",
    at="max",
    type=ErrorType.INVALID,
    doc="""The `max` of a valid range must be at least its `min`.

    Otherwise no default is between them, and the server reports the default as well.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, max: 8Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 8Gi, validRange: {min: 8Gi, max: 1Gi}}}
    """,
)

POLICY_MAX_LIMIT = _RANGE.rule(
    "policy/max-limit",
    at="max",
    type=ErrorType.INVALID,
    doc="""The `max` of a valid range must not exceed the capacity.

    If unset, the capacity is the limit.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 80Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 96Gi}}}
    """,
)

POLICY_DEFAULT_MAX = _RANGE.rule(
    "policy/default-max",
    at="default",
    type=ErrorType.INVALID,
    since="1.37",
    doc="""The default of a request policy must be at most the `max` of its valid range.

    The server reports the error at `validRange.default`, which does not exist; `default` is next to
    `validRange`. Up to 1.36 it reports the error at `max`.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 40Gi, validRange: {min: 1Gi, max: 40Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 60Gi, validRange: {min: 1Gi, max: 40Gi}}}
    """,
)


POLICY_DEFAULT_MAX_AT_MAX = _RANGE.rule(
    "policy/default-max",
    at="max",
    type=ErrorType.INVALID,
    until="1.36",
    doc="""The default of a request policy must be at most the `max` of its valid range.

    The server reports the error at `max`; since 1.37 at `validRange.default`.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 40Gi, validRange: {min: 1Gi, max: 40Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 60Gi, validRange: {min: 1Gi, max: 40Gi}}}
    """,
)


def check_valid_range(
    ctx: Context,
    valid_range: CapacityRequestPolicyRange,
    default: Quantity,
    limit: Quantity,
    policy: FieldPath,
) -> None:
    """The valid range of the policy at ``policy``, of a capacity of ``limit``.

    Mirrors ``validateRequestPolicyRange``.
    """
    numbers = {"default": default}
    for name in ("min", "max", "step"):
        if name in valid_range:
            numbers[name] = quantity.as_written(valid_range[name])
    this = ValidRange(numbers, limit, policy)
    if "min" not in numbers:
        message = "a valid range requires a min; it can be 0"
        ctx.refuse(POLICY_MIN_REQUIRED, this.path.child("min"), "", message)
        return
    _check_ends(ctx, this)
    _compare(this)
    check_steps(ctx, this)


def _compare(this: ValidRange) -> None:
    """Leave the numbers in the form that the server's comparisons of them do, before it counts steps."""
    numbers = this.numbers
    for one, other in (("min", None), ("default", "min"), ("min", "max"), ("max", None), ("default", "max")):
        if one in numbers and (other is None or other in numbers):
            numbers[one] = numbers[one].after_comparison(numbers[other] if other else this.limit)


def _check_ends(ctx: Context, this: ValidRange) -> None:
    limit = this.limit
    default, low, high = this.numbers["default"], this.numbers["min"], this.numbers.get("max")
    if low > limit:
        this.refuse(ctx, POLICY_MIN_LIMIT, "min", f"min must not exceed the capacity of {limit}, got {low}")
    if default < low:
        message = f"the default must be at least min, {low}; got {default}"
        this.refuse(ctx, POLICY_DEFAULT_MIN, "default", message)
        this.refuse(ctx, POLICY_DEFAULT_MIN_AT_MIN, "min", message, bad="default")
    if high is None:
        return
    if low > high:
        message = f"max must be at least min, {low}; got {high}"
        this.refuse(ctx, POLICY_MIN_MAX, "max", message, bad="min")
    if high > limit:
        message = f"max must not exceed the capacity of {limit}, got {high}"
        this.refuse(ctx, POLICY_MAX_LIMIT, "max", message)
    if default > high:
        message = f"the default must be at most max, {high}; got {default}"
        this.refuse(ctx, POLICY_DEFAULT_MAX, "default", message)
        this.refuse(ctx, POLICY_DEFAULT_MAX_AT_MAX, "max", message, bad="default")
