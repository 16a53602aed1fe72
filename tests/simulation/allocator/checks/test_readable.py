"""Attributes as constraints compare them since 1.38."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.checks.readable import readable
from tests.rows import each_row


@each_row(
    ("attribute", "expected"),
    [
        ({"string": "a"}, {"string": "a"}),
        ({"bool": False}, {"bool": False}),
        ({"version": "1.2.3+a"}, {"version": "1.2.3"}),
        ({"version": "1.2.3-rc.1+a"}, {"version": "1.2.3-rc.1"}),
        ({"version": "1.99999999999999999999.0"}, None),
        ({"version": "one"}, None),
        ({"int": 1, "ints": [2]}, {"int": 1}),
        ({}, None),
        ({"ints": []}, None),
        ({"ints": [1, 2]}, {"ints": [1, 2]}),
        ({"versions": ["1.0.0+a", "2.0.0"]}, {"versions": ["1.0.0", "2.0.0"]}),
        ({"versions": ["1.0.0", "one"]}, None),
    ],
)
def test_what_is_compared(attribute: dict[str, Any], expected: dict[str, Any] | None) -> None:
    assert readable(attribute, lists=True) == expected


def test_a_list_is_not_compared_where_lists_are_off() -> None:
    assert readable({"ints": [1]}, lists=False) is None
    assert readable({"int": 1, "ints": [1]}, lists=False) == {"int": 1}
