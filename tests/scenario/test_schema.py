"""The shapes of file formats."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from dractl.scenario.schema import (
    Either,
    Field,
    Flag,
    ListOf,
    Manifest,
    MapOf,
    Record,
    Shape,
    Text,
    Whole,
    as_list,
    check,
    document_schema,
    one_or_more,
)

DOG = Record(
    Field("name", Text(), "Its name.", required=True),
    Field("legs", Whole(1), "How many."),
    Field("tame", Flag(), "Whether it bites."),
)
CHOICE = Record(Field("a", Whole(), "A."), Field("b", Whole(), "B."), one_of=("a", "b"))


@pytest.mark.parametrize(
    ("shape", "value", "expected"),
    [
        (Text(), "x", []),
        (Text(), "", [((), "must not be empty")]),
        (Text(), 1.30, [((), "must be a string, not a number; put it in quotes")]),
        (Text(), True, [((), "must be a string, not true or false; put it in quotes")]),
        (Text(), None, [((), "must be a string, not null")]),
        (Text(choices=("a", "b")), "b", []),
        (Text(choices=("a", "b", "c")), "d", [((), "must be a, b or c, not 'd'")]),
        (Text(pattern="[a-z]+", form="small letters"), "X", [((), "must be small letters, not 'X'")]),
        (Text(pattern="[a-z]+", form="small letters"), "x\n", [((), "must be small letters, not 'x\\n'")]),
        (Whole(), 0, []),
        (Whole(2), 1, [((), "must be 2 or more")]),
        (Whole(), True, [((), "must be an integer, not true or false")]),
        (Whole(), "1", [((), "must be an integer, not a string")]),
        (Flag(), False, []),
        (Flag(), "no", [((), "must be true or false, not a string")]),
        (ListOf(Whole()), [1, "2"], [((1,), "must be an integer, not a string")]),
        (ListOf(Whole()), [], [((), "must not be empty")]),
        (ListOf(Whole(), least=0), [], []),
        (MapOf(Whole(), key="[a-z]+", form="small letters"), {"a": 1}, []),
        (
            MapOf(Whole(), key="[a-z]+", form="small letters"),
            {"A": "1"},
            [(("A",), "must be small letters"), (("A",), "must be an integer, not a string")],
        ),
        (DOG, {"name": "Rex", "legs": 4, "tame": True}, []),
        (DOG, [], [((), "must be a mapping, not a list")]),
        (DOG, {}, [((), "name is required")]),
        (DOG, {"name": "Rex", "leg": 3}, [(("leg",), "unknown field 'leg'; did you mean legs?")]),
        (DOG, {"name": "Rex", "zzz": 3}, [(("zzz",), "unknown field 'zzz'; choose from name, legs, tame")]),
        (CHOICE, {"a": 1}, []),
        (CHOICE, {}, [((), "requires one of a, b")]),
        (CHOICE, {"a": 1, "b": 2}, [(("b",), "b and a are mutually exclusive")]),
        (Manifest(), {"apiVersion": "v1", "kind": "Pod"}, []),
        (
            Manifest(),
            {"kind": 1, "apiVersion": "v1"},
            [((), "must be an object with apiVersion and kind; kind is missing")],
        ),
        (Either(Text(), Whole()), [], [((), "must be a string or an integer, not a list")]),
        (Either(Text(), ListOf(Whole())), ["x"], [((0,), "must be an integer, not a string")]),
        (one_or_more(Whole()), 3, []),
    ],
)
def test_what_is_wrong_is_said_at_its_place(shape: Shape, value: Any, expected: list[Any]) -> None:
    assert [tuple(problem) for problem in check(shape, value)] == expected
    schema = document_schema("what is checked", shape)
    jsonschema.Draft202012Validator.check_schema(schema)
    # A pattern of JSON Schema is searched for, and its end is before a final line break, too.
    if value != "x\n":
        assert jsonschema.Draft202012Validator(schema).is_valid(value) is not bool(expected)


def test_an_unknown_field_is_not_also_a_missing_word() -> None:
    assert [problem.message for problem in check(CHOICE, {"c": 1})] == ["unknown field 'c'; choose from a, b"]


def test_one_is_a_list_of_one() -> None:
    assert as_list("a") == ["a"]
    assert as_list(["a", "b"]) == ["a", "b"]


def test_a_schema_tells_what_fields_are_for() -> None:
    assert DOG.schema()["properties"]["legs"] == {"description": "How many.", "type": "integer", "minimum": 1}
    assert document_schema("A dog", DOG)["title"] == "A dog"


def test_a_whole_number_may_have_a_largest() -> None:
    shape = Whole(most=5)
    assert [list(check(shape, value)) for value in (5, 6)] == [[], [((), "must be 5 or less")]]
    assert shape.schema() == {"type": "integer", "minimum": 0, "maximum": 5}
