"""Objects with one place changed: the originals stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dractl.api.json_types import JsonDict, JsonObject
from dractl.api.path import Steps, path_text

__all__ = ["at", "dropped", "field", "replaced"]


_Holder = list[object] | JsonDict


def at(value: object, steps: Steps) -> Any:
    """What is at ``steps``; None where the way there ends."""
    for step in steps:
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return None
            value = value[step]
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def replaced(item: JsonObject, steps: Steps, new: object) -> JsonDict:
    """The object with ``new`` at ``steps``; objects on the way that are missing are made."""
    return _object(_changed(item, steps, lambda holder, last: _put(holder, last, new)))


def dropped(item: JsonObject, steps: Steps) -> JsonDict:
    """The object without the entry at ``steps``; lists and objects that become empty go as well."""
    if at(item, steps) is None:
        return dict(item)
    made = _object(_changed(item, steps, _pop))
    above = steps[:-1]
    return dropped(made, above) if above and at(made, above) in ([], {}) else made


def field(steps: Steps, *keys: str) -> str:
    """The path of a place as the API server writes it; ``keys`` are keys of maps that follow."""
    return path_text(steps) + "".join(f"[{key}]" for key in keys)


def _object(holder: _Holder) -> JsonDict:
    return holder if isinstance(holder, dict) else {}


def _changed(value: object, steps: Steps, end: Callable[[_Holder, str | int], None]) -> _Holder:
    copy: _Holder = list(value) if isinstance(value, list) else dict(value) if isinstance(value, dict) else {}
    if len(steps) == 1:
        end(copy, steps[0])
    else:
        _put(copy, steps[0], _changed(at(copy, steps[:1]), steps[1:], end))
    return copy


def _put(holder: _Holder, step: str | int, new: object) -> None:
    if isinstance(holder, dict):
        holder[str(step)] = new
    elif int(step) == len(holder):
        holder.append(new)
    else:
        holder[int(step)] = new


def _pop(holder: _Holder, step: str | int) -> None:
    if isinstance(holder, dict):
        del holder[str(step)]
    else:
        del holder[int(step)]
