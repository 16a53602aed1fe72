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
    """The fields to look at; ``sample`` makes a value of a field with everything that is in it.

    ``maps`` are those with names that are the user's, which are no fields.
    """

    wanted: frozenset[Field]
    kind_of: Callable[[Made], str]
    sample: Callable[[Field], object]
    maps: frozenset[Field] = frozenset()

    def maps_of(self, kind: str) -> frozenset[Path]:
        """The maps in objects of a kind."""
        return frozenset(path for of, path in self.maps if of == kind)

    def present(self, item: Made) -> Iterator[Field]:
        """The fields that an object has, each once."""
        kind = self.kind_of(item)
        return ((kind, path) for path in dict.fromkeys(present(item, self.maps_of(kind))))


class Used(NamedTuple):
    """How many objects were looked at, and the fields that changed nothing."""

    objects: int
    idle: set[Field]


def present(value: Any, maps: frozenset[Path], at: Path = (), *, is_entry: bool = False) -> Iterator[Path]:
    """The fields of an object, those of all objects aside; ``maps`` have names that are the user's.

    ``is_entry``: the value is one of a map.
    """
    if isinstance(value, list):
        for inner in value:
            yield from present(inner, maps, at, is_entry=is_entry)
    elif isinstance(value, dict) and at in maps and not is_entry:
        for inner in value.values():
            yield from present(inner, maps, at, is_entry=True)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if at or name not in OF_ALL_OBJECTS:
                yield (*at, name)
                yield from present(inner, maps, (*at, name))


class _Change(NamedTuple):
    """A change at a field, in every item of the lists and maps on the way."""

    path: Path
    maps: frozenset[Path]
    make: Callable[[Made, str], Made]

    def applied(self, value: Any, at: Path = (), *, is_entry: bool = False) -> Any:
        if isinstance(value, list):
            return [self.applied(inner, at, is_entry=is_entry) for inner in value]
        if not isinstance(value, dict):
            return value
        if at in self.maps and not is_entry:
            return {key: self.applied(inner, at, is_entry=True) for key, inner in value.items()}
        name = self.path[len(at)]
        if len(self.path) == len(at) + 1:
            return self.make(value, name)
        return {**value, name: self.applied(value[name], (*at, name))} if name in value else value


def without(value: Made, path: Path, maps: frozenset[Path]) -> Made:
    """An object without a field, wherever it stands."""

    def change(holder: Made, name: str) -> Made:
        return {key: inner for key, inner in holder.items() if key != name}

    found: Made = _Change(path, maps, change).applied(value)
    return found


def grafted(value: Made, path: Path, maps: frozenset[Path], new: object) -> Made:
    """An object with ``new`` at a field, in every place that has its parent."""
    found: Made = _Change(path, maps, lambda holder, name: {**holder, name: new}).applied(value)
    return found


def used_fields(
    worlds: Iterable[Sequence[Made]], schema: Schema, results: Callable[[list[Made]], object]
) -> Used:
    """Look in every world at each field until it has changed a result once."""
    kept = [list(world) for world in worlds]
    working: set[Field] = set()
    for world in kept:
        _without_each(world, schema, results, working)
    left = schema.wanted - working
    seen = {field for world in kept for item in world for field in schema.present(item)}
    for field in sorted(left - seen):
        if _is_seen_where_put(field, kept, schema, results, seen):
            working.add(field)
    return Used(sum(map(len, kept)), set(schema.wanted - working))


def _without_each(
    world: list[Made], schema: Schema, results: Callable[[list[Made]], object], working: set[Field]
) -> None:
    before: object = None
    for number, item in enumerate(world):
        maps = schema.maps_of(schema.kind_of(item))
        for field in schema.present(item):
            if field in working or field not in schema.wanted:
                continue
            before = results(world) if before is None else before
            if results([*world[:number], without(item, field[1], maps), *world[number + 1 :]]) != before:
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
    maps = schema.maps_of(kind)
    # The outermost part that no object has comes with everything in it.
    length = next(length for length in range(1, len(path) + 1) if (kind, path[:length]) not in seen)
    outer = path[:length]
    tries = 0
    for world in worlds:
        for number, item in enumerate(world):
            if schema.kind_of(item) != kind:
                continue
            changed = grafted(item, outer, maps, schema.sample((kind, outer)))
            if changed == item:
                continue
            tries += 1
            plain = without(changed, path, maps)
            with_it = results([*world[:number], changed, *world[number + 1 :]])
            if with_it != results([*world[:number], plain, *world[number + 1 :]]):
                return True
            if tries == TRIES:
                return False
    return False
