"""Errors of files by their JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema
import pytest

from dractl.scenario.schema import as_list, problems
from dractl.testing.schemas import FORMATS
from tests.rows import each_row

TEXT = {"type": "string", "minLength": 1}
SMALL = {"type": "string", "title": "small letters", "pattern": "^[a-z]+$"}
WHOLE = {"type": "integer", "minimum": 2, "maximum": 5}
CHOICE = {"type": "string", "enum": ["a", "b", "c"]}
FLAG = {"type": "boolean"}
NUMBERS = {"type": "array", "items": {"type": "integer"}, "minItems": 1}
NAMED = {"type": "object", "propertyNames": SMALL, "additionalProperties": {"type": "integer"}}
DOG = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {"name": TEXT, "legs": WHOLE, "tame": FLAG},
}
ONE_OF = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"a": WHOLE, "b": WHOLE, "about": TEXT},
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
}
MANIFEST = {"type": "object", "required": ["apiVersion", "kind"], "properties": {"kind": {"type": "string"}}}
EITHER = {"anyOf": [TEXT, MANIFEST, NUMBERS]}
ANY = "a string, an object with apiVersion and kind or a list"


@each_row(
    ("schema", "value", "expected"),
    [
        (TEXT, "x", []),
        (TEXT, "", [((), "must not be empty")]),
        (TEXT, 1.30, [((), "must be a string, not a number; put it in quotes")]),
        (TEXT, True, [((), "must be a string, not true or false; put it in quotes")]),
        (TEXT, None, [((), "must be a string, not null")]),
        (CHOICE, "b", []),
        (CHOICE, "d", [((), "must be a, b or c, not 'd'")]),
        (CHOICE, True, [((), "must be a, b or c, not true or false; put it in quotes")]),
        (SMALL, "X", [((), "must be small letters, not 'X'")]),
        (SMALL, "x\n", [((), "must be small letters, not 'x\\n'")]),
        (WHOLE, 2, []),
        (WHOLE, 1, [((), "must be 2 or more")]),
        (WHOLE, 6, [((), "must be 5 or less")]),
        (WHOLE, True, [((), "must be an integer, not true or false")]),
        (WHOLE, 3.0, [((), "must be an integer, not a number")]),
        (WHOLE, "1", [((), "must be an integer, not a string")]),
        (FLAG, False, []),
        (FLAG, "no", [((), "must be true or false, not a string")]),
        (NUMBERS, [1, "2"], [((1,), "must be an integer, not a string")]),
        (NUMBERS, [], [((), "must not be empty")]),
        (NAMED, {"a": 1}, []),
        (
            NAMED,
            {"A": "1"},
            [(("A",), "must be small letters, not 'A'"), (("A",), "must be an integer, not a string")],
        ),
        (DOG, {"name": "Rex", "legs": 4, "tame": True}, []),
        (DOG, [], [((), "must be a mapping, not a list")]),
        (DOG, "Rex", [((), "must be a mapping, not a string; its fields are name, legs, tame")]),
        (DOG, {}, [((), "name is required")]),
        (DOG, {"name": "Rex", "leg": 3}, [(("leg",), "unknown field 'leg'; did you mean legs?")]),
        (DOG, {"name": "Rex", "zzz": 3}, [(("zzz",), "unknown field 'zzz'; choose from name, legs, tame")]),
        (ONE_OF, {"a": 2}, []),
        (ONE_OF, {"about": "x"}, [((), "requires one of a, b")]),
        (ONE_OF, {"a": 2, "b": 2}, [(("b",), "b and a are mutually exclusive")]),
        (ONE_OF, {"c": 1}, [(("c",), "unknown field 'c'; choose from a, b, about")]),
        (MANIFEST, {"apiVersion": "v1", "kind": "Pod"}, []),
        (
            MANIFEST,
            {"kind": "x"},
            [((), "must be an object with apiVersion and kind; apiVersion is missing")],
        ),
        (EITHER, True, [((), f"must be {ANY}, not true or false; put it in quotes")]),
        (EITHER, "", [((), "must not be empty")]),
        (EITHER, ["x", 1], [((0,), "must be an integer, not a string")]),
    ],
)
def test_an_error_has_its_steps_and_what_is_allowed(schema: Any, value: Any, expected: list[Any]) -> None:
    assert [tuple(problem) for problem in problems({"$defs": {}, **schema}, value)] == expected
    # The library takes 3.0 for an integer, and "$" for a match before a final line break.
    if value not in (3.0, "x\n"):
        assert jsonschema.Draft202012Validator(schema).is_valid(value) is not bool(expected)


def test_a_reference_leads_to_its_definition() -> None:
    schema = {"$defs": {"one": {"$ref": "#/$defs/other"}, "other": WHOLE}, "items": {"$ref": "#/$defs/one"}}
    assert [tuple(problem) for problem in problems(schema, [1])] == [((0,), "must be 2 or more")]


def test_errors_are_found_one_by_one() -> None:
    found = problems({"$defs": {}, "anyOf": [TEXT, NUMBERS]}, ["x"] * 10_000_000)
    assert next(found).steps == (0,)


def _parts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Each schema within a schema of the package."""
    if isinstance(value, list):
        for item in value:
            yield from _parts(item)
    elif isinstance(value, dict):
        yield value
        for name, item in value.items():
            yield from (
                (part for inner in item.values() for part in _parts(inner))
                if name in ("properties", "$defs")
                else _parts(item)
            )


KNOWN = {
    *("$schema", "$defs", "$ref", "title", "description", "type", "properties", "additionalProperties"),
    *("propertyNames", "required", "items", "minItems", "minLength", "minimum", "maximum", "enum", "pattern"),
    *("anyOf", "oneOf"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_schemas_keep_to_what_messages_are_made_of(name: str) -> None:
    for part in _parts(FORMATS[name]):
        assert part.keys() <= KNOWN
        assert "title" in part or "pattern" not in part
        if "type" in part and "$schema" not in part:
            assert next(key for key in part if key != "description") == "type"
        for choice in part.get("oneOf", ()):
            assert list(choice) == ["required"]
            assert len(choice["required"]) == 1


def test_one_is_a_list_of_one() -> None:
    assert as_list("a") == ["a"]
    assert as_list(["a", "b"]) == ["a", "b"]
