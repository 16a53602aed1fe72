"""Device taints: which rules add which, and does a request tolerate them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dractl.simulation.reasons import Tainted

BLOCKING_EFFECTS: frozenset[str] = frozenset({"NoSchedule", "NoExecute"})
"""Effects that keep a device from being chosen; all others, also unknown ones, are ignored (1.35)."""


def untolerated(
    taints: Iterable[Mapping[str, Any]], tolerations: Sequence[Mapping[str, Any]]
) -> Tainted | None:
    """The first taint that keeps a device from a request, as ``taintPreventsAllocation``."""
    for taint in taints:
        if taint.get("effect") in BLOCKING_EFFECTS and not any(
            tolerates(toleration, taint) for toleration in tolerations
        ):
            return Tainted(taint.get("key", ""), taint.get("value", ""), taint.get("effect", ""))
    return None


def tolerates(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    """Whether a device toleration covers a device taint, as ``resourceclaim.ToleratesTaint``."""
    if toleration.get("effect") and toleration["effect"] != taint.get("effect"):
        return False
    if toleration.get("key") and toleration["key"] != taint.get("key"):
        return False
    operator = toleration.get("operator") or "Equal"
    if operator == "Exists":
        return True
    return bool(operator == "Equal" and (toleration.get("value") or "") == (taint.get("value") or ""))


def with_rules(slices: Iterable[dict[str, Any]], rules: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The slices with the taints of DeviceTaintRules appended to the devices they select.

    Mirrors the ResourceSlice tracker (1.37): a rule without a selector selects nothing, an empty selector
    everything. The objects given are not changed.
    """
    return [_tainted(item, rules) for item in slices] if rules else list(slices)


def _tainted(item: dict[str, Any], rules: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    spec: Mapping[str, Any] = item.get("spec") or {}
    near = [rule for rule in rules if _selects_slice(rule, spec)]
    if not near:
        return item
    devices = []
    for device in spec.get("devices") or ():
        added = [rule["spec"].get("taint") or {} for rule in near if _selects_device(rule, device)]
        devices.append({**device, "taints": [*(device.get("taints") or ()), *added]} if added else device)
    return {**item, "spec": {**spec, "devices": devices}}


def _selects_slice(rule: Mapping[str, Any], spec: Mapping[str, Any]) -> bool:
    selector = (rule.get("spec") or {}).get("deviceSelector")
    if selector is None:
        return False
    driver, pool = selector.get("driver"), selector.get("pool")
    return driver in (None, spec.get("driver")) and pool in (None, (spec.get("pool") or {}).get("name"))


def _selects_device(rule: Mapping[str, Any], device: Mapping[str, Any]) -> bool:
    return rule["spec"]["deviceSelector"].get("device") in (None, device.get("name"))
