"""Objects with one place changed."""

from __future__ import annotations

from dractl.explanation.trials.edits import at, dropped, field, replaced

ITEM = {"spec": {"list": [{"a": 1}, {"a": 2}], "map": {"x": "1"}}}


def test_a_place_is_read_and_replaced_without_touching_the_original() -> None:
    changed = replaced(ITEM, ("spec", "list", 1, "a"), 3)
    assert at(changed, ("spec", "list", 1, "a")) == 3
    assert at(ITEM, ("spec", "list", 1, "a")) == 2
    assert changed["spec"]["map"] is ITEM["spec"]["map"]  # type: ignore[index]


def test_missing_objects_on_the_way_are_made_and_lists_grow_at_the_end() -> None:
    assert replaced({}, ("spec", "a", "b"), 1) == {"spec": {"a": {"b": 1}}}
    longer = replaced(ITEM, ("spec", "list", 2), {"a": 3})
    assert at(longer, ("spec", "list")) == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_what_becomes_empty_goes_as_well() -> None:
    assert dropped({"spec": {"a": {"b": 1}}}, ("spec", "a", "b")) == {}
    assert dropped(ITEM, ("spec", "map", "x")) == {"spec": {"list": [{"a": 1}, {"a": 2}]}}
    assert dropped(ITEM, ("spec", "gone")) == ITEM


def test_a_place_that_is_not_there_is_none() -> None:
    assert at(ITEM, ("spec", "list", 5)) is None
    assert at(ITEM, ("spec", "map", "x", "y")) is None
    assert at(None, ("spec",)) is None


def test_paths_are_those_of_the_api_server() -> None:
    assert field(("spec", "list", 0, "a")) == "spec.list[0].a"
    assert field(("spec", "nodeSelector"), "example.com/zone") == "spec.nodeSelector[example.com/zone]"
