"""Rules for the valid range of a shared capacity: its ends and its default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import rule
from dractl.admission.slice.capacity_steps import ValidRange, check_steps
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequestPolicyRange

_RANGE = "spec.devices[*].capacity{*}.requestPolicy.validRange"


POLICY_MIN_REQUIRED = rule(
    "policy/min-required",
    kind="ResourceSlice",
    at=f"{_RANGE}.min",
    type=ErrorType.REQUIRED,
    since="1.34",
    upstream="validateRequestPolicyRange",
    doc="""A valid range must have a `min`.

    `max` and `step` are optional.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {max: 40Gi}}}
    """,
)

POLICY_MIN_LIMIT = rule(
    "policy/min-limit",
    kind="ResourceSlice",
    at=f"{_RANGE}.min",
    type=ErrorType.INVALID,
    since="1.34",
    upstream="validateRequestPolicyRange",
    doc="""The `min` of a valid range must not exceed the capacity.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 80Gi, validRange: {min: 80Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 100Gi, validRange: {min: 100Gi}}}
    """,
)

POLICY_DEFAULT_MIN = rule(
    "policy/default-min",
    kind="ResourceSlice",
    at=f"{_RANGE}.default",
    type=ErrorType.INVALID,
    since="1.37",
    upstream="validateRequestPolicyRange",
    doc="""The default of a request policy must be at least the `min` of its valid range.

    The server reports the error at `validRange.default`, which does not exist; `default` is next to
    `validRange`. Up to 1.36 it reports the error at `min`.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 10Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 5Gi, validRange: {min: 10Gi}}}
    """,
)

POLICY_DEFAULT_MIN_AT_MIN = rule(
    "policy/default-min",
    kind="ResourceSlice",
    at=f"{_RANGE}.min",
    type=ErrorType.INVALID,
    since="1.34",
    until="1.36",
    upstream="validateRequestPolicyRange",
    doc="""The default of a request policy must be at least the `min` of its valid range.

    The server reports the error at `min`; since 1.37 at `validRange.default`.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 10Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 5Gi, validRange: {min: 10Gi}}}
    """,
)

POLICY_MIN_MAX = rule(
    "policy/min-max",
    kind="ResourceSlice",
    at=f"{_RANGE}.max",
    type=ErrorType.INVALID,
    since="1.34",
    upstream="validateRequestPolicyRange",
    doc="""The `max` of a valid range must be at least its `min`.

    Otherwise no default is between them, and the server reports the default as well.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, max: 8Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 8Gi, validRange: {min: 8Gi, max: 1Gi}}}
    """,
)

POLICY_MAX_LIMIT = rule(
    "policy/max-limit",
    kind="ResourceSlice",
    at=f"{_RANGE}.max",
    type=ErrorType.INVALID,
    since="1.34",
    upstream="validateRequestPolicyRange",
    doc="""The `max` of a valid range must not exceed the capacity.

    If unset, the capacity is the limit.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 80Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 96Gi}}}
    """,
)

POLICY_DEFAULT_MAX = rule(
    "policy/default-max",
    kind="ResourceSlice",
    at=f"{_RANGE}.default",
    type=ErrorType.INVALID,
    since="1.37",
    upstream="validateRequestPolicyRange",
    doc="""The default of a request policy must be at most the `max` of its valid range.

    The server reports the error at `validRange.default`, which does not exist; `default` is next to
    `validRange`. Up to 1.36 it reports the error at `max`.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 40Gi, validRange: {min: 1Gi, max: 40Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 60Gi, validRange: {min: 1Gi, max: 40Gi}}}
    """,
)


POLICY_DEFAULT_MAX_AT_MAX = rule(
    "policy/default-max",
    kind="ResourceSlice",
    at=f"{_RANGE}.max",
    type=ErrorType.INVALID,
    since="1.34",
    until="1.36",
    upstream="validateRequestPolicyRange",
    doc="""The default of a request policy must be at most the `max` of its valid range.

    The server reports the error at `max`; since 1.37 at `validRange.default`.

    Good:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
              memory: {value: 80Gi, requestPolicy: {default: 40Gi, validRange: {min: 1Gi, max: 40Gi}}}
    Bad:
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            capacity:
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
