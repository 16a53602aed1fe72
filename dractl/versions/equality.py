"""Whether two decoded values are the same to the API server: by value for quantities, empty as absent.

Mirrors ``apiequality.Semantic.DeepEqual``, driven by the field tables.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.versions.scalars import RAW_SCALARS
from dractl.versions.table import Field, Tables

Equal = Callable[[Any, Any], bool]
"""Compares two decoded values of one type; None stands for a value that is not there."""


@cache
def struct_equal(source: Tables, key: str) -> Equal:
    """The comparison of values of the struct type ``key``."""
    fields: list[tuple[str, Equal]] = []

    def equal(one: JsonObject | None, other: JsonObject | None) -> bool:
        if one is None or other is None:
            return one is other
        if not fields:
            fields.extend(
                (field.name, field_equal(source, field)) for field in source.struct(key).fields.values()
            )
        return all(same(one.get(name), other.get(name)) for name, same in fields)

    return equal


def field_equal(source: Tables, field: Field) -> Equal:
    """The comparison of values of ``field``."""
    if field.type == "array" and field.items is not None:
        return _lists(field_equal(source, field.items))
    if field.type == "map" and field.values is not None:
        return _maps(field_equal(source, field.values))
    if field.type == "ref":
        if field.ref == "Quantity":
            return _quantities(default=None if field.ptr else "0")
        if field.ref in RAW_SCALARS:
            return _raw
        if source.scalar(field.ref) is None:
            inner = struct_equal(source, field.ref)
            return inner if field.ptr else _present(inner)
        return _same
    return _same


def _same(one: object, other: object) -> bool:
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)


def _raw(one: object, other: object) -> bool:
    """Raw values are compared as their JSON text, so that the order of keys counts."""
    return json.dumps(one) == json.dumps(other)


def _present(equal: Equal) -> Equal:
    """A struct that is not a pointer is there even if nothing is in it."""
    return lambda one, other: equal(one or {}, other or {})


def _quantities(*, default: str | None) -> Equal:
    def equal(one: str | None, other: str | None) -> bool:
        one, other = one or default, other or default
        if one is None or other is None or one == other:
            return bool(one == other)
        return quantity.parse(one) == quantity.parse(other)

    return equal


def _lists(equal: Equal) -> Equal:
    def equal_lists(one: list[object] | None, other: list[object] | None) -> bool:
        one, other = one or [], other or []
        return len(one) == len(other) and all(map(equal, one, other))

    return equal_lists


def _maps(equal: Equal) -> Equal:
    def equal_maps(one: JsonObject | None, other: JsonObject | None) -> bool:
        one, other = one or {}, other or {}
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)

    return equal_maps


same_quantities: Equal = _maps(_quantities(default=None))
"""Whether two maps of quantities have the same keys and amounts."""
