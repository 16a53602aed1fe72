"""The grammar: what parses, what does not, and where the error stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError, Selector, compile_selector
from tests.cel.conftest import environment
from tests.rows import each_row

Value = Callable[[str], Any]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 - 2 - 1", 4),
        ("-5 % 3", -2),
        ("--5", 5),
        ("- -5", 5),
        ("!!true", True),
        ("true ? (false ? 1 : 2) : 3", 2),
        ("true || false && false", True),
        ("1 < 2 == true", True),
        ("0x1F", 31),
        ("-0x10", -16),
        ("-9223372036854775808", -(2**63)),
        ("int(1e3)", 1000),
        ("int(.5e1)", 5),
        ("int(12u)", 12),
        ("[1, 2,]", [1, 2]),
        ("[,]", []),
        ("{,}.size()", 0),
        ('{"a": 1,}.a', 1),
        ("[1, 2][1]", 2),
        ("\"a\" + 'b'", "ab"),
        ('"""x\ny"""', "x\ny"),
        ("'''a'b'''", "a'b"),
        ('r"a\\b"', "a\\b"),
        ('R"""a\\"""', "a\\"),
        ('"\\u00e9\\U0001F600\\x41\\101\\n\\?\\`"', "é\U0001f600AA\n?`"),
        ('"""a\r\nb"""', "a\nb"),
        ('size(b"\\xff\\101é")', 4),
        ('string(br"\\x")', "\\x"),
        ("1 // one\n + 1", 2),
        ("device . driver", "gpu.example.com"),
        (".device.driver", "gpu.example.com"),
        ('{"a-b": 1}.`a-b`', 1),
        ('{"in": 1}.`in`', 1),
        ('{"for": 1}.for', 1),
        ("[?optional.of(1), ?optional.none(), 2]", [1, 2]),
        ('{?"a": optional.none(), "b": 2}.size()', 1),
    ],
)
def test_what_parses(value_of: Value, expression: str, expected: Any) -> None:
    assert value_of(expression) == expected


@each_row(
    ("expression", "offset", "part"),
    [
        ("", 0, "found the end of the expression"),
        ("1 +", 3, "expected a value, found the end of the expression"),
        ("1 + \n// why\n", 3, "expected a value, found the end of the expression"),
        (" \n", 0, "found the end of the expression"),
        ("(1", 2, "expected `)`"),
        ("1 2", 2, "found `2`"),
        ("a.b.", 4, "a field name"),
        ("a = b", 2, "unknown operator `=`; use `==`"),
        ("true & false", 5, "use `&&` as"),
        ("true | false", 5, "use `||` as"),
        ('"abc', 0, 'not closed with "'),
        ('"a\\q"', 0, "unknown escape sequence \\q"),
        ('"\\ud800"', 0, "not a Unicode character"),
        ('b"\\u0041"', 0, "not allowed in bytes"),
        ("for == 1", 0, "for is a reserved word"),
        ("in == 1", 0, "found `in`"),
        ("{}.in", 3, "in is a keyword"),
        ("{}.true", 3, "true is a keyword"),
        ("[1,,]", 3, "`,` or `]`"),
        ("size(1,)", 7, "a value"),
        ("{1: 2 3: 4}", 6, "`,` or `}`"),
        ("9223372036854775808", 0, "does not fit into 64 bits"),
        ("18446744073709551616u", 0, "does not fit into 64 bits"),
        ("1e999", 0, "out of range for double"),
        ("1.", 2, "a field name"),
        ("a.?b()", 4, "found `(`"),
        ("`a` == 1", 0, "a value"),
        ("{}.`a", 3, "not closed"),
        ("#", 0, "not with #"),
        ("has(device)", 4, "has(value.field)"),
        ("[1].all(1, true)", 8, "a variable name"),
        ("[1].all(__result__, true)", 8, "__result__ is reserved"),
        ("[1].all(x, x, true)", 11, "both variables have the name x"),
        ("cel.bind(1, 2, 3)", 9, "requires a variable name as first argument"),
        ("optional.of(1).optMap(1, 2)", 22, "requires a variable name as first argument"),
        ("x ? 1", 5, "`:` and an alternative"),
        ("!-x", 2, "expected a number"),
        ("true ? false ? 1 : 2 : 3", 13, "found `?`"),
    ],
)
def test_what_does_not_parse_and_where(expression: str, offset: int, part: str) -> None:
    error = compile_selector(expression, environment())
    assert isinstance(error, CelError)
    assert (error.kind, error.offset) == ("syntax", offset)
    assert part in error.message


@each_row(
    ("expression", "compiles"),
    [
        ("(" * 249 + "true" + ")" * 249, True),
        ("(" * 250 + "true" + ")" * 250, False),
        ("(" * 9000 + "true" + ")" * 9000, False),
        ("+".join(["1"] * 250) + " > 0", True),
        ("+".join(["1"] * 251) + " > 0", False),
        ("1+(" * 124 + "1" + ")" * 124 + " > 0", True),
        ("1+(" * 125 + "1" + ")" * 125 + " > 0", False),
        ("true ? true : " * 249 + "true", True),
        ("true ? true : " * 250 + "true", False),
        ("||".join(["false"] * 2000), True),
        ("!" * 5000 + "true", True),
        ("[" * 249 + "]" * 249 + " == []", True),
        ("[1]" + "[0]" * 251 + " == 1", False),
        ('"' + "\\" * 10_000 + '" == ""', True),
        ('"' + "\\" * 10_001, False),
        ("x" * 100_001, False),
    ],
)
def test_the_limits_of_depth_are_those_of_cel_go(expression: str, compiles: bool) -> None:
    assert isinstance(compile_selector(expression, environment()), Selector) == compiles


def test_quoted_field_names_came_with_1_37() -> None:
    expression = '{"a-b": true}.`a-b`'
    assert isinstance(compile_selector(expression, environment("1.37")), Selector)
    error = compile_selector(expression, environment("1.36"))
    assert isinstance(error, CelError)
    assert error.kind == "syntax"
