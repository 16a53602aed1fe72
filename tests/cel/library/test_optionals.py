"""Optional values. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ("optional.of(1).hasValue()", True),
    ("optional.none().hasValue()", False),
    ("optional.of(1).value()", 1),
    ("optional.ofNonZeroValue(0).hasValue()", False),
    ('optional.ofNonZeroValue("a").hasValue()', True),
    ("optional.ofNonZeroValue([]).hasValue()", False),
    ("optional.ofNonZeroValue(null).hasValue()", False),
    ('optional.ofNonZeroValue(duration("0s")).hasValue()', False),
    ("optional.none().or(optional.of(2)).value()", 2),
    ("optional.of(1).or(optional.of(1 / 0)).value()", 1),
    ("optional.none().orValue(3)", 3),
    ("optional.of(1).orValue(1 / 0)", 1),
    ("optional.of(1).optMap(x, x + 1).value()", 2),
    ("optional.none().optMap(x, x + 1).hasValue()", False),
    ("optional.of(1).optFlatMap(x, optional.of(x + 2)).value()", 3),
    ('optional.of({"a": 1}).a.value()', 1),
    ('optional.of({"a": 1})[?"b"].hasValue()', False),
    ('optional.of({"a": 1}).?a.value()', 1),
    ("optional.of(1) == optional.of(1)", True),
    ("optional.of(1) == optional.none()", False),
    ("optional.none() == optional.none()", True),
    ('{"a": optional.of(1)}.a.value()', 1),
]

FAILS: list[str] = [
    "optional.none().value()",
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
