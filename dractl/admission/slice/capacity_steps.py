"""Rules for the steps of a valid range, which are counted in whole numbers or in thousandths."""

from __future__ import annotations

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.api import quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity

_INT64_MAX = 2**63 - 1


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

POLICY_MILLI = _RANGE.rule(
    "policy/milli",
    at=("default", "min", "max", "step"),
    type=ErrorType.INVALID,
    since="1.37",
    only_with="DRAFractionalCapacityRange",
    doc="""A range with fractions must use whole thousandths.

    If the default or any number of the range has a fraction, each must be a whole number of thousandths that
    fits into 64 bits.

    Good here:
        cores: {value: 4, requestPolicy: {default: 500m, validRange: {min: 250m, step: 250m}}}
    Bad here:
        cores: {value: 4, requestPolicy: {default: 500m, validRange: {min: 500u, step: 500m}}}
    """,
)

POLICY_STEP_POSITIVE = _RANGE.rule(
    "policy/step-positive",
    at="step",
    type=ErrorType.INVALID,
    since="1.37",
    doc="""The `step` of a valid range must be greater than zero.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, step: 1Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, step: 0}}}
    """,
)

POLICY_STEP_CRASH = _RANGE.rule(
    "policy/step-crash",
    at="step",
    type=ErrorType.INTERNAL,
    until="1.36",
    upstream="validateRequestPolicyRangeStep",
    doc="""The `step` of a valid range must not be zero.

    Up to 1.36 the server divides by a step of zero and returns an internal error instead of naming the field.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, step: 1Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 2Gi, validRange: {min: 1Gi, step: 0}}}
    """,
)

POLICY_STEP_LIMIT = _RANGE.rule(
    "policy/step-limit",
    at="step",
    type=ErrorType.INVALID,
    doc="""The sum of `min` and `step` of a valid range must not exceed the capacity.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 40Gi, validRange: {min: 40Gi, step: 40Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 41Gi, validRange: {min: 41Gi, step: 40Gi}}}
    """,
)

POLICY_STEP_DEFAULT = _RANGE.rule(
    "policy/step-default",
    at="step",
    type=ErrorType.INVALID,
    upstream="validateRequestPolicyRangeStep",
    doc="""The default of a request policy must be a whole number of steps above the `min`.

    Fractions are rounded up for the comparison unless the feature gate DRAFractionalCapacityRange is on.

    Good here:
        memory: {value: 80Gi, requestPolicy: {default: 5Gi, validRange: {min: 1Gi, step: 4Gi}}}
    Bad here:
        memory: {value: 80Gi, requestPolicy: {default: 4Gi, validRange: {min: 1Gi, step: 4Gi}}}
    """,
)

POLICY_STEP_MAX = _RANGE.rule(
    "policy/step-max",
    at="step",
    type=ErrorType.INVALID,
    upstream="validateRequestPolicyRangeStep",
    doc="""The `max` of a valid range must be a whole number of steps above its `min`.

    Good here:
        memory:
          value: 80Gi
          requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 9Gi, step: 4Gi}}
    Bad here:
        memory:
          value: 80Gi
          requestPolicy: {default: 1Gi, validRange: {min: 1Gi, max: 10Gi, step: 4Gi}}
    """,
)

POLICY_STEP_INT64 = _RANGE.rule(
    "policy/step-int64",
    at=("default", "min", "max", "step"),
    type=ErrorType.INVALID,
    since="1.37",
    doc="""In a valid range with a `step`, all numbers must be between 0 and 9223372036854775807.

    Steps are counted in 64-bit integers.

    Good here:
        credit: {value: 100, requestPolicy: {default: 0, validRange: {min: 0, step: 10}}}
    Bad here:
        credit: {value: 100, requestPolicy: {default: 0, validRange: {min: -10, step: 10}}}
    """,
)


