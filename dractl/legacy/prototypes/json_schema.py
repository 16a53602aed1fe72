"""JSON Schemas of the prototypes' kinds, made from their tables of fields: what strict reading accepts."""

from __future__ import annotations

from dractl.api.json_types import JsonDict
from dractl.api.wording import nearest_or_all
from dractl.legacy.prototypes.dialects.devmgmtproto import WRITTEN
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, SHAPES, family_of
from dractl.legacy.prototypes.dialects.shape import ANY, BOOL, INT, MAP, QUANTITY, STRING, MapOf, Shape

__all__ = ["UnknownKindError", "json_schema"]

_DRAFT = "http://json-schema.org/draft-07/schema#"
_SCALARS: dict[str, JsonDict] = {
    STRING: {"type": ["string", "null"]},
    INT: {"type": ["integer", "null"]},
    BOOL: {"type": ["boolean", "null"]},
    QUANTITY: {
        "type": ["string", "number", "null"],
        "description": "A quantity: a number with an optional suffix, such as 4, 500m or 16Gi.",
    },
    MAP: {"type": ["object", "null"]},
    ANY: {},
}
_BARE = "model"


class UnknownKindError(ValueError):
    """A kind that a dialect does not have; the message names those that it has."""


def json_schema(dialect: str, kind: str) -> JsonDict:
    """The schema of ``kind`` in ``dialect``; a bare model is called ``model``.

    A pod is v1's, so of it there is none. Raises UnknownKindError.
    """
    shapes = {name or _BARE: shape for name, shape in SHAPES[dialect].items() if name != "Pod"}
    shapes |= WRITTEN.get(dialect, {})
    by_lower = {name.lower(): name for name in shapes}
    name = by_lower.get(kind.lower())
    if name is None:
        raise UnknownKindError(
            f"unknown kind {kind} in dialect {dialect}; {nearest_or_all(kind, sorted(shapes))}"
        )
    group = family_of(dialect)
    version = "v1alpha2" if group == EVOLUTION else "v1alpha1"
    title = f"{name} of {group}/{version}" if group else f"{name} of {dialect}"
    return {"$schema": _DRAFT, "title": f"{title}, {dialect}" if group else title, **_of(shapes[name])}


def _of(shape: Shape) -> JsonDict:
    if isinstance(shape, str):
        return _SCALARS[shape]
    if isinstance(shape, list):
        return {"type": ["array", "null"], "items": _of(shape[0])}
    if isinstance(shape, MapOf):
        return {"type": ["object", "null"], "additionalProperties": _of(shape.of)}
    properties = {name: _of(inner) for name, inner in shape.items()}
    return {"type": ["object", "null"], "properties": properties, "additionalProperties": False}
