"""Changes to a document as values: what a conversion or a fix does, to plain data and to the text alike.

All steps are those of the document before any change. Changes of single values come first, then those of
the structure around them, then new names for keys, the innermost first; no two of one sort concern the same
place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, TypeVar, cast

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.records import NamedTuple

__all__ = [
    "INSIDE",
    "Box",
    "Deduplicate",
    "Delist",
    "Drop",
    "Edit",
    "Enclose",
    "Enlist",
    "Raise",
    "Rename",
    "Replace",
    "Unbox",
    "Unfold",
    "apply",
    "copied",
    "in_order",
]


_Value = TypeVar("_Value")


def _object(value: object) -> JsonDict:
    """``value`` if it is an object; raises TypeError otherwise."""
    if isinstance(value, dict):
        return value
    raise TypeError("not an object")


class Replace(NamedTuple):
    """Another scalar in the place of the one at ``steps``."""

    steps: Steps
    value: str | float

    def change(self, holder: JsonDict, key: str) -> None:
        """Put the scalar at the key."""
        holder[key] = self.value


class Drop(NamedTuple):
    """The entry at ``steps`` goes."""

    steps: Steps

    def change(self, holder: JsonDict, key: str) -> None:
        """Remove the key."""
        del holder[key]


class Box(NamedTuple):
    """The value at ``steps`` goes into ``field`` of an object of its own, in the same place."""

    steps: Steps
    field: str

    def change(self, holder: JsonDict, key: str) -> None:
        """Put an object around the value."""
        holder[key] = {self.field: holder[key]}


class Unbox(NamedTuple):
    """Of the object at ``steps`` only the value of ``field`` stays, in the same place."""

    steps: Steps
    field: str

    def change(self, holder: JsonDict, key: str) -> None:
        """Put the field in the place of its object."""
        holder[key] = _object(holder[key]).get(self.field)


class Enclose(NamedTuple):
    """The entries ``fields`` of the object at ``steps`` go into an object ``name`` next to the others.

    The object may exist, with other entries or none.
    """

    steps: Steps
    name: str
    fields: tuple[str, ...]

    def change(self, holder: JsonDict, name: str) -> None:
        """Move the entries; a new object comes last, so that the name of what it belongs to is before it."""
        inside = _object(holder.get(name) or {})
        holder[name] = inside | {key: holder.pop(key) for key in list(holder) if key in self.fields}


class Unfold(NamedTuple):
    """The entries of the object ``name`` in the object at ``steps`` take its place."""

    steps: Steps
    name: str

    def change(self, holder: JsonDict, name: str) -> None:
        """Put the entries where the object is."""
        entries = list(holder.items())
        holder.clear()
        for key, item in entries:
            holder.update(_object(item or {}) if key == name else {key: item})


class Raise(NamedTuple):
    """The entries ``fields`` of the object ``name`` in the object at ``steps`` go next to it."""

    steps: Steps
    name: str
    fields: tuple[str, ...]

    def change(self, holder: JsonDict, name: str) -> None:
        """Move the entries out of the object."""
        inside = _object(holder[name])
        for key in self.fields:
            holder[key] = inside.pop(key)


class Enlist(NamedTuple):
    """The value at ``steps`` becomes the only item of a list in its place."""

    steps: Steps

    def change(self, holder: JsonDict, key: str) -> None:
        """Put a list around the value."""
        holder[key] = [holder[key]]


class Delist(NamedTuple):
    """The only item of the list at ``steps`` takes its place."""

    steps: Steps

    def change(self, holder: JsonDict, key: str) -> None:
        """Put the item in the place of the list."""
        items = holder[key]
        holder[key] = items[0] if isinstance(items, list) else items


class Deduplicate(NamedTuple):
    """Of the entries with the key at ``steps`` only the last stays, which is the one that counts."""

    steps: Steps

    def change(self, holder: JsonDict, key: str) -> None:
        """Change nothing: the value has the last one already."""


class Rename(NamedTuple):
    """The key at ``steps`` becomes ``name``, which its object does not have."""

    steps: Steps
    name: str

    def change(self, holder: JsonDict, key: str) -> None:
        """Rename the key in its place."""
        entries = list(holder.items())
        holder.clear()
        holder.update((self.name if name == key else name, item) for name, item in entries)


Edit: TypeAlias = (
    Replace | Drop | Box | Unbox | Enclose | Unfold | Raise | Enlist | Delist | Deduplicate | Rename
)

INSIDE = (Enclose, Unfold, Raise)
"""Edits whose steps lead to the object around the entries that they move."""

_STRUCTURE = (*INSIDE, Enlist, Delist)


def in_order(edits: Iterable[Edit]) -> tuple[list[Edit], list[Edit], list[Edit]]:
    """The changes of single values, those of the structure, and the new names."""
    values: list[Edit] = []
    structure: list[Edit] = []
    names: list[Edit] = []
    for edit in edits:
        group = structure if isinstance(edit, _STRUCTURE) else names if isinstance(edit, Rename) else values
        group.append(edit)
    return values, structure, sorted(names, key=lambda edit: -len(edit.steps))


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
    done: set[object] = set()
    for group in in_order(edits):
        for edit in group:
            _apply(value, edit, done)


def _apply(value: object, edit: Edit, done: set[object]) -> None:
    route = edit.steps if isinstance(edit, INSIDE) else edit.steps[:-1]
    holder: Any = value
    for step in route:
        holder = holder[step]
    if type(holder) not in (dict, list):
        raise TypeError("not an object")
    key: Any = edit.name if isinstance(edit, INSIDE) else edit.steps[-1]
    what = (id(holder), type(edit), key)
    if what in done:
        return
    done.add(what)
    edit.change(holder, key)
