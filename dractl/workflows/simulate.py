"""From documents to a simulation: what the API server accepts goes in, and comes back in its API version."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

from dractl.admission.admit import DEFAULT_NAMESPACE, Admission
from dractl.api.characters import path_shown
from dractl.api.gates import GateSet, gates_of
from dractl.api.json_types import JsonDict, Object
from dractl.api.release import Minor
from dractl.cel.common.environment import Environment
from dractl.cluster.context_objects import surrounding
from dractl.cluster.objects import Key, identity, key_of
from dractl.cluster.scaling import scaled
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import object_ref
from dractl.lint.cross_checks import findings_on_devices
from dractl.lint.unsimulated import unsimulated
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.bulk import bulk
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.run import run
from dractl.simulation.engine.settings import Progress, no_progress
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.versions.encode import encode
from dractl.versions.layout import to_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import tables
from dractl.workflows.extensions import SCHEDULERS
from dractl.workflows.refusals import reason, refusal, unreadable
from dractl.workflows.validate import Admitted, EarlierState, Labels, admit_all

__all__ = ["Intake", "Source", "simulate", "take_in"]

_DECISIVE = frozenset({"gate/dropped", "gate/unserved", "admin/unknown-namespace", "pod/implicit-resource"})
"""The warnings about an object that explain why it may not behave as written."""


def simulate(
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    node_order: Sequence[str] = (),
    replicas: Mapping[str, int] = MappingProxyType({}),
    progress: Progress = no_progress,
    allowance: Allowance | None = None,
) -> Simulation:
    """Simulate a scheduler with ``gates`` for ``loaded``.

    Unreadable documents, and objects that a server with ``gates`` refuses, are left out and reported; other
    kinds are left out silently, unless they resemble DRA kinds. The caller handles paths that could not be
    opened. ``replicas`` overrides the number of pods of workloads. ``progress`` gets the number of tried
    pods and of all pods. Simulations of one run share an ``allowance``.

    Raises scaling.ScaleError for replicas of anything that cannot be scaled.
    """
    everything = list(loaded)
    allowance = allowance or Allowance()
    allowance.begin(map(origin, everything))
    intake = take_in(everything, gates, namespace_labels)
    objects = scaled(intake.objects(), replicas)
    environment = Environment(gates.minor, gates, stored=True)
    own_scheduler = SCHEDULERS.get(str(gates.minor))
    if own_scheduler is not None:
        outcome = own_scheduler(
            objects,
            environment=environment,
            node_order=node_order,
            left_out=intake.left_out,
            allowance=allowance,
        )
    else:
        outcome = run(
            objects,
            features=features_of(gates),
            environment=environment,
            node_order=node_order,
            left_out=intake.left_out,
            allowance=allowance,
            progress=progress,
        )
    return intake.simulation(outcome)


class Source(NamedTuple):
    """An object as it was written, with its place, and as it went into the simulation."""

    document: Document
    written: Object
    item: Object


class Intake:
    """What the API server took of documents, and what it did not."""

    def __init__(self, gates: GateSet) -> None:
        """Start empty."""
        self.gates = gates
        self.sources: dict[Key, Source] = {}
        self.left_out: list[LeftOut] = []
        self.findings: list[Finding] = []
        self._named: dict[Key, int] = {}

    def objects(self) -> list[Object]:
        """The objects that were taken, in order."""
        return [source.item for source in self.sources.values()]

    def simulation(self, outcome: Outcome) -> Simulation:
        """The result of simulating with these objects, each in the API version and words it came in."""
        minor, sources = self.gates.minor, dict(self.sources)

        def shown() -> tuple[Object, ...]:
            return tuple(_shown(minor, item, sources.get(key_of(item))) for item in outcome.objects)

        return Simulation(minor.version, self.gates.overrides, outcome, shown, tuple(self.findings))

    def admit(
        self, loaded: Iterable[Loaded], namespace_labels: Labels | None, past: EarlierState | None = None
    ) -> list[Object]:
        """Take in what a server accepts of ``loaded``, leave out the rest, and answer what is new.

        With a ``past`` the objects that it holds are updated. Of two in ``loaded`` with one name the later
        one counts.
        """
        fresh: dict[Key, Source] = {}
        everything = list(loaded)
        self.left_out += (_unreadable(item) for item in everything if isinstance(item, SourceError))
        admitted = admit_all(everything, self.gates, namespace_labels, past)
        for entry in admitted:
            if entry.admission is not None and entry.admission.accepted:
                self._take(entry, entry.admission, fresh)
            elif (item := surrounding(entry.document.value)) is not None:
                fresh[key_of(item)] = Source(entry.document, entry.document.value, item)
            else:
                self.left_out += _refused(entry)
        taken = [
            (entry.document, entry.admission)
            for entry in admitted
            if entry.admission is not None and entry.admission.accepted
        ]
        self.findings += unsimulated(taken)
        pairs = ((entry.document, entry.admission) for entry in admitted)
        self.findings += findings_on_devices(pairs, self.gates)
        self.sources.update(fresh)
        return [source.item for source in fresh.values()]

    def _take(self, entry: Admitted, admission: Admission, fresh: dict[Key, Source]) -> None:
        item = _in_cluster(admission)
        written: Object = entry.document.value
        if not item["metadata"].get("name") and item["metadata"].get("generateName"):
            name = self._free_name(item, fresh)
            item = {**item, "metadata": {**item["metadata"], "name": name}}
            written = {**written, "metadata": {**written["metadata"], "name": name}}
        if not item["metadata"].get("name"):
            if "items" not in written:  # an empty List is not an object
                self.left_out.append(LeftOut(_identity(entry.document), _NAMELESS))
            return
        # A minor without the gate always allocates claims.
        if item["kind"] == "ResourceClaim" and _DRA not in self.gates and _DRA in gates_of(self.gates.minor):
            self.left_out.append(LeftOut(_identity(entry.document), _WITHOUT_DRA))
            return
        decisive = [found for found in entry.findings if found.rule in _DECISIVE]
        if admission.unserved_without is not None:
            self.findings += decisive
            return
        earlier = fresh.get(key_of(item))
        if earlier is not None and earlier.item != item:
            self.left_out.append(LeftOut(identity(earlier.item), _replaced(entry.document)))
        fresh[key_of(item)] = Source(entry.document, written, item)
        self.findings += decisive

    def _free_name(self, item: Object, fresh: Mapping[Key, Source]) -> str:
        """A name for an object that has only a ``generateName``; the server adds random characters to it."""
        base: str = item["metadata"].get("generateName", "")[:_MAX_BASE]
        key = key_of(item)
        for number in count(self._named.get(key, 0) + 1):
            self._named[key] = number
            candidate = key._replace(name=f"{base}{number}")
            if candidate not in self.sources and candidate not in fresh:
                break
        return f"{base}{self._named[key]}"


_MAX_BASE = 58
"""What the API server keeps of a generateName before it adds its own characters."""


def origin(item: Loaded) -> tuple[Hashable, int]:
    """Where an object was read, so that one that is read again counts once, and its size."""
    if isinstance(item, Document):
        return (item.file, item.index, item.prefix), bulk(item.value)
    return id(item), 1


def take_in(loaded: Iterable[Loaded], gates: GateSet, namespace_labels: Labels | None) -> Intake:
    """What a server with ``gates`` takes of ``loaded``, and what it leaves out, with the reason."""
    intake = Intake(gates)
    intake.admit(loaded, namespace_labels)
    return intake


_DRA = "DynamicResourceAllocation"
_WITHOUT_DRA = f"claims are not allocated while the feature gate {_DRA} is off"
_NAMELESS = "the object must have a name or a generateName"


def _replaced(by: Document) -> str:
    """Why an earlier object took no part."""
    place = by.locate(())
    file = path_shown(by.file)
    where = file if place is None else f"{file}:{place[0]}:{place[1]}"
    return f"replaced by another object with this kind and name at {where}"


def _in_cluster(admission: Admission) -> Object:
    """The object as a running cluster has it, in the internal shape."""
    kind, metadata = admission.kind, admission.observed["metadata"]
    if kind.namespaced:
        metadata = {**metadata, "namespace": metadata.get("namespace") or DEFAULT_NAMESPACE}
    return {"apiVersion": kind.api_version, "kind": kind.kind, **admission.observed, "metadata": metadata}


def _unreadable(error: SourceError) -> LeftOut:
    return LeftOut({}, unreadable(error), ("decode/fatal",))


def _refused(entry: Admitted) -> Iterable[LeftOut]:
    """The reason why a document is left out; empty for unsupported kinds."""
    first = refusal(entry)
    if first is None:
        return []
    errors = [found.rule for found in entry.findings if found.severity is Severity.ERROR]
    rules = tuple(dict.fromkeys(errors or [first.rule]))
    return [LeftOut(_identity(entry.document), reason(first), rules)]


def _identity(document: Document) -> Mapping[str, str]:
    ref = object_ref(document)
    if ref is None:
        return {}
    named = {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
    return {key: text for key, text in named.items() if text}


def _shown(minor: Minor, item: Object, source: Source | None) -> Object:
    """An object that came out of the simulation, in its version, and unchanged in its own words."""
    if source is not None and item is source.item:
        return source.written
    if not item["apiVersion"].startswith(f"{DRA_GROUP}/"):
        return item if source is None else _overlaid(source.written, source.item, item)
    known = tables(minor)
    kind = known.kinds.get((item["apiVersion"], item["kind"]))
    if kind is None:
        # A generated claim names v1, which older minors do not have.
        kind = known.kinds[known.api_versions(item["kind"])[0], item["kind"]]
    item = {**item, "apiVersion": kind.api_version}
    return encode(minor, kind, to_version(kind.api_version, kind.kind, item))


def _overlaid(written: JsonDict, before: JsonDict, after: JsonDict) -> JsonDict:
    """``written`` with what makes the difference between ``before`` and ``after``, and nothing else."""
    shown = {key: value for key, value in written.items() if key in after or key not in before}
    for key, value in after.items():
        old = before.get(key)
        if old == value:
            continue
        inner = written.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            shown[key] = _overlaid(inner if isinstance(inner, dict) else {}, old, value)
        else:
            shown[key] = value
    return shown
