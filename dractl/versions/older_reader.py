"""What a client of another minor sees of an object: only the fields that its own types have."""

from __future__ import annotations

from typing import cast

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import Steps
from dractl.versions.scalars import RAW_SCALARS
from dractl.versions.table import Field, Kind, Tables

__all__ = ["known_fields"]


def known_fields(source: Tables, kind: Kind, value: JsonObject) -> tuple[JsonDict, list[Steps]]:
    """``value``, an object in the shape of ``kind``, with only the fields of ``source``, and what it loses.

    Mirrors how a typed client of that minor decodes: unknown fields vanish, and no defaults are filled in.
    """
    dropped: list[Steps] = []
    found = _struct(source, kind.type, value, (), dropped)
    return cast("JsonDict", found), dropped


_OUTER = frozenset({"apiVersion", "kind"})


def _struct(source: Tables, key: str, value: object, at: Steps, dropped: list[Steps]) -> object:
    if not isinstance(value, dict):
        return value
    fields = source.struct(key).fields
    found = {}
    for name, item in value.items():
        field = fields.get(name)
        if field is not None:
            found[name] = _value(source, field, item, (*at, name), dropped)
        elif not at and name in _OUTER:
            found[name] = item
        else:
            dropped.append((*at, name))
    return found


def _value(source: Tables, field: Field, value: object, at: Steps, dropped: list[Steps]) -> object:
    if field.type == "array" and field.items is not None and isinstance(value, list):
        return [
            _value(source, field.items, item, (*at, number), dropped) for number, item in enumerate(value)
        ]
    if field.type == "map" and field.values is not None and isinstance(value, dict):
        return {key: _value(source, field.values, item, (*at, key), dropped) for key, item in value.items()}
    if field.type == "ref" and field.ref not in RAW_SCALARS and source.scalar(field.ref) is None:
        return _struct(source, field.ref, value, at, dropped)
    return value
