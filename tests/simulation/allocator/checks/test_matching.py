"""Selectors, node selection per device, and derived attributes."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import Device, NodeRef, Slice
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.reasons import BindingConditionsOff, Fatal, OtherNode, SelectorFalse
from tests.rows import each_row
from tests.simulation.build import body, device, device_class, environment, features, resource_slice

NODE = NodeRef("node-a", {})
MODEL_A = 'device.attributes["gpu.example.com"].model == "a"'


def matcher(**gates: bool) -> Matcher:
    return Matcher(environment(**gates), features(**gates))


def request(*expressions: str, of: dict[str, Any] | None = None, **more: Any) -> Request:
    return Request("gpu", None, body(*expressions, **more), of or device_class("gpu"))


def one(data: dict[str, Any], **target: Any) -> Device:
    return Slice(resource_slice("s", data, **target)).devices[0]


def test_a_device_that_all_selectors_select_matches() -> None:
    gpus = device_class("gpu", 'device.driver == "gpu.example.com"')
    assert matcher().mismatch(request(MODEL_A, of=gpus), one(device("gpu-0")), NODE) is None


def test_the_first_selector_that_is_false_is_named() -> None:
    gpus = device_class("gpu", "true", "false")
    assert matcher().mismatch(request("false", of=gpus), one(device("gpu-0")), NODE) == SelectorFalse(
        "class gpu", 1, "false"
    )
    assert matcher().mismatch(request("true", "false"), one(device("gpu-0")), NODE) == SelectorFalse(
        "request", 1, "false"
    )


def test_a_class_selector_protects_the_request_from_errors() -> None:
    nics = device_class("gpu", 'device.driver == "nic.example.com"')
    broken = 'device.attributes["gpu.example.com"].gone == 1'
    assert matcher().mismatch(request(broken, of=nics), one(device("gpu-0")), NODE) == SelectorFalse(
        "class gpu", 0, 'device.driver == "nic.example.com"'
    )


def test_an_attribute_that_is_missing_is_an_error_and_no_mismatch() -> None:
    found = matcher().mismatch(
        request('device.attributes["gpu.example.com"].gone == 1'), one(device("g")), NODE
    )
    assert isinstance(found, Fatal)
    assert found.message.startswith("request selector #0 fails for device gpu.example.com/node-a/g: ")


def test_a_selector_that_does_not_compile_is_an_error() -> None:
    found = matcher().mismatch(request("device."), one(device("g")), NODE)
    assert isinstance(found, Fatal)
    assert "request selector #0 does not compile" in found.message


def test_an_attribute_without_a_value_fails_every_selector() -> None:
    empty = one({"name": "g", "attributes": {"odd": {}}})
    assert isinstance(matcher().mismatch(request("true"), empty, NODE), Fatal)
    assert matcher().mismatch(request(), empty, NODE) is None


def test_binding_conditions_need_their_feature() -> None:
    waiting = one(device("g", bindingConditions=["attached"]))
    assert matcher().mismatch(request(), waiting, NODE) is None
    off = matcher(DRADeviceBindingConditions=False)
    assert off.mismatch(request(), waiting, NODE) == BindingConditionsOff()
    assert off.mismatch(request(), one(device("g", bindingConditions=[])), NODE) is None


def test_a_device_for_another_node_does_not_match_after_its_selectors_were_asked() -> None:
    there = one(device("g", nodeName="node-b"), perDeviceNodeSelection=True)
    assert matcher().mismatch(request(), there, NODE) == OtherNode()
    assert matcher().mismatch(request(), there, NodeRef("node-b", {})) is None
    # The selector runs on a device of another node, too.
    broken = request('device.attributes["gpu.example.com"].gone == 1')
    assert isinstance(matcher().mismatch(broken, there, NODE), Fatal)


DERIVED = {"DRADerivedAttributes": True}


def derived(expression: str) -> Request:
    return request(derivedAttributes=[{"name": "example.org/x", "expression": expression}])


@each_row(
    ("expression", "expected"),
    [
        ('device.attributes["gpu.example.com"].model', {"string": "a"}),
        ("device.driver", {"string": "gpu.example.com"}),
        ("3", {"int": 3}),
        ("3 > 2", {"bool": True}),
        ('semver("1.2.3")', {"version": "1.2.3"}),
        ('["a", "b"]', {"strings": ["a", "b"]}),
        ("[1, 2]", {"ints": [1, 2]}),
        ("[true]", {"bools": [True]}),
    ],
)
def test_a_derived_attribute_is_evaluated_for_the_device(expression: str, expected: Any) -> None:
    found = matcher(**DERIVED).attribute(derived(expression), one(device("g")), "example.org/x")
    assert found == expected


def test_a_derived_attribute_hides_the_devices_own_for_its_request_only() -> None:
    own = one({"name": "g", "attributes": {"example.org/x": {"int": 1}}})
    assert matcher(**DERIVED).attribute(derived("2"), own, "example.org/x") == {"int": 2}
    assert matcher(**DERIVED).attribute(request(), own, "example.org/x") == {"int": 1}
    assert matcher(**DERIVED).attribute(derived("2"), own, "example.org/y") is None


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("device.attributes[device.driver].gone", "fails for device gpu.example.com/node-a/g"),
        ("device.", "does not compile"),
    ],
)
def test_a_derived_attribute_that_fails_is_an_error(expression: str, words: str) -> None:
    found = matcher(**DERIVED).attribute(derived(expression), one(device("g")), "example.org/x")
    assert isinstance(found, Fatal)
    assert words in found.message


def test_what_is_kept_of_answers_is_shared_by_requests_with_the_same_selectors() -> None:
    found = matcher()
    assert found.known(request(MODEL_A)) is found.known(request(MODEL_A))
    assert found.known(request(MODEL_A)) is not found.known(request("true"))


def test_a_misspelt_attribute_is_answered_with_the_name_that_another_device_has() -> None:
    expression = 'device.attributes["gpu.example.com"].modle == "a"'
    found = matcher()
    found.know_slices([resource_slice("t", device("gpu-1", model="a"))])
    message = found.mismatch(request(expression), one({"name": "gpu-0"}), NODE)
    assert isinstance(message, Fatal)
    assert message.message.endswith("no such key: 'modle'; did you mean model?")
