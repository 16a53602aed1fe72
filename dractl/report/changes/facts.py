"""Facts of a plan or a difference in lines: what changes, and below it for which objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.finding import Location, ObjectRef
from dractl.report.listing import hanging, some_of
from dractl.report.style import Style, path

__all__ = ["INDENT", "NAMED", "below", "marked", "object_at", "object_name", "some"]

INDENT = "  "
NAMED = 3
"""Objects that are named where many share a fact."""


def marked(text: str, style: Style, color: str) -> Iterator[str]:
    """A fact, with its mark in a colour."""
    first, *others = hanging(f"{INDENT}- ", text, style)
    yield first.replace("- ", style.paint(color, "-") + " ", 1)
    yield from others


def below(text: str, style: Style) -> Iterator[str]:
    """A line that belongs to the fact above it."""
    yield from hanging(f"{INDENT}    ", text, style)


def some(names: Sequence[str]) -> str:
    """All names, or of many the first ones and how many there are beyond."""
    return some_of(names, NAMED)


def object_name(item: ObjectRef) -> str:
    """Kind, namespace and name of an object, as far as they are set."""
    name = f"{item.namespace}/{item.name}" if item.namespace else item.name
    return f"{item.kind} {name}".strip()


def object_at(item: ObjectRef | None, where: Location) -> str:
    """An object with its file and line; the place alone if the object is unknown."""
    place = f"{path(where.file)}:{where.line}" if where.line else ""
    if item is None:
        return place
    return f"{object_name(item)} ({place})" if place else object_name(item)
