"""One input before the schedulers of several Kubernetes minors: where each pod goes, and what changes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import pairwise

from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Explained, Simulation
from dractl.simulation.pods.outcome import LeftOut, Pending, Placement
from dractl.workflows.ranges.groups import Shared, grouped, spanning_rows

__all__ = ["SCHEMA", "Fate", "SimulationMatrix", "SubjectFates"]

SCHEMA = "dractl.simulate-matrix/1"

_ROWS = ("placements", "pending", "evictions", "longSearches", "leftOut", "ties", "notes")
"""The lists of a simulation's document; here each entry also has its minors."""


class Fate(NamedTuple):
    """What becomes of a pod, a claim without a pod or an object that was left out, in one minor.

    ``placements`` are its devices. ``pending`` with its explanation, or ``left_out``, says why it has none. A
    pod with devices that still waits for binding conditions has both.
    """

    node: str | None = None
    placements: tuple[Placement, ...] = ()
    pending: Pending | None = None
    explained: Explained | None = None
    left_out: LeftOut | None = None

    def key(self, *, is_long: bool = True) -> Hashable:
        """What makes two fates the same for a reader; with ``is_long`` also what would help."""
        return (
            self.node,
            tuple(map(_device, self.placements)),
            None if self.pending is None else (self.pending.category, self._reason(is_long=is_long)),
            self.left_out is not None,
        )

    def _reason(self, *, is_long: bool) -> Hashable:
        found, row = self.explained, self.pending
        if found is None:
            return row and row.message
        if not is_long:
            return found.summary
        return found.summary, found.lines, found.like, found.help().lines

    def to_dict(self) -> JsonDict:
        """The fate in one word, and the node or the category."""
        if self.left_out is not None:
            return {"outcome": "left-out", "node": None, "category": None}
        if self.pending is not None:
            return {"outcome": "pending", "node": self.node, "category": self.pending.category}
        return {"outcome": "placed", "node": self.node, "category": None}


def _device(row: Placement) -> Hashable:
    """A placement without generated names: which device is for what, and how much of it."""
    shares = tuple(sorted(row.consumed_capacity.items()))
    return (*row[2:4], *row[5:9], shares, row.admin_access)


class SubjectFates(NamedTuple):
    """A pod, claim or object with its fates, oldest minor first; a minor where it does not exist has none."""

    subject: str
    fates: Mapping[Minor, Fate]

    def groups(self, *, is_long: bool = True) -> list[Shared[Fate]]:
        """The different fates, each with its minors."""
        return grouped(self.fates, lambda fate: fate.key(is_long=is_long))

    @property
    def is_placed(self) -> bool:
        """Whether it is something to place: a pod, or a claim without one; others are only left out."""
        return any(fate.left_out is None or _is_pod(fate.left_out) for fate in self.fates.values())

    @property
    def changes(self) -> list[str]:
        """The minors whose outcome differs from that of the minor before."""
        known = list(self.fates.items())
        return [
            minor.version
            for (_, before), (minor, fate) in pairwise(known)
            if before.key(is_long=False) != fate.key(is_long=False)
        ]


class SimulationMatrix:
    """The simulations of one input under several minors, oldest first, and the ``overrides`` of gates."""

    __slots__ = ("_subjects", "overrides", "simulations")

    def __init__(self, simulations: Mapping[Minor, Simulation], overrides: Mapping[str, bool]) -> None:
        """Keep the simulations."""
        self.simulations = dict(simulations)
        self.overrides = dict(overrides)
        self._subjects: list[SubjectFates] | None = None

    @property
    def minors(self) -> tuple[Minor, ...]:
        """The minors, oldest first."""
        return tuple(self.simulations)

    @property
    def newest(self) -> Simulation:
        """The simulation of the newest minor."""
        return self.simulations[self.minors[-1]]

    @property
    def ok(self) -> bool:
        """Whether everything could be allocated in every minor."""
        return all(simulation.ok for simulation in self.simulations.values())

    @property
    def subjects(self) -> list[SubjectFates]:
        """Everything that a simulation reports on, in the order of the newest minor."""
        if self._subjects is None:
            by_minor = {minor: _fates(simulation) for minor, simulation in self.simulations.items()}
            nodes = {minor: _nodes(simulation) for minor, simulation in self.simulations.items()}
            names = dict.fromkeys(name for minor in reversed(self.minors) for name in by_minor[minor])
            self._subjects = [
                SubjectFates(
                    name,
                    {
                        minor: fates.get(name) or Fate(nodes[minor].get(name))
                        for minor, fates in by_minor.items()
                        if name in fates or name in nodes[minor]
                    },
                )
                for name in names
            ]
        return self._subjects

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl simulate --kube-version 1.33..1.37 --format json``."""
        documents = {minor: simulation.to_dict() for minor, simulation in self.simulations.items()}
        return {
            "schema": SCHEMA,
            "kubeVersions": [minor.version for minor in self.minors],
            "featureGates": dict(sorted(self.overrides.items())),
            "nodes": list(
                dict.fromkeys(name for each in reversed(documents.values()) for name in each["nodes"])
            ),
            "summaries": {
                minor.version: _summary(simulation) for minor, simulation in self.simulations.items()
            },
            "subjects": [
                {
                    "subject": each.subject,
                    "outcomes": {minor.version: fate.to_dict() for minor, fate in each.fates.items()},
                    "changes": each.changes,
                }
                for each in self.subjects
            ],
            **{
                name: spanning_rows({minor: each[name] for minor, each in documents.items()})
                for name in _ROWS
            },
        }


def _summary(simulation: Simulation) -> JsonDict:
    return {
        "podsWithDevices": len({row.pod for row in simulation.placements if row.pod is not None}),
        "pending": len(simulation.pending),
        "leftOut": len(simulation.left_out),
    }


def _nodes(simulation: Simulation) -> Mapping[str, str | None]:
    """The nodes of all pods, also of those without devices."""
    return {pod.pod: pod.node for pod in simulation.outcome.pods}


def _fates(simulation: Simulation) -> dict[str, Fate]:
    found: dict[str, Fate] = {}
    placed: dict[str, list[Placement]] = {}
    for row in simulation.placements:
        placed.setdefault(row.pod or f"claim {row.claim}", []).append(row)
    for name, rows in placed.items():
        found[name] = Fate(rows[0].node, tuple(rows))
    for waiting, explained in zip(simulation.pending, simulation.explanations, strict=True):
        name = waiting.pod or f"claim {waiting.claim}"
        found[name] = found.get(name, Fate())._replace(pending=waiting, explained=explained)
    for number, out in enumerate(simulation.left_out):
        name = _subject(out) or f"#{number}"
        found[name] = found.get(name, Fate())._replace(left_out=out)
    return found


def _subject(out: LeftOut) -> str:
    about = out.object
    name = "/".join(filter(None, (about.get("namespace"), about.get("name"))))
    return name if _is_pod(out) else " ".join(filter(None, (about.get("kind"), name)))


def _is_pod(out: LeftOut) -> bool:
    return out.object.get("kind") == "Pod"
