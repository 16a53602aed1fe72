"""Functions of lists and sets. The expected values are those of the real evaluator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dractl.cel.compile import CelError

GIVES: list[tuple[str, Any]] = [
    ("[3, 1, 2].sort()", [1, 2, 3]),
    ('["b", "a"].sort()', ["a", "b"]),
    ("[].sort() == []", True),
    ("[3, 1, 2].sortBy(x, -x)", [3, 2, 1]),
    ('["bb", "a"].sortBy(x, x.size())', ["a", "bb"]),
    ("[1, 2, 1].distinct()", [1, 2]),
    ("[1, 2, 3].reverse()", [3, 2, 1]),
    ("[1, 2, 3].slice(1, 2)", [2]),
    ("[[1], [2, 3]].flatten()", [1, 2, 3]),
    ("[[1], [2]].flatten(0).size()", 2),
    ("lists.range(3)", [0, 1, 2]),
    ("lists.range(0)", []),
    ("[1, 2, 3].first().value()", 1),
    ("[1, 2, 3].last().value()", 3),
    ("[].first().hasValue()", False),
    ("[1, 2].isSorted()", True),
    ("[2, 1].isSorted()", False),
    ("[].isSorted()", True),
    ('["a", "b"].isSorted()', True),
    ("[1, 2, 3].sum()", 6),
    ("[1.5, 2.0].sum() == 3.5", True),
    ('[duration("1s"), duration("2s")].sum() == duration("3s")', True),
    ("[3, 1, 2].max()", 3),
    ("[3, 1, 2].min()", 1),
    ('["b", "a"].max()', "b"),
    ("[1, 2, 1].indexOf(1)", 0),
    ("[1, 2, 1].lastIndexOf(1)", 2),
    ("[1, 2].indexOf(5)", -1),
    ("[1, 2].includes(2)", True),
    ('[1, 2].includes("a")', False),
    ('"a".includes("a")', True),
    ('device.attributes["gpu.example.com"].links.includes("b")', True),
    ("sets.contains([1, 2, 3], [3, 1])", True),
    ("sets.contains([1], [1, 2])", False),
    ("sets.equivalent([1, 1, 2], [2, 1])", True),
    ("sets.intersects([1, 2], [2, 3])", True),
    ("sets.intersects([1], [])", False),
    ("[1, 2] + [3]", [1, 2, 3]),
    ("1 in [1, 2]", True),
    ("[1] in [[1], [2]]", True),
    ("[1, 2] == [1, 2]", True),
    ("[1, 2] == [2, 1]", False),
    ("[1, 2, 3][1]", 2),
    ("[1, 2, 3][dyn(1.0)]", 2),
    ("optional.unwrap([optional.of(1), optional.none()])", [1]),
    ("[optional.of(1), optional.none()].unwrapOpt()", [1]),
]

FAILS: list[str] = [
    "[1, 2, 3].slice(2, 1)",
    "[1, 2, 3].slice(0, 4)",
    "[1, 2, 3].slice(-1, 2)",
    "[1].flatten(-1).size()",
    "lists.range(-1)",
    "[9223372036854775807, 1].sum()",
    "[1, 2].filter(x, x > 5).max()",
    "[1, 2, 3][dyn(1.5)]",
    "[1, 2, 3][3]",
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
