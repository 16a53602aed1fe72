"""Check files of dractl's own formats against their JSON Schema, with errors that name what is allowed.

The schemas are the JSON files in the ``data`` folders. In each part of them ``type`` comes first, and a
``title`` describes what a pattern matches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dractl.api.path import Steps
from dractl.api.wording import choose_from, did_you_mean, first_few
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from jsonschema import ValidationError

__all__ = ["Problem", "Schema", "as_list", "problems", "read_schema"]

Schema = Mapping[str, Any]


class Problem(NamedTuple):
    """What is wrong with a file, at the steps that lead there."""

    steps: Steps
    message: str


def read_schema(file: Path) -> dict[str, Any]:
    """The JSON Schema in a file of the package."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def as_list(value: Any) -> list[Any]:
    """One value, or a list of them, as a list."""
    return value if isinstance(value, list) else [value]


def problems(schema: Schema, value: Any) -> Iterator[Problem]:
    """What a schema of the package does not allow in plain data; found one by one, as the caller asks."""
    inlined = _inlined(schema, schema["$defs"])
    for error in _validator()(inlined).iter_errors(value):
        yield Problem(tuple(error.absolute_path), error.message)


def _inlined(part: Any, definitions: Schema) -> Any:
    """A schema with its definitions in place of references, so that validation takes a third of the time."""
    if isinstance(part, list):
        return [_inlined(item, definitions) for item in part]
    if not isinstance(part, Mapping):
        return part
    if "$ref" in part:
        return _inlined(definitions[part["$ref"].removeprefix("#/$defs/")], definitions)
    return {name: _inlined(item, definitions) for name, item in part.items() if name != "$defs"}


@cache
def _validator() -> Any:
    """The validator of the jsonschema library, which follows the schema; what it reports is ``_KEYWORDS``.

    The library adds 75 ms of CPU time to a run of 650 ms. fastjsonschema stops at the first error.
    """
    from jsonschema import Draft4Validator, Draft202012Validator
    from jsonschema.validators import extend

    # Since draft 6 the number 3.0 is an integer, too; the simulation needs an int.
    return extend(Draft202012Validator, _KEYWORDS, type_checker=Draft4Validator.TYPE_CHECKER)  # type: ignore[no-untyped-call]


_Errors = Iterator["ValidationError"]


def _error(message: str, *steps: str) -> ValidationError:
    from jsonschema import ValidationError  # loaded already, with the validator

    return ValidationError(message, path=steps)


def _type(validator: Any, kind: str, instance: Any, schema: Schema) -> _Errors:
    if not validator.is_type(instance, kind):
        yield _wrong_type([schema], instance)


def _any_of(validator: Any, branches: Sequence[Schema], instance: Any, _schema: Schema) -> _Errors:
    """The errors of the branch that the type of the instance selects, one by one.

    The library collects those of all branches: 2 GB for a list with a million wrong items.
    """
    wanted: list[Any] = []
    for branch in branches:
        errors = validator.descend(instance, branch)
        first = next(errors, None)
        if first is None:
            return
        if first.path or first.validator != "type":
            yield first
            yield from errors
            return
        wanted.append(first.schema)
    yield _wrong_type(wanted, instance)


def _wrong_type(wanted: Sequence[Schema], instance: Any) -> ValidationError:
    found = _FOUND.get(type(instance), "this")
    is_unquoted = found in ("a number", "true or false") and any(part["type"] == "string" for part in wanted)
    hint = "; put it in quotes" if is_unquoted else ""
    closed = next((part for part in wanted if part.get("additionalProperties") is False), None)
    if closed is not None and found == "a string":
        hint = f"; its fields are {first_few(closed['properties'])}"
    return _error(f"must be {_listed([_name(part) for part in wanted])}, not {found}{hint}")


def _name(schema: Schema) -> str:
    if "enum" in schema:
        return _listed(schema["enum"])
    if "required" in schema and "additionalProperties" not in schema:
        return f"an object with {' and '.join(schema['required'])}"
    return _WANTED[schema["type"]]


def _enum(_validator: Any, choices: Sequence[str], instance: Any, _schema: Schema) -> _Errors:
    if isinstance(instance, str) and instance not in choices:
        yield _error(f"must be {_listed(choices)}, not {instance!r}")


def _pattern(_validator: Any, pattern: str, instance: Any, schema: Schema) -> _Errors:
    # Python's $ also matches before a final line break
    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        yield _error(f"must be {schema['title']}, not {instance!r}")


def _least_length(kind: type) -> Callable[..., _Errors]:
    def check(_validator: Any, least: int, instance: Any, _schema: Schema) -> _Errors:
        if isinstance(instance, kind) and len(instance) < least:  # type: ignore[arg-type] # a text or a list
            yield _error("must not be empty")

    return check


def _minimum(validator: Any, least: int, instance: Any, _schema: Schema) -> _Errors:
    if validator.is_type(instance, "integer") and instance < least:
        yield _error(f"must be {least} or more")


def _maximum(validator: Any, most: int, instance: Any, _schema: Schema) -> _Errors:
    if validator.is_type(instance, "integer") and instance > most:
        yield _error(f"must be {most} or less")


def _required(_validator: Any, names: Sequence[str], instance: Any, schema: Schema) -> _Errors:
    kind = "" if "additionalProperties" in schema else f"must be {_name(schema)}; "
    for name in names if isinstance(instance, dict) else ():
        if name not in instance:
            yield _error(f"{kind}{name} is missing" if kind else f"{name} is required")


def _additional(validator: Any, other: Any, instance: Any, schema: Schema) -> _Errors:
    """In the order of the file; the library's order differs from process to process."""
    known = schema.get("properties", {})
    for name in instance if isinstance(instance, dict) else ():
        if name in known:
            continue
        if other is False:
            nearest = did_you_mean(name, known, otherwise=choose_from(known))
            yield _error(f"unknown field {name!r}; {nearest}", name)
        else:
            yield from validator.descend(instance[name], other, path=name)


def _names(validator: Any, names: Schema, instance: Any, _schema: Schema) -> _Errors:
    for name in instance if isinstance(instance, dict) else ():
        yield from validator.descend(name, names, path=name)


def _one_of(_validator: Any, branches: Sequence[Schema], instance: Any, schema: Schema) -> _Errors:
    """Exactly one of the properties that the branches require."""
    if not isinstance(instance, dict):
        return
    names = [branch["required"][0] for branch in branches]
    given = [name for name in instance if name in names]
    if len(given) > 1:
        yield _error(f"{given[1]} and {given[0]} are mutually exclusive", given[1])
    # An unknown property is probably one of them, misspelt.
    elif not given and instance.keys() <= schema["properties"].keys():
        yield _error(f"requires one of {', '.join(names)}")


_KEYWORDS: Mapping[str, Callable[..., _Errors]] = {
    "type": _type,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "enum": _enum,
    "pattern": _pattern,
    "minLength": _least_length(str),
    "minItems": _least_length(list),
    "minimum": _minimum,
    "maximum": _maximum,
    "required": _required,
    "additionalProperties": _additional,
    "propertyNames": _names,
}
"""Each keyword of the schemas that finds errors."""

_FOUND: Mapping[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "a mapping",
    type(None): "null",
}

_WANTED: Mapping[str, str] = {
    "string": "a string",
    "integer": "an integer",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
