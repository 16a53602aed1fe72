"""The sizes that the API server allows, and the words that it knows, by minor; a few by patch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NotRequired, TypedDict, cast

from dractl.api import release
from dractl.api.release import Minor
from dractl.api.stored import read_table


class _Row(TypedDict):
    id: str
    appliesTo: list[str]
    unit: str
    values: dict[str, int]
    upTo: NotRequired[dict[str, int]]


class _Table(TypedDict):
    limits: list[_Row]
    stringConstants: dict[str, dict[str, str]]


@cache
def _table() -> _Table:
    return cast("_Table", read_table("limits.json"))


@cache
def _limits() -> dict[str, _Row]:
    return {row["id"]: row for row in _table()["limits"]}


@cache
def of(name: str, minor: Minor) -> int:
    """The limit ``name`` (an id such as ``slice.devices``) in ``minor``.

    Raises KeyError for a name that the table does not have, and for a minor without the limit.
    """
    row = _limits()[name]
    for version, limit in row.get("upTo", {}).items():
        last = release.at(version)
        if minor.within(last.at_newest_patch(), last):
            return limit
    return row["values"][str(minor)]


@cache
def constant(name: str, minor: Minor) -> str | None:
    """The text behind the Go constant ``name`` in ``minor``; None where the minor does not have it.

    Raises KeyError for a name that the table does not have.
    """
    return _table()["stringConstants"][name].get(str(minor))


def at_path(kind: str, path: str, minor: Minor) -> Iterator[str]:
    """The limits of a field as words, such as ``32 items``.

    ``path`` is the field's from the root of the ``kind``, with ``[*]`` and ``{*}`` for items and values.
    """
    for row in _limits().values():
        if str(minor) in row["values"] and any(_is_at(place, kind, path) for place in row["appliesTo"]):
            bound = "at least" if row["id"].endswith(".min") else "at most"
            yield f"{bound} {of(row['id'], minor)} {row['unit']}"


def _is_at(place: str, kind: str, path: str) -> bool:
    """Whether a row of the table is about a field: it gives its path or the end of it, some with the kind."""
    first, _, rest = place.partition(" ")
    if rest and "." not in first:
        return first == kind and rest == path
    return not rest and f".{path}".endswith(f".{first}")
