"""Fields that the server clears because their feature gate is off, read from the table of gated fields."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.api.release import Minor


class Dropped(NamedTuple):
    """A field that was cleared: where it stood in the internal shape, and the gates that it needs."""

    path: FieldPath
    gates: tuple[str, ...]


class _Row(NamedTuple):
    steps: tuple[str, ...]
    gates: tuple[str, ...]


@cache
def _table() -> dict[str, Any]:
    text = files("dractl.api").joinpath("data/field_gates.json").read_text(encoding="utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


@cache
def _rows(minor: Minor, kind: str) -> tuple[_Row, ...]:
    """The fields of ``kind`` that a create in ``minor`` drops unless all their gates are on."""
    found = []
    for field in _table()["fields"]:
        if field["kind"] != kind:
            continue
        for row in field["rules"]:
            if str(minor) in row["minors"] and row["create"] == "drop":
                steps = tuple(re.findall(r"\[\*\]|\{\*\}|[^.\[\]{}]+", field["path"]))
                found.append(_Row(steps, tuple(row["gatesNeeded"])))
    return tuple(found)


def drop_disabled(kind: str, value: dict[str, Any], gates: GateSet) -> list[Dropped]:
    """Clear the fields of a new object whose gates are off; changes ``value`` in place and says what went.

    Mirrors the ``dropDisabledFields`` functions of ``pkg/registry/resource/*/strategy.go`` on a create.
    """
    dropped: list[Dropped] = []
    for row in _rows(gates.minor, kind):
        missing = tuple(gate for gate in row.gates if gate not in gates)
        if missing:
            _drop(value, row.steps, None, missing, dropped)
    return dropped


def _drop(
    value: Any, steps: tuple[str, ...], path: FieldPath | None, gates: tuple[str, ...], dropped: list[Dropped]
) -> None:
    step, *rest = steps
    below = tuple(rest)
    if step == "[*]" and isinstance(value, list) and path is not None:
        for position, item in enumerate(value):
            _drop(item, below, path.index(position), gates, dropped)
    elif step == "{*}" and isinstance(value, dict) and path is not None:
        for key, item in value.items():
            _drop(item, below, path.key(key), gates, dropped)
    elif isinstance(value, dict) and step in value:
        here = FieldPath(step, path)
        if below:
            _drop(value[step], below, here, gates, dropped)
        else:
            del value[step]
            dropped.append(Dropped(here, gates))
