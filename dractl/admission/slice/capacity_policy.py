"""Rules for how much of a shared capacity a request may take: the policy, and lists of valid values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most
from dractl.admission.slice.capacity_range import check_valid_range
from dractl.api import limits, quantity
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity

if TYPE_CHECKING:
    from dractl.api.objects.resource import CapacityRequestPolicy


_POLICY = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].capacity{*}.requestPolicy",
    since="1.34",
    upstream="validateRequestPolicyValidValues",
    frame="""
        spec:
          devices:
          - name: gpu-0
            allowMultipleAllocations: true
            <here>
        """,
)

POLICY_BOTH = _POLICY.rule(
    "policy/both",
    type=ErrorType.FORBIDDEN,
    upstream="validateRequestPolicy",
    doc="""A request policy must not have both `validValues` and `validRange`.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 20Gi]}}}
    Bad here:
        capacity:
          memory:
            value: 80Gi
            requestPolicy: {default: 10Gi, validValues: [10Gi, 20Gi], validRange: {min: 10Gi}}
    """,
)

POLICY_DEFAULT_REQUIRED = _POLICY.rule(
    "policy/default-required",
    at="default",
    type=ErrorType.REQUIRED,
    upstream="validateValidRequestValues",
    doc="""A request policy with `validValues` or `validRange` must have a default.

    It applies to requests that do not mention the capacity.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 1Gi, validRange: {min: 1Gi}}}}
    Bad here:
        capacity: {memory: {value: 80Gi, requestPolicy: {validRange: {min: 1Gi}}}}
    """,
)

POLICY_VALUES_SORTED = _POLICY.rule(
    "policy/values-sorted",
    at="validValues[*]",
    type=ErrorType.INVALID,
    doc="""The valid values of a capacity must be in ascending order.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 20Gi]}}}
    Bad here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [20Gi, 10Gi]}}}
    """,
)

POLICY_VALUES_SIZE = _POLICY.rule(
    "policy/values-size",
    at="validValues",
    type=ErrorType.TOO_MANY,
    doc="""A request policy can have at most 10 valid values.

    For more values, use `validRange` with a `step`. Since 1.35 a longer list is ignored, so the default is
    also reported as not among the values.

    Good here:
        capacity:
          memory: {value: 80Gi, requestPolicy: {default: 1Gi, validValues: [1Gi, <9 times 1#Gi, >]}}
    Bad here:
        capacity:
          memory: {value: 80Gi, requestPolicy: {default: 1Gi, validValues: [1Gi, <10 times 1#Gi, >]}}
    """,
)

POLICY_VALUES_LIMIT = _POLICY.rule(
    "policy/values-limit",
    at="validValues[*]",
    type=ErrorType.INVALID,
    doc="""A valid value must not exceed the capacity.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 80Gi]}}}
    Bad here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 100Gi]}}}
    """,
)

POLICY_VALUES_DUPLICATE = _POLICY.rule(
    "policy/values-duplicate",
    at="validValues[*]",
    type=ErrorType.DUPLICATE,
    doc="""The valid values of a capacity must be unique.

    They are rounded up to whole numbers for the comparison: 100m and 1 are equal. With the feature gate
    DRAFractionalCapacityRange they are compared exactly.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 20Gi]}}}
    Bad here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 10240Mi]}}}
    """,
)

POLICY_VALUES_DEFAULT = _POLICY.rule(
    "policy/values-default",
    at="validValues",
    type=ErrorType.INVALID,
    doc="""The default of a request policy must be one of its valid values.

    Good here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 10Gi, validValues: [10Gi, 20Gi]}}}
    Bad here:
        capacity: {memory: {value: 80Gi, requestPolicy: {default: 15Gi, validValues: [10Gi, 20Gi]}}}
    """,
)


def check_request_policy(ctx: Context, policy: CapacityRequestPolicy, capacity: str, path: FieldPath) -> None:
    """The request policy for a capacity of the quantity ``capacity``; mirrors ``validateRequestPolicy``."""
    values: list[str] = policy.get("validValues") or []
    valid_range = policy.get("validRange")
    if values and valid_range is not None:
        message = "a request policy must not have both validValues and validRange; remove one"
        ctx.refuse(POLICY_BOTH, path, "", message)
        return
    if not values and valid_range is None:
        return
    default = policy.get("default")
    if default is None:
        message = "a request policy with validValues or validRange requires a default"
        ctx.refuse(POLICY_DEFAULT_REQUIRED, path.child("default"), "", message)
        return
    limit = quantity.as_written(capacity)
    if valid_range is not None:
        check_valid_range(ctx, valid_range, quantity.as_written(default), limit, path)
    else:
        parsed = [quantity.as_written(value) for value in values]
        _check_valid_values(ctx, parsed, quantity.as_written(default), limit, path.child("validValues"))


def _check_valid_values(
    ctx: Context, values: list[Quantity], default: Quantity, limit: Quantity, path: FieldPath
) -> None:
    """The values to choose from; mirrors ``validateRequestPolicyValidValues``."""
    for position, (before, value) in enumerate(pairwise(values), start=1):
        if before > value:
            message = f"valid values must be in ascending order, but {value} follows {before}"
            ctx.refuse(POLICY_VALUES_SORTED, path.index(position), str(value), message)
    values = [one.after_comparison(other) for one, other in pairwise(values)] + values[-1:]
    found = False
    if at_most(ctx, POLICY_VALUES_SIZE, path, values, "requestPolicy.validValues"):
        seen: set[str] = set()
        for position, value in enumerate(values):
            if value > limit:
                message = f"{value} exceeds the capacity of {limit}"
                ctx.refuse(POLICY_VALUES_LIMIT, path.index(position), str(value), message)
            key = _key(ctx, value)
            if key in seen:
                message = f"{value} is given more than once"
                ctx.refuse(POLICY_VALUES_DUPLICATE, path.index(position), key, message)
            seen.add(key)
        found = default in values
    if not found:
        shown = values[: limits.of("requestPolicy.validValues", ctx.minor)]
        listed = ", ".join(str(value) for value in shown)
        message = f"the default {default} must be one of the valid values {listed}"
        ctx.refuse(POLICY_VALUES_DEFAULT, path, str(default), message)


def _key(ctx: Context, value: Quantity) -> str:
    """What makes two valid values the same; mirrors ``quantityKeyInt`` and ``quantityKeyAsDec``."""
    return _decimal_text(value) if "DRAFractionalCapacityRange" in ctx.gates else str(value.value)


def _decimal_text(value: Quantity) -> str:
    """The number in full, with the decimal places it was written with; mirrors ``inf.Dec.String``."""
    if value.scale >= 0:
        return str(value.unscaled * 10**value.scale)
    digits = str(abs(value.unscaled)).rjust(1 - value.scale, "0")
    sign = "-" if value.unscaled < 0 else ""
    return f"{sign}{digits[: value.scale]}.{digits[value.scale :]}"
