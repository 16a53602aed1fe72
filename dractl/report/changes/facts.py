"""Facts of a plan in lines: what it is, and below it whom it concerns and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.finding import ObjectRef
from dractl.report.listing import hanging
from dractl.report.style import Style

__all__ = ["INDENT", "below", "marked", "object_name", "some"]

INDENT = "  "
_NAMED = 3
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
    if len(names) <= _NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"


def object_name(item: ObjectRef) -> str:
    """Kind, namespace and name of an object, as far as they are set."""
    name = f"{item.namespace}/{item.name}" if item.namespace else item.name
    return f"{item.kind} {name}".strip()
