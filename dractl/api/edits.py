"""Changes to a document as values: what a conversion does, to plain data and to the text alike.

All steps are those of the document before any change. Changes of single values come first, then those of
the structure around them; no two of one sort concern the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping
from typing import Any, NamedTuple, TypeAlias

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


Carry = Callable[[Any, Any, Any], None]
"""Told of each entry that moves: from which mapping, to which, under which key."""


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


def copied(value: Any) -> Any:
    """A copy of plain data that shares no containers; several times faster than ``copy.deepcopy``."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def apply(value: Any, edits: Iterable[Edit], carry: Carry | None = None) -> None:
    """Make the changes in ``value``, in place; an object that is in two places is changed once.

    Raises KeyError, IndexError or TypeError where steps lead nowhere.
    """
    done: set[tuple[int, Any]] = set()
    for group in in_order(edits):
        for edit in group:
            _apply(value, edit, carry or _nothing, done)


def _apply(value: Any, edit: Edit, carry: Carry, done: set[tuple[int, Any]]) -> None:
    is_inside = isinstance(edit, _STRUCTURE)
    route = edit.steps if is_inside else edit.steps[:-1]
    holder = value
    for step in route:
        holder = holder[step]
    key: Any = edit.name if isinstance(edit, Enclose | Unfold) else edit.steps[-1]
    if (id(holder), key) in done:
        return
    done.add((id(holder), key))
    if isinstance(edit, Replace):
        holder[key] = edit.text
    elif isinstance(edit, Drop):
        del holder[key]
    elif isinstance(edit, Box):
        holder[key] = _like(holder, {edit.field: holder[key]})
    elif isinstance(edit, Unbox):
        holder[key] = holder[key].get(edit.field)
    elif isinstance(edit, Enclose):
        _enclose(holder, edit, carry)
    else:
        _unfold(holder, edit, carry)


def _nothing(_source: Any, _target: Any, _key: Any) -> None:
    """Plain data carries nothing but its values."""


def _like(holder: MutableMapping[str, Any], entries: dict[str, Any]) -> MutableMapping[str, Any]:
    found = type(holder)()
    found.update(entries)
    return found


def _enclose(holder: MutableMapping[str, Any], edit: Enclose, carry: Carry) -> None:
    """The new object comes last, so that the name of what it belongs to comes before it."""
    entries = list(holder.items())
    inner = _like(holder, {})
    holder.clear()
    for key, item in entries:
        if key in edit.fields:
            inner[key] = item
            carry(holder, inner, key)
        else:
            holder[key] = item
    holder[edit.name] = inner


def _unfold(holder: MutableMapping[str, Any], edit: Unfold, carry: Carry) -> None:
    entries = list(holder.items())
    holder.clear()
    for key, item in entries:
        if key != edit.name:
            holder[key] = item
            continue
        for name, field in (item or {}).items():
            holder[name] = field
            carry(item, holder, name)
