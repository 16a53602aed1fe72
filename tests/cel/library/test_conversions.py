"""Conversions between types. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GIVES: list[tuple[str, Any]] = [
    ('int("42")', 42),
    ('int("+5")', 5),
    ("int(-1.9)", -1),
    ("int(5u)", 5),
    ('int(duration("1s"))', 1000000000),
    ('int(timestamp("1970-01-01T00:01:00Z"))', 60),
    ('uint("5") == 5u', True),
    ("uint(1.5) == 1u", True),
    ('double("1e3") == 1000.0', True),
    ('double("1_000") == 1000.0', True),
    ("string(1)", "1"),
    ("string(true)", "true"),
    ("string(1.0)", "1"),
    ("string(1e21)", "1e+21"),
    ("string(123456.0)", "123456"),
    ("string(1234567.0)", "1.234567e+06"),
    ("string(0.00001)", "1e-05"),
    ('string(double("NaN"))', "NaN"),
    ('string(-double("Infinity"))', "-Inf"),
    ("string(5u)", "5"),
    ('string(b"ab")', "ab"),
    ('string(duration("1h1ms"))', "3600.001s"),
    ('string(timestamp("2026-01-31T12:00:00.5+05:30"))', "2026-01-31T12:00:00.5+05:30"),
    ('bool("true")', True),
    ('bool("T")', True),
    ('bytes("é").size()', 2),
    ("type(1) == int", True),
    ('type("a") == type("b")', True),
    ("type([1]) == list", True),
    ("type(type(1)) == type", True),
    ("type(null) == null_type", True),
    ('type(quantity("1")) == type(quantity("2"))', True),
    ("dyn(1) == 1.0", True),
    ('timestamp(0) == timestamp("1970-01-01T00:00:00Z")', True),
    ('duration("1.5h") == duration("90m")', True),
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)
