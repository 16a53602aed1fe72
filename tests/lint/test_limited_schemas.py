"""JSON Schemas of strangers: each ends soon, is bounded in work, and gives what the library gives."""

from __future__ import annotations

import time
from typing import Any

import pytest
from jsonschema import validators
from referencing.exceptions import Unresolvable

from dractl.lint.limited_schemas import LimitedSchema, TooMuchWorkError, problem_of_schema

pytestmark = pytest.mark.slow

DIALECTS = {
    "3": validators.Draft3Validator,
    "4": validators.Draft4Validator,
    "6": validators.Draft6Validator,
    "7": validators.Draft7Validator,
    "2019": validators.Draft201909Validator,
    "2020": validators.Draft202012Validator,
}
NEW = validators.Draft202012Validator


def _doubled(steps: int) -> dict[str, Any]:
    """A schema that refers twice to the next one, which takes two to the power of ``steps``."""
    parts: dict[str, Any] = {f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(steps)}
    return {"$ref": "#/$defs/a0", "$defs": {**parts, f"a{steps}": {}}}


def _dependent(steps: int) -> dict[str, Any]:
    parts: dict[str, Any] = {
        f"a{n}": {"dependentSchemas": {name: {"$ref": f"#/$defs/a{n + 1}"} for name in "xy"}}
        for n in range(steps)
    }
    return {"unevaluatedProperties": False, "$ref": "#/$defs/a0", "$defs": {**parts, f"a{steps}": {}}}


def _errors(schema: Any, instance: Any, dialect: Any = NEW) -> list[str]:
    started = time.process_time()
    try:
        return [error.message for error in LimitedSchema(dialect, schema).errors(instance)]
    finally:
        assert time.process_time() - started < 20


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"s": {"pattern": "^(a+)+$"}}},
        {
            "patternProperties": {"^(s+)+$": {"type": "integer"}},
            "additionalProperties": {"pattern": "^(a|a)*$"},
        },
        {"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"s": {"pattern": "^(a+)+$"}}},
        {"properties": {"s": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a+)+$"}}},
    ],
)
def test_patterns_take_linear_time(name: str, schema: dict[str, Any]) -> None:
    dialect = DIALECTS[name]
    assert problem_of_schema(dialect, schema) is None
    assert _errors(schema, {"s": "a" * 2000 + "!"}, dialect)


@pytest.mark.parametrize(
    "schema",
    [
        {"unevaluatedProperties": False, "patternProperties": {"^(s+)+$": {}}},
        {"additionalProperties": False, "patternProperties": {"^(s+)+$": {}}},
        {"propertyNames": {"pattern": "^(s+)+$"}},
    ],
)
def test_patterns_of_names_take_linear_time(schema: dict[str, Any]) -> None:
    assert len(_errors(schema, {"s" * 2000 + "!": 1, "ss": 2})) == 1


@pytest.mark.parametrize(
    ("pattern", "part"),
    [("(?=a)b", "look-around"), (r"(a)\1", "back reference"), ("(" * 3000, "nested more than")],
)
def test_a_pattern_that_re2_lacks_makes_the_schema_unusable(pattern: str, part: str) -> None:
    found = problem_of_schema(NEW, {"properties": {"s": {"pattern": pattern}}})
    assert found is not None
    assert list(found.absolute_path) == ["properties", "s", "pattern"]
    assert part in str(found.cause)


@pytest.mark.parametrize(
    ("items", "unique"),
    [
        ([1, True, "1", None, 0, False], True),
        ([1, 1.0], False),
        ([{"a": [1, 2]}, {"a": [1, 2.0]}], False),
        ([[1], [True], {"a": 1}, {"a": True}], True),
        ([{"a": 1, "b": 2}, {"b": 2, "a": 1}], False),
        ([{"a": n} for n in range(100_000)], True),
    ],
)
def test_unique_items_are_found_by_hashing(items: list[Any], *, unique: bool) -> None:
    assert (not _errors({"uniqueItems": True}, items)) is unique


