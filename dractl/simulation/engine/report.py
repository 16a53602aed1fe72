"""The result of a simulation for callers: the outcome and the Kubernetes minor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Severity
from dractl.records import NamedTuple
from dractl.simulation.engine.notes import notes_on_input
from dractl.simulation.pods.outcome import (
    NO_SLICES,
    Eviction,
    LeftOut,
    LongSearch,
    Note,
    Outcome,
    Pending,
    Placement,
)
from dractl.simulation.scheduler.timeouts import sentence

__all__ = [
    "SCHEMA",
    "Explain",
    "Explained",
    "Given",
    "Help",
    "SchedulerRelease",
    "Simulation",
    "with_outcome",
]

SCHEMA = "dractl.simulate/1"

_POOLS = frozenset({"DevicePool", "ResourcePool"})
"""What has devices in prototypes."""


Objects = tuple[dict[str, Any], ...]


class SchedulerRelease(NamedTuple):
    """A scheduler that was chosen apart from the API server: its minor or patch, and its overrides."""

    version: str
    feature_gates: Mapping[str, bool]


class Help(NamedTuple):
    """What would help a pod that waits: in a few lines, the best first, and for its entry in the document."""

    lines: tuple[str, ...] = ()
    document: Mapping[str, object] = MappingProxyType({})


class Explained(NamedTuple):
    """Why a pod waits, ready to be shown: in one line, in a few lines, and for its entry in the document.

    ``like`` names an earlier pod that is equal and waits for the same reasons. ``help`` looks for what would
    help, which takes as long as all else, so that it is called where that is shown.
    """

    summary: str
    lines: tuple[str, ...]
    document: JsonDict
    like: str | None = None
    help: Callable[[], Help] = Help
    source: Callable[[], object] = type(None)
    is_untried: bool = False


class Given(NamedTuple):
    """What a simulation started from, for questions about other orders, gates and labels.

    ``readmit`` admits the objects again that the API server refused or dropped fields of, under other gates
    and labels of namespaces; None without such objects. ``labels`` are those of namespaces.
    """

    objects: Sequence[JsonDict]
    readmit: Callable[[GateSet, Mapping[str, Mapping[str, str]]], Iterable[JsonDict]] | None = None
    labels: Mapping[str, Mapping[str, str]] = MappingProxyType({})


Explain = Callable[[Outcome], Sequence[Explained | None]]
"""Explains what is pending in an outcome, entry by entry; None where a limit was reached."""


class Simulation:
    """The result of :func:`dractl.simulate`.

    ``objects`` are the objects with their new status, in the API versions of the input and ready to be
    simulated again. ``findings`` are warnings about objects that took part, but not as they were written.
    ``outcome`` is the outcome of the simulation itself, ``feature_gates`` the overrides of the minor's
    defaults. ``scheduler`` is None unless the scheduler was chosen apart from the API server.
    """

    __slots__ = (
        "_explain",
        "_explanations",
        "_objects",
        "feature_gates",
        "findings",
        "given",
        "kube_version",
        "outcome",
        "scheduler",
    )

    def __init__(
        self,
        kube_version: str,
        feature_gates: Mapping[str, bool],
        outcome: Outcome,
        objects: Objects | Callable[[], Objects],
        findings: tuple[Finding, ...] = (),
        scheduler: SchedulerRelease | None = None,
        explain: Explain | None = None,
        given: Given | None = None,
    ) -> None:
        """Keep the outcome of a simulation of the ``kube_version`` scheduler, and what it was ``given``.

        ``objects`` may be a function, because to write out the claims of 5,000 pods takes 400 MiB. What
        is pending is only explained when it is shown.
        """
        self.findings = findings
        self.kube_version = kube_version
        self.feature_gates = dict(sorted(feature_gates.items()))
        self.outcome = outcome
        self.scheduler = scheduler
        self.given = given
        self._objects = objects
        self._explain = explain
        self._explanations: Sequence[Explained | None] | None = None

    @property
    def objects(self) -> Objects:
        """The objects with their new status."""
        if not isinstance(self._objects, tuple):
            self._objects = self._objects()
        return self._objects

    @property
    def ok(self) -> bool:
        """Whether all objects were simulated and all requested devices were allocated."""
        return not self.pending and not self.left_out

    @property
    def placements(self) -> tuple[Placement, ...]:
        """One entry for each device as one container sees it."""
        return self.outcome.placements

    @property
    def pending(self) -> tuple[Pending, ...]:
        """The pods, and the claims without pods, that got no devices."""
        return self.outcome.pending

    @property
    def can_explain(self) -> bool:
        """Whether more is known of what waits than its message: not so for the scheduler of 1.30."""
        return self._explain is not None

    @property
    def explain(self) -> Explain | None:
        """Explains what is pending in an outcome of this simulation; None if it cannot."""
        return self._explain

    @property
    def explanations(self) -> Sequence[Explained | None]:
        """Why each entry of ``pending`` waits; None where that is only known as its message."""
        if self._explanations is None:
            self._explanations = (
                [None] * len(self.pending) if self._explain is None else self._explain(self.outcome)
            )
        return self._explanations

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The objects that were not simulated."""
        return self.outcome.left_out

    @property
    def evictions(self) -> tuple[Eviction, ...]:
        """The pods that will be evicted because they do not tolerate a taint of their device."""
        return self.outcome.evictions

    @property
    def long_searches(self) -> tuple[LongSearch, ...]:
        """The nodes on which the scheduler's own search for a pod takes more than ten seconds."""
        return self.outcome.long_searches

    @property
    def ties(self) -> dict[str, tuple[str, ...]]:
        """The equally good nodes of each pod with devices, if there were several.

        A real scheduler takes one of them by chance.
        """
        placed = {row.pod for row in self.placements}
        return {pod.pod: pod.tied for pod in self.outcome.pods if len(pod.tied) > 1 and pod.pod in placed}

    @property
    def notes(self) -> tuple[Note, ...]:
        """What else is worth knowing about the run, such as claims that stay unallocated."""
        lacks = tuple(notes_on_input(self.outcome))
        if any(note.code == NO_SLICES for note in lacks) and any(
            item.get("kind") in _POOLS for item in self.objects
        ):
            lacks = tuple(note for note in lacks if note.code != NO_SLICES)
        return (*self.outcome.notes, *lacks)

    def scheduler_entries(self) -> JsonDict:
        """What the JSON documents have of a scheduler that was chosen apart; empty otherwise."""
        if self.scheduler is None:
            return {}
        gates = dict(sorted(self.scheduler.feature_gates.items()))
        return {"schedulerVersion": self.scheduler.version, "schedulerFeatureGates": gates}

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``dractl simulate --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(self.feature_gates),
            **self.scheduler_entries(),
            "nodes": list(self.outcome.nodes),
            "placements": [_placement(row) for row in self.placements],
            "pending": [
                {
                    **_pending(row),
                    **({} if explained is None else {**explained.document, **explained.help().document}),
                }
                for row, explained in zip(self.pending, self.explanations, strict=True)
            ],
            "evictions": [_eviction(row) for row in self.evictions],
            "longSearches": [_long_search(row) for row in self.long_searches],
            "leftOut": [
                {"object": dict(row.object), "reason": row.reason, "rules": list(row.rules)}
                for row in self.left_out
            ],
            "ties": [{"pod": pod, "nodes": list(nodes)} for pod, nodes in self.ties.items()],
            "notes": [*map(_finding, self.findings), *map(_note, self.notes)],
        }


