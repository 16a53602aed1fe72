"""Changes to a document as values: what a conversion does, to plain data and to the text alike.

All steps are those of the document before any change. Changes of single values come first, then those of
the structure around them; no two of one sort concern the same place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from dractl.api.path import Steps

__all__ = [
    "Box",
    "Drop",
    "Edit",
    "Enclose",
    "Replace",
    "Unbox",
    "Unfold",
    "apply",
    "copied",
    "in_order",
]


_Value = TypeVar("_Value")


class Replace(NamedTuple):
    """Another text in the place of the one at ``steps``."""

    steps: Steps
    text: str


class Drop(NamedTuple):
    """The entry at ``steps`` goes."""

    steps: Steps


class Box(NamedTuple):
    """The value at ``steps`` goes into ``field`` of an object of its own, in the same place."""

    steps: Steps
    field: str


class Unbox(NamedTuple):
    """Of the object at ``steps`` only the value of ``field`` stays, in the same place."""

    steps: Steps
    field: str


class Enclose(NamedTuple):
    """The entries ``fields`` of the object at ``steps`` go into an object ``name`` next to the others."""

    steps: Steps
    name: str
    fields: tuple[str, ...]


class Unfold(NamedTuple):
    """The entries of the object ``name`` in the object at ``steps`` take its place."""

    steps: Steps
    name: str


Edit: TypeAlias = "Replace | Drop | Box | Unbox | Enclose | Unfold"

_STRUCTURE = (Enclose, Unfold)


def in_order(edits: Iterable[Edit]) -> tuple[list[Edit], list[Edit]]:
    """The changes of single values, and those of the structure."""
    values: list[Edit] = []
    structure: list[Edit] = []
    for edit in edits:
        (structure if isinstance(edit, _STRUCTURE) else values).append(edit)
    return values, structure


def copied(value: _Value) -> _Value:
    """A copy of plain data that shares no containers; several times faster than ``copy.deepcopy``."""
    return cast("_Value", _copied(value))


def _copied(value: object) -> object:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def apply(value: object, edits: Iterable[Edit]) -> None:
    """Make the changes in ``value``, in place; an object that is in two places is changed once.

    Raises KeyError, IndexError or TypeError where steps lead nowhere.
    """
    done: set[tuple[int, object]] = set()
    for group in in_order(edits):
        for edit in group:
            _apply(value, edit, done)


def _apply(value: object, edit: Edit, done: set[tuple[int, Any]]) -> None:
    is_inside = isinstance(edit, _STRUCTURE)
    route = edit.steps if is_inside else edit.steps[:-1]
    holder: Any = value
    for step in route:
        holder = holder[step]
    key = edit.name if isinstance(edit, Enclose | Unfold) else edit.steps[-1]
    if (id(holder), key) in done:
        return
    done.add((id(holder), key))
    if isinstance(edit, Replace):
        holder[key] = edit.text
    elif isinstance(edit, Drop):
        del holder[key]
    elif isinstance(edit, Box):
        holder[key] = {edit.field: holder[key]}
    elif isinstance(edit, Unbox):
        holder[key] = holder[key].get(edit.field)
    elif isinstance(edit, Enclose):
        _enclose(holder, edit)
    else:
        _unfold(holder, edit)


def _enclose(holder: dict[str, object], edit: Enclose) -> None:
    """The new object comes last, so that the name of what it belongs to comes before it."""
    holder[edit.name] = {key: holder.pop(key) for key in list(holder) if key in edit.fields}


def _unfold(holder: dict[str, Any], edit: Unfold) -> None:
    entries = list(holder.items())
    holder.clear()
    for key, item in entries:
        holder.update((item or {}) if key == edit.name else {key: item})
