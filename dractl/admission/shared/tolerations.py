"""Rules for tolerations of device taints, in requests, subrequests and allocation results."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import well_formed
from dractl.api import limits, names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.api.release import Minor

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceToleration

_EFFECTS = ("DeviceTaintEffectNoExecute", "DeviceTaintEffectNoSchedule", "DeviceTaintEffectNone")


_TOLERATION = Scope(
    kind="ResourceClaim",
    at=(
        "spec.devices.requests[*].exactly.tolerations[*]",
        "spec.devices.requests[*].firstAvailable[*].tolerations[*]",
        "status.allocation.devices.results[*].tolerations[*]",
    ),
    since="1.33",
    upstream="validateDeviceToleration",
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

TOL_KEY = _TOLERATION.rule(
    "request/tol-key",
    at="key",
    type=ErrorType.INVALID,
    covered=True,
    doc="""The key of a toleration must be empty or a label key.

    An empty key with the operator `Exists` tolerates every taint.

    Good here:
        tolerations: [{key: gpu.example.com/unhealthy, operator: Exists}]
    Bad here:
        tolerations: [{key: gpu.example.com/un/healthy, operator: Exists}]
    """,
)

TOL_OPERATOR_REQUIRED = _TOLERATION.rule(
    "request/tol-operator-required",
    at="operator",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""A toleration must have an operator.

    The server defaults it to `Equal`, so no manifest can cause this error.
    """,
)

TOL_OPERATOR = _TOLERATION.rule(
    "request/tol-operator",
    at="operator",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    doc="""The operator of a toleration must be `Exists` or `Equal`.

    Good here:
        tolerations: [{key: example.com/old, operator: Equal, value: "yes"}]
    Bad here:
        tolerations: [{key: example.com/old, operator: In}]
    """,
)

TOL_VALUE_EXISTS = _TOLERATION.rule(
    "request/tol-value-exists",
    at="value",
    type=ErrorType.INVALID,
    doc="""A toleration with the operator `Exists` must not have a value.

    `Exists` matches the key only. To tolerate one value, use `Equal`.

    Good here:
        tolerations: [{key: example.com/old, operator: Exists}]
    Bad here:
        tolerations: [{key: example.com/old, operator: Exists, value: "yes"}]
    """,
)

TOL_VALUE_EQUAL = _TOLERATION.rule(
    "request/tol-value-equal",
    at="value",
    type=ErrorType.INVALID,
    doc="""The value of a toleration with the operator `Equal` must be a label value.

    It is compared with the value of the taint, which must also be a label value. It can be empty.

    Good here:
        tolerations: [{key: example.com/state, value: draining}]
    Bad here:
        tolerations: [{key: example.com/state, value: being drained}]
    """,
)

TOL_EFFECT = _TOLERATION.rule(
    "request/tol-effect",
    at="effect",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    doc="""The effect of a toleration must be `NoSchedule`, `NoExecute` or `None` if set.

    If unset, it tolerates all effects. `None` requires 1.35.

    Good here:
        tolerations: [{key: example.com/old, operator: Exists, effect: NoSchedule}]
    Bad here:
        tolerations: [{key: example.com/old, operator: Exists, effect: PreferNoSchedule}]
    """,
)


@cache
def taint_effects(minor: Minor) -> tuple[str, ...]:
    """The effects that a device taint can have in ``minor``."""
    known = (limits.constant(name, minor) for name in _EFFECTS)
    return tuple(effect for effect in known if effect is not None)


def check_tolerations(ctx: Context, tolerations: list[DeviceToleration], path: FieldPath) -> None:
    """The tolerations of one request, subrequest or result; their number is not limited."""
    for position, toleration in enumerate(tolerations):
        _check_toleration(ctx, toleration, path.index(position))


def _check_toleration(ctx: Context, toleration: DeviceToleration, path: FieldPath) -> None:
    key = toleration.get("key", "")
    if key:
        well_formed(ctx, TOL_KEY, path.child("key"), key, names.label_key(key))
    operator = toleration.get("operator", "")
    value = toleration.get("value", "")
    if operator == "Exists":
        if value:
            message = (
                "a toleration with operator Exists must not have a value; use operator Equal to compare "
                "values"
            )
            ctx.refuse(TOL_VALUE_EXISTS, path.child("value"), value, message)
    elif operator == "Equal":
        well_formed(ctx, TOL_VALUE_EQUAL, path.child("value"), value, names.label_value(value))
    elif not operator:
        ctx.refuse(
            TOL_OPERATOR_REQUIRED, path.child("operator"), "", "an operator is required: Exists or Equal"
        )
    else:
        message = f"unknown toleration operator {operator!r}; use Exists or Equal"
        ctx.refuse(TOL_OPERATOR, path.child("operator"), operator, message)
    effect = toleration.get("effect", "")
    effects = taint_effects(ctx.minor)
    if effect and effect not in effects:
        message = f"unknown taint effect {effect!r}; use {', '.join(effects)}, or omit it for all"
        ctx.refuse(TOL_EFFECT, path.child("effect"), effect, message)