def with_outcome(
    simulation: Simulation, outcome: Outcome, findings: tuple[Finding, ...] | None = None
) -> Simulation:
    """The same simulation with another outcome, and perhaps other findings; its objects stay."""
    return Simulation(
        simulation.kube_version,
        simulation.feature_gates,
        outcome,
        lambda: simulation.objects,
        simulation.findings if findings is None else findings,
        simulation.scheduler,
        simulation.explain,
        simulation.given,
    )


def _finding(row: Finding) -> JsonDict:
    where, ref = row.location, row.object
    named = (
        {} if ref is None else {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace}
    )
    document: JsonDict = {
        "code": row.rule,
        "severity": row.severity.value,
        "message": f"{row.message}; {row.hint}" if row.hint else row.message,
    }
    if ref is not None:
        document["object"] = {key: text for key, text in {**named, "name": ref.name}.items() if text}
        document["field"] = row.field
    if where is not None and where.line:
        document["location"] = {"file": where.file, "line": where.line, "column": where.column}
    return document


def _note(row: Note) -> JsonDict:
    document: JsonDict = {"code": row.code, "severity": Severity.INFO.value, "message": row.message}
    for name, values in (("pods", row.pods), ("claims", row.claims)):
        if values:
            document[name] = list(values)
    for name, text in (("fault", row.fault), ("fixedIn", row.fixed_in)):
        if text is not None:
            document[name] = text
    return document


def _long_search(row: LongSearch) -> JsonDict:
    subject: JsonDict = {"pod": row.pod}
    if row.pod is None:
        subject["claim"] = row.claim
    message = sentence(row.steps, has_limit=row.has_limit, is_open=row.is_open)
    return {**subject, "node": row.node, "steps": row.steps, "message": message}


def _placement(row: Placement) -> JsonDict:
    return {
        "pod": row.pod,
        "node": row.node,
        "container": row.container,
        "podClaim": row.pod_claim,
        "claim": row.claim,
        "request": row.request,
        "driver": row.driver,
        "pool": row.pool,
        "device": row.device,
        "shareID": row.share_id,
        "consumedCapacity": dict(row.consumed_capacity),
        "adminAccess": row.admin_access,
        "containerKind": row.container_kind,
        "config": [
            {"source": entry.source, "driver": entry.driver, "parameters": entry.parameters}
            for entry in row.config
        ],
    }


def _eviction(row: Eviction) -> JsonDict:
    taint = {name: row.taint[name] for name in ("key", "value", "effect") if row.taint.get(name)}
    return {**row._asdict(), "taint": taint}


def _pending(row: Pending) -> JsonDict:
    document: JsonDict = {"pod": row.pod}
    if row.pod is None:
        document["claim"] = row.claim
    nodes = {
        name: {"category": refusal.category, "message": refusal.message}
        for name, refusal in row.nodes.items()
    }
    document |= {"category": row.category, "message": row.message, "nodes": nodes}
    return document if row.event is None else {**document, "event": row.event}
