"""Opaque parameters of a driver, checked against a JSON Schema that the user gives for them.

The API server takes any object there; it is the driver that refuses what it does not understand, and only
when a pod wants to start. Nothing is ever loaded from the network.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dractl.api.path import path_text
from dractl.finding import Finding, Severity
from dractl.source.document import Document
from dractl.source.load import load_paths
from dractl.validation.placing import Steps, note

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["ParameterSchema", "ParameterSchemas", "SchemaFileError", "read_schema"]

RULE = "config/schema"
_CONFIG_AT: Mapping[str, Steps] = {
    "ResourceClaim": ("spec", "devices", "config"),
    "ResourceClaimTemplate": ("spec", "spec", "devices", "config"),
    "DeviceClass": ("spec", "config"),
}
_MAX_MESSAGE = 300


class SchemaFileError(ValueError):
    """A file that is no usable JSON Schema; the message says why."""


class ParameterSchema(NamedTuple):
    """The schema of one kind of parameters of one driver, and the file it came from."""

    driver: str
    kind: str
    file: str
    validator: Validator


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
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - costs as much as all the rest; few runs need it
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415
    from jsonschema.validators import validator_for  # noqa: PLC0415
    from referencing.jsonschema import EMPTY_REGISTRY  # noqa: PLC0415

    if os.path.isdir(file):  # noqa: PTH112 - Path.is_dir may raise
        raise SchemaFileError(f"{file}: a schema is one file, and this is a folder")
    loaded = load_paths([file])
    if len(loaded) != 1:
        raise SchemaFileError(f"{file}: a schema is one document, and the file holds {len(loaded)}")
    found = loaded[0]
    if not isinstance(found, Document):
        raise SchemaFileError(f"{file}: {found.message}")
    if not isinstance(found.value, dict):
        raise SchemaFileError(f"{file}: a schema is a mapping")
    dialect = validator_for(found.value, default=Draft202012Validator)
    try:
        dialect.check_schema(found.value)
    except SchemaError as error:
        at = "/".join(map(str, error.absolute_path)) or "its root"
        raise SchemaFileError(f"{file}: no valid JSON Schema at {at}: {_short(error.message)}") from None
    # Without a registry of its own a validator would fetch remote references.
    return ParameterSchema(driver, kind, file, dialect(found.value, registry=EMPTY_REGISTRY))


def _opaque_configs(value: Any) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """The opaque parts of a document's configuration, with their places."""
    if not isinstance(value, dict) or not str(value.get("apiVersion")).startswith("resource.k8s.io/"):
        return
    steps = _CONFIG_AT.get(str(value.get("kind")), ())
    entries: Any = value if steps else None
    for step in steps:
        entries = entries.get(step) if isinstance(entries, dict) else None
    for position, entry in enumerate(entries if isinstance(entries, list) else ()):
        opaque = entry.get("opaque") if isinstance(entry, dict) else None
        if isinstance(opaque, dict):
            yield (*steps, position), opaque


def _check(
    document: Document, steps: Steps, parameters: dict[str, Any], schema: ParameterSchema
) -> Iterator[Finding]:
    from jsonschema.exceptions import best_match  # noqa: PLC0415 - loaded already, with the schema
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    hint = f"the schema of {schema.driver}/{schema.kind} is {schema.file}"
    try:
        errors = list(schema.validator.iter_errors(parameters))
    except Unresolvable as unresolved:
        message = (
            f"the schema refers to {unresolved.ref}, which is not in it; dractl loads nothing from elsewhere"
        )
        yield note(document, Severity.WARNING, RULE, message, hint=hint, field=path_text(steps), steps=steps)
        return
    except RecursionError:
        message = "the schema refers to itself without end, so nothing can be said of the parameters"
        yield note(document, Severity.WARNING, RULE, message, hint=hint, field=path_text(steps), steps=steps)
        return
    found = []
    for error in errors:
        deepest = best_match([error]) or error
        place = (*steps, *deepest.absolute_path)
        found.append(
            note(
                document, Severity.WARNING, RULE, _short(deepest.message), hint=hint,
                field=path_text(place), steps=(*place, *_unexpected_key(deepest)),
            )
        )  # fmt: skip
    yield from sorted(found, key=lambda finding: finding.location or ())


def _unexpected_key(error: ValidationError) -> Steps:
    """The first key that should not be there, where that is what is wrong."""
    if error.validator != "additionalProperties" or not isinstance(error.instance, dict):
        return ()
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return next(((key,) for key in error.instance if key not in known), ())


def _short(message: str) -> str:
    return message if len(message) <= _MAX_MESSAGE else message[:_MAX_MESSAGE] + "…"
