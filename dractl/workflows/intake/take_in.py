"""From documents to the objects of a cluster: what the API server takes, and why it leaves out the rest."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, cast

from dractl.admission.admit import DEFAULT_NAMESPACE, Admission
from dractl.api.characters import path_shown
from dractl.api.gates import CORE_GATE, GateSet, allocates_claims
from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.cluster.context_objects import surrounding
from dractl.cluster.objects import Key, identity, key_of, metadata_of
from dractl.cluster.quota import KIND as QUOTA
from dractl.cluster.quota import Ledger, counts_extended
from dractl.finding import Finding, Severity
from dractl.lint.base.placing import identity_of
from dractl.lint.cross_checks import findings_on_devices
from dractl.lint.unsimulated import unsimulated, unsimulated_quota
from dractl.simulation.engine.bulk import bulk
from dractl.simulation.engine.report import Explain, Given, SchedulerRelease, Simulation
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.workflows.explaining import DROPPED, is_changed
from dractl.workflows.intake.stored import about_refused_writes, taken_as_stored, why_unused
from dractl.workflows.intake.written import Source, as_written, partly_seen_templates
from dractl.workflows.refusals import reason, refusal, unreadable
from dractl.workflows.validate import Admitted, EarlierState, Labels, admit_all

if TYPE_CHECKING:
    from dractl.api.objects.resource import ResourceClaimStatus
    from dractl.workflows.skew import SchedulerView

__all__ = ["Intake", "origin", "take_in"]

_DECISIVE = frozenset({DROPPED, "gate/unserved", "admin/unknown-namespace", "pod/implicit-resource"})
"""The warnings about an object that explain why it may not behave as written."""

_LIMITED = frozenset({"ResourceClaim", "Pod"})
"""The kinds that a quota can keep from being created."""


class Intake:
    """What the API server took of documents, and what it did not."""

    def __init__(self, gates: GateSet, scheduler: GateSet | None = None) -> None:
        """Start empty; ``scheduler`` has the gates of the scheduler, if they are not those of the server."""
        self.gates = gates
        self.scheduler = scheduler or gates
        self._chosen = (
            None if scheduler is None else SchedulerRelease(scheduler.minor.version, scheduler.overrides)
        )
        self._view: SchedulerView | None = None
        if scheduler is not None:
            from dractl.workflows.skew import SchedulerView  # few simulations have two minors

            if SchedulerView.is_needed(gates, scheduler):
                self._view = SchedulerView(gates, scheduler)
        self.sources: dict[Key, Source] = {}
        self.left_out: list[LeftOut] = []
        self.unused: list[LeftOut] = []
        """Stored templates and workloads that nothing is made of, with the reason."""
        self.findings: list[Finding] = []
        self.changed: list[Document] = []
        """What was refused, or lost fields because a gate is off."""
        self._named: dict[Key, int] = {}
        self._unseen: list[JsonDict] = []

    def objects(self) -> list[Object]:
        """The objects that were taken, in order."""
        return [source.item for source in self.sources.values()]

    def within_quotas(self, objects: Iterable[JsonDict]) -> list[JsonDict]:
        """``objects`` without the claims and pods that exceed a quota when they are created in order.

        Those that come from a cluster were created before the others.
        """
        given = list(objects)
        if not any(item["kind"] == QUOTA for item in given):
            return given
        ledger = Ledger(
            (item for item in given if item["kind"] not in _LIMITED or _exists(item)),
            extended=counts_extended(self.gates),
        )
        within = []
        for item in given:
            is_new = item["kind"] in _LIMITED and not _exists(item)
            excess = ledger.excess(item) if is_new else None
            if excess is not None:
                self.left_out.append(LeftOut(identity(item), str(excess)))
                continue
            if is_new:
                ledger.add(item)
            within.append(item)
        return within

    def simulation(
        self, outcome: Outcome, explain: Explain | None = None, start: Given | None = None
    ) -> Simulation:
        """The result of simulating with these objects, each in the API version and words it came in."""
        minor, sources = self.gates.minor, dict(self.sources)
        unseen = tuple(self._unseen)

        def shown() -> tuple[Object, ...]:
            templates = partly_seen_templates(sources.values())
            found = [
                as_written(minor, item, sources.get(key_of(item)), templates.get(id(item.get("spec"))))
                for item in outcome.objects
            ]
            return (*found, *unseen)

        return Simulation(
            minor.version,
            self.gates.overrides,
            outcome,
            shown,
            tuple(self.findings),
            self._chosen,
            explain,
            start,
        )

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
        if past is None and allocates_claims(self.gates):
            admitted = self._with_stored(admitted)
        self.changed += (entry.document for entry in admitted if is_changed(entry))
        for entry in admitted:
            if entry.admission is not None and entry.admission.accepted:
                self._take(entry, entry.admission, fresh)
            elif (item := surrounding(entry.document.value)) is not None:
                fresh[key_of(item)] = Source(entry.document, entry.document.value, item)
                if item["kind"] == QUOTA:
                    self.findings += unsimulated_quota(entry.document)
            elif past is None and (unused := why_unused(entry)):
                self.unused.append(LeftOut(identity_of(entry.document), unused))
                self.findings += about_refused_writes([entry])
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
        if self._view is not None:
            from dractl.workflows.skew import notes_about

            self.findings += notes_about(self._view.unseen, self.scheduler)
            self._view.unseen.clear()
        self.sources.update(fresh)
        return [source.item for source in fresh.values()]

    def _with_stored(self, admitted: Sequence[Admitted]) -> list[Admitted]:
        """The objects of a dumped cluster take part as they are stored, with a warning if that is refused."""
        entries: list[Admitted] = []
        refused: list[Admitted] = []
        for entry in admitted:
            stored = taken_as_stored(entry)
            if stored is None:
                entries.append(entry)
                continue
            if entry.admission is not None and not entry.admission.accepted:
                refused.append(entry)
            found = [row for row in entry.findings if row.rule in _DECISIVE - {DROPPED}]
            entries.append(Admitted(entry.document, stored, found))
        self.findings += about_refused_writes(refused)
        return entries

    def _take(self, entry: Admitted, admission: Admission, fresh: dict[Key, Source]) -> None:
        item = _in_cluster(admission)
        written: Object = entry.document.value
        if not item["metadata"].get("name") and item["metadata"].get("generateName"):
            name = self._free_name(item, fresh)
            item = {**item, "metadata": {**item["metadata"], "name": name}}
            written = {**written, "metadata": {**written["metadata"], "name": name}}
        if not item["metadata"].get("name"):
            if "items" not in written:  # an empty List is not an object
                self.left_out.append(LeftOut(identity_of(entry.document), _NAMELESS))
            return
        if item["kind"] == "ResourceClaim" and not all(map(allocates_claims, (self.gates, self.scheduler))):
            whose = f" of the {self.scheduler.minor} scheduler" if allocates_claims(self.gates) else ""
            self.left_out.append(LeftOut(identity_of(entry.document), _WITHOUT_DRA.format(whose=whose)))
            return
        decisive = [found for found in entry.findings if found.rule in _DECISIVE]
        if admission.unserved_without is not None:
            self.findings += decisive
            return
        earlier = fresh.get(key_of(item))
        if earlier is not None and (earlier.stored or earlier.item) != item:
            self.left_out.append(LeftOut(identity(earlier.item), _replaced(entry.document)))
        self.findings += decisive
        seen = item if self._view is None else self._view.read(entry.document, admission.kind, item)
        if seen is None:
            self._unseen.append(written)
            return
        fresh[key_of(item)] = Source(entry.document, written, seen, None if seen is item else item)

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


def take_in(
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    scheduler: GateSet | None = None,
) -> Intake:
    """What a server with ``gates`` takes of ``loaded``, and what it leaves out, with the reason.

    ``scheduler`` has the gates of the scheduler, if they are not those of the server.
    """
    intake = Intake(gates, scheduler)
    intake.admit(loaded, namespace_labels)
    return intake


_WITHOUT_DRA = f"claims are not allocated while the feature gate {CORE_GATE}{{whose}} is off"
_NAMELESS = "the object must have a name or a generateName"


def _replaced(by: Document) -> str:
    """Why an earlier object is left out."""
    place = by.locate(())
    file = path_shown(by.file)
    where = file if place is None else f"{file}:{place[0]}:{place[1]}"
    return f"replaced by another object with this kind and name at {where}"


def _exists(item: JsonObject) -> bool:
    """Whether a claim comes from a cluster, not from a manifest."""
    status = cast("ResourceClaimStatus", item.get("status") or {})
    return bool(metadata_of(item).get("uid") or status.get("allocation"))


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
    return [LeftOut(identity_of(entry.document), reason(first), rules)]
