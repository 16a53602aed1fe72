"""Checks of device taint rules: whether they select any device, or too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from dractl.api import release
from dractl.api.path import Steps
from dractl.api.wording import nearest_or_all
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck
from dractl.lint.base.input_pools import InputPool
from dractl.lint.base.input_set import InputObject, InputSet, Lint, is_misspelled
from dractl.lint.base.lint_rule import own_rule

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaintRuleSpec, DeviceTaintSelector

__all__ = ["CHECKS", "taint_rules_select"]

_PARTS: tuple[Literal["driver", "pool", "device"], ...] = ("driver", "pool", "device")

SELECTS_NOTHING = own_rule(
    "across/taint-rule-nothing",
    severity=Severity.WARNING,
    kind="DeviceTaintRule",
    doc="""A taint rule must select existing devices.

    A rule without `deviceSelector` selects no device; schedulers up to 1.37.0 apply it to all devices. If the
    input has all slices of the driver, they must have the selected pool and device.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceTaintRule
        metadata: {name: drain}
        spec:
          deviceSelector: {driver: gpu.example.com}
          taint: {key: example.com/drain, effect: NoSchedule}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceTaintRule
        metadata: {name: drain}
        spec:
          taint: {key: example.com/drain, effect: NoSchedule}
    """,
)

SELECTS_EVERYTHING = own_rule(
    "across/taint-rule-everything",
    severity=Severity.WARNING,
    kind="DeviceTaintRule",
    doc="""A taint rule should not select all devices.

    An empty `deviceSelector` selects every device of every driver. With the effect `NoExecute` the rule
    evicts every pod that uses a device and does not tolerate the taint. Since 1.38 the server itself warns
    about an empty selector: `rule/selector-empty`.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: DeviceTaintRule
        metadata: {name: drain}
        spec:
          deviceSelector: {driver: gpu.example.com, pool: node-a}
          taint: {key: example.com/drain, effect: NoSchedule}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: DeviceTaintRule
        metadata: {name: drain}
        spec:
          deviceSelector: {}
          taint: {key: example.com/drain, effect: NoSchedule}
    """,
)

_LAST_WITHOUT_SELECTOR_MEANS_ALL = release.at("1.37.0")
_FIRST_THAT_WARNS = release.at("1.38")
_SELECTOR: Steps = ("spec", "deviceSelector")
_EVICTS = "; NoExecute evicts the pods that use them"


def taint_rules_select(inputs: InputSet, pools: list[InputPool]) -> Iterator[Lint]:
    """Rules select some of the devices given, and not simply all."""
    for given in inputs.of("DeviceTaintRule"):
        spec: DeviceTaintRuleSpec = given.spec
        selector = spec.get("deviceSelector")
        if not given.is_whole:
            continue
        if selector is None:
            yield _without_selector(given)
        elif not selector:
            yield from _everything(given)
        else:
            yield from _unmatched(given, selector, pools)


def _everything(given: InputObject) -> Iterator[Lint]:
    if not given.admission.minor.within(_FIRST_THAT_WARNS, None):
        effect = _EVICTS if _evicts(given) else ""
        message = f"the empty selector selects every device of every driver{effect}"
        yield Lint(SELECTS_EVERYTHING, given, _SELECTOR, message, "select a driver, pool or device")


def _evicts(given: InputObject) -> bool:
    spec: DeviceTaintRuleSpec = given.spec
    return (spec.get("taint") or {}).get("effect") == "NoExecute"


def _without_selector(given: InputObject) -> Lint:
    minor = given.admission.minor
    if minor.within(None, _LAST_WITHOUT_SELECTOR_MEANS_ALL):
        effect = _EVICTS if _evicts(given) else ""
        message = (
            f"without deviceSelector the scheduler of {minor.version} applies the rule to all devices{effect}"
        )
        return Lint(SELECTS_EVERYTHING, given, ("spec",), message, "add a deviceSelector")
    message = "without deviceSelector the rule selects no device"
    hint = "add a deviceSelector; an empty one, {}, selects all devices"
    return Lint(SELECTS_NOTHING, given, ("spec",), message, hint)


def _unmatched(given: InputObject, selector: DeviceTaintSelector, pools: list[InputPool]) -> Iterator[Lint]:
    """A driver that is almost one of those given, or a pool or device that the driver does not have."""
    driver, pool, device = (selector.get(part, "") for part in _PARTS)
    if not driver:
        return
    of_driver = [entry for entry in pools if entry.driver == driver]
    if not of_driver:
        drivers = [entry.driver for entry in pools]
        if is_misspelled(driver, drivers):
            reason = f"no slice has driver {driver}"
            yield _no_device(given, "driver", reason, nearest_or_all(driver, drivers))
        return
    if not all(entry.is_complete for entry in of_driver):
        return
    of_pool = [entry for entry in of_driver if not pool or entry.name == pool]
    if not of_pool:
        hint = nearest_or_all(pool, (entry.name for entry in of_driver))
        yield _no_device(given, "pool", f"no slice of {driver} has pool {pool}", hint)
        return
    names = [known.get("name", "") for entry in of_pool for part in entry.newest for known in part.devices]
    if device and device not in names:
        place = f"pool {pool}" if pool else driver
        yield _no_device(given, "device", f"{place} has no device {device}", nearest_or_all(device, names))


def _no_device(given: InputObject, part: str, reason: str, hint: str) -> Lint:
    return Lint(SELECTS_NOTHING, given, (*_SELECTOR, part), f"the rule selects no device: {reason}", hint)


CHECKS = (
    CrossCheck(
        (
            SELECTS_NOTHING,
            SELECTS_EVERYTHING,
        ),
        lambda found: taint_rules_select(found.inputs, found.pools),
    ),
)
"""The checks of this module; whatever is here is run and listed."""
