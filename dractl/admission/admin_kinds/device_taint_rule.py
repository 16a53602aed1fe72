"""Rules for a DeviceTaintRule: which devices it selects, and its taint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import KNOWS_TAINT_EFFECT
from dractl.admission.framework.rule import rule
from dractl.admission.shared.checks import driver_name, pool_name, well_formed
from dractl.admission.shared.selectors import check_selectors
from dractl.admission.shared.taints import OF_RULE, check_taint
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaintRuleSpec, DeviceTaintSelector

_SELECTOR = "spec.deviceSelector"


RULE_SELECTOR_DRIVER = rule(
    "rule/selector-driver",
    kind="DeviceTaintRule",
    at=f"{_SELECTOR}.driver",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    since="1.33",
    upstream="validateDeviceTaintSelector",
    doc="""The driver in a device selector must be a driver name.

    To select devices of all drivers, omit it; an empty string is invalid.

    Good:
        spec: {deviceSelector: {driver: gpu.example.com}}
    Bad:
        spec: {deviceSelector: {driver: ""}}
    """,
)

RULE_SELECTOR_POOL = rule(
    "rule/selector-pool",
    kind="DeviceTaintRule",
    at=f"{_SELECTOR}.pool",
    type=(ErrorType.INVALID, ErrorType.REQUIRED, ErrorType.TOO_LONG),
    since="1.33",
    upstream="validateDeviceTaintSelector",
    doc="""The pool in a device selector must be a pool name.

    Good:
        spec: {deviceSelector: {driver: gpu.example.com, pool: node-a}}
    Bad:
        spec: {deviceSelector: {driver: gpu.example.com, pool: Node A}}
    """,
)

RULE_SELECTOR_DEVICE = rule(
    "rule/selector-device",
    kind="DeviceTaintRule",
    at=f"{_SELECTOR}.device",
    type=ErrorType.INVALID,
    since="1.33",
    upstream="validateDeviceTaintSelector",
    doc="""The device in a device selector must be a device name: a DNS label.

    Good:
        spec: {deviceSelector: {driver: gpu.example.com, pool: node-a, device: gpu-0}}
    Bad:
        spec: {deviceSelector: {driver: gpu.example.com, pool: node-a, device: gpu.0}}
    """,
)


RULE_SELECTOR_CLASS = rule(
    "rule/selector-class",
    kind="DeviceTaintRule",
    at=f"{_SELECTOR}.deviceClassName",
    type=ErrorType.INVALID,
    since="1.33",
    until="1.34",
    upstream="validateDeviceTaintSelector",
    doc="""The device class in a device selector must be a class name: a DNS subdomain.

    Good:
        spec: {deviceSelector: {deviceClassName: gpu.example.com}}
    Bad:
        spec: {deviceSelector: {deviceClassName: GPU}}
    """,
)

RULE_SELECTOR_CEL = rule(
    "rule/selector-cel",
    kind="DeviceTaintRule",
    at=f"{_SELECTOR}.selectors",
    type=ErrorType.TOO_MANY,
    since="1.33",
    until="1.34",
    upstream="validateDeviceTaintSelector",
    doc="""A taint rule can have at most 32 selectors.

    Each is a CEL expression, as in a device class.

    Good:
        spec:
          deviceSelector: {selectors: [<32 times {cel: {expression: device.driver != "#"}}, >]}
    Bad:
        spec:
          deviceSelector: {selectors: [<33 times {cel: {expression: device.driver != "#"}}, >]}
    """,
)


def check_device_taint_rule_spec(
    ctx: Context, spec: DeviceTaintRuleSpec, path: FieldPath, old: DeviceTaintRuleSpec | None = None
) -> None:
    """The spec of a rule, at ``path``; mirrors ``validateDeviceTaintRuleSpec``.

    A rule without a selector, or with an empty one, is for all devices. An effect that is that of ``old``
    is not looked at.
    """
    selector = spec.get("deviceSelector") or {}
    place = path.child("deviceSelector")
    driver, pool, device = selector.get("driver"), selector.get("pool"), selector.get("device")
    if driver is not None:
        driver_name(ctx, RULE_SELECTOR_DRIVER, place.child("driver"), driver)
    if pool is not None:
        pool_name(ctx, RULE_SELECTOR_POOL, place.child("pool"), pool)
    if device is not None:
        well_formed(ctx, RULE_SELECTOR_DEVICE, place.child("device"), device, names.dns_label(device))
    _check_early_selector(ctx, selector, ((old or {}).get("deviceSelector") or {}), place)
    taint = spec.get("taint") or {}
    known = (
        ctx.does(KNOWS_TAINT_EFFECT)
        and old is not None
        and taint.get("effect", "") == (old.get("taint") or {}).get("effect", "")
    )
    check_taint(ctx, OF_RULE, taint, path.child("taint"), knows_effect=known)


def _check_early_selector(
    ctx: Context, selector: DeviceTaintSelector, old: DeviceTaintSelector, path: FieldPath
) -> None:
    """The class and the expressions that a rule could select devices by in 1.33 and 1.34."""
    class_name = selector.get("deviceClassName")
    if class_name is not None:
        wrong = names.dns_subdomain(class_name)
        well_formed(ctx, RULE_SELECTOR_CLASS, path.child("deviceClassName"), class_name, wrong)
    selectors = selector.get("selectors") or []
    known = bool(old) and selectors == (old.get("selectors") or [])
    check_selectors(ctx, RULE_SELECTOR_CEL, selectors, path.child("selectors"), stored=known)
