"""From documents to a plan: both servers and both schedulers asked about the same objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from dractl.advisories.reach import Known, reached
from dractl.advisories.table import advisories, of_quirk
from dractl.api.gates import GateSet
from dractl.api.json_types import Object
from dractl.cel.common.environment import Environment
from dractl.finding import Location
from dractl.simulation.allocator.model.features import Features, features_of
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.run import run as run_scheduler
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.upgrading.causes import Cause, causes_of, differences, gates_of
from dractl.upgrading.changes import Step, changes_of
from dractl.upgrading.gate_changes import gate_changes
from dractl.upgrading.model import Plan, Reached
from dractl.upgrading.moves import States, moves, states
from dractl.upgrading.moves import Subject as Mover
from dractl.upgrading.releases import DRA, Ends, between, shown
from dractl.upgrading.subjects import Subject, converted, in_version, subjects_in
from dractl.upgrading.verdicts import verdicts
from dractl.workflows.extensions import SCHEDULERS
from dractl.workflows.mixed_input import findings_of_prototypes
from dractl.workflows.simulate import simulate, take_in
from dractl.workflows.validate import Labels, admit_all

__all__ = ["upgrade"]


def upgrade(loaded: Iterable[Loaded], servers: Ends, labels: Labels | None) -> Plan:
    """What changes for ``loaded`` between two servers; the caller handles paths that could not be opened."""
    everything = list(loaded)
    apart = findings_of_prototypes(everything) or {}
    subjects = subjects_in(everything, apart)
    path = [servers.before, *between(servers.before, servers.after), servers.after]
    steps = [Step(gates, verdicts(subjects, gates, labels)) for gates in path]
    judged = [
        number
        for number in range(len(subjects))
        if any(step.verdicts[number].answers != () for step in steps)
    ]
    changes = changes_of(subjects, steps)
    worlds = _Worlds(subjects, labels, servers.after)
    placed = moves(
        [partial(worlds.states, gates) for gates in path],
        [shown(gates.minor) for gates in path],
        partial(worlds.reasons, servers),
    )
    ended, begun = _advisories(worlds, path)
    return Plan(
        before=servers.before.minor.version,
        after=servers.after.minor.version,
        gates_before=servers.before.overrides,
        gates_after=servers.after.overrides,
        objects=len(judged),
        stored=sum(subjects[number].is_stored for number in judged),
        refused=changes.refused,
        unserved=changes.unserved,
        dropped=changes.dropped,
        warned=changes.warned,
        recreate=changes.recreate,
        moved=placed,
        ended=ended,
        begun=begun,
        gates=gate_changes(path),
        refused_before=changes.refused_before,
        refused_always=changes.refused_always,
        unreadable=tuple(
            Location(item.file, item.line, item.column, item.line_text, item.rendered_from)
            for item in everything
            if isinstance(item, SourceError)
        ),
        notes=(*_notes(servers, len(apart)), *_hidden_gates(subjects, servers.before, labels)),
        conversion=converted(
            [subjects[number] for number in changes.outdated], everything, servers.after.minor
        ),
        placed=worlds.placed,
    )


def _notes(servers: Ends, prototypes: int) -> Iterator[str]:
    if servers.assumes_dra:
        minor = servers.before.minor.version
        yield f"{DRA} is off by default in {minor}; assumed to be on, because the input has objects of DRA"
    if prototypes:
        count = "1 object is" if prototypes == 1 else f"{prototypes} objects are"
        yield f"{count} of a prototype API, which no API server serves; not compared"


def _hidden_gates(subjects: Sequence[Subject], gates: GateSet, labels: Labels | None) -> Iterator[str]:
    """That objects out of the cluster have fields of gates that are taken to be off in it."""
    stored = [
        document
        for subject in subjects
        if subject.is_stored and (document := in_version(subject, gates.minor))
    ]
    names = {
        name
        for entry in admit_all(stored, gates, labels)
        if entry.admission is not None
        for dropped in entry.admission.dropped
        for name in dropped.gates
    }
    if names:
        yield (
            f"objects of the cluster have fields that {gates.minor.version} drops by default; "
            f"set their gates with --from-gates if they are on: {', '.join(sorted(names))}"
        )


class _Worlds:
    """The objects as the servers of the minors take them, and what the schedulers make of them."""

    def __init__(self, subjects: Sequence[Subject], labels: Labels | None, target: GateSet) -> None:
        self._subjects = subjects
        self._labels = labels
        self._target = target
        self.placed: Simulation | None = None
        """The simulation of the target."""

    def documents(self, gates: GateSet) -> list[Document]:
        """The objects in the versions that a minor has."""
        found = (in_version(subject, gates.minor) for subject in self._subjects)
        return [document for document in found if document is not None]

    def objects(self, gates: GateSet) -> list[Object]:
        """The objects that a server takes, decoded and in v1 shape."""
        return take_in(self.documents(gates), gates, self._labels).objects()

    def states(self, gates: GateSet) -> States:
        """Where everything is placed."""
        found = simulate(self.documents(gates), gates, self._labels)
        if gates is self._target:
            self.placed = found
        return states(found)

    def reasons(
        self, servers: Ends, moved: Sequence[Mover], first: States, last: States
    ) -> Mapping[Mover, tuple[str, tuple[str, ...]]]:
        """What moves each of ``moved``: a feature of the scheduler, or a known fault of one of the two.

        The differences are tried on what the first server takes and, for the others, on what the last takes.
        """
        if any(SCHEDULERS.get(str(gates.minor)) is not None for gates in servers[:2]):
            return {}
        one, other = features_of(servers.before), features_of(servers.after)
        causes = differences(one, other, lambda name: bool(of_quirk(name)))
        found = causes_of(moved, last, one, other, causes, self._simulator(servers.before))
        rest = [subject for subject in moved if subject not in found]
        if rest:
            found |= causes_of(rest, first, other, one, causes, self._simulator(servers.after))
        return {subject: _in_words(cause, servers) for subject, cause in found.items()}

    def _simulator(self, gates: GateSet) -> Callable[[Features], States]:
        intake = take_in(self.documents(gates), gates, self._labels)
        environment = Environment(gates.minor, gates, stored=True)

        def simulated(features: Features) -> States:
            outcome = run_scheduler(
                intake.objects(), features=features, environment=environment, left_out=intake.left_out
            )
            return states(Simulation(str(gates.minor), {}, outcome, ()))

        return simulated


def _in_words(cause: Cause, servers: Ends) -> tuple[str, tuple[str, ...]]:
    if not cause.is_quirk:
        names = [name for name in gates_of(cause.name) if (name in servers.after) != (name in servers.before)]
        state = "on" if any(name in servers.after for name in names) else "off"
        gate = " and ".join(names)
        return (f"{gate} is {state}" if names else "the scheduler has other features"), ()
    found = of_quirk(cause.name)
    if not found:
        return f"the allocator of {servers.after.minor} follows another rule ({cause.name})", ()
    return found[0].title, tuple(advisory.id for advisory in found)


def _advisories(worlds: _Worlds, path: Sequence[GateSet]) -> tuple[tuple[Reached, ...], tuple[Reached, ...]]:
    """The known faults that the objects reach and that only the first, or only the last server has."""
    first, last = path[0], path[-1]
    ended: list[Reached] = []
    begun: list[Reached] = []
    before, after = Known(worlds.objects(first), first), Known(worlds.objects(last), last)
    for advisory in advisories():
        was, is_there = advisory.affects(first), advisory.affects(last)
        objects = reached(advisory, before if was else after) if was != is_there else ()
        if objects:
            since = advisory.begins(last.minor) if is_there else advisory.ends(first.minor)
            entry = Reached(
                advisory.id,
                advisory.title,
                advisory.effect,
                objects,
                since,
                advisory.fix if is_there else "",
            )
            (begun if is_there else ended).append(entry)
    return tuple(ended), tuple(begun)
