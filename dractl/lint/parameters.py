"""Opaque parameters of a driver, checked against a JSON Schema that the user gives for them.

The API server takes any object there; it is the driver that refuses what it does not understand, and only
when a pod wants to start. Nothing is ever loaded from the network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from dractl.api import budgets
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps, path_text
from dractl.api.wording import nearest_or_all
from dractl.cel.common.errors import GivenUpError
from dractl.cel.regex.regex import RegexError, compiled
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import note
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import load_paths

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from dractl.lint.limited_schemas import LimitedSchema

__all__ = ["ParameterSchema", "ParameterSchemas", "SchemaFileError", "read_schema", "schema_of"]

RULE = "config/schema"
_CONFIG_AT: Mapping[str, Steps] = {
    "ResourceClaim": ("spec", "devices", "config"),
    "ResourceClaimTemplate": ("spec", "spec", "devices", "config"),
    "DeviceClass": ("spec", "config"),
}
_MAX_MESSAGE = 300
_MOST_NAMES = 200
"""Names of a schema that are compared with a wrong one; the schema comes from strangers."""


class SchemaFileError(ValueError):
    """A file that is not a usable JSON Schema; the message gives the reason."""


class ParameterSchema(NamedTuple):
    """The schema of one kind of parameters of one driver, and the file it came from."""

    driver: str
    kind: str
    file: str
    schema: LimitedSchema


class ParameterSchemas:
    """Checks the parameters in documents; remembers which schemas had anything to check."""

    __slots__ = ("_by_kind", "_used")

    def __init__(self, schemas: list[ParameterSchema]) -> None:
        """Hold the schemas; of two for one driver and kind the later one counts."""
        self._by_kind = {(schema.driver, schema.kind): schema for schema in schemas}
        self._used: set[tuple[str, str]] = set()

    def check(self, document: Document) -> Iterator[Finding]:
        """A warning for everything in the parameters of ``document`` that their schema does not allow."""
        for steps, opaque in _opaque_configs(document.value):
            parameters = opaque.get("parameters")
            if not isinstance(parameters, dict):
                continue
            key = (str(opaque.get("driver")), str(parameters.get("kind")))
            schema = self._by_kind.get(key)
            if schema is not None:
                self._used.add(key)
                yield from _check(document, (*steps, "opaque", "parameters"), parameters, schema)

    def unused(self) -> list[ParameterSchema]:
        """The schemas for which no document had parameters."""
        return [schema for key, schema in self._by_kind.items() if key not in self._used]


def read_schema(driver: str, kind: str, file: str) -> ParameterSchema:
    """The JSON Schema in ``file`` (JSON or YAML), of the draft that it names, else of 2020-12.

    Raises SchemaFileError if the file cannot be read or holds no valid schema.
    """
    if os.path.isdir(file):  # noqa: PTH112 - Path.is_dir may raise
        raise SchemaFileError(f"{file}: expected a file, got a folder")
    loaded = load_paths([file])
    if len(loaded) != 1:
        raise SchemaFileError(f"{file}: expected one document, got {len(loaded)}")
    found = loaded[0]
    if not isinstance(found, Document):
        raise SchemaFileError(f"{file}: {found.message}")
    if not isinstance(found.value, dict):
        raise SchemaFileError(f"{file}: a schema must be a mapping")
    return schema_of(driver, kind, file, found.value)


def schema_of(driver: str, kind: str, file: str, value: JsonDict) -> ParameterSchema:
    """The JSON Schema ``value``, called ``file`` in messages; raises SchemaFileError if it is not valid."""
    from jsonschema import Draft202012Validator  # costs as much as all the rest; few runs need it
    from jsonschema.validators import validator_for

    from dractl.lint.limited_schemas import (
        LimitedSchema,
        TooMuchWorkError,
        problem_of_schema,
    )

    named = value.get("$schema", "")
    if not isinstance(named, str):
        raise SchemaFileError(f"{file}: not a valid JSON Schema: $schema must be a string")
    dialect = validator_for(value, default=Draft202012Validator)
    try:
        error = problem_of_schema(dialect, value)
        if error is None:
            _check_older_patterns(value)
            return ParameterSchema(driver, kind, file, LimitedSchema(dialect, value))
    except (TooMuchWorkError, GivenUpError):
        raise SchemaFileError(f"{file}: {budgets.SCHEMA_STEPS.message()}") from None
    except RegexError as problem:
        raise SchemaFileError(f"{file}: not a valid JSON Schema: {_short(str(problem))}") from None
    except RecursionError:
        raise SchemaFileError(f"{file}: the schema is nested too deeply") from None
    except Exception:  # the library raises whatever Python raises
        raise SchemaFileError(f"{file}: not a valid JSON Schema of {named or 'draft 2020-12'}") from None
    at = "/".join(map(str, error.absolute_path)) or "its root"
    cause = str(error.cause) if isinstance(error.cause, RegexError) else error.message
    raise SchemaFileError(f"{file}: not a valid JSON Schema at {at}: {_short(cause)}") from None


def _check_older_patterns(schema: object) -> None:
    """Raise RegexError for a bad pattern in patternProperties, which the metaschemas of old drafts omit."""
    stack = [schema]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            names = value.get("patternProperties")
            for name in names if isinstance(names, dict) else ():
                compiled(name)
        if isinstance(value, (dict, list)):
            stack += value.values() if isinstance(value, dict) else value


def _opaque_configs(value: object) -> Iterator[tuple[Steps, JsonDict]]:
    """The opaque parts of a document's configuration, with their places."""
    if not isinstance(value, dict) or not str(value.get("apiVersion")).startswith("resource.k8s.io/"):
        return
    steps = _CONFIG_AT.get(str(value.get("kind")), ())
    entries: object = value if steps else None
    for step in steps:
        entries = entries.get(step) if isinstance(entries, dict) else None
    for position, entry in enumerate(entries if isinstance(entries, list) else ()):
        opaque = entry.get("opaque") if isinstance(entry, dict) else None
        if isinstance(opaque, dict):
            yield (*steps, position), opaque