@pytest.mark.parametrize(
    ("schema", "instance"),
    [
        (_doubled(40), {}),
        (_dependent(40), {"x": 1, "y": 2}),
        ({"items": {"type": "string"}}, [[1] * 1000] * 10_000),
        ({"items": {"enum": list(range(2000))}}, list(range(5000))),
    ],
)
def test_work_is_bounded(schema: dict[str, Any], instance: Any) -> None:
    with pytest.raises(TooMuchWorkError):
        _errors(schema, instance)


def test_the_check_of_a_schema_is_bounded() -> None:
    schema = {"allOf": [{"properties": {f"p{n}": {"type": "string"}}} for n in range(20_000)]}
    with pytest.raises(TooMuchWorkError):
        problem_of_schema(NEW, schema)


@pytest.mark.parametrize(
    ("schema", "dialect"),
    [
        ({"$ref": "#"}, "2020"),
        ({"if": {"$recursiveRef": "#"}}, "2019"),
        ({"$dynamicRef": "#"}, "2020"),
        ({"unevaluatedProperties": {}, "dependentSchemas": {"a": {"$ref": "#"}}}, "2020"),
    ],
)
def test_endless_references_end_before_the_stack_does(
    schema: dict[str, Any], dialect: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RecursionError):
        _errors(schema, {"a": 1}, DIALECTS[dialect])
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("reference", ["https://example.com/s.json", "#nowhere", "file:///etc/passwd"])
def test_nothing_is_fetched(reference: str) -> None:
    with pytest.raises(Unresolvable):
        _errors({"$ref": reference}, {})


@pytest.mark.parametrize(
    ("multiple", "instance", "fits"),
    [
        (0.5, 10**400, True),
        (1e-320, 1e308, False),
        (7, 1e308, False),
        (10**400, 1.5, False),
        (0.1, float("inf"), False),
        (3, float("nan"), False),
        (2, 4, True),
        (2, 5, False),
    ],
)
def test_multiples_of_any_size(multiple: float, instance: float, *, fits: bool) -> None:
    assert (not _errors({"multipleOf": multiple}, instance)) is fits


@pytest.mark.parametrize("schema", [True, False])
def test_a_schema_may_be_a_bool(schema: Any) -> None:
    assert problem_of_schema(NEW, schema) is None
    assert (not _errors(schema, {})) is schema


SCHEMAS: list[Any] = [
    {"oneOf": [{"type": "object"}, {"required": ["a"]}, {"minProperties": 1}]},
    {"anyOf": [{"properties": {"a": {"const": 1}}}, {"not": {}}]},
    {"unevaluatedProperties": False, "allOf": [{"properties": {"a": {}}}, {"patternProperties": {"^b": {}}}]},
    {"properties": {"a": {"items": {"maximum": 2}, "contains": {"const": 9}}}, "additionalProperties": False},
    {"if": {"required": ["a"]}, "then": {"maxProperties": 1}, "else": {"minProperties": 5}},
    {"dependentRequired": {"a": ["z"]}, "propertyNames": {"maxLength": 1}},
]


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("instance", [{}, {"a": 1}, {"a": [1, 2, 3], "bb": 2}, {"a": 1, "c": 3}, [1, 1]])
def test_the_errors_are_those_of_the_library(schema: Any, instance: Any) -> None:
    assert _errors(schema, instance) == [error.message for error in NEW(schema).iter_errors(instance)]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_errors_come_in_the_order_of_the_properties(dialect: Any) -> None:
    names = [f"p{n}" for n in range(30)]
    schema = LimitedSchema(dialect, {"additionalProperties": {"type": "string"}})
    found = [error.absolute_path[0] for error in schema.errors(dict.fromkeys(names, 5))]
    assert found == names


def test_the_first_problem_of_a_schema_is_the_same_in_every_process() -> None:
    problem = problem_of_schema(NEW, {"$defs": {f"d{n}": {"type": n} for n in range(30)}})
    assert problem is not None
    assert list(problem.absolute_path) == ["$defs", "d0", "type"]
