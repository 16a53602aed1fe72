"""Rules for device taints, on devices of a slice and in DeviceTaintRules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import at_most, well_formed
from dractl.admission.shared.tolerations import taint_effects
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaint


_TAINT = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].taints",
    since="1.33",
    upstream="validateDeviceTaint",
    frame="""
        spec:
          devices:
          - name: gpu-0
            <here>
        """,
)

_RULE_TAINT = Scope(
    kind="DeviceTaintRule",
    at="spec.taint",
    since="1.33",
    upstream="validateDeviceTaint",
)

TAINTS_SIZE = _TAINT.rule(
    "device/taints-size",
    type=ErrorType.TOO_MANY,
    upstream="validateDevice",
    doc="""A device can have at most 16 taints (4 up to 1.34).

    Good:
        spec:
          devices: [{name: gpu-0, taints: [<16 times {key: example.com/fault-#, effect: NoSchedule}, >]}]
    Bad:
        spec:
          devices: [{name: gpu-0, taints: [<17 times {key: example.com/fault-#, effect: NoSchedule}, >]}]
    """,
)

TAINT_KEY = _TAINT.rule(
    "device/taint-key",
    at="[*].key",
    type=ErrorType.INVALID,
    doc="""A taint must have a key in the format of a label key.

    It is a name with an optional lower-case domain and `/` as prefix. The domain should belong to whoever
    sets the taint.

    Good here:
        taints: [{key: gpu.example.com/unhealthy, effect: NoSchedule}]
    Bad here:
        taints: [{key: GPU.example.com/unhealthy, effect: NoSchedule}]
    """,
)

TAINT_VALUE = _TAINT.rule(
    "device/taint-value",
    at="[*].value",
    type=ErrorType.INVALID,
    doc="""The value of a taint must be empty or a label value.

    It consists of letters, digits, `-`, `_` and `.`, at most 63 characters, so it cannot be a sentence.

    Good here:
        taints: [{key: example.com/broken, value: fan, effect: NoSchedule}]
    Bad here:
        taints: [{key: example.com/broken, value: the fan stopped, effect: NoSchedule}]
    """,
)

TAINT_EFFECT_REQUIRED = _TAINT.rule(
    "device/taint-effect-required",
    at="[*].effect",
    type=ErrorType.REQUIRED,
    covered=True,
    doc="""A taint must have an effect.

    Good here:
        taints: [{key: example.com/broken, effect: NoExecute}]
    Bad here:
        taints: [{key: example.com/broken}]
    """,
)

TAINT_EFFECT = _TAINT.rule(
    "device/taint-effect",
    at="[*].effect",
    type=ErrorType.NOT_SUPPORTED,
    covered=True,
    doc="""The effect of a taint must be `NoSchedule`, `NoExecute` or, since 1.35, `None`.

    Device taints do not support `PreferNoSchedule`. `None` is informational.

    Good here:
        taints: [{key: example.com/broken, effect: NoSchedule}]
    Bad here:
        taints: [{key: example.com/broken, effect: PreferNoSchedule}]
    """,
)

RULE_TAINT_KEY = _RULE_TAINT.rule(
    "rule/taint-key",
    at="key",
    type=ErrorType.INVALID,
    doc="""The taint of a rule must have a key in the format of a label key.

    It is a name with an optional lower-case domain and `/` as prefix.

    Good:
        spec:
          taint: {key: example.com/maintenance, effect: NoSchedule}
    Bad:
        spec:
          taint: {key: planned maintenance, effect: NoSchedule}
    """,
)

RULE_TAINT_VALUE = _RULE_TAINT.rule(
    "rule/taint-value",
    at="value",
    type=ErrorType.INVALID,
    doc="""The value of a rule's taint must be empty or a label value.

    Good:
        spec:
          taint: {key: example.com/maintenance, value: planned, effect: NoSchedule}
    Bad:
        spec:
          taint: {key: example.com/maintenance, value: as planned, effect: NoSchedule}
    """,
)

RULE_TAINT_EFFECT = _RULE_TAINT.rule(
    "rule/taint-effect",
    at="effect",
    type=(ErrorType.NOT_SUPPORTED, ErrorType.REQUIRED),
    covered=True,
    doc="""The effect of a rule's taint must be `NoSchedule`, `NoExecute` or, since 1.35, `None`.

    With `None` the rule has no effect, and its status reports what `NoExecute` would do.

    Good:
        spec:
          taint: {key: example.com/maintenance, effect: None}
    Bad:
        spec:
          taint: {key: example.com/maintenance, effect: PreferNoSchedule}
    """,
)

OF_DEVICE = (TAINT_KEY, TAINT_VALUE, TAINT_EFFECT_REQUIRED, TAINT_EFFECT)
OF_RULE = (RULE_TAINT_KEY, RULE_TAINT_VALUE, RULE_TAINT_EFFECT, RULE_TAINT_EFFECT)


def check_taints(ctx: Context, taints: list[DeviceTaint], path: FieldPath) -> None:
    """The taints of one device."""
    if at_most(ctx, TAINTS_SIZE, path, taints, "device.taints"):
        for position, taint in enumerate(taints):
            check_taint(ctx, OF_DEVICE, taint, path.index(position))


def check_taint(
    ctx: Context,
    rules: tuple[Rule, Rule, Rule, Rule],
    taint: DeviceTaint,
    path: FieldPath,
    *,
    knows_effect: bool = False,
) -> None:
    """One taint, by the rules ``OF_DEVICE`` or ``OF_RULE``; mirrors ``validateDeviceTaint``.

    An effect that is stored already is known, whatever it is.
    """
    key_rule, value_rule, required, supported = rules
    key, value, effect = taint.get("key", ""), taint.get("value", ""), taint.get("effect", "")
    well_formed(ctx, key_rule, path.child("key"), key, names.label_key(key))
    if value:
        well_formed(ctx, value_rule, path.child("value"), value, names.label_value(value))
    if knows_effect:
        return
    effects = taint_effects(ctx.minor)
    allowed = ", ".join(effects)
    if not effect:
        message = f"a taint requires an effect: one of {allowed}"
        ctx.refuse(required, path.child("effect"), "", message, type=ErrorType.REQUIRED)
    elif effect not in effects:
        message = f"unknown taint effect {effect!r}; use one of {allowed}"
        ctx.refuse(supported, path.child("effect"), effect, message)
