"""From two inputs to what differs: both validated, simulated and audited by the same release."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from dractl.api.gates import GateSet
from dractl.auditing.model import Violation
from dractl.auditing.run import audit
from dractl.cel.common.work import WORK
from dractl.diffing.claims import claim_changes
from dractl.diffing.devices import Devices
from dractl.diffing.findings import only_in
from dractl.diffing.model import Diff, Move, SelectorChange
from dractl.diffing.moves import Outcome, moves
from dractl.diffing.objects import object_changes, objects_of
from dractl.diffing.selectors import selector_changes, selectors_of
from dractl.diffing.sides import Side
from dractl.lint.report import Report
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Simulation
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.versions.registry import type_meta
from dractl.workflows.cel import devices_in
from dractl.workflows.mixed_input import findings_of_prototypes, simulate
from dractl.workflows.validate import Admitted, Labels, PrototypeFindings, admit_all, validate

__all__ = ["diff"]


class _World(NamedTuple):
    """One input as the API server and the scheduler have it."""

    side: Side
    prototypes: PrototypeFindings
    report: Report
    simulation: Simulation
    admitted: Sequence[Admitted]
    devices: Devices
    violations: Sequence[Violation]

    @property
    def has_nodes(self) -> bool:
        """Whether there is any node, be it one that only a slice names."""
        return bool(self.simulation.outcome.nodes)


def diff(
    old: Side,
    new: Side,
    gates: GateSet,
    namespace_labels: Labels | None,
    *,
    shared: Sequence[Loaded] = (),
    dialect: str | None = None,
) -> Diff:
    """What differs between two inputs for a server and a scheduler with ``gates``.

    ``shared`` are objects of both inputs, as far as these do not have them themselves; see Side.completed.
    The caller handles paths that could not be opened. Raises ValueError for an unknown dialect.
    """
    before = _world(old.completed(shared), gates, namespace_labels, dialect)
    after = _world(new.completed(shared), gates, namespace_labels, dialect)
    sides = (before, after)
    earlier, later = (objects_of(world.side.loaded, gates.minor, world.prototypes) for world in sides)
    homes = old.home, new.home
    found = (before.report.listed, after.report.listed)
    return Diff(
        gates.minor.version,
        gates.overrides,
        old.name,
        new.name,
        len(earlier),
        len(later),
        findings_begin=tuple(only_in(found[1], found[0], homes[1], homes[0])),
        findings_end=tuple(only_in(*found, *homes)),
        objects=tuple(object_changes(earlier, later)),
        placements=tuple(_moves(before, after)),
        selectors=tuple(_selectors(before, after)),
        claims=tuple(claim_changes(before.violations, after.violations, before.devices, after.devices)),
        notes=tuple(_notes(before, after)),
    )


def _world(side: Side, gates: GateSet, labels: Labels | None, dialect: str | None) -> _World:
    loaded = list(side.loaded)
    prototypes = findings_of_prototypes(loaded, dialect) or {}
    released = [item for item in loaded if isinstance(item, Document) and item not in prototypes]
    report = validate(loaded, gates, labels, prototypes=prototypes)
    simulation = simulate(loaded, gates, labels, dialect=dialect)
    given = simulation.given
    return _World(
        side,
        prototypes,
        report,
        simulation,
        admit_all(_of_kinds(released, _WITH_SELECTORS), gates, labels),
        Devices(devices_in(_of_kinds(released, _WITH_DEVICES), gates).devices, gates),
        () if given is None else audit(given.objects, gates).violations,
    )


def _moves(before: _World, after: _World) -> Iterator[Move]:
    """The pods that are placed otherwise; nothing is known of them where both inputs have no nodes."""
    if before.has_nodes or after.has_nodes:
        yield from moves(*(Outcome(world.simulation, world.devices) for world in (before, after)))


_WITH_DEVICES = frozenset({"ResourceSlice"})
_WITH_SELECTORS = frozenset({"DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "Namespace"})
"""What is admitted once more, with the labels of namespaces; a dump has many times as much else."""


def _of_kinds(documents: Iterable[Document], kinds: Collection[str]) -> list[Document]:
    found = []
    for item in documents:
        kind = type_meta(item.value).kind if isinstance(item.value, dict) else None
        if isinstance(kind, str) and kind in kinds:
            found.append(item)
    return found


@WORK.run()
def _selectors(before: _World, after: _World) -> list[SelectorChange]:
    earlier, later = selectors_of(before.admitted), selectors_of(after.admitted)
    return list(selector_changes(earlier, later, before.devices, after.devices))


def _notes(before: _World, after: _World) -> Iterator[str]:
    for world in (before, after):
        for item in world.side.loaded:
            if isinstance(item, SourceError):
                where = f"{item.file}:{item.line}:{item.column}"
                yield f"{where} cannot be read, so its objects are not compared: {item.message}"
        if world.devices.is_cut:
            yield f"{world.side.name}: not all selectors were evaluated, and only others are compared"
        if world.report.summary.unlisted:
            number = f"{world.report.summary.unlisted:,}"
            yield f"{world.side.name}: {number} findings are not listed, and not compared"
    if before.simulation.given is None:
        yield f"allocations are not checked for Kubernetes {before.simulation.kube_version}"
    if not (before.has_nodes or after.has_nodes):
        yield "neither side has nodes or ResourceSlices, so placements are not compared"
    if before.prototypes or after.prototypes:
        yield "of objects of prototype APIs, selectors and allocations are not compared"
