"""Searching with regular expressions. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

GIVES: list[tuple[str, Any]] = [
    ('"abc".matches("b")', True),
    ('"abc".matches("^b")', False),
    ('"A100".matches("^A[0-9]+$")', True),
    ('"a\\n".matches("a$")', False),
    ('"abc".find("[bc]+")', "bc"),
    ('"abc".find("x")', ""),
    ('"a1b22".findAll("[0-9]+")', ["1", "22"]),
    ('"aaa".findAll("a", 2)', ["a", "a"]),
    ('"aaa".findAll("a", 0)', []),
    ('"aba".findAll("b*")', ["", "b", ""]),
    ('"aab".find("a+?")', "a"),
    ('"foobar".find("foo|foobar")', "foo"),
    ('"KELVIN".matches("(?i)kelvin")', True),
    ('"\\u212a".matches("(?i)k")', True),
    ('"a.b".matches("\\\\Qa.b\\\\E")', True),
]


@pytest.mark.parametrize(("expression", "expected"), GIVES)
def test_what_it_gives(value_of: Callable[[str], Any], expression: str, expected: Any) -> None:
    value = value_of(expression)
    assert value == expected
    assert isinstance(value, bool) == isinstance(expected, bool)
