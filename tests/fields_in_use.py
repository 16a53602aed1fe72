"""Which fields of a schema change a result: each one is removed from objects, or put into them, and compared.

A field is the kind of an object and the path to it, without the steps into lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

__all__ = ["Field", "Schema", "Used", "used_fields"]

Made = dict[str, Any]
Path = tuple[str, ...]
Field = tuple[str, Path]

OF_ALL_OBJECTS = frozenset({"apiVersion", "kind", "metadata"})
TRIES = 10
"""In so many objects a field is put that none has."""


class Schema(NamedTuple):
    """The fields to look at; ``sample`` makes a value of a field with everything that is in it."""

    wanted: frozenset[Field]
    kind_of: Callable[[Made], str]
    sample: Callable[[Field], object]


class Used(NamedTuple):
    """How many objects were looked at, and the fields that changed nothing."""

    objects: int
    idle: set[Field]


def present(value: Any, at: Path = ()) -> Iterator[Path]:
    """The fields of an object, those of all objects aside."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if at or name not in OF_ALL_OBJECTS:
                yield (*at, name)
                yield from present(inner, (*at, name))
    elif isinstance(value, list):
        for inner in value:
            yield from present(inner, at)


def without(value: Any, path: Path) -> Any:
    """An object without a field, in every item of the lists on the way."""
    if isinstance(value, list):
        return [without(inner, path) for inner in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) == 1:
        return {name: inner for name, inner in value.items() if name != path[0]}
    return {**value, path[0]: without(value[path[0]], path[1:])}


def grafted(value: Any, path: Path, new: object) -> Any:
    """An object with ``new`` at a field, in every place that has its parent."""
    if isinstance(value, list):
        return [grafted(inner, path, new) for inner in value]
    if not isinstance(value, dict):
        return value
    if len(path) == 1:
        return {**value, path[0]: new}
    return {**value, path[0]: grafted(value[path[0]], path[1:], new)} if path[0] in value else value


def used_fields(
    worlds: Iterable[Sequence[Made]], schema: Schema, results: Callable[[list[Made]], object]
) -> Used:
    """Look in every world at each field until it has changed a result once."""
    kept = [list(world) for world in worlds]
    working: set[Field] = set()
    for world in kept:
        _without_each(world, schema, results, working)
    left = schema.wanted - working
    seen = {(schema.kind_of(item), path) for world in kept for item in world for path in present(item)}
    for field in sorted(left - seen):
        if _is_seen_where_put(field, kept, schema, results, seen):
            working.add(field)
    return Used(sum(map(len, kept)), set(schema.wanted - working))


def _without_each(
    world: list[Made], schema: Schema, results: Callable[[list[Made]], object], working: set[Field]
) -> None:
    before: object = None
    for number, item in enumerate(world):
        for path in dict.fromkeys(present(item)):
            field = (schema.kind_of(item), path)
            if field in working or field not in schema.wanted:
                continue
            before = results(world) if before is None else before
            if results([*world[:number], without(item, path), *world[number + 1 :]]) != before:
                working.add(field)


def _is_seen_where_put(
    field: Field,
    worlds: Iterable[list[Made]],
    schema: Schema,
    results: Callable[[list[Made]], object],
    seen: set[Field],
) -> bool:
    """Whether a field that no object has changes a result of one that gets it."""
    kind, path = field
    # The outermost part that no object has comes with everything in it.
    length = next(length for length in range(1, len(path) + 1) if (kind, path[:length]) not in seen)
    outer = path[:length]
    tries = 0
    for world in worlds:
        for number, item in enumerate(world):
            if schema.kind_of(item) != kind:
                continue
            changed = grafted(item, outer, schema.sample((kind, outer)))
            if changed == item:
                continue
            tries += 1
            plain = without(changed, path)
            with_it = results([*world[:number], changed, *world[number + 1 :]])
            if with_it != results([*world[:number], plain, *world[number + 1 :]]):
                return True
            if tries == TRIES:
                return False
    return False
