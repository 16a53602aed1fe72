from __future__ import annotations

from typing import Any

from dractl.legacy.prototypes.dialects.shape import (
    BOOL,
    INT,
    QUANTITY,
    STRING,
    MapOf,
    Shape,
    problems,
    stripped,
)
from tests.rows import each_row

SHAPE: Shape = {
    "name": STRING,
    "count": INT,
    "on": BOOL,
    "size": QUANTITY,
    "sizes": MapOf(QUANTITY),
    "parts": [{"name": STRING}],
    "names": [STRING],
}


@each_row(
    ("value", "expected"),
    [
        (
            {"name": "a", "count": 1, "on": True, "size": "1Gi", "sizes": {"x": 2}, "parts": [{"name": "b"}]},
            [],
        ),
        ({"name": None, "parts": None}, []),
        ({"other": 1}, [("unknown", ("other",), "unknown field other")]),
        ({"parts": [{}, {"x": 1}]}, [("unknown", ("parts", 1, "x"), "unknown field x")]),
        ({"name": 1}, [("type", ("name",), "must be a string, not a number")]),
        ({"count": True}, [("type", ("count",), "must be an integer, not true or false")]),
        ({"size": "much"}, [("type", ("size",), "must be a quantity, not a string")]),
        ({"sizes": {"x": []}}, [("type", ("sizes", "x"), "must be a quantity, not a list")]),
        ({"parts": {}}, [("type", ("parts",), "must be a list, not a mapping")]),
        ({"parts": ["a"]}, [("type", ("parts", 0), "must be a mapping, not a string")]),
        ([], [("type", (), "must be a mapping, not a list")]),
    ],
)
def test_what_does_not_fit(value: Any, expected: list[tuple[str, tuple[str | int, ...], str]]) -> None:
    assert [(found.kind, found.steps, found.message) for found in problems(value, SHAPE)] == expected


@each_row(
    ("value", "expected"),
    [
        ({"name": "a", "other": 1, "count": "x"}, {"name": "a"}),
        ({"parts": [{"name": "a"}, "b", {"x": 1}]}, {"parts": [{"name": "a"}, {}, {}]}),
        ({"names": ["a", 1, "b"]}, {"names": ["a", None, "b"]}),
        ({"sizes": {"x": "1", "z": []}}, {"sizes": {"x": "1"}}),
        ({"parts": 1, "sizes": 2}, {}),
        (None, None),
        ("text", None),
    ],
)
def test_what_is_left_of_it(value: Any, expected: Any) -> None:
    assert stripped(value, SHAPE) == expected


def test_an_unknown_field_comes_with_those_that_there_are() -> None:
    (found,) = problems({"nam": 1}, SHAPE)
    assert found.near == ("name", "count", "on", "size", "sizes", "parts", "names")
