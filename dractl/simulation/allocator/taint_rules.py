"""Taints that DeviceTaintRules add to the devices they select.

Mirrors the ResourceSlice tracker of the scheduler, in each minor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject, Object
from dractl.cel.common.errors import CelError
from dractl.cluster.objects import Objects
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.quirks import Quirks

if TYPE_CHECKING:
    from dractl.api.objects import resource

Evaluate = Callable[[str, str, JsonObject], bool | CelError]
"""Evaluates a selector for a device, from expression, driver and device; returns an error if it fails."""


GiveUp = Callable[[JsonObject, str], None]
"""Takes a rule that dractl could not evaluate, with the consequence."""


class _BrokenRuleError(Exception):
    """A rule whose selector does not compile: the tracker leaves the slice as it was."""

    def __init__(self, rule: JsonObject, error: CelError) -> None:
        super().__init__(error.message)
        self.rule = rule
        self.error = error


def tainted_slices(
    objects: Objects, evaluate: Evaluate, features: Features, give_up: GiveUp | None = None
) -> list[Object]:
    """The slices among ``objects`` with the taints of the rules among them, in minors that have rules.

    ``give_up`` is called with each rule whose selector reaches a limit of dractl's own.
    """
    rules = objects.of_kind("DeviceTaintRule") if features.device_taint_rules else []
    found = TaintRules(
        rules, lambda name: objects.get("DeviceClass", "", name), evaluate, features.quirks, give_up
    )
    return found.applied_to(objects.of_kind("ResourceSlice"))


def crash_of_rules(objects: Objects, features: Features) -> str | None:
    """Why the scheduler crashes over the rules among ``objects``, or None."""
    if not (features.device_taint_rules and features.quirks.rules_crash):
        return None
    rules = objects.of_kind("DeviceTaintRule")
    if not rules or not objects.of_kind("ResourceSlice"):
        return None
    name = rules[0]["metadata"].get("name")
    return f"the scheduler crashes because of DeviceTaintRule {name} (fixed in 1.36.3)"


class TaintRules:
    """The rules of a cluster."""

    def __init__(
        self,
        rules: Sequence[Object],
        classes: Callable[[str], Object | None],
        evaluate: Evaluate,
        quirks: Quirks,
        give_up: GiveUp | None = None,
    ) -> None:
        """Take rules, and what those of older minors may select by: device classes and CEL."""
        # By name, so that the first of several taints, which reasons name, is the same in any order of files.
        self._rules = sorted(rules, key=lambda rule: str(rule["metadata"].get("name")))
        self._classes = classes
        self._evaluate = evaluate
        self._quirks = quirks
        self._give_up = give_up

    def applied_to(self, slices: Iterable[Object]) -> list[Object]:
        """The slices with the taints of the rules appended; the objects given are not changed."""
        return [self._tainted(item) for item in slices] if self._rules else list(slices)

    def _tainted(self, item: Object) -> Object:
        spec: resource.ResourceSliceSpec = item.get("spec") or {}
        near = [rule for rule in self._rules if self._selects_slice(rule, spec)]
        if not near:
            return item
        try:
            devices = [self._with_taints(device, near, spec) for device in spec.get("devices") or ()]
        except _BrokenRuleError as broken:
            if self._give_up is not None and broken.error.kind == "budget":
                where = (item.get("metadata") or {}).get("name")
                self._give_up(broken.rule, f"not applied to ResourceSlice {where}: {broken}")
            return item
        return {**item, "spec": {**spec, "devices": devices}}

    def _with_taints(
        self, device: resource.Device, rules: Iterable[Object], spec: resource.ResourceSliceSpec
    ) -> resource.Device:
        added: list[resource.DeviceTaint] = [
            cast("resource.DeviceTaint", rule["spec"].get("taint") or {})
            for rule in rules
            if self._selects_device(rule, device, spec)
        ]
        return {**device, "taints": [*(device.get("taints") or ()), *added]} if added else device

    def _selects_slice(self, rule: Object, spec: resource.ResourceSliceSpec) -> bool:
        selector = (rule.get("spec") or {}).get("deviceSelector")
        if selector is None:
            return self._quirks.rule_without_selector_taints_all
        driver, pool = selector.get("driver"), selector.get("pool")
        if driver not in (None, spec.get("driver")):
            return False
        if pool not in (None, (spec.get("pool") or {}).get("name")):
            return False
        named = selector.get("deviceClassName") if self._quirks.rules_select_by_class else None
        return named is None or self._classes(named) is not None

    def _selects_device(
        self, rule: Object, device: resource.Device, spec: resource.ResourceSliceSpec
    ) -> bool:
        selector = cast("resource.DeviceTaintSelector", rule["spec"].get("deviceSelector") or {})
        if selector.get("device") not in (None, device.get("name")):
            return False
        if not self._quirks.rules_select_by_class:
            return True
        for expression in self._expressions(selector):
            answer = self._evaluate(expression, spec.get("driver", ""), device)
            if isinstance(answer, CelError) and answer.kind != "runtime":
                raise _BrokenRuleError(rule, answer)
            if answer is not True:
                return False
        return True

    def _expressions(self, selector: resource.DeviceTaintSelector) -> list[str]:
        """The selectors of the class that a rule names, then its own."""
        named = selector.get("deviceClassName")
        device_class = self._classes(named) if named is not None else None
        tests = [
            *(((device_class or {}).get("spec") or {}).get("selectors") or ()),
            *(selector.get("selectors") or ()),
        ]
        return [test["cel"].get("expression", "") for test in tests if test.get("cel") is not None]
