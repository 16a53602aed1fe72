"""A decoded object as a server prints it: fields that Go always writes are there, empty ones are not."""

from __future__ import annotations

from typing import Any

from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.versions.scalars import FIELD_SET, in_key_order
from dractl.versions.table import Field, Kind, Tables, tables

_PRINTED_ZERO: JsonDict = {"string": "", "boolean": False, "int32": 0, "int64": 0, "number": 0}


def encode(minor: Minor, kind: Kind, value: JsonDict) -> JsonDict:
    """The object ``value``, decoded and in the shape of its version, as the server would answer it.

    Lists and maps without content and structs without fields are left out, as kubectl users know it.
    """
    printed = _struct(tables(minor), kind.type, value)
    return {"apiVersion": kind.api_version, "kind": kind.kind, **printed}


def _struct(source: Tables, key: str, value: JsonDict) -> JsonDict:
    printed: JsonDict = {}
    for name, field in source.struct(key).fields.items():
        if name in value:
            item = _field(source, field, value[name])
            if item is not None:
                printed[name] = item
                continue
        if field.always:
            zero = _zero(field)
            if zero is not None:
                printed[name] = zero
    return printed


def _zero(field: Field) -> object:
    if field.ptr:
        return None
    return "0" if field.ref == "Quantity" else _PRINTED_ZERO.get(field.type)


def _field(source: Tables, field: Field, value: Any) -> object:
    if field.type == "array" and field.items is not None:
        items = [_item(source, field.items, item) for item in value]
        return items or None
    if field.type == "map" and field.values is not None:
        entries = {key: _item(source, field.values, item) for key, item in value.items()}
        return entries or None
    if field.type == "ref" and source.scalar(field.ref) is None:
        return _struct(source, field.ref, value) or None
    if field.ref == FIELD_SET:
        return in_key_order(value)
    # What a quantity remembers of its first form ends here.
    return str(value) if field.ref == "Quantity" else value


def _item(source: Tables, field: Field, value: Any) -> object:
    """A list item or map value: kept even if empty."""
    if field.type == "ref" and source.scalar(field.ref) is None:
        return _struct(source, field.ref, value)
    found = _field(source, field, value)
    return value if found is None else found
