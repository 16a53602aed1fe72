"""What of a written object was not read: found by comparing what was read with what was written."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.path import Steps
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["unread"]


def unread(item: Item) -> Iterator[Steps]:
    """The places of a written object of which nothing is in its value, in the order of the text.

    Of places within each other only the outermost is there; null counts as absent, and what has a value of
    another type is the matter of the rule about types.
    """
    read: dict[Steps, object] = {}
    within: set[Steps] = set()
    for steps, value in _leaves(item.value, ()):
        source = item.mended.source(steps)
        read[source] = value
        within.update(source[:length] for length in range(len(source) + 1))
    mistyped = {fault.steps for fault in item.faults if fault.rule == "type"}
    yield from _unread(item.judged, (), read, within, mistyped)


def _unread(
    value: object, steps: Steps, read: dict[Steps, object], within: set[Steps], mistyped: set[Steps]
) -> Iterator[Steps]:
    if value is None or steps in mistyped:
        return
    # What was filled in for a value is in its place, and is not it.
    is_other = steps in read and not isinstance(value, dict | list) and read[steps] != value
    if steps not in within or is_other:
        yield steps
        return
    for step, inner in _inside(value):
        yield from _unread(inner, (*steps, step), read, within, mistyped)


def _leaves(value: object, steps: Steps) -> Iterator[tuple[Steps, object]]:
    """The places where a value holds nothing further, with what is there."""
    is_empty = True
    for step, inner in _inside(value):
        is_empty = False
        yield from _leaves(inner, (*steps, step))
    if is_empty:
        yield steps, value


def _inside(value: object) -> Iterator[tuple[str | int, object]]:
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        yield from enumerate(value)
