"""The sizes that the API server allows, and the words that it knows, by minor; a few by patch."""

from __future__ import annotations

from functools import cache
from typing import NotRequired, TypedDict, cast

from dractl.api import release
from dractl.api.release import Minor
from dractl.api.stored import read_table


class _Row(TypedDict):
    id: str
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
