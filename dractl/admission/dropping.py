"""Fields that the server clears because their feature gate is off, read from the table of gated fields."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.api.stored import read_table


class Dropped(NamedTuple):
    """A field that was cleared: where it stood in the internal shape, and the gates that it needs."""

    path: FieldPath
    gates: tuple[str, ...]


class _Branch:
    """One step of the gated paths of a kind: where it leads, and the gates of the field that ends here."""

    __slots__ = ("below", "gates")

    def __init__(self) -> None:
        self.below: dict[str, _Branch] = {}
        self.gates: tuple[str, ...] = ()


Chain = tuple[Any, str, str | int] | None
"""The place of a value: the chain above it, the kind of step, and the step itself."""


@cache
def _table() -> dict[str, Any]:
    return read_table("field_gates.json")


@cache
def _missing(kind: str, gates: GateSet) -> _Branch | None:
    """The fields of ``kind`` that a create drops under ``gates``, as a tree of steps; None if none."""
    root = _Branch()
    for field in _table()["fields"]:
        if field["kind"] != kind:
            continue
        for row in field["rules"]:
            if str(gates.minor) in row["minors"] and row["create"] == "drop":
                missing = tuple(gate for gate in row["gatesNeeded"] if gate not in gates)
                if missing:
                    _grow(root, field["path"], missing)
    return root if root.below else None


def _grow(root: _Branch, path: str, gates: tuple[str, ...]) -> None:
    branch = root
    for step in re.findall(r"\[\*\]|\{\*\}|[^.\[\]{}]+", path):
        branch = branch.below.setdefault(step, _Branch())
    branch.gates = gates


def drop_disabled(kind: str, value: dict[str, Any], gates: GateSet) -> list[Dropped]:
    """Clear the fields of a new object whose gates are off; changes ``value`` in place and says what went.

    Mirrors the ``dropDisabledFields`` functions of ``pkg/registry/resource/*/strategy.go`` on a create.
    """
    root = _missing(kind, gates)
    dropped: list[Dropped] = []
    if root is not None:
        _drop(value, root, None, dropped)
    return dropped


def _drop(value: Any, branch: _Branch, chain: Chain, dropped: list[Dropped]) -> None:
    for step, below in branch.below.items():
        if step == "[*]":
            for position, item in enumerate(value):
                _drop(item, below, (chain, step, position), dropped)
        elif step == "{*}":
            for key, item in value.items():
                _drop(item, below, (chain, step, key), dropped)
        elif step in value:
            if below.gates:
                del value[step]
                dropped.append(Dropped(_path((chain, "", step)), below.gates))
            else:
                _drop(value[step], below, (chain, "", step), dropped)


def _path(chain: Chain) -> FieldPath:
    steps = []
    while chain is not None:
        chain, kind, step = chain
        steps.append((kind, step))
    path = FieldPath(steps[-1][1])
    for kind, step in reversed(steps[:-1]):
        if kind == "[*]":
            path = path.index(int(step))
        else:
            path = path.key(str(step)) if kind else path.child(str(step))
    return path
