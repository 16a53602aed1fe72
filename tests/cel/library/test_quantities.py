"""Functions of quantities. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ('quantity("1.5Gi").isInteger()', False),
    ('quantity("1.5G").isInteger()', True),
    ('quantity("40Gi").asInteger()', 42949672960),
    ('quantity("1500m").asApproximateFloat() == 1.5', True),
    ('isQuantity("1Gi")', True),
    ('isQuantity("1 Gi")', False),
    ('isQuantity("")', False),
    ('sign(quantity("-1"))', -1),
    ('sign(quantity("0"))', 0),
    ('quantity("1Gi").compareTo(quantity("1G"))', 1),
    ('quantity("1").compareTo(quantity("1000m"))', 0),
    ('quantity("1").isLessThan(quantity("2"))', True),
    ('quantity("1").isGreaterThan(quantity("2"))', False),
    ('quantity("1").add(quantity("2")).asInteger()', 3),
    ('quantity("5").sub(7).asInteger()', -2),
    ('quantity("1").add(1) == quantity("2")', True),
    ('quantity("2") != quantity("1").add(1)', True),
    ('quantity("40Gi") == quantity("42949672960")', True),
    ('device.capacity["gpu.example.com"].memory == quantity("10Gi")', True),
    ('device.capacity["gpu.example.com"].cores.compareTo(quantity("1.5"))', 0),
]

FAILS: list[str] = [
    'quantity("1.5Gi").asInteger()',
    'quantity("200K").isInteger()',
    'quantity("2") == quantity("1").add(1)',
    'quantity("1").add(1) == quantity("1").add(1)',
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
