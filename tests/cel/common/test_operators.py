"""Operators and macros. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.api import quantity, semver
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import compare
from dractl.cel.common.values import Value
from dractl.cel.compile import CelError
from tests.rows import each_row

GIVES: list[tuple[str, Any]] = [
    ("1 + 2", 3),
    ("1 - 2", -1),
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("-7 % 3", -1),
    ("7 % -3", 1),
    ("1.0 / 0.0 > 1e300", True),
    ("0.0 / 0.0 == 0.0 / 0.0", False),
    ('"a" + "b"', "ab"),
    ('"b" > "a"', True),
    ('b"a" < b"b"', True),
    ("false < true", True),
    ("1 < 2.5", True),
    ("1u < 2", True),
    ("2.0 >= 2u", True),
    ("dyn(1) == 1u", True),
    ("dyn(9007199254740993) == 9007199254740992.0", True),
    ("dyn(1) == true", False),
    ('dyn(1) == "1"', False),
    ("null == null", True),
    ("dyn(1) == null", False),
    ("false && dyn(1)", False),
    ("dyn(1) || true", True),
    ("1 / 0 == 1 || true", True),
    ("true || 1 / 0 == 1", True),
    ("1 / 0 == 1 && false", False),
    ("true ? 1 : 1 / 0", 1),
    ('{"a": 1}["a"]', 1),
    ('{1: "x"}[dyn(1.0)]', "x"),
    ('{1: "x"}[dyn(1u)]', "x"),
    ('{true: "x"}[true]', "x"),
    ('{"a": 1, "a": 2}.size()', 1),
    ('"a" in {"a": 1}', True),
    ('[semver("1.0.0")] == [dyn("1.0.0")]', True),
    ("[1, 2, 3].all(x, x > 0)", True),
    ("[1, 2, 3].exists(x, x > 2)", True),
    ("[1, 2, 3].exists_one(x, x > 2)", True),
    ("[1, 2, 3].exists_one(x, x > 1)", False),
    ("[0, 1].exists(x, 1 / x == 1)", True),
    ("[0, 1].all(x, 1 / x == 2)", False),
    ("[1, 2, 3].map(x, x * 2)", [2, 4, 6]),
    ("[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]),
    ("[1, 2, 3].filter(x, x > 1)", [2, 3]),
    ('{"a": 1, "b": 2}.map(k, k).sort()', ["a", "b"]),
    ('{"a": 1}.all(k, k == "a")', True),
    ("[5, 6].all(i, x, i < x)", True),
    ("[5, 6].exists(i, x, i == 1 && x == 6)", True),
    ("[5, 6].existsOne(i, x, x > 5)", True),
    ("[5, 6].transformList(i, x, i + x)", [5, 7]),
    ("[5, 6].transformList(i, x, i > 0, x)", [6]),
    ('{"a": 1}.transformMap(k, v, v + 1).a', 2),
    ('{"a": 1, "b": 2}.transformMap(k, v, v > 1, v).size()', 1),
    ('{"a": 1}.transformMapEntry(k, v, {v: k})[1]', "a"),
    ("cel.bind(x, 2, x * x)", 4),
    ("cel.bind(x, 1 / 0, true)", True),
    ("cel.bind(x, 1, cel.bind(x, 2, x) + x)", 3),
    ("google.protobuf.Int32Value{value: 1} + 1", 2),
    ('google.protobuf.StringValue{} == ""', True),
]

FAILS: list[str] = [
    "9223372036854775807 + 1",
    "-9223372036854775808 - 1",
    "9223372036854775807 * 2",
    "-9223372036854775808 / -1",
    "1 / 0",
    "1 % 0",
    "-(-9223372036854775808)",
    'dyn("1") < 1',
    "dyn(0.0 / 0.0) < 1.0",
    "true && dyn(1)",
    "1 / 0 == 1 && true",
    "1 / 0 == 1 || false",
    "!dyn(1)",
    "dyn(1) ? 1 : 2",
    '{1: "x"}[dyn(true)]',
    '{"a": 1}.b',
    '1 in dyn("1")',
    "[0, 1].all(x, 1 / x == 1)",
    "[0, 1].exists_one(x, 1 / x == 1)",
    "[0].map(x, 1 / x)",
    '{"a": 1, "b": 1}.transformMapEntry(k, v, {v: k}).size()',
    "dyn(5).all(x, true)",
    "cel.bind(x, 1 / 0, x == 1)",
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)


@pytest.mark.parametrize("expression", FAILS)
def test_what_fails(value_of: Callable[[str], Any], expression: str) -> None:
    value = value_of(expression)
    assert isinstance(value, CelError)
    assert value.kind == "runtime"
    assert value.message


@each_row(
    ("left", "right", "message"),
    [
        ("a", 1, "cannot compare a string with an int"),
        (
            semver.parse("1.0.0"),
            "1.0.0",
            'cannot compare a version with a string; write a version as `semver("1.0.0")`',
        ),
        (
            "1Gi",
            quantity.parse("1Gi"),
            'cannot compare a string with a quantity; write a quantity as `quantity("1Gi")`',
        ),
        (None, b"a", "cannot compare null with a bytes value"),
    ],
)
def test_values_without_an_order_are_named_in_plain_words(left: Value, right: Value, message: str) -> None:
    with pytest.raises(EvaluationError) as raised:
        compare(left, right)
    assert raised.value.message == message
