"""Arithmetic within the bounds of CEL's numbers and times."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cel.costs import D

# What the real code of 1.37 says for the device of conftest.py.

ARITHMETIC: list[tuple[str, str]] = [
    ("9223372036854775807 + 1 > 0", "fails"),
    ("-9223372036854775808 - 1 < 0", "fails"),
    ("9223372036854775807 * 2 > 0", "fails"),
    ("-(-9223372036854775808) > 0", "fails"),
    ("1 / 0 == 1", "fails"),
    ("1 % 0 == 1", "fails"),
    ("-7 / 2 == -3", "true"),
    ("-7 % 2 == -1", "true"),
    ("7 % -2 == 1", "true"),
    ("-9223372036854775808 / -1 > 0", "fails"),
    ("-9223372036854775808 % -1 == 0", "fails"),
    ("1u - 2u == 0u", "fails"),
    ("18446744073709551615u + 1u == 0u", "fails"),
    ("18446744073709551615u * 2u == 0u", "fails"),
    ("7u / 2u == 3u", "true"),
    ("7u / 0u == 1u", "fails"),
    ("1.0 / 0.0 > 1e308", "true"),
    ("0.0 / 0.0 == 0.0", "false"),
    ("-0.0 < 0.0", "false"),
    ("1e308 * 10.0 > 1e308", "true"),
    ("'a' + 'b' == 'ab'", "true"),
    ("b'a' + b'b' == b'ab'", "true"),
    ("[1] + [2] == [1, 2]", "true"),
    ("duration('1h') + duration('1m') == duration('61m')", "true"),
    ("timestamp(0) + duration('1s') == timestamp(1)", "true"),
    ("duration('1s') + timestamp(0) == timestamp(1)", "true"),
    ("timestamp(1) - timestamp(0) == duration('1s')", "true"),
    ("timestamp(0) - duration('1s') == timestamp(-1)", "true"),
    ("timestamp('9999-12-31T23:59:59Z') + duration('1s') > timestamp(0)", "fails"),
    ("duration('2562047h') + duration('2562047h') > duration('0')", "fails"),
    (f"{D}.index + 1 == 4", "true"),
    (f"{D}.index + '1' == ''", "fails"),
    (f"{D}.index + 1u == 4u", "fails"),
    (f"-{D}.index == -3", "true"),
    (f"-{D}.model == ''", "fails"),
    ("-1.5 == 0.0 - 1.5", "true"),
]


@pytest.mark.parametrize(("expression", "verdict"), ARITHMETIC)
def test_arithmetic(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict
