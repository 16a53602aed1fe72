"""``format()`` of strings. What is written, and what is refused, is what the real evaluator says."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dractl.api import quantity
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.times import timestamp_of
from dractl.cel.common.tree import ListNode, Literal, MapNode
from dractl.cel.common.types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    NULL,
    QUANTITY,
    STRING,
    UINT,
    Type,
    list_of,
    map_of,
)
from dractl.cel.common.values import BOOL_KEYS, Duration, OddKey, Optional, Timestamp, Uint
from dractl.cel.library.formatting import Clause, clauses_of, formatted, takes
from tests.rows import each_row

GIVES: list[tuple[str, Any, str]] = [
    ("%s", 1, "1"),
    ("%s", -7, "-7"),
    ("%s", 9223372036854775807, "9223372036854775807"),
    ("%s", Uint(1), "1"),
    ("%s", 1.5, "1.5"),
    ("%s", -0.0, "-0"),
    ("%s", 1e21, "1e+21"),
    ("%s", 1234567.891, "1.234567891e+06"),
    ("%s", 0.000001, "1e-06"),
    ("%s", math.inf, "+Inf"),
    ("%s", -math.inf, "-Inf"),
    ("%s", math.nan, "NaN"),
    ("%s", True, "true"),
    ("%s", False, "false"),
    ("%s", None, "null"),
    ("%s", 'é"', 'é"'),
    ("%s", "", ""),
    ("%s", "NaN", "NaN"),
    ("%s", "Infinity", "Infinity"),
    ("%s", "-Infinity", "-Infinity"),
    ("%s", b"ab", "ab"),
    ("%s", [1, 2], "[1, 2]"),
    ("%s", [], "[]"),
    ("%s", ["a", "b"], '["a", "b"]'),
    ("%s", [1.5, 2.0], "[1.500000, 2.000000]"),
    ("%s", [True], "[true]"),
    ("%s", [[1], []], "[[1], []]"),
    ("%s", {"b": 1, "a": 2}, '{"a":2, "b":1}'),
    ("%s", {1: "x"}, '{1:"x"}'),
    ("%s", {BOOL_KEYS[True]: 1.5}, "{true:1.500000}"),
    ("%s", {Uint(1): 1}, "{1:1}"),
    ("%s", {"a": {"b": []}}, '{"a":{"b":[]}}'),
    ("%s", timestamp_of("2026-01-31T12:30:45.5+05:30"), "2026-01-31T12:30:45.5+05:30"),
    ("%s", Duration(90500000000), "90.5s"),
    (
        "%s",
        [Timestamp(0), Timestamp(10**9)],
        '[timestamp("1970-01-01T00:00:00Z"), timestamp("1970-01-01T00:00:01Z")]',
    ),
    ("%s", [Duration(10**9)], '[duration("1s")]'),
    ("%s", [b"a"], '[b"a"]'),
    ("%s", ["\n\t\\\u200b\a\u00e9\U0001f600"], '["\\n\\t\\\\\\u200b\\aé😀"]'),
    ("%s", INT, "int"),
    ("%d", 1, "1"),
    ("%d", -7, "-7"),
    ("%d", 9223372036854775807, "9223372036854775807"),
    ("%d", Uint(1), "1"),
    ("%f", 1.5, "1.500000"),
    ("%f", -0.0, "0.000000"),
    ("%f", 1e21, "1,000,000,000,000,000,000,000.000000"),
    ("%f", 1234567.891, "1,234,567.891000"),
    ("%f", 0.000001, "0.000001"),
    ("%f", math.inf, "∞"),
    ("%f", -math.inf, "-∞"),
    ("%f", math.nan, "NaN"),
    ("%f", "NaN", "NaN"),
    ("%f", "Infinity", "∞"),
    ("%f", "-Infinity", "-∞"),
    ("%e", 1.5, "1.500000×10⁰⁰"),
    ("%e", -0.0, "0.000000×10⁰⁰"),
    ("%e", 1e21, "1.000000×10²¹"),
    ("%e", 1234567.891, "1.234568×10⁰⁶"),
    ("%e", 0.000001, "1.000000×10⁻⁰⁶"),
    ("%e", math.inf, "     ∞"),
    ("%e", -math.inf, "    -∞"),
    ("%e", math.nan, "   NaN"),
    ("%e", "NaN", "   NaN"),
    ("%e", "Infinity", "     ∞"),
    ("%e", "-Infinity", "    -∞"),
    ("%b", 1, "1"),
    ("%b", -7, "-111"),
    ("%b", 9223372036854775807, "111111111111111111111111111111111111111111111111111111111111111"),
    ("%b", Uint(1), "1"),
    ("%b", True, "1"),
    ("%b", False, "0"),
    ("%x", 1, "1"),
    ("%x", -7, "-7"),
    ("%x", 9223372036854775807, "7fffffffffffffff"),
    ("%x", Uint(1), "1"),
    ("%x", 'é"', "c3a922"),
    ("%x", "", ""),
    ("%x", "NaN", "4e614e"),
    ("%x", "Infinity", "496e66696e697479"),
    ("%x", "-Infinity", "2d496e66696e697479"),
    ("%x", b"ab", "6162"),
    ("%x", b"\xff", "ff"),
    ("%X", 1, "1"),
    ("%X", -7, "-7"),
    ("%X", 9223372036854775807, "7FFFFFFFFFFFFFFF"),
    ("%X", Uint(1), "1"),
    ("%X", 'é"', "C3A922"),
    ("%X", "", ""),
    ("%X", "NaN", "4E614E"),
    ("%X", "Infinity", "496E66696E697479"),
    ("%X", "-Infinity", "2D496E66696E697479"),
    ("%X", b"ab", "6162"),
    ("%X", b"\xff", "FF"),
    ("%o", 1, "1"),
    ("%o", -7, "-7"),
    ("%o", 9223372036854775807, "777777777777777777777"),
    ("%o", Uint(1), "1"),
]

FAILS: list[tuple[str, Any]] = [
    ("%s", b"\xff"),
    ("%s", {OddKey(1.5): 1}),
    ("%s", quantity.parse("1")),
    ("%s", Optional(1)),
    ("%d", 1.5),
    ("%d", True),
    ("%d", None),
    ("%d", ""),
    ("%d", b"\xff"),
    ("%d", [1, 2]),
    ("%d", {"b": 1, "a": 2}),
    ("%d", {OddKey(1.5): 1}),
    ("%d", Duration(90500000000)),
    ("%d", INT),
    ("%d", quantity.parse("1")),
    ("%d", Optional(1)),
    ("%f", 1),
    ("%f", True),
    ("%f", None),
    ("%f", ""),
    ("%f", b"\xff"),
    ("%f", [1, 2]),
    ("%f", {"b": 1, "a": 2}),
    ("%f", {OddKey(1.5): 1}),
    ("%f", Duration(90500000000)),
    ("%f", INT),
    ("%f", quantity.parse("1")),
    ("%f", Optional(1)),
    ("%e", 1),
    ("%e", True),
    ("%e", None),
    ("%e", ""),
    ("%e", b"\xff"),
    ("%e", [1, 2]),
    ("%e", {"b": 1, "a": 2}),
    ("%e", {OddKey(1.5): 1}),
    ("%e", Duration(90500000000)),
    ("%e", INT),
    ("%e", quantity.parse("1")),
    ("%e", Optional(1)),
    ("%b", 1.5),
    ("%b", None),
    ("%b", ""),
    ("%b", b"\xff"),
    ("%b", [1, 2]),
    ("%b", {"b": 1, "a": 2}),
    ("%b", {OddKey(1.5): 1}),
    ("%b", Duration(90500000000)),
    ("%b", INT),
    ("%b", quantity.parse("1")),
    ("%b", Optional(1)),
    ("%x", 1.5),
    ("%x", True),
    ("%x", None),
    ("%x", [1, 2]),
    ("%x", {"b": 1, "a": 2}),
    ("%x", {OddKey(1.5): 1}),
    ("%x", Duration(90500000000)),
    ("%x", INT),
    ("%x", quantity.parse("1")),
    ("%x", Optional(1)),
    ("%X", 1.5),
    ("%X", True),
    ("%X", None),
    ("%X", [1, 2]),
    ("%X", {"b": 1, "a": 2}),
    ("%X", {OddKey(1.5): 1}),
    ("%X", Duration(90500000000)),
    ("%X", INT),
    ("%X", quantity.parse("1")),
    ("%X", Optional(1)),
    ("%o", 1.5),
    ("%o", True),
    ("%o", None),
    ("%o", ""),
    ("%o", b"\xff"),
    ("%o", [1, 2]),
    ("%o", {"b": 1, "a": 2}),
    ("%o", {OddKey(1.5): 1}),
    ("%o", Duration(90500000000)),
    ("%o", INT),
    ("%o", quantity.parse("1")),
    ("%o", Optional(1)),
]

TEMPLATES: list[tuple[str, list[Any], str]] = [
    ("", [], ""),
    ("a", [], "a"),
    ("100%%", [], "100%"),
    ("%%%s", ["a"], "%a"),
    ("%s-%s", ["a", "b"], "a-b"),
    ("%s", ["a", "b"], "a"),
    ("%.2f", [2.005], "2.00"),
    ("%.0f", [2.5], "2"),
    ("%.3f", [-1234.5678], "-1,234.568"),
    ("%.256f", [0.1], "0.1000000000000000055511151231257827021181583404541015625"),
    ("%.300f", [1.5], "1.50000000000000000000000000000000000000000000"),
    ("%.3e", [1234.5678], "1.234568×10⁰³"),
    ("%.20e", [1.5], "       1.500000×10⁰⁰"),
    ("%.2s", ["abc"], "abc"),
    ("%.2d", [7], "7"),
    ("%.99999999999f", [1.5], "%!(NOVERB)"),
    ("%.10000010f", [1.5], "%!(NOVERB)"),
    ("%s%%%d%%", ["a", 1], "a%1%"),
]

BAD_TEMPLATES: list[tuple[str, list[Any]]] = [
    ("%.f", [1.5]),
    ("%.e", [1.5]),
    ("%5d", [7]),
    ("%", []),
    ("%q", ["a"]),
    ("%s", []),
    ("%s %d", ["a"]),
    ("a%", []),
    ("%.", []),
    ("%.9", [1.5]),
    ("%é", [1]),
]


@each_row(("template", "value", "text"), GIVES)
def test_a_clause_writes_a_value(template: str, value: Any, text: str) -> None:
    assert formatted(template, [value]) == text


@each_row(("template", "value"), FAILS)
def test_a_clause_refuses_other_values(template: str, value: Any) -> None:
    with pytest.raises(EvaluationError):
        formatted(template, [value])


@each_row(("template", "values", "text"), TEMPLATES)
def test_a_template_is_filled_in(template: str, values: list[Any], text: str) -> None:
    assert formatted(template, values) == text


@each_row(("template", "values"), BAD_TEMPLATES)
def test_a_bad_template_is_an_error(template: str, values: list[Any]) -> None:
    with pytest.raises(EvaluationError):
        formatted(template, values)


def test_a_width_beyond_our_limit_is_an_error() -> None:
    assert len(formatted("%.1000e", [1.5])) == 1000
    with pytest.raises(EvaluationError, match="at most 1000 characters"):
        formatted("%.1001e", [1.5])


def test_a_template_is_taken_apart() -> None:
    assert clauses_of("a%sb%.2f%%") == ["a", Clause("s", None), "b", Clause("f", 2), "", "%"]
    assert clauses_of("") == []


def _node(found: Type) -> Literal:
    node = Literal(0, None)
    node.type = found
    return node


TAKEN = {
    "s": [BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, DYN, list_of(INT), map_of(STRING, INT)],
    "d": [INT, UINT, DYN],
    "f": [DOUBLE, STRING, DYN],
    "e": [DOUBLE, STRING, DYN],
    "b": [INT, UINT, BOOL, DYN],
    "x": [INT, UINT, STRING, BYTES, DYN],
    "X": [INT, UINT, STRING, BYTES, DYN],
    "o": [INT, UINT, DYN],
}
"""By the documentation of cel-go's ``ext/strings.go``; the type checker's ``any`` is in none of its lists."""


@each_row("letter", TAKEN)
def test_the_type_check_knows_what_a_clause_takes(letter: str) -> None:
    for found in (BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, DYN, ANY, QUANTITY, list_of(INT)):
        assert takes(Clause(letter, None), _node(found)) is (found in TAKEN[letter])


def test_the_type_check_looks_into_literals() -> None:
    numbers, versions = ListNode(0, [_node(INT)]), ListNode(0, [_node(QUANTITY)])
    numbers.type = versions.type = list_of(DYN)
    assert takes(Clause("s", None), numbers)
    assert not takes(Clause("s", None), versions)
    entries = MapNode(0, [(_node(STRING), _node(QUANTITY))])
    entries.type = map_of(STRING, QUANTITY)
    assert not takes(Clause("s", None), entries)
