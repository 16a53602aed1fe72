"""A document with values moved to where they belong, to see what a server would say of it then."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dractl.api.path import Steps
from dractl.records import NamedTuple

_MISSING: object = object()


class Repair(NamedTuple):
    """Take the value at ``source`` and put it at ``target``, or leave it out without a target.

    ``value``, if it is given, is put there instead. A mapping is laid over one that is there already;
    anything else that is there stays.
    """

    source: Steps
    target: Steps | None
    value: object = _MISSING


def repaired(value: object, repairs: Iterable[Repair]) -> object:
    """The plain data ``value`` after ``repairs``; the data itself is left as it is."""
    for repair in repairs:
        taken = _value_at(value, repair.source)
        if taken is _MISSING:
            continue
        value = _without(value, repair.source)
        if repair.target is not None:
            put = taken if repair.value is _MISSING else repair.value
            value = _with(value, repair.target, put)
    return value


def _value_at(value: object, steps: Steps) -> object:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(step, _MISSING)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return _MISSING
    return value


def _without(value: Any, steps: Steps) -> object:
    """A copy without what is at ``steps``; a list item becomes null, so that the others stay in place."""
    step, *rest = steps
    changed = value.copy()
    if rest:
        changed[step] = _without(value[step], tuple(rest))
    elif isinstance(changed, dict):
        del changed[step]
    else:
        changed[step] = None
    return changed


def _with(value: object, steps: Steps, item: object) -> object:
    """A copy with ``item`` at ``steps``, and what leads there where it is missing."""
    if not steps:
        if isinstance(value, dict) and isinstance(item, dict):
            return {**item, **value}
        return item if value is None else value
    step, *rest = steps
    if isinstance(step, int):
        items = list(value) if isinstance(value, list) else []
        items += [None] * (step + 1 - len(items))
        items[step] = _with(items[step], tuple(rest), item)
        return items
    fields = dict(value) if isinstance(value, dict) else {}
    fields[step] = _with(fields.get(step), tuple(rest), item)
    return fields
