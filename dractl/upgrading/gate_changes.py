"""Feature gates that are others in the target: removed, locked, added, or with another default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.api import gates as gate_table
from dractl.api.gates import GateSet
from dractl.upgrading.model import GateChange
from dractl.upgrading.releases import shown

__all__ = ["gate_changes"]


def gate_changes(path: Sequence[GateSet]) -> tuple[GateChange, ...]:
    """What becomes of each gate between the first and the last server of ``path``, by name.

    A gate counts if it is on before and off after or the other way round, or if it was set for the first
    server and a server of the last minor does not start with it.
    """
    return tuple(_changes(path))


def _changes(path: Sequence[GateSet]) -> Iterator[GateChange]:
    first, last = path[0], path[-1]
    before, after = gate_table.gates_of(first.minor), gate_table.gates_of(last.minor)
    for name in sorted(before.keys() | after.keys()):
        was_on, is_on = name in first, name in last
        row, wanted = after.get(name), first.overrides.get(name)
        if row is None:
            if wanted is not None:
                message = "the gate no longer exists"
                is_on = before[name].stage == "ga"
                since = _first_without(name, path)
                yield GateChange(name, "removed", was_on, is_on, since, message, _removal(name, last))
        elif wanted is not None and row.locked and wanted != row.default:
            message = f"it is locked {'on' if row.default else 'off'}"
            since = _first_locked(name, path)
            yield GateChange(name, "locked", was_on, is_on, since, message, _removal(name, last))
        elif was_on != is_on:
            change = "default" if name in before else "added"
            yield GateChange(name, change, was_on, is_on, _first_like(name, path), _sentence(row, is_on))


def _removal(name: str, last: GateSet) -> str:
    return f"remove {name} from --feature-gates: a server of {last.minor.version} does not start with it"


def _sentence(row: gate_table.Gate, is_on: bool) -> str:
    stage = "GA" if row.stage == "ga" else row.stage
    return f"{'locked ' if row.locked else ''}{'on' if is_on else 'off'} ({stage}): {row.purpose}"


def _first_without(name: str, path: Sequence[GateSet]) -> str:
    return shown(next(step for step in path if name not in gate_table.gates_of(step.minor)).minor)


def _first_locked(name: str, path: Sequence[GateSet]) -> str:
    found = (
        step for step in path if (row := gate_table.gates_of(step.minor).get(name)) is not None and row.locked
    )
    return shown(next(found).minor)


def _first_like(name: str, path: Sequence[GateSet]) -> str:
    """The first server from which on the gate is as it is in the last one."""
    since = path[-1]
    for step in reversed(path[1:-1]):
        if (name in step) != (name in path[-1]):
            break
        since = step
    return shown(since.minor)
