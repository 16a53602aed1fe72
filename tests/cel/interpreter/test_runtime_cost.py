"""What evaluations cost: as the real code counts it, and rule by rule by its formulas."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity, semver
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload
from dractl.cel.common.values import NONE, Optional
from dractl.cel.compile import DeviceValue, Selector, compile_selector, device_value
from dractl.cel.interpreter.runtime_cost import rule_of, size_of
from dractl.cel.library.networks import CIDR, IP, OVERLOADS
from dractl.cel.library.table import LIBRARIES
from tests.cel.conftest import DEVICE, DOMAIN, environment
from tests.cel.costs import PRICES, PRICES_132, PRICES_136
from tests.rows import each_row


def _cost(expression: str, minor: str, device: DeviceValue, **gates: bool) -> int:
    selector = compile_selector(expression, environment(minor, **gates))
    assert isinstance(selector, Selector), selector
    return selector.cost_of(device)


def test_the_cost_is_the_real_one(device: DeviceValue) -> None:
    found = [(expression, _cost(expression, "1.37", device)) for expression, *_ in PRICES]
    assert found == [(expression, cost) for expression, _, cost in PRICES]


@pytest.mark.parametrize(("expression", "cost"), [(expression, cost) for expression, _, cost in PRICES_136])
def test_1_36_charged_in_another_way(device: DeviceValue, expression: str, cost: int) -> None:
    assert _cost(expression, "1.36", device, DRAListTypeAttributes=True) == cost


@each_row(("expression", "cost"), [(expression, cost) for expression, _, cost in PRICES_132])
def test_1_32_charged_in_another_way(expression: str, cost: int) -> None:
    known = {"string", "int", "bool", "version"}
    attributes = {name: value for name, value in DEVICE["attributes"].items() if known & set(value)}
    device = device_value(DOMAIN, DEVICE | {"attributes": attributes})
    assert isinstance(device, DeviceValue)
    assert _cost(expression, "1.32", device) == cost


SIZES: list[tuple[Any, int]] = [
    ("", 0),
    ("äbc", 3),
    (b"abc", 3),
    ([1, 2], 2),
    ({"a": 1}, 1),
    (5, 1),
    (None, 1),
    (True, 1),
    (quantity.parse("10Gi"), 1),
    (semver.parse("1.2.3"), 1),
    (Optional("abc"), 3),
    (Optional([1, 2]), 2),
    (NONE, 1),
    (EvaluationError("no"), 1),
]


@each_row(("value", "size"), SIZES)
def test_the_size_of_a_value(value: Any, size: int) -> None:
    assert size_of(value) == size


def test_addresses_are_as_large_as_their_bytes() -> None:
    parse = {row.id: row.implementation for row in OVERLOADS}
    addresses = [parse["string_to_ip"](text) for text in ("10.0.0.1", "::1")]  # type: ignore[misc]
    networks = [parse["string_to_cidr"](text) for text in ("10.0.0.0/8", "10.0.0.0/9", "::/0")]  # type: ignore[misc]
    assert [size_of(address) for address in addresses] == [4, 16]
    assert [size_of(network) for network in networks] == [1, 2, 0]
    assert isinstance(addresses[0], IP)
    assert isinstance(networks[0], CIDR)


def _row(cost: str, parameters: int = 2) -> Overload:
    """Some overload with this rule and number of parameters."""
    rows = [row for library in LIBRARIES for row in library.overloads]
    return next(row for row in rows if row.cost == cost and len(row.parameters) == parameters)


RULES: list[tuple[str, list[Any], Any, int]] = [
    ("call", [1, 2], 3, 1),
    ("shorter", ["a" * 25, "b" * 35], False, 3),
    ("equals", ["a" * 25, "b" * 35], False, 3),
    ("equals", [quantity.parse("1"), "b" * 35], False, 1),
    ("concatenation", ["a" * 10, "b" * 15], "", 3),
    ("in-list", [1, [1] * 7], True, 7),
    ("affix", ["a" * 64, "b" * 31], True, 4),
    ("affix-of-text", ["a" * 64, "b" * 31], True, 7),
    ("contains", ["a" * 64, "b" * 11], True, 14),
    ("matches", ["a" * 64, "b" * 10], True, 21),
    ("find", ["a" * 64, "b" * 10], "", 21),
    ("matches", ["", "b" * 10], True, 3),
    ("sets-contains", [[1] * 3, [1] * 4], True, 13),
    ("sets-equivalent", [[1] * 3, [1] * 4], True, 25),
    ("flatten", [[[1]] * 5, 2], [1], 21),
    ("flatten", [[[1]] * 5, -1], EvaluationError(""), 16),
    ("flatten-1.36", [[[1]] * 5, -1], EvaluationError(""), 6),
    ("sort-keys", [[1] * 4, [1] * 4], [], 43),
    ("sort-keys-text", [[1] * 4, ["a"] * 4], [], 44),
    ("validate", [5, "a" * 20], NONE, 1),
    ("includes", [[1, "a" * 25], 1], True, 3),
    ("traverse", ["ä" * 25, "a"], 0, 5),
]


@each_row(("rule", "values", "result", "cost"), RULES)
def test_a_rule_charges_by_what_is_there(rule: str, values: list[Any], result: Any, cost: int) -> None:
    assert rule_of((_row(rule),))(values, result) == cost


SINGLE: list[tuple[str, list[Any], Any, int]] = [
    ("parse", ["a" * 15], 1, 2),
    ("parse-twice", ["a" * 15], True, 3),
    ("string-to-bytes", ["ä" * 15], b"", 2),
    ("bytes-to-string", [b"a" * 15], "", 2),
    ("quote", ["a" * 15], "", 2),
    ("transform", ["a" * 25], "", 3),
    ("join", [["a"]], "a" * 11, 3),
    ("traverse", [[1, 2, 3]], 6, 3),
    ("reverse", [[1] * 4], [1] * 4, 15),
    ("range", [5], [0] * 5, 16),
    ("distinct", [[1] * 4], [1], 43),
    ("distinct", [["a"] * 4], ["a"], 44),
    ("distinct", [[]], [], 11),
    ("sort", [[1] * 4], [1] * 4, 43),
    ("sort-text", [[b"a"] * 4], [], 44),
]


@each_row(("rule", "values", "result", "cost"), SINGLE)
def test_a_rule_of_one_value(rule: str, values: list[Any], result: Any, cost: int) -> None:
    assert rule_of((_row(rule, 1),))(values, result) == cost


def test_cel_go_charges_by_the_overload_and_kubernetes_by_the_function() -> None:
    twice = (_row("contains"), _row("contains"))
    assert rule_of(twice)(["a" * 64, "b" * 11], True) == 1
    found = (_row("find"), _row("find"))
    assert rule_of(found)(["a" * 64, "b" * 10], "") == 21
    networks = (_row("contains-ip-text"), _row("contains-ip"))
    assert rule_of(networks)([b"abcde", "b" * 100], True) == 1
