"""The sizes that the API server allows, and the words that it knows, by minor."""

from __future__ import annotations

from functools import cache
from typing import TypedDict, cast

from dractl.api.release import Minor
from dractl.api.stored import read_table


class _Row(TypedDict):
    id: str
    values: dict[str, int]


class _Table(TypedDict):
    limits: list[_Row]
    stringConstants: dict[str, dict[str, str]]


@cache
def _table() -> _Table:
    return cast("_Table", read_table("limits.json"))


@cache
def _limits() -> dict[str, dict[str, int]]:
    return {row["id"]: row["values"] for row in _table()["limits"]}


@cache
def of(name: str, minor: Minor) -> int:
    """The limit ``name`` (an id such as ``slice.devices``) in ``minor``.

    Raises KeyError for a name that the table does not have, and for a minor without the limit.
    """
    return _limits()[name][str(minor)]


@cache
def constant(name: str, minor: Minor) -> str | None:
    """The text behind the Go constant ``name`` in ``minor``; None where the minor does not have it.

    Raises KeyError for a name that the table does not have.
    """
    return _table()["stringConstants"][name].get(str(minor))
