"""Fields that the server clears because their feature gate is off, read from the table of gated fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeAlias

from dractl.api.gates import GateSet, gates_of
from dractl.api.json_types import JsonDict, Object
from dractl.api.path import FieldPath
from dractl.api.stored import read_table
from dractl.records import NamedTuple
from dractl.versions.registry import DRA_GROUP


class Dropped(NamedTuple):
    """A field that was cleared: where it was in the internal shape, and the gates that it needs."""

    path: FieldPath
    gates: tuple[str, ...]


Operation = str
"""``create``, ``update`` (of the object itself) or ``updateStatus``: the columns of the table."""


class _InUse(NamedTuple):
    """A sign that the old object uses a feature already."""

    steps: tuple[str, ...]
    test: str


class _Row(NamedTuple):
    """A gated field whose gates are not all on.

    ``in_use`` are signs in the old object that keep it, None where it goes in any case; ``in_use_new`` are
    signs in the new one, after all other fields are gone.
    """

    steps: tuple[str, ...]
    gates: tuple[str, ...]
    in_use: tuple[_InUse, ...] | None
    in_use_new: tuple[_InUse, ...]


class _Branch:
    """One step of the gated paths of a kind: where it leads, and the gates of the field that ends here."""

    __slots__ = ("below", "gates")

    def __init__(self) -> None:
        self.below: dict[str, _Branch] = {}
        self.gates: tuple[str, ...] = ()


Chain: TypeAlias = "tuple[Chain, str, str | int] | None"
"""The place of a value: the chain above it, the kind of step, and the step itself."""


@cache
def _table() -> dict[str, Any]:
    return read_table("field_gates.json")


def _steps(path: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\[\*\]|\{\*\}|[^.\[\]{}]+", path))


@cache
def _rows(kind: str, gates: GateSet, operation: Operation) -> tuple[_Row, ...]:
    """The fields of ``kind`` that ``operation`` drops under ``gates``."""
    found = []
    for field in _table()["fields"]:
        if field["kind"] != kind:
            continue
        for row in field["rules"]:
            action = row.get(operation) if str(gates.minor) in row["minors"] else None
            if action not in ("drop", "dropUnlessInUse"):
                continue
            missing = tuple(gate for gate in row["gatesNeeded"] if gate not in gates)
            if missing:
                unless = _tests(row, "inUse") if action == "dropUnlessInUse" else None
                found.append(_Row(_steps(field["path"]), missing, unless, _tests(row, "inUseNew")))
    return tuple(found)


def _tests(row: dict[str, Any], name: str) -> tuple[_InUse, ...]:
    return tuple(_InUse(_steps(test["path"]), test["test"]) for test in row.get(name, ()))


@cache
def _tree(rows: tuple[_Row, ...]) -> _Branch:
    root = _Branch()
    for row in rows:
        branch = root
        for step in row.steps:
            branch = branch.below.setdefault(step, _Branch())
        branch.gates = row.gates
    return root


def _plan(rows: tuple[_Row, ...]) -> tuple[_Branch | None, tuple[_Row, ...]]:
    """The fields that go in any case, and the rows of those that go if the new object does not use them."""
    plain = tuple(row for row in rows if not row.in_use_new)
    return _tree(plain) if plain else None, tuple(row for row in rows if row.in_use_new)


@cache
def _plan_for_new(kind: str, gates: GateSet, operation: Operation) -> tuple[_Branch | None, tuple[_Row, ...]]:
    return _plan(_rows(kind, gates, operation))


def drop_disabled(
    kind: str,
    value: Object,
    gates: GateSet,
    *,
    operation: Operation = "create",
    old: Object | None = None,
) -> list[Dropped]:
    """Clear the fields whose gates are off; changes ``value`` in place and returns the cleared fields.

    On an update a feature that the ``old`` object uses already stays. Mirrors the ``dropDisabledFields``
    functions of ``pkg/registry/resource/*/strategy.go``.
    """
    if old is None:
        plain, conditional = _plan_for_new(kind, gates, operation)
    else:
        rows = _rows(kind, gates, operation)
        plain, conditional = _plan(
            tuple(row for row in rows if row.in_use is None or not _is_used(old, row.in_use))
        )
    dropped: list[Dropped] = []
    if plain is not None:
        _drop(value, plain, None, dropped)
    late = tuple(row for row in conditional if not _is_used(value, row.in_use_new))
    if late:
        _drop(value, _tree(late), None, dropped)
    return dropped


def kept_disabled(
    kind: str,
    value: Object,
    gates: GateSet,
    *,
    operation: Operation = "create",
    old: Object | None = None,
) -> list[Dropped]:
    """The fields of ``value`` that stay although their gates are off.

    Some minors forget to drop a field; and on an update what the ``old`` object uses already stays.
    """
    rows = [*_kept_rows(kind, gates, operation)]
    if old is not None:
        rows += [row for row in _rows(kind, gates, operation) if row.in_use and _is_used(old, row.in_use)]
    return [Dropped(_path(chain), row.gates) for row in rows for chain in _chains(value, row.steps, None)]


@cache
def gate_of_kind(group: str, kind: str, gates: GateSet) -> str | None:
    """The gate without which a server does not serve a kind outside of DRA, if it is off.

    Every version of resource.k8s.io counts as served.
    """
    for row in _table()["kinds"]:
        if (row["group"], row["kind"]) == (group, kind) and group != DRA_GROUP:
            gate: str = row["gate"]
            return gate if str(gates.minor) in row["minors"] and gate not in gates else None
    return None


@cache
def _kept_rows(kind: str, gates: GateSet, operation: Operation) -> tuple[_Row, ...]:
    """The fields of ``kind`` that no write of ``operation`` drops, with their gates that are off."""
    found = []
    for field in _table()["fields"] if operation != "updateStatus" else ():
        if field["kind"] != kind:
            continue
        known = {gate for row in field["rules"] for gate in row.get("gatesNeeded", ())}
        missing = tuple(sorted(gate for gate in known if gate not in gates and gate in gates_of(gates.minor)))
        is_kept = any(
            row.get(operation) == "keep" and str(gates.minor) in row["minors"] for row in field["rules"]
        )
        if missing and is_kept:
            found.append(_Row(_steps(field["path"]), missing, None, ()))
    return tuple(found)


def _chains(value: Any, steps: tuple[str, ...], chain: Chain) -> Iterator[Chain]:
    """The places that ``steps`` lead to."""
    if not steps:
        yield chain
        return
    step, rest = steps[0], steps[1:]
    if step == "[*]":
        for position, item in enumerate(value or ()):
            yield from _chains(item, rest, (chain, step, position))
    elif step == "{*}":
        for key, item in (value or {}).items():
            yield from _chains(item, rest, (chain, step, key))
    elif value and step in value:
        yield from _chains(value[step], rest, (chain, "", step))


def _is_used(old: JsonDict, tests: tuple[_InUse, ...]) -> bool:
    return any(_holds(found, test.test) for test in tests for found in _values(old, test.steps))


def _holds(value: object, test: str) -> bool:
    if test == "nonNull":
        return value is not None
    return value is True if test == "true" else bool(value)


def _values(value: Any, steps: tuple[str, ...]) -> Iterator[object]:
    """All values that ``steps`` lead to."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step == "[*]":
        for item in value or ():
            yield from _values(item, rest)
    elif step == "{*}":
        for item in (value or {}).values():
            yield from _values(item, rest)
    elif value and step in value:
        yield from _values(value[step], rest)


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
