from __future__ import annotations

from typing import Any

import pytest

from dractl.api.edits import (
    Box,
    Deduplicate,
    Delist,
    Drop,
    Edit,
    Enclose,
    Enlist,
    Raise,
    Rename,
    Replace,
    Unbox,
    Unfold,
    apply,
    in_order,
)
from tests.rows import each_row


def _after(value: Any, *edits: Edit) -> Any:
    apply(value, edits)
    return value


@each_row(
    ("edit", "expected"),
    [
        (Replace(("a",), "new"), {"a": "new", "b": {"c": 1}}),
        (Drop(("b", "c")), {"a": "x", "b": {}}),
        (Box(("b", "c"), "value"), {"a": "x", "b": {"c": {"value": 1}}}),
        (Unbox(("b",), "c"), {"a": "x", "b": 1}),
        (Unbox(("b",), "other"), {"a": "x", "b": None}),
        (Enclose((), "in", ("a",)), {"b": {"c": 1}, "in": {"a": "x"}}),
        (Enclose(("b",), "in", ()), {"a": "x", "b": {"c": 1, "in": {}}}),
        (Enclose((), "b", ("a",)), {"b": {"c": 1, "a": "x"}}),
        (Unfold((), "b"), {"a": "x", "c": 1}),
        (Raise((), "b", ("c",)), {"a": "x", "b": {}, "c": 1}),
        (Enlist(("b",)), {"a": "x", "b": [{"c": 1}]}),
        (Rename(("a",), "z"), {"z": "x", "b": {"c": 1}}),
        (Deduplicate(("a",)), {"a": "x", "b": {"c": 1}}),
    ],
)
def test_one_edit(edit: Edit, expected: dict[str, Any]) -> None:
    assert _after({"a": "x", "b": {"c": 1}}, edit) == expected


def test_values_change_before_the_structure_around_them() -> None:
    edits: list[Edit] = [Unfold(("d", 0), "basic"), Box(("d", 0, "basic", "m"), "value")]
    assert in_order(edits) == ([edits[1]], [edits[0]], [])
    assert _after({"d": [{"basic": {"m": "1Gi"}}]}, *edits) == {"d": [{"m": {"value": "1Gi"}}]}


def test_names_change_last_and_the_innermost_first() -> None:
    edits: list[Edit] = [Rename(("A",), "a"), Rename(("A", "B"), "b"), Replace(("A", "B"), 2)]
    assert in_order(edits) == ([edits[2]], [], [edits[1], edits[0]])
    assert _after({"A": {"B": 1}}, *edits) == {"a": {"b": 2}}


def test_the_only_item_takes_the_place_of_its_list() -> None:
    assert _after({"a": [{"b": 1}]}, Delist(("a",))) == {"a": {"b": 1}}


def test_what_is_enclosed_comes_after_the_rest() -> None:
    assert list(
        _after({"count": 1, "name": "a", "mode": "b"}, Enclose((), "exactly", ("count", "mode")))
    ) == [
        "name",
        "exactly",
    ]


def test_an_object_in_two_places_changes_once() -> None:
    shared = {"name": "a", "count": 1}
    edits = [Enclose((position,), "exactly", ("count",)) for position in (0, 1)]
    assert _after([shared, shared], *edits)[1] == {"name": "a", "exactly": {"count": 1}}


def test_an_empty_wrapper_leaves_nothing() -> None:
    assert _after({"name": "a", "basic": None}, Unfold((), "basic")) == {"name": "a"}


@pytest.mark.parametrize("steps", [("x",), ("l", 3), ("l", "x")])
def test_steps_that_lead_nowhere_are_refused(steps: tuple[Any, ...]) -> None:
    with pytest.raises((KeyError, IndexError, TypeError)):
        apply({"l": []}, [Drop((*steps, "y"))])
