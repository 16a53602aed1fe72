"""What a fix does, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

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
    sentences = list(dict.fromkeys(map(_sentence, changes)))
    more = len(sentences) - _MOST
    return "; ".join(sentences[:_MOST]) + (f"; and {more} more" if more > 0 else "")


def _sentence(edit: Edit) -> str:
    match edit:
        case Replace(value=value):
            shown = f"'{value}'" if isinstance(value, str) else str(value).lower()
            return f"write {shown if len(shown) <= _LONGEST else shown[:_LONGEST] + '…'}"
        case Drop():
            return f"remove {_name(edit.steps)}"
        case Box():
            return f"put the value of {_name(edit.steps)} under `{edit.field}`"
        case Unbox():
            return f"write the value of {_name(edit.steps)} without an object around it"
        case Enclose():
            return f"move {_names(edit.fields)} under `{edit.name}`"
        case Unfold():
            return f"move the content of `{edit.name}` one level up"
        case Raise():
            return f"move {_names(edit.fields)} next to `{edit.name}`"
        case Enlist():
            return f"make {_name(edit.steps)} a list"
        case Delist():
            return f"remove the list around {_name(edit.steps)}"
        case Deduplicate():
            return f"keep only the last {_name(edit.steps)}"
        case Rename():
            return f"rename `{edit.steps[-1]}` to `{edit.name}`"


def _names(fields: Sequence[str]) -> str:
    named = ", ".join(f"`{field}`" for field in fields[:_MOST])
    return named + (f" and {len(fields) - _MOST} more" if len(fields) > _MOST else "")


def _name(steps: Steps) -> str:
    names = [step for step in steps if isinstance(step, str)]
    return f"`{names[-1]}`" if names else "the document"
