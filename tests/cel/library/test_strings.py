"""Functions of strings. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ('"abc".charAt(0)', "a"),
    ('"abc".charAt(3)', ""),
    ('"Ünï".charAt(1)', "n"),
    ('"abcabc".indexOf("c")', 2),
    ('"abcabc".indexOf("c", 3)', 5),
    ('"abc".indexOf("")', 0),
    ('"abc".indexOf("", 9)', 3),
    ('"abc".indexOf("x")', -1),
    ('"abcabc".lastIndexOf("b")', 4),
    ('"abcabc".lastIndexOf("b", 3)', 1),
    ('"abc".lastIndexOf("")', 3),
    ('"a".lastIndexOf("abc")', -1),
    ('"".lastIndexOf("", 2)', 0),
    ('["a", "b"].join()', "ab"),
    ('["a", "b"].join("-")', "a-b"),
    ('[].join(",")', ""),
    ('"ÄbC".lowerAscii()', "Äbc"),
    ('"äbC".upperAscii()', "äBC"),
    ('"aXbX".replace("X", "--")', "a--b--"),
    ('"aXbX".replace("X", "-", 1)', "a-bX"),
    ('"ab".replace("", "-")', "-a-b-"),
    ('"aXb".replace("X", "-", 0)', "aXb"),
    ('"aXb".replace("X", "-", -5)', "a-b"),
    ('"a,b,,c".split(",")', ["a", "b", "", "c"]),
    ('"a,b,c".split(",", 2)', ["a", "b,c"]),
    ('"abc".split("")', ["a", "b", "c"]),
    ('"abc".split("", 2)', ["a", "bc"]),
    ('"abc".split(",", 0)', []),
    ('"abc".substring(1)', "bc"),
    ('"abc".substring(3)', ""),
    ('"abc".substring(1, 2)', "b"),
    ('" \\t\\u00a0a b\\u3000\\n".trim()', "a b"),
    ('strings.quote("a\\"b\\n\\\\")', '"a\\"b\\n\\\\"'),
    ('"%s is %d".format(["x", 5])', "x is 5"),
    ('"%s".format([[1, 2]])', "[1, 2]"),
    ('"%s".format([{"b": 1, "a": "x"}])', '{"a":"x", "b":1}'),
    ('"%s %s %s".format([true, null, 1.5])', "true null 1.5"),
    ('"%d".format([-7])', "-7"),
    ('"%f".format([1234567.891])', "1,234,567.891000"),
    ('"%.2f".format([2.005])', "2.00"),
    ('"%e".format([1234.5678])', "1.234568×10⁰³"),
    ('"%b %b".format([5, true])', "101 1"),
    ('"%x %X %x".format([255, 255, "hi"])', "ff FF 6869"),
    ('"%o".format([8])', "10"),
    ('"100%%".format([])', "100%"),
    ('"%s".format([duration("90s")])', "90s"),
    (
        '"%s".format([[timestamp("2026-01-01T00:00:00Z"), duration("1s")]])',
        '[timestamp("2026-01-01T00:00:00Z"), duration("1s")]',
    ),
    ('"%s".format([type(1)])', "int"),
    ('"abc".contains("bc")', True),
    ('"abc".startsWith("ab")', True),
    ('"abc".endsWith("ab")', False),
    ('"abc".size()', 3),
    ('"Ü".size()', 1),
]

FAILS: list[str] = [
    '"abc".charAt(4)',
    '"abc".charAt(-1)',
    '"abc".indexOf("a", -1)',
    '"abc".lastIndexOf("a", -1)',
    '"abc".substring(4)',
    '"abc".substring(2, 1)',
    '"abc".substring(0, 9)',
    '"%d".format([dyn("a")])',
    '"%s".format(dyn([]))',
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