class ValidRange:
    """The numbers of one valid range, with where errors about them are reported and where they are."""

    __slots__ = ("limit", "numbers", "path", "policy")

    def __init__(self, numbers: dict[str, Quantity], limit: Quantity, policy: FieldPath) -> None:
        """Hold ``default``, ``min``, ``max`` and ``step`` as far as given, of the policy at ``policy``."""
        self.numbers = numbers
        self.limit = limit
        self.policy = policy
        self.path = policy.child("validRange")

    def refuse(self, ctx: Context, row: Rule, name: str, message: str, *, bad: str = "") -> None:
        """Note an error about the number ``name``; the bad value is that number, or the one named ``bad``."""
        # The server reports the default inside the range, but it is next to it.
        place = self.policy.child("default") if name == "default" else None
        number = self.numbers[bad or name]
        ctx.refuse(row, self.path.child(name), str(number), message, place=place)


def check_steps(ctx: Context, this: ValidRange) -> None:
    """The steps of a range that has a ``min``, and before that whether they can be counted.

    Mirrors the second half of ``validateRequestPolicyRange``.
    """
    numbers, limit = this.numbers, this.limit
    in_milli = ctx.has(POLICY_MILLI) and any(map(_has_fraction, numbers.values()))
    if (in_milli and not _fits_milli(ctx, this)) or "step" not in numbers:
        return
    step = numbers["step"]
    if step.value == 0 and ctx.has(POLICY_STEP_CRASH):
        this.refuse(
            ctx,
            POLICY_STEP_CRASH,
            "step",
            "step must be greater than zero; the server fails with an internal error",
        )
        return
    if step.sign <= 0 and ctx.has(POLICY_STEP_POSITIVE):
        this.refuse(ctx, POLICY_STEP_POSITIVE, "step", f"step must be greater than zero, got {step}")
        return
    if _sum_exceeds(numbers["min"], step, limit):
        message = f"min, {numbers['min']}, plus one step of {step} must not exceed the capacity of {limit}"
        this.refuse(ctx, POLICY_STEP_LIMIT, "step", message)
    if in_milli or not ctx.has(POLICY_STEP_INT64) or _fits_int64(ctx, this):
        _check_multiples(ctx, this, in_milli=in_milli)


def _has_fraction(number: Quantity) -> bool:
    return number.scale < 0 and number.unscaled % 10**-number.scale != 0


def _sum_exceeds(one: Quantity, other: Quantity, limit: Quantity) -> bool:
    try:
        return one.add(other) > limit
    except ValueError:
        # Too far apart to be added: the smaller one makes no difference that a capacity could have.
        return max(one, other) > limit


def _fits_milli(ctx: Context, this: ValidRange) -> bool:
    well = True
    for name, number in this.numbers.items():
        if number != Quantity(number.milli_value, -3):
            message = f"{number} must be a whole number of thousandths that fits into 64 bits"
            this.refuse(ctx, POLICY_MILLI, name, message)
            well = False
    return well


def _fits_int64(ctx: Context, this: ValidRange) -> bool:
    largest = quantity.of_int(_INT64_MAX)
    well = True
    for name, number in this.numbers.items():
        if number.sign < 0 or number > largest:
            message = f"{number} must be between 0 and {_INT64_MAX} in a range with steps"
            this.refuse(ctx, POLICY_STEP_INT64, name, message)
            well = False
    return well


def _check_multiples(ctx: Context, this: ValidRange, *, in_milli: bool) -> None:
    """Default and max lie whole steps above min; mirrors ``validateRequestPolicyRangeStep``."""
    low, step = this.numbers["min"], this.numbers["step"]
    for row, name, shown in (
        (POLICY_STEP_DEFAULT, "default", "the default"),
        (POLICY_STEP_MAX, "max", "max"),
    ):
        number = this.numbers.get(name)
        if number is not None and _distance(number, low, in_milli=in_milli) % _integer(
            step, in_milli=in_milli
        ):
            message = f"{shown}, {number}, must be a whole number of steps of {step} above min, {low}"
            this.refuse(ctx, row, "step", message, bad=name)


def _integer(number: Quantity, *, in_milli: bool) -> int:
    return number.milli_value if in_milli else number.value


def _distance(number: Quantity, low: Quantity, *, in_milli: bool) -> int:
    """The difference as the int64 that the server counts with, which wraps around."""
    difference = _integer(number, in_milli=in_milli) - _integer(low, in_milli=in_milli)
    return (difference + 2**63) % 2**64 - 2**63
