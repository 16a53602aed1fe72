"""The sizes that the API server allows, and the words that it knows, by minor."""

from __future__ import annotations

from functools import cache
from typing import Any

from dractl.api.release import Minor
from dractl.api.stored import read_table


@cache
def _table() -> dict[str, Any]:
    table = read_table("limits.json")
    return {**table, "limits": {row["id"]: row["values"] for row in table["limits"]}}


@cache
def of(name: str, minor: Minor) -> int:
    """The limit ``name`` (an id such as ``slice.devices``) in ``minor``.

    Raises KeyError for a name that the table does not have, and for a minor without the limit.
    """
    value: int = _table()["limits"][name][str(minor)]
    return value


@cache
def constant(name: str, minor: Minor) -> str | None:
    """The text behind the Go constant ``name`` in ``minor``; None where the minor does not have it.

    Raises KeyError for a name that the table does not have.
    """
    value: str | None = _table()["stringConstants"][name].get(str(minor))
    return value
