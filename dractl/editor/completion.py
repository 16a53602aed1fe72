"""What may be written at a place of a manifest: fields, the values of closed sets, names of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dractl.api.gates import GateSet
from dractl.editor import expressions
from dractl.editor.api_fields import children_at, kind_of, place_at, takes_any_key
from dractl.editor.buffer import Position
from dractl.editor.context import Context, context_at, document_bounds
from dractl.editor.items import Item, Sort
from dractl.editor.world import World, requests_in
from dractl.records import NamedTuple
from dractl.versions.fields import Child, Place
from dractl.versions.table import tables

__all__ = ["Completion", "complete", "request_names_near"]

_MOST_LINES = 2000


class Completion(NamedTuple):
    """What may be written, and the column from which on it replaces what is there."""

    items: list[Item]
    start: int


def complete(lines: Sequence[str], at: Position, gates: GateSet, world: World) -> Completion:
    """What may be written at a place."""
    context = context_at(lines, at)
    if context.is_expression:
        text = context.scalar.text[: context.offset] if context.scalar else ""
        items, typed = expressions.complete(text, gates, world)
        return Completion(items, at.column - min(typed, at.column))
    items = list(_keys(context, gates)) if context.is_key else []
    if not context.is_key or context.is_item:
        items += _values(lines, at, context, gates, world)
    return Completion(list({item.label: item for item in items}.values()), context.start)


def _keys(context: Context, gates: GateSet) -> Iterator[Item]:
    if not context.path and not context.kind:
        names = ("apiVersion", "kind", "metadata", "spec")
        yield from (Item(name, Sort.FIELD, "", f"{name}: ") for name in names if name not in context.siblings)
        return
    minor = gates.minor
    place = place_at(minor, context.api_version, context.kind, context.path)
    if place is not None and _is_list(place) != context.is_item and not context.siblings and context.is_item:
        return
    for child in children_at(minor, context.api_version, context.kind, context.path):
        if child.name not in context.siblings:
            detail = f"{child.type}{', required' if child.is_required else ''}"
            yield Item(child.name, Sort.FIELD, detail, f"{child.name}:{_after(child)}")


def _is_list(place: Place) -> bool:
    return place.field is not None and place.field.items is not None


def _after(child: Child) -> str:
    is_scalar = not child.type.startswith(("list", "map", "object"))
    return " " if is_scalar else ""


def _values(
    lines: Sequence[str], at: Position, context: Context, gates: GateSet, world: World
) -> Iterator[Item]:
    path = context.path
    if path == ("kind",):
        yield from _kinds(context, gates)
    elif path == ("apiVersion",):
        yield from _versions(context, gates)
    if not path or (kind := kind_of(gates.minor, context.api_version, context.kind)) is None:
        return
    place = place_at(gates.minor, context.api_version, context.kind, path)
    if place is None or place.field is None or (context.is_key and not _has_scalar_items(place)):
        return
    field = place.field.items or place.field
    yield from (Item(value, Sort.ENUM, "") for value in field.enum or place.field.enum)
    if field.type == "boolean" and not takes_any_key(place, path):
        yield from (Item(value, Sort.ENUM, "") for value in ("true", "false"))
    for suffix, names in _NAMES:
        if path[-len(suffix) :] == suffix:
            yield from names(world)
            break
    if path[-2:] in (("constraints", "requests"), ("config", "requests")) and kind.group:
        yield from (Item(name, Sort.NAME, "request") for name in request_names_near(lines, at))
    if path[-3:] == ("resources", "claims", "request"):
        found = (name for entry in world.objects for _, name in requests_in(entry.document.value))
        near = request_names_near(lines, at)
        yield from (Item(name, Sort.NAME, "request") for name in (*near, *found))
    if path[-3:] == ("resources", "claims", "name"):
        claims = _names_near(lines, at, lambda there: there[-2:] == ("resourceClaims", "name"))
        yield from (Item(name, Sort.NAME, "claim of the pod") for name in claims)


def _has_scalar_items(place: Place) -> bool:
    return place.field is not None and place.field.items is not None and not place.struct


def _kinds(context: Context, gates: GateSet) -> Iterator[Item]:
    for version, kind in tables(gates.minor).kinds:
        if not context.api_version or version == context.api_version:
            yield Item(kind, Sort.ENUM, version)


def _versions(context: Context, gates: GateSet) -> Iterator[Item]:
    known = tables(gates.minor)
    wanted = context.kind if known.api_versions(context.kind) else ""
    for version, kind in known.kinds:
        if not wanted or kind == wanted:
            yield Item(version, Sort.ENUM, "")


def _objects(kind: str) -> Callable[[World], Iterable[Item]]:
    return lambda world: [Item(name, Sort.NAME, kind) for name in world.names(kind)]


def _drivers(world: World) -> Iterable[Item]:
    return [Item(name, Sort.NAME, f"{count} devices") for name, count in world.drivers.most_common()]


def _attributes(world: World) -> Iterable[Item]:
    return [
        Item(f"{domain}/{name}", Sort.ATTRIBUTE, f"{values.total()} devices")
        for domain, names in world.sections.get("attributes", {}).items()
        for name, values in names.items()
    ]


def _pools(world: World) -> Iterable[Item]:
    return [Item(pool, Sort.NAME, "pool") for pool in dict.fromkeys(one.id.pool for one in world.devices)]


def _nodes(world: World) -> Iterable[Item]:
    names = dict.fromkeys((*world.names("Node"), *world.nodes.values()))
    return [Item(name, Sort.NAME, "node") for name in names]


_NAMES: tuple[tuple[tuple[str, ...], Callable[[World], Iterable[Item]]], ...] = (
    (("deviceClassName",), _objects("DeviceClass")),
    (("resourceClaimName",), _objects("ResourceClaim")),
    (("resourceClaimTemplateName",), _objects("ResourceClaimTemplate")),
    (("driver",), _drivers),
    (("matchAttribute",), _attributes),
    (("distinctAttribute",), _attributes),
    (("pool",), _pools),
    (("nodeName",), _nodes),
)
"""Fields that name something of the workspace, by the end of their path."""


def request_names_near(lines: Sequence[str], at: Position) -> list[str]:
    """The requests that the document around a place has, as far as it can be read."""
    found = _names_near(
        lines, at, lambda path: path[-2:] in (("requests", "name"), ("firstAvailable", "name"))
    )
    return list(found)


def _names_near(
    lines: Sequence[str], at: Position, is_wanted: Callable[[tuple[str, ...]], bool]
) -> dict[str, None]:
    start, end = document_bounds(lines, at.line)
    start, end = max(start, at.line - _MOST_LINES), min(end, at.line + _MOST_LINES)
    found: dict[str, None] = {}
    for number in range(start, end):
        line = lines[number]
        begin = line.find("name:")
        if begin < 0 or number == at.line:
            continue
        there = context_at(lines, Position(number, min(len(line), begin + len("name: "))))
        if there.scalar is not None and is_wanted(there.path):
            found[there.scalar.text.strip()] = None
    found.pop("", None)
    return found
