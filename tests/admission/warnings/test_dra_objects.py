from __future__ import annotations

from typing import Any

import pytest

from tests.admission.warnings.objects import texts_about, warnings_about

_DRIVER = "spec.driver: driver names should be lowercase; "


def _slice(driver: str) -> dict[str, Any]:
    pool = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": driver, "nodeName": "node-a", "pool": pool, "devices": [{"name": "gpu-0"}]}
    version = "resource.k8s.io/v1"
    return {"apiVersion": version, "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": spec}


def _taint_rule(effect: str, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "resource.k8s.io/v1alpha3",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "a"},
        "spec": {"taint": {"key": "example.com/broken", "effect": effect}, **spec},
    }


@pytest.mark.parametrize("driver", ["GPU.example.com", "gpu.Example.com"])
def test_a_driver_in_upper_case_is_warned_about_since_1_35(driver: str) -> None:
    expected = [f'{_DRIVER}"{driver}" contains uppercase characters']
    assert texts_about(_slice(driver), "1.34") == []
    assert texts_about(_slice(driver), "1.35") == texts_about(_slice(driver), "1.38") == expected
    assert texts_about(_slice(driver.lower()), "1.35") == []


def test_an_update_of_a_slice_is_warned_about_too() -> None:
    found = warnings_about(_slice("GPU.example.com"), old=_slice("GPU.example.com"))
    assert [warning.rule for warning in found] == ["slice/driver-upper-case"]


def test_what_is_refused_is_not_warned_about() -> None:
    assert texts_about(_slice("GPU_example.com")) == []


def test_an_empty_selector_of_a_taint_rule_is_warned_about_since_1_38() -> None:
    everything = _taint_rule("NoSchedule", deviceSelector={})
    message = "spec.deviceSelector: an empty selector matches every device from every driver in the cluster"
    assert texts_about(everything, "1.37") == []
    assert texts_about(everything, "1.38") == [message]
    assert texts_about(_taint_rule("NoSchedule"), "1.38") == []
    assert texts_about(_taint_rule("NoSchedule", deviceSelector={"driver": "a.b"}), "1.38") == []


def test_eviction_is_in_the_hint() -> None:
    (found,) = warnings_about(_taint_rule("NoExecute", deviceSelector={}), minor="1.38")
    assert found.hint == "select a driver, pool or device; NoExecute evicts the pods that use them"


def test_a_status_update_has_no_warnings() -> None:
    everything = _taint_rule("NoExecute", deviceSelector={})
    everything["metadata"]["resourceVersion"] = "1"
    assert len(warnings_about(everything, minor="1.38", old=everything)) == 1
    assert warnings_about(everything, minor="1.38", old=everything, subresource="status") == []
