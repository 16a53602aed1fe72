from typing import Any

from dractl.admission.slice.capacity import check_capacity
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

POLICY = {"default": "5Gi", "validRange": {"min": "10Gi"}}


def found(capacity: dict[str, Any], *, shared: bool = True) -> set[str]:
    return refused(lambda ctx: check_capacity(ctx, capacity, SPEC, shared=shared))


@each_row(
    ("name", "expected"),
    [
        ("memory", set()),
        ("gpu.example.com/memory", set()),
        ("gpu-memory", {"device/cap-key Invalid spec.capacity"}),
        ("m" * 33, {"device/cap-key TooLong spec.capacity"}),
        ("gpu_example/memory", {"device/cap-key Invalid spec.capacity"}),
    ],
)
def test_names(name: str, expected: set[str]) -> None:
    assert found({name: {"value": "1"}}) == expected


def test_values_may_be_anything() -> None:
    assert found({"a": {"value": "-1"}, "b": {}, "c": {"value": "1n"}}) == set()


def test_only_shared_devices_have_policies() -> None:
    place = "spec.capacity[memory].requestPolicy"
    capacity = {"memory": {"value": "80Gi", "requestPolicy": {}}}
    assert found(capacity, shared=False) == {f"device/cap-policy-single Forbidden {place}"}
    assert found(capacity) == set()


def test_policies_of_shared_devices_are_looked_at() -> None:
    place = "spec.capacity[memory].requestPolicy.validRange.default"
    assert found({"memory": {"value": "80Gi", "requestPolicy": POLICY}}) == {
        f"policy/default-min Invalid {place}"
    }


def test_a_capacity_without_value_is_zero() -> None:
    policy = {"default": "1", "validValues": ["1"]}
    place = "spec.capacity[memory].requestPolicy.validValues[0]"
    assert found({"memory": {"requestPolicy": policy}}) == {f"policy/values-limit Invalid {place}"}
