"""JSON Schemas of the DRA kinds, made from the field tables: what strict decoding accepts.

A schema stands alone and refuses no more than decoding does: null is taken where the API takes it, and the
values of a closed set are named in a description only, because decoding takes any text there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from dractl.api import characters, gates
from dractl.api.json_types import JsonDict
from dractl.api.release import KNOWN, NEWEST, Minor
from dractl.versions.scalars import INT_LIMITS, RAW_SCALARS, SPACES
from dractl.versions.table import Field, Kind, Tables, tables

__all__ = ["GROUP", "file_name", "folder_name", "schema_files", "schema_of"]

GROUP = "resource.k8s.io"
"""The API group of the kinds that have schemas."""

_DIALECT = "http://json-schema.org/draft-07/schema#"
_DIGITS = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)"
_TIME = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01]?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"([.,][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
)
_SCALARS: dict[str, dict[str, Any]] = {
    "Quantity": {
        "type": ["string", "number", "null"],
        "pattern": rf"^[{SPACES}]*{_DIGITS}([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?[{SPACES}]*$",
        "description": "A quantity: a number with an optional suffix, such as 4, 500m or 16Gi.",
    },
    "Time": {"type": ["string", "null"], "pattern": _TIME, "description": "An RFC 3339 timestamp."},
    "MicroTime": {"type": ["string", "null"], "pattern": _TIME, "description": "An RFC 3339 timestamp."},
    "IntOrString": {
        "type": ["integer", "string", "null"],
        "minimum": INT_LIMITS["int32"][0],
        "maximum": INT_LIMITS["int32"][1],
    },
}


def folder_name(minor: Minor) -> str:
    """The folder of the schemas of ``minor``, as kubeconform spells it for that minor's first release."""
    return f"v{minor}.0-standalone-strict"


def file_name(kind: Kind) -> str:
    """The file of the schema of ``kind`` as kubeconform spells it: kind, group up to the dot, version."""
    return f"{kind.kind.lower()}-{kind.group.partition('.')[0]}-{kind.version}.json"


def schema_files() -> Iterator[tuple[str, str]]:
    """Path and text of every schema file: those of all known minors, and of the newest one as ``master``."""
    folders = [(folder_name(minor), minor) for minor in KNOWN]
    for folder, minor in [*folders, ("master-standalone-strict", NEWEST)]:
        for kind in tables(minor).kinds.values():
            if kind.group == GROUP:
                yield f"{folder}/{file_name(kind)}", text_of(schema_of(minor, kind))


def text_of(schema: JsonDict) -> str:
    """The schema as a file has it: each field on a line of its own, so that changes can be read."""
    return characters.escaped(_lines(schema, ""), pairs=True) + "\n"


def _lines(schema: JsonDict, indent: str) -> str:
    members = (
        f"{indent} {json.dumps(name)}: {_member(name, member, indent)}" for name, member in schema.items()
    )
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def _member(name: str, member: Any, indent: str) -> str:
    if name not in ("properties", "definitions"):
        return json.dumps(member, ensure_ascii=False)
    entries = (
        f"{indent}  {json.dumps(key)}: "
        + (_lines(entry, indent + "  ") if name == "definitions" else json.dumps(entry, ensure_ascii=False))
        for key, entry in member.items()
    )
    return "{\n" + ",\n".join(entries) + f"\n{indent} }}"


def schema_of(minor: Minor, kind: Kind) -> dict[str, Any]:
    """The JSON Schema (draft 7) of ``kind`` in ``minor``."""
    source = tables(minor)
    definitions: dict[str, dict[str, Any]] = {}
    waiting = [kind.type]
    while waiting:
        key = waiting.pop()
        if key in definitions:
            continue
        if key in _SCALARS:
            definitions[key] = _SCALARS[key]
        else:
            definitions[key] = _struct(source, key)
            waiting += _references(source, key)
    root = definitions.pop(kind.type)
    root["properties"]["apiVersion"]["enum"] = [kind.api_version]
    root["properties"]["kind"]["enum"] = [kind.kind]
    about = " ".join(_about(kind))
    return {
        "$schema": _DIALECT,
        "title": f"{kind.kind} of {kind.api_version} in Kubernetes {minor}",
        **({"description": about} if about else {}),
        **root,
        "type": "object",
        "required": ["apiVersion", "kind"],
        "definitions": {_short(key): definitions[key] for key in sorted(definitions)},
    }


def _short(key: str) -> str:
    return key.replace("/", ".")


def _references(source: Tables, key: str) -> list[str]:
    """The types that the struct type ``key`` names directly and that have a definition."""
    fields: list[Field | None] = list(source.struct(key).fields.values())
    found: list[str] = []
    while fields:
        field = fields.pop()
        if field is None:
            continue
        fields += (field.items, field.values)
        if field.ref and field.ref not in RAW_SCALARS:
            found.append(field.ref)
    return found


def _struct(source: Tables, key: str) -> dict[str, Any]:
    properties: JsonDict = {}
    for name, field in source.struct(key).fields.items():
        schema = _field(source, field)
        facts = [*_facts(source.minor, key, field), str(schema.pop("description", ""))]
        if any(facts):
            schema["description"] = " ".join(fact for fact in facts if fact)
        properties[name] = schema
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}


def _field(source: Tables, field: Field) -> JsonDict:
    if field.items is not None:
        return {"type": ["array", "null"], "items": _field(source, field.items)}
    if field.values is not None:
        return {"type": ["object", "null"], "additionalProperties": _field(source, field.values)}
    if field.ref in RAW_SCALARS:
        return {"description": "Any JSON value."}
    if field.ref:
        return {"$ref": f"#/definitions/{_short(field.ref)}"}
    if field.type in INT_LIMITS:
        low, high = INT_LIMITS[field.type]
        return {"type": ["integer", "null"], "minimum": low, "maximum": high}
    return {"type": [field.type, "null"]}


def _facts(minor: Minor, key: str, field: Field) -> Iterator[str]:
    """Sentences about a field from what the tables say beyond its type."""
    if field.required:
        yield "Required."
    if field.enum:
        yield f"One of: {', '.join(field.enum)}."
    for tag in field.tags:
        rule, _, number = tag.rpartition("=")
        if rule.rpartition(":")[2] == "maxItems" and not rule.startswith("alpha"):
            yield f"At most {number} entries."
    since = _since(minor, key, field.name)
    if since is not None:
        yield f"Since Kubernetes {since}."
    for name in field.gates:
        gate = gates.gates_of(minor).get(name)
        if gate is not None:
            state = ("always on" if gate.locked else "on by default") if gate.default else "off by default"
            yield f"Feature gate {name}, {state}."


def _since(minor: Minor, key: str, name: str) -> Minor | None:
    """The minor in which the field came; None if its type, as far as it is known, never was without it."""
    first: Minor | None = None
    was_without = False
    for earlier in KNOWN[: KNOWN.index(minor) + 1]:
        try:
            fields = tables(earlier).struct(key).fields
        except KeyError:
            continue
        if name not in fields:
            first, was_without = None, True
        elif first is None:
            first = earlier
    return first if was_without else None


def _about(kind: Kind) -> Iterator[str]:
    """Sentences about the kind in its version."""
    if not kind.served_by_default:
        yield "Not served by default: an administrator must enable this API version."
    if kind.deprecated_in:
        yield f"Deprecated since Kubernetes {kind.deprecated_in}."
    if kind.removed_in:
        yield f"Removed in Kubernetes {kind.removed_in}."
