"""Tables of fields: what a value may consist of, and what of one is something else.

A table is plain data. A scalar is the name of its type, a list has the type of its items as its only item, a
struct is a dict of its fields, and :class:`MapOf` is a map with keys that are the user's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from dractl.api import quantity
from dractl.api.json_types import JsonObject
from dractl.api.path import Steps
from dractl.records import NamedTuple

__all__ = [
    "ANY",
    "BOOL",
    "INT",
    "MAP",
    "QUANTITY",
    "STRING",
    "MapOf",
    "Problem",
    "Shape",
    "problems",
    "stripped",
]

STRING, INT, BOOL, QUANTITY, ANY, MAP = "string", "int", "bool", "quantity", "any", "map"


class MapOf(NamedTuple):
    """A map from names to values of one type."""

    of: Any


Shape = str | list[Any] | dict[str, Any] | MapOf


class Problem(NamedTuple):
    """What does not fit into a table: an ``unknown`` field, or a value of another ``type``."""

    kind: str
    steps: Steps
    message: str
    near: tuple[str, ...] = ()


_WORDS = {
    dict: "a mapping",
    list: "a list",
    str: "a string",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def _is_quantity(value: object) -> bool:
    """Whether a value is a quantity, which may be written as a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        quantity.parse(str(value))
    except ValueError:
        return False
    return True


_SCALARS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    STRING: (lambda value: isinstance(value, str), "a string"),
    INT: (lambda value: isinstance(value, int) and not isinstance(value, bool), "an integer"),
    BOOL: (lambda value: isinstance(value, bool), "true or false"),
    QUANTITY: (_is_quantity, "a quantity"),
    MAP: (lambda value: isinstance(value, dict), "a mapping"),
    ANY: (lambda _: True, "anything"),
}


def problems(value: object, shape: Shape, steps: Steps = ()) -> Iterator[Problem]:
    """What of ``value`` does not fit into ``shape``, in order. Null counts as absent."""
    if value is None:
        return
    if isinstance(shape, str):
        fits, wanted = _SCALARS[shape]
        if not fits(value):
            yield _wrong(value, wanted, steps)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield _wrong(value, "a list", steps)
            return
        for number, item in enumerate(value):
            yield from problems(item, shape[0], (*steps, number))
    elif not isinstance(value, dict):
        yield _wrong(value, "a mapping", steps)
    elif isinstance(shape, MapOf):
        for key, item in value.items():
            yield from problems(item, shape.of, (*steps, key))
    else:
        yield from _of_fields(value, shape, steps)


def _of_fields(value: JsonObject, fields: Mapping[str, Any], steps: Steps) -> Iterator[Problem]:
    for key, item in value.items():
        if key in fields:
            yield from problems(item, fields[key], (*steps, key))
        else:
            yield Problem("unknown", (*steps, key), f"unknown field {key}", tuple(fields))


def _wrong(value: object, wanted: str, steps: Steps) -> Problem:
    return Problem("type", steps, f"must be {wanted}, not {_WORDS.get(type(value), 'something else')}")


def stripped(value: object, shape: Shape) -> Any:
    """``value`` with only what fits into ``shape``; None if nothing of it does."""
    if value is None or isinstance(shape, str):
        return value if value is not None and isinstance(shape, str) and _SCALARS[shape][0](value) else None
    if isinstance(shape, list):
        if not isinstance(value, list):
            return None
        # What does not fit keeps its place, so that the numbers of its neighbours stay.
        empty: object = {} if isinstance(shape[0], dict | MapOf) else None
        items = (stripped(item, shape[0]) for item in value)
        return [empty if item is None else item for item in items]
    if not isinstance(value, dict):
        return None
    if isinstance(shape, MapOf):
        found = {key: stripped(item, shape.of) for key, item in value.items()}
    else:
        found = {key: stripped(item, shape[key]) for key, item in value.items() if key in shape}
    return {key: item for key, item in found.items() if item is not None}
