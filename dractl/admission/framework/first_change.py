"""Where an object first differs from its earlier version, to show a reader who may not change it."""

from __future__ import annotations

import json

from dractl.api.path import FieldPath
from dractl.records import NamedTuple

_SHORT = 60
_NEW = "this is new"


class FirstChange(NamedTuple):
    """A place in the new value, and in words what the earlier one has there."""

    place: FieldPath
    before: str


def first_change(path: FieldPath, new: object, old: object) -> FirstChange:
    """The first difference of ``new``, which is at ``path``, from ``old``; empty values are none at all.

    Where only the earlier one has something, the place is what it would be part of.
    """
    if isinstance(new, dict) and isinstance(old, dict):
        for key in {**new, **old}:
            one, other = new.get(key), old.get(key)
            if one != other and (one or other):
                return first_change(path.child(key), one, other)
    if isinstance(new, list) and isinstance(old, list):
        for position, (one, other) in enumerate(zip(new, old, strict=False)):
            if one != other:
                return first_change(path.index(position), one, other)
        if len(new) > len(old):
            return FirstChange(path.index(len(old)), _NEW)
        return FirstChange(path, f"before, `{path.steps()[-1]}` had {len(old)} item{'s' * (len(old) != 1)}")
    return FirstChange(path, f"before, `{path.steps()[-1]}` was {_shown(old)}" if old else _NEW)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHORT else text[: _SHORT - 3] + "..."
