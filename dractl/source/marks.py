"""Where keys, items and values are in a text, next to the plain value that was read from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from dractl.records import NamedTuple

__all__ = ["Deferred", "Mark", "MarkList", "Place", "Steps", "find", "moved"]

Steps: TypeAlias = "Sequence[str | int]"

MarkList: TypeAlias = "list[Any]"
"""The marks of one mapping or list, kept flat because a dump has hundreds of thousands of them.

A list's marks are its own offset, then one mark an item; a mapping's are its own offset, then for each
entry in the order of the text, repeated keys too: the key, the offset of the key, the mark of the value.
"""

Mark: TypeAlias = "int | tuple[int, int | MarkList] | MarkList | Deferred"
"""A scalar's offset, the marks of a collection, or, for an alias, its own offset and what it stands for."""


class Deferred:
    """The mark of a value that starts at ``start``, made when somebody looks into it."""

    __slots__ = ("_made", "_make", "start")

    def __init__(self, start: int, make: Callable[[], Mark]) -> None:
        """Remember how to make the mark."""
        self.start = start
        self._make = make
        self._made: Mark | None = None

    def made(self) -> Mark:
        """The mark."""
        if self._made is None:
            self._made = self._make()
        return self._made


class Place(NamedTuple):
    """The deepest step of a route that exists: how many steps it took, where that is, and what is there."""

    depth: int
    key: int
    value: int
    mark: Mark
    found: Any


def find(mark: Mark, value: Any, steps: Steps) -> Place:
    """Follow ``steps`` through ``value`` and its ``mark`` as far as they go.

    Of a repeated key the last one counts, as in the value. Keys that came in through a merge (``<<``) are
    found where they are written.
    """
    key = start_of(mark)
    depth = 0
    for step in steps:
        entry = _entry(inner(mark), value, step)
        if entry is None:
            break
        key, mark = entry
        value = value[step]
        depth += 1
    return Place(depth, key, start_of(mark), mark, value)


def is_merged(mark: Mark, key: str | int) -> bool:
    """Whether the mapping of ``mark`` has ``key`` through a merge (``<<``): written before the mapping."""
    entries = inner(mark)
    if not isinstance(entries, list):
        return False
    triples = zip(entries[1::3], entries[2::3], strict=False)
    return any(name == key and offset < start_of(entries) for name, offset in triples)


def start_of(mark: Mark) -> int:
    """The offset at which the value of ``mark`` starts; for an alias the alias itself."""
    if isinstance(mark, int):
        return mark
    start: int = mark.start if isinstance(mark, Deferred) else mark[0]
    return start


def inner(mark: Mark) -> Mark:
    """The mark itself, or for an alias the mark of what it stands for."""
    if isinstance(mark, Deferred):
        mark = mark.made()
    return mark[1] if isinstance(mark, tuple) else mark


def moved(mark: Mark, by: int) -> Mark:
    """The mark with all offsets moved by so many characters."""
    if isinstance(mark, int):
        return mark + by
    if isinstance(mark, tuple):
        inside = mark[1]
        return mark[0] + by, inside + by if isinstance(inside, int) else _moved_all(inside, by)
    if isinstance(mark, Deferred):
        return Deferred(mark.start + by, lambda: moved(mark.made(), by))
    return _moved_all(mark, by)


def _moved_all(marks: MarkList, by: int) -> MarkList:
    return [part if isinstance(part, str) else moved(part, by) for part in marks]


def _entry(mark: Mark, value: object, step: str | int) -> tuple[int, Mark] | None:
    """The offset of the key (or item) and the mark of the value at ``step``; None if missing."""
    if not isinstance(mark, list):
        return None
    if isinstance(value, dict) and isinstance(step, str) and step in value:
        for position in range(len(mark) - 3, 0, -3):
            if mark[position] == step:
                return mark[position + 1], mark[position + 2]
    elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
        item: Mark = mark[step + 1]
        return start_of(item), item
    return None