def _check(
    document: Document, steps: Steps, parameters: JsonDict, schema: ParameterSchema
) -> Iterator[Finding]:

    hint = f"{schema.file} is the schema for {schema.driver}/{schema.kind}"
    shown = budgets.SCHEMA_FINDINGS.value
    found: list[Finding] = []
    count = 0

    def said(message: str) -> Finding:
        return note(document, Severity.WARNING, RULE, message, hint=hint, field=path_text(steps), steps=steps)

    problem = ""
    try:
        for error in schema.schema.errors(parameters):
            count += 1
            if count <= shown:
                found.append(_placed(document, steps, error, hint))
    except Exception as failure:  # the library raises whatever Python raises where a schema makes no sense
        problem = _failure(failure)
    yield from sorted(found, key=lambda finding: finding.location or ())
    if count > shown:
        yield said(budgets.SCHEMA_FINDINGS.message(count=count - shown))
    if problem:
        yield said(problem)


def _failure(failure: Exception) -> str:
    """The message if a schema cannot be applied."""
    from referencing.exceptions import Unresolvable  # loaded already, with the schema

    from dractl.lint.limited_schemas import TooMuchWorkError

    if isinstance(failure, Unresolvable):
        return (
            f"the schema refers to {failure.ref}, which it does not contain; dractl does not load external "
            "schemas"
        )
    if isinstance(failure, RecursionError):
        return "the schema is infinitely recursive or too deeply nested; parameters were not checked"
    if isinstance(failure, (TooMuchWorkError, GivenUpError)):
        return f"the other parameters were {budgets.SCHEMA_STEPS.message()}"
    return f"cannot apply the schema to the parameters: {_short(str(failure))}"


def _placed(document: Document, steps: Steps, error: ValidationError, hint: str) -> Finding:
    from jsonschema.exceptions import best_match  # loaded already, with the schema

    deepest = best_match([error]) or error
    place = (*steps, *deepest.absolute_path)
    return note(
        document, Severity.WARNING, RULE, _short(_in_words(deepest)), hint=hint,
        field=path_text(place), steps=(*place, *_unexpected_key(deepest)),
    )  # fmt: skip


def _in_words(error: ValidationError) -> str:
    """The message of an error; frequent ones name what was probably meant."""
    value, wanted = error.instance, error.validator_value
    names = [item for item in wanted if isinstance(item, str)] if isinstance(wanted, list) else []
    if error.validator == "enum" and isinstance(value, str) and 0 < len(names) <= _MOST_NAMES:
        return f"unknown value {value!r}; {nearest_or_all(value, names)}"
    if error.validator == "required" and isinstance(value, dict):
        return next((f"{name} is required" for name in names if name not in value), error.message)
    keys = _unexpected_key(error)
    if keys and isinstance(error.schema, dict) and "patternProperties" not in error.schema:
        known = list(error.schema.get("properties", {}))[:_MOST_NAMES]
        advice = nearest_or_all(str(keys[0]), known)
        return f"unknown field {keys[0]!r}" + (f"; {advice}" if advice else "")
    return error.message


def _unexpected_key(error: ValidationError) -> Steps:
    """The first key that should not be there, where that is what is wrong."""
    if error.validator != "additionalProperties" or not isinstance(error.instance, dict):
        return ()
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return next(((key,) for key in error.instance if key not in known), ())


def _short(message: str) -> str:
    return message if len(message) <= _MAX_MESSAGE else message[:_MAX_MESSAGE] + "…"
