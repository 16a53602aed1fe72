"""What type the API has at a place of a document, and where else it has a field of that name."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.gates import gates_of
from dractl.api.path import Steps
from dractl.api.release import KNOWN, Minor
from dractl.records import NamedTuple
from dractl.versions.scalars import RAW_SCALARS, SCALARS
from dractl.versions.table import Field, Kind, Tables, tables

Route = tuple[str, ...]
"""Field names from one struct type down to a field; ``*`` stands for any item of a list."""

ANY_ITEM = "*"
_DEPTH = 3
_COMMON = frozenset(
    {
        "name",
        "driver",
        "pool",
        "device",
        "key",
        "value",
        "effect",
        "operator",
        "type",
        "kind",
        "source",
        "requests",
        "conditions",
    }
)
"""Names that so many list items have that nobody can say which one is meant."""
_NOT_THROUGH = frozenset({"status", "managedFields", "ownerReferences"})
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "int32": (int,),
    "int64": (int,),
    "number": (int, float),
    "array": (list,),
    "map": (dict,),
    "object": (dict,),
}


class Version(NamedTuple):
    """A kind of some minor, which has what another one lacks."""

    minor: Minor
    kind: Kind


def field_at(source: Tables, kind: Kind, steps: Steps) -> Field | None:
    """The field of ``kind`` at ``steps``, or the item of a list or value of a map there; None if nothing."""
    found: Field | None = Field("", {"type": "ref", "ref": kind.type})
    for step in steps:
        if found is None:
            return None
        found = _inside(source, found, step)
    return found


def _inside(source: Tables, field: Field, step: str | int) -> Field | None:
    if isinstance(step, int):
        return field.items
    if field.values is not None:
        return field.values
    return fields_of(source, field).get(step)


def fields_of(source: Tables, field: Field) -> dict[str, Field]:
    """The fields of the struct type that ``field`` holds; empty if it holds no struct."""
    if field.type != "ref" or source.scalar(field.ref) is not None:
        return {}
    return source.struct(field.ref).fields


def is_scalar(source: Tables, field: Field) -> bool:
    """Whether ``field`` holds one plain value, such as a text or a quantity."""
    if field.type == "ref":
        return field.ref not in RAW_SCALARS and source.scalar(field.ref) is not None
    return field.type not in ("array", "map", "object")


def takes(source: Tables, field: Field, value: object) -> bool:
    """Whether ``field`` could hold ``value``: its JSON type fits, and a struct has one of its keys."""
    if value is None:
        return True
    if field.type == "ref":
        if field.ref in RAW_SCALARS:
            return isinstance(value, dict)
        if source.scalar(field.ref) is not None:
            return not isinstance(value, list | dict) and SCALARS[field.ref](value)[1] is None
        return isinstance(value, dict) and (
            not value or not fields_of(source, field).keys().isdisjoint(value)
        )
    if isinstance(value, bool) and field.type != "boolean":
        return False
    if field.items is not None and isinstance(value, list):
        return all(takes(source, field.items, item) for item in value)
    return isinstance(value, _JSON_TYPES[field.type])


def structs_on(source: Tables, kind: Kind, steps: Steps) -> Iterator[tuple[Steps, dict[str, Field]]]:
    """The structs that a document has on the way to ``steps``, the innermost first, with their fields."""
    for depth in range(len(steps), -1, -1):
        field = field_at(source, kind, steps[:depth])
        fields = {} if field is None else fields_of(source, field)
        if fields:
            yield steps[:depth], fields


def route_down(source: Tables, fields: dict[str, Field], name: str, value: object) -> Route | None:
    """The shortest way from a struct with ``fields`` down to a field ``name`` that can hold ``value``.

    Ways through fewer lists are preferred; None if there is no way, or if several are equally short.
    """
    level: list[tuple[Route, dict[str, Field]]] = [((), fields)]
    for _ in range(_DEPTH):
        level = list(_one_down(source, level))
        routes = [
            (*route, name)
            for route, below in level
            if name in below
            and takes(source, below[name], value)
            and not (name in _COMMON and ANY_ITEM in route)
        ]
        if routes:
            fewest = min(route.count(ANY_ITEM) for route in routes)
            best = [route for route in routes if route.count(ANY_ITEM) == fewest]
            return best[0] if len(best) == 1 else None
    return None


def _one_down(
    source: Tables, level: list[tuple[Route, dict[str, Field]]]
) -> Iterator[tuple[Route, dict[str, Field]]]:
    for route, fields in level:
        for field in fields.values():
            if field.name in _NOT_THROUGH or not _is_usual(source.minor, field):
                continue
            below = fields_of(source, field.items or field)
            if below:
                yield (*route, field.name, *((ANY_ITEM,) if field.items else ())), below


def _is_usual(minor: Minor, field: Field) -> bool:
    """Whether a server of ``minor`` has the field by default."""
    known = gates_of(minor)
    return all(gate not in known or known[gate].default for gate in field.gates)


def in_other_minors(minor: Minor, kind: Kind, steps: Steps, *, newer: bool) -> Version | None:
    """The nearest newer or older minor whose ``kind`` has something at ``steps``.

    A minor answers in the API version of ``kind`` if it has that one, else in all it has.
    """
    position = KNOWN.index(minor.at_newest_patch())
    others = KNOWN[position + 1 :] if newer else KNOWN[:position][::-1]
    found = (_having(other, kind, steps) for other in others)
    return next((version for version in found if version is not None), None)


def _having(minor: Minor, kind: Kind, steps: Steps) -> Version | None:
    source = tables(minor)
    same = source.kinds.get((kind.api_version, kind.kind))
    for other in source.kinds.values() if same is None else (same,):
        is_meant = (other.group, other.kind) == (kind.group, kind.kind)
        if is_meant and field_at(source, other, steps) is not None:
            return Version(minor, other)
    return None


def pattern(route: Route) -> str:
    """A way down as text: ``selectors[*].cel``."""
    return ".".join(route).replace(f".{ANY_ITEM}", "[*]")
