"""What expressions see of a device, and what happens where something is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector, device_value
from tests.cel.conftest import environment
from tests.rows import each_row

Value = Callable[[str], Any]
Failure = Callable[[str], str]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("device.driver", "gpu.example.com"),
        ('device.attributes["gpu.example.com"].model', "A100"),
        ('device.attributes["gpu.example.com"]["index"]', 3),
        ('device.attributes["other.org"].model', "X1"),
        ('device.attributes["nowhere.io"].size()', 0),
        ("device.attributes.size()", 2),
        ("device.capacity.size()", 1),
        ('"nowhere.io" in device.attributes', False),
        ('"model" in device.attributes["gpu.example.com"]', True),
        ('"model" in device.attributes["nowhere.io"]', False),
        ("has(device.attributes)", True),
        ("has(device.attributes.nowhere)", True),
        ('has(device.attributes["gpu.example.com"].model)', True),
        ('has(device.attributes["gpu.example.com"].missing)', False),
        ('device.attributes[?"nowhere.io"].hasValue()', True),
        ('device.attributes["gpu.example.com"].?missing.hasValue()', False),
        ('device.attributes["gpu.example.com"].?missing.orValue(7)', 7),
        ('device.attributes["gpu.example.com"].?index.orValue(7)', 3),
        ('device.attributes["gpu.example.com"][?"missing"].orValue("x")', "x"),
        ('device.attributes["gpu.example.com"].links[1]', "b"),
        ('device.attributes["gpu.example.com"].links.size()', 3),
        ('device.attributes["gpu.example.com"].ports', [3, 1, 2]),
        ('device.attributes["gpu.example.com"].ports[?9].hasValue()', False),
        ("device.allowMultipleAllocations", False),
        ('device.attributes["gpu.example.com"].version.minor()', 10),
        ('device.capacity["gpu.example.com"].memory.asInteger()', 10 * 2**30),
        ("device.attributes.exists(d, d == 'other.org')", True),
        ("device.attributes.map(d, d).sort()", ["gpu.example.com", "other.org"]),
        ('dyn(device)["driver"] == device.driver', True),
    ],
)
def test_lookups_that_succeed(value_of: Value, expression: str, expected: Any) -> None:
    assert value_of(expression) == expected


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        ('device.attributes["gpu.example.com"].missing', "no such key: 'missing'"),
        ('device.attributes["nowhere.io"].model', "no such key: 'model'"),
        ('device.attributes["gpu.example.com"].model.x', "no such key: 'x'"),
        ('device.attributes["gpu.example.com"].links[3]', "index 3 is out of range for a list of size 3"),
        ('device.attributes["gpu.example.com"].links[-1]', "index -1 is out of range"),
        ('device.attributes["gpu.example.com"].links["a"]', "use an int"),
        ('device.capacity["gpu.example.com"].missing.sign() == 1 ? 1 : 2', "no such key"),
    ],
)
def test_lookups_that_fail(value_of: Value, expression: str, part: str) -> None:
    if ".sign()" in expression:
        expression = 'sign(device.capacity["gpu.example.com"].missing)'
    answer = value_of(expression)
    assert isinstance(answer, CelError)
    assert part in answer.message


def test_a_missing_key_says_how_to_ask_for_it(failure_of: Failure) -> None:
    message = failure_of('device.attributes["gpu.example.com"].missing')
    assert "has(...)" in message
    assert "orValue(...)" in message


@pytest.mark.parametrize(
    ("expression", "offset"),
    [
        ('device.attributes["gpu.example.com"].missing == 1', 37),
        ('true && device.attributes["gpu.example.com"].links[9] == "a"', 50),
        ('device.driver == "x" || 1 / 0 == 1', 26),
        ("[0].map(x, 1 / x).size() == 1", 13),
        ('quantity("x").isInteger()', 0),
        ('!has(device.attributes["gpu.example.com"].model.x) && int(device.driver) == 1', 54),
    ],
)
def test_a_failure_says_where_it_comes_from(device: DeviceValue, expression: str, offset: int) -> None:
    selector = compile_selector(expression, environment())
    assert isinstance(selector, Selector)
    failure = selector.failure(device)
    assert failure is not None
    assert failure.offset == offset
    answer = selector.evaluate(device)
    assert isinstance(answer, CelError)
    assert failure.message == answer.message


def test_no_failure_where_there_is_none(device: DeviceValue) -> None:
    selector = compile_selector("1 / 0 == 1 || true", environment())
    assert isinstance(selector, Selector)
    assert selector.failure(device) is None


def _selected(expression: str, attributes: dict[str, Any], **more: Any) -> bool | CelError:
    selector = compile_selector(expression, environment())
    assert isinstance(selector, Selector), selector
    value = device_value("d.example.com", {"attributes": attributes, **more})
    return value if isinstance(value, CelError) else selector.evaluate(value)


def test_a_list_wins_over_a_scalar() -> None:
    attributes = {"x": {"int": 1, "strings": ["a"]}}
    assert _selected('device.attributes["d.example.com"].x == ["a"]', attributes) is True


@pytest.mark.parametrize(
    ("attributes", "part"),
    [({"x": {}}, "attribute x has no value"), ({"x": {"version": "1.2"}}, "three numbers")],
)
def test_a_device_with_a_bad_attribute_fails_for_every_expression(
    attributes: dict[str, Any], part: str
) -> None:
    answer = _selected("true", attributes)
    assert isinstance(answer, CelError)
    assert part in answer.message


def test_the_shared_device_says_so() -> None:
    assert _selected("device.allowMultipleAllocations", {}, allowMultipleAllocations=True) is True
    assert _selected("device.allowMultipleAllocations", {}) is False


def test_a_capacity_that_is_no_quantity_is_an_error() -> None:
    answer = _selected("true", {}, capacity={"m": {"value": "1K"}})
    assert isinstance(answer, CelError)
    assert "capacity m" in answer.message


def test_quantities_without_a_value_are_zero() -> None:
    capacity: dict[str, Any] = {"m": {}}
    expression = 'device.capacity["d.example.com"].m == quantity("0")'
    assert _selected(expression, {}, capacity=capacity) is True


@pytest.mark.parametrize("expression", ['device.attributes["gpu.example.com"].model', "dyn(1)", "dyn(null)"])
def test_a_selector_has_to_give_a_bool(device: DeviceValue, expression: str) -> None:
    selector = compile_selector(expression, environment())
    assert isinstance(selector, Selector)
    answer = selector.evaluate(device)
    assert isinstance(answer, CelError)
    assert "must evaluate to true or false" in answer.message


def test_an_attribute_alone_may_be_a_selector(device: DeviceValue) -> None:
    selector = compile_selector('device.attributes["gpu.example.com"].healthy', environment())
    assert isinstance(selector, Selector)
    assert selector.evaluate(device) is True


LATER = environment("1.38", stored=True)
UNUSABLE: dict[str, Any] = {"v": {"version": "1.99999999999999999999.0"}, "e": {}, "w": {"int": 1}}


def later(expression: str, device: dict[str, Any]) -> Any:
    selector = compile_selector(expression, LATER)
    assert isinstance(selector, Selector), selector
    value = device_value("d.io", device, delays_attributes=LATER.delays_attributes)
    assert isinstance(value, DeviceValue)
    return selector.evaluate(value)


@each_row(
    ("expression", "expected"),
    [
        ("true", True),
        ('device.attributes["d.io"].w == 1', True),
        ('"v" in device.attributes["d.io"]', False),
        ('"w" in device.attributes["d.io"]', True),
        ('device.attributes["d.io"].exists(k, k == "v")', True),
        ('device.attributes["d.io"].size() == 3', True),
        ('has(device.attributes["d.io"].w)', True),
        ('has(device.attributes["d.io"].x)', False),
    ],
)
def test_since_1_38_a_value_that_cannot_be_used_is_no_error_until_it_is_read(
    expression: str, expected: bool
) -> None:
    assert later(expression, {"attributes": UNUSABLE}) is expected


@each_row(
    "expression",
    [
        'device.attributes["d.io"].v.major() == 1',
        'device.attributes["d.io"].e == 1',
        'has(device.attributes["d.io"].v)',
        'device.attributes["d.io"].?e.hasValue()',
        'device.attributes["d.io"].?v.orValue(1) == 1',
    ],
)
def test_since_1_38_reading_a_value_that_cannot_be_used_is_an_error(expression: str) -> None:
    assert isinstance(later(expression, {"attributes": UNUSABLE}), CelError)
    assert later(f"{expression} || true", {"attributes": UNUSABLE}) is True


def test_since_1_38_the_spelling_with_the_domain_wins() -> None:
    for names in (("a", "d.io/a"), ("d.io/a", "a")):
        attributes = {name: {"int": 1 if "/" in name else 2} for name in names}
        capacity = {name: {"value": "1" if "/" in name else "2"} for name in names}
        assert later('device.attributes["d.io"].a == 1', {"attributes": attributes}) is True
        assert later('device.capacity["d.io"].a.asInteger() == 1', {"capacity": capacity}) is True


def test_since_1_38_a_scalar_wins_over_a_list() -> None:
    assert later('device.attributes["d.io"].a == 1', {"attributes": {"a": {"int": 1, "ints": [2]}}}) is True
    assert isinstance(
        later('device.attributes["d.io"].a == 1', {"attributes": {"a": {"ints": []}}}), CelError
    )
