from typing import Any

import pytest

from dractl.admission.framework.dropping import drop_disabled, kept_disabled
from dractl.api import gates, release

MINOR = release.parse("1.37")


def dropped(kind: str, spec: dict[str, Any], **overrides: bool) -> list[tuple[str, tuple[str, ...]]]:
    found = drop_disabled(kind, {"spec": spec}, gates.resolve(MINOR, overrides))
    return [(str(entry.path), entry.gates) for entry in found]


def test_nothing_is_dropped_where_all_gates_are_on() -> None:
    spec = {"devices": [{"name": "d", "taints": [{"key": "a"}]}]}
    assert dropped("ResourceSlice", spec) == []
    assert "taints" in spec["devices"][0]


def test_list_attributes_leave_an_attribute_without_value() -> None:
    spec = {"devices": [{"attributes": {"a": {"strings": ["x"]}, "b": {"int": 1}}}]}
    gate = ("DRAListTypeAttributes",)
    assert dropped("ResourceSlice", spec) == [("spec.devices[0].attributes[a].strings", gate)]
    assert spec["devices"][0]["attributes"] == {"a": {}, "b": {"int": 1}}


def test_one_of_two_gates_off_is_enough() -> None:
    spec = {"devices": [{"bindingConditions": ["a"]}]}
    found = dropped("ResourceSlice", spec, DRADeviceBindingConditions=False)
    assert found == [("spec.devices[0].bindingConditions", ("DRADeviceBindingConditions",))]


def test_templates_lose_the_same_fields_one_level_deeper() -> None:
    request: dict[str, Any] = {"exactly": {"derivedAttributes": []}}
    found = dropped("ResourceClaimTemplate", {"spec": {"devices": {"requests": [request]}}})
    assert [path for path, _ in found] == ["spec.spec.devices.requests[0].exactly.derivedAttributes"]


def test_a_kind_without_gated_fields_keeps_all() -> None:
    assert dropped("DeviceTaintRule", {"taint": {"key": "a"}}) == []


CONSTRAINT = {"distinctAttribute": "example.com/x"}


@pytest.mark.parametrize(
    ("minor", "kept"), [("1.34", ["spec.devices.constraints[0].distinctAttribute"]), ("1.35", [])]
)
def test_what_a_minor_forgets_to_drop_is_kept(minor: str, kept: list[str]) -> None:
    value = {"spec": {"devices": {"constraints": [CONSTRAINT]}}}
    server = gates.resolve(release.parse(minor), {"DRAConsumableCapacity": False})
    drop_disabled("ResourceClaim", value, server)
    found = kept_disabled("ResourceClaim", value, server)
    assert [str(entry.path) for entry in found] == kept
    assert {entry.gates for entry in found} <= {("DRAConsumableCapacity",)}


def test_what_the_old_object_uses_already_is_kept() -> None:
    def taints(*values: str) -> dict[str, Any]:
        devices = [{"name": name, "taints": [{"key": name, "effect": "NoSchedule"}]} for name in values]
        return {"spec": {"devices": devices}}

    server = gates.resolve(release.parse("1.35"), None)
    for old, kept in ((taints("a"), ["spec.devices[0].taints", "spec.devices[1].taints"]), (taints(), [])):
        value = taints("a", "b")
        drop_disabled("ResourceSlice", value, server, operation="update", old=old)
        found = kept_disabled("ResourceSlice", value, server, operation="update", old=old)
        assert [str(entry.path) for entry in found] == kept
    on = gates.resolve(release.parse("1.35"), {"DRADeviceTaints": True})
    assert kept_disabled("ResourceSlice", taints("a"), on, operation="update", old=taints("a")) == []
