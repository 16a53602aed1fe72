"""Warnings about the objects of ``resource.k8s.io``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.framework.context import Context
from dractl.admission.framework.warning import warning
from dractl.api.names import lowered
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaintRuleSpec, ResourceSliceSpec

_SPEC = FieldPath("spec")

DRIVER_UPPER_CASE = warning(
    "slice/driver-upper-case",
    kind="ResourceSlice",
    at="spec.driver",
    since="1.35",
    upstream="resourceSliceStrategy.WarningsOnCreate",
    doc="""The driver name of a slice should be lower-case.

    Servers accept upper-case letters in driver names. Since 1.35 they warn about them, because everything
    that refers to the driver must repeat them exactly.

    Good:
        spec: {driver: gpu.example.com}
    Bad:
        spec: {driver: GPU.example.com}
    """,
)

SELECTOR_EMPTY = warning(
    "rule/selector-empty",
    kind="DeviceTaintRule",
    at="spec.deviceSelector",
    since="1.38",
    upstream="warningsForDeviceTaintRule",
    doc="""The selector of a taint rule should not be empty.

    An empty `deviceSelector` selects every device of every driver. Before 1.38 the server does not warn, but
    dractl does: see `across/taint-rule-everything`.

    Good:
        spec:
          deviceSelector: {driver: gpu.example.com}
    Bad:
        spec:
          deviceSelector: {}
    """,
)


def warn_about_slice(ctx: Context, spec: ResourceSliceSpec) -> None:
    """Warn about the driver name; mirrors ``WarningsOnCreate`` and ``WarningsOnUpdate`` of slices."""
    driver = spec.get("driver", "")
    if driver != lowered(driver):
        detail = f'driver names should be lowercase; "{driver}" contains uppercase characters'
        ctx.warn(DRIVER_UPPER_CASE, _SPEC.child("driver"), detail, f"use {lowered(driver)}")


def warn_about_taint_rule(ctx: Context, spec: DeviceTaintRuleSpec) -> None:
    """Warn about a selector that selects everything; mirrors ``warningsForDeviceTaintRule``."""
    if spec.get("deviceSelector") == {}:
        detail = "an empty selector matches every device from every driver in the cluster"
        evicts = (spec.get("taint") or {}).get("effect") == "NoExecute"
        hint = "select a driver, pool or device" + (
            "; NoExecute evicts the pods that use them" if evicts else ""
        )
        ctx.warn(SELECTOR_EMPTY, _SPEC.child("deviceSelector"), detail, hint)
