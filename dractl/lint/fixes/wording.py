"""What a fix does, in a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dractl.api.edits import (
    Box,
    Deduplicate,
    Delist,
    Drop,
    Edit,
    Enclose,
    Enlist,
    Raise,
    Rename,
    Replace,
    Unbox,
    Unfold,
)
from dractl.api.path import Steps

__all__ = ["described"]

_MOST = 3
_LONGEST = 60


def described(changes: Sequence[Edit]) -> str:
    """One sentence about ``changes``, without a stop."""
    sentences = list(dict.fromkeys(_WORDS[type(edit)](edit) for edit in changes))
    more = len(sentences) - _MOST
    return "; ".join(sentences[:_MOST]) + (f"; and {more} more" if more > 0 else "")


def _replace(edit: Edit) -> str:
    assert isinstance(edit, Replace)  # noqa: S101 - by the table
    value = edit.value
    shown = f"'{value}'" if isinstance(value, str) else str(value).lower()
    return f"write {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}"


def _enclose(edit: Edit) -> str:
    assert isinstance(edit, Enclose)  # noqa: S101 - by the table
    return f"move {_names(edit.fields)} under `{edit.name}`"


def _raise(edit: Edit) -> str:
    assert isinstance(edit, Raise)  # noqa: S101 - by the table
    return f"move {_names(edit.fields)} next to `{edit.name}`"


def _unfold(edit: Edit) -> str:
    assert isinstance(edit, Unfold)  # noqa: S101 - by the table
    return f"move the content of `{edit.name}` one level up"


def _rename(edit: Edit) -> str:
    assert isinstance(edit, Rename)  # noqa: S101 - by the table
    return f"rename `{edit.steps[-1]}` to `{edit.name}`"


def _box(edit: Edit) -> str:
    assert isinstance(edit, Box)  # noqa: S101 - by the table
    return f"put the value of {_name(edit.steps)} under `{edit.field}`"


def _names(fields: Sequence[str]) -> str:
    named = ", ".join(f"`{field}`" for field in fields[:_MOST])
    return named + (f" and {len(fields) - _MOST} more" if len(fields) > _MOST else "")


def _name(steps: Steps) -> str:
    names = [step for step in steps if isinstance(step, str)]
    return f"`{names[-1]}`" if names else "the document"


_WORDS: dict[type, Callable[[Edit], str]] = {
    Replace: _replace,
    Drop: lambda edit: f"remove {_name(edit.steps)}",
    Box: _box,
    Unbox: lambda edit: f"write the value of {_name(edit.steps)} without an object around it",
    Enclose: _enclose,
    Unfold: _unfold,
    Raise: _raise,
    Enlist: lambda edit: f"make {_name(edit.steps)} a list",
    Delist: lambda edit: f"remove the list around {_name(edit.steps)}",
    Deduplicate: lambda edit: f"keep only the last {_name(edit.steps)}",
    Rename: _rename,
}
