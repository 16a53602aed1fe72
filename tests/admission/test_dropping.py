from typing import Any

from dractl.admission.dropping import drop_disabled
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
