"""Two simulations compared: which pods and claims the target places otherwise, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.records import NamedTuple
from dractl.upgrading.model import Move, Placed

if TYPE_CHECKING:
    from dractl.simulation.engine.report import Simulation

__all__ = ["States", "Subject", "moves", "states"]


class Subject(NamedTuple):
    """A pod, or a claim that no pod refers to, as ``namespace/name``."""

    name: str
    is_pod: bool


States = Mapping[Subject, Placed]


def states(simulation: Simulation) -> States:
    """Where each pod and each claim without pods ends in a simulation."""
    devices: dict[Subject, tuple[str | None, list[str]]] = {}
    for row in simulation.placements:
        subject = Subject(row.pod or row.claim, row.pod is not None)
        _, held = devices.setdefault(subject, (row.node, []))
        amounts = "".join(f", {name} {amount}" for name, amount in sorted(row.consumed_capacity.items()))
        held.append(f"{row.request}: {row.driver}/{row.pool}/{row.device}{amounts}")
    found = {
        subject: Placed(node, tuple(dict.fromkeys(sorted(held)))) for subject, (node, held) in devices.items()
    }
    for entry in simulation.pending:
        subject = Subject(entry.pod or entry.claim or "", entry.pod is not None)
        found[subject] = Placed(None, (), entry.category, entry.message)
    return found


Reason = Callable[[Sequence[Subject], States, States], Mapping[Subject, tuple[str, tuple[str, ...]]]]
"""What moves some pods and claims, by their states before and after: a sentence, and ids of advisories."""


def moves(path: Sequence[Callable[[], States]], versions: Sequence[str], reason: Reason) -> tuple[Move, ...]:
    """The pods and claims that are placed otherwise at the end of ``path`` than at its beginning.

    The states between are only asked for if there are any, for the first of ``versions`` that has it so.
    """
    first, last = path[0](), path[-1]()
    moved = [subject for subject in last if subject in first and first[subject] != last[subject]]
    moved = [subject for subject in moved if not _both_pending(first[subject], last[subject])]
    if not moved:
        return ()
    between = [step() for step in path[1:-1]]
    why = reason(moved, first, last)
    return tuple(
        Move(
            subject.name,
            subject.is_pod,
            first[subject],
            last[subject],
            _since(subject, [*between, last], versions[1:]),
            *why.get(subject, (_sentence(first[subject], last[subject]), ())),
        )
        for subject in moved
    )


def _both_pending(before: Placed, after: Placed) -> bool:
    return bool(before.category and after.category)


def _sentence(before: Placed, after: Placed) -> str:
    return after.message or before.message


def _since(subject: Subject, later: Sequence[States], versions: Sequence[str]) -> str:
    since = versions[-1]
    for found, version in zip(reversed(later), reversed(versions), strict=True):
        if found.get(subject) != later[-1][subject]:
            break
        since = version
    return since
