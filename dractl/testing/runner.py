"""Runs test cases: simulates, and compares actual with expected results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.cluster.scaling import ScaleError
from dractl.finding import Location
from dractl.lint.base.placing import location
from dractl.lint.report import location_document
from dractl.records import NamedTuple
from dractl.scenario.reading import Faulty
from dractl.scenario.runner import play
from dractl.simulation.allocator.model.allowance import SPENT, Allowance
from dractl.simulation.engine.report import Simulation
from dractl.testing.actual import Observed, expectation_of
from dractl.testing.cases import Case, Expected
from dractl.testing.compare import ABSENT, Change, Mismatch, compares_nothing, mismatches
from dractl.workflows.mixed_input import simulate

__all__ = ["SCHEMA", "CaseResult", "Failure", "Results", "document", "tried_cases", "try_case"]

SCHEMA = "dractl.test-results/1"

_NOTHING = "no expectations; add expect, or run dractl test --update"


class Failure(NamedTuple):
    """A mismatch, with the place of the expectation in the file and the steps to it."""

    mismatch: Mismatch
    place: Location
    at: Steps


class CaseResult(NamedTuple):
    """A case under one minor, and where it is not as expected."""

    case: Case
    gates: GateSet
    failures: tuple[Failure, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is as expected."""
        return not self.failures

    @property
    def name(self) -> str:
        """The name of the case, with the minor where it is tried under several."""
        several = len(self.case.gates) > 1
        return f"{self.case.name} ({self.gates.minor.version})" if several else self.case.name

    def to_dict(self) -> dict[str, Any]:
        """The entry of the JSON document."""
        place = self.case.place
        scheduler = self.case.schedulers.get(self.gates.minor)
        beside: JsonDict = {}
        if scheduler is not None:
            beside["schedulerVersion"] = scheduler.minor.version
            beside["schedulerFeatureGates"] = dict(sorted(scheduler.overrides.items()))
        return {
            "file": self.case.document.file,
            "case": self.case.name,
            "kubeVersion": self.gates.minor.version,
            "featureGates": dict(sorted(self.gates.overrides.items())),
            **beside,
            "location": location_document(place),
            "ok": self.ok,
            "mismatches": [_failure(failure) for failure in self.failures],
        }


class Results(NamedTuple):
    """What became of all cases; ``updated`` files were written, ``faulty`` ones cannot be used.

    ``stale`` files should have been updated, and could not be written.
    """

    tried: Sequence[CaseResult]
    updated: Sequence[str] = ()
    faulty: Mapping[str, Faulty] = MappingProxyType({})
    stale: Sequence[str] = ()

    @property
    def files(self) -> int:
        """From how many files the cases are."""
        return len({entry.case.document.file for entry in self.tried})

    @property
    def ok(self) -> bool:
        """Whether all cases pass and all files can be used."""
        return not self.faulty and all(entry.ok for entry in self.tried)

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl test --format json``."""
        return document(self)


def tried_cases(cases: Iterable[Case], allowance: Allowance) -> list[CaseResult]:
    """Each case under each of its minors."""
    return [try_case(case, gates, allowance) for case in cases for gates in case.gates]


def try_case(case: Case, gates: GateSet, allowance: Allowance | None = None) -> CaseResult:
    """Simulate a case under one minor, and compare. All cases of a run share an ``allowance``.

    An unknown preferred node and replicas of what cannot be scaled are failures of the case.
    """
    allowance = allowance or Allowance()
    if not allowance.has_steps():
        return CaseResult(case, gates, (_failing(case, "the case", SPENT.message),))
    try:
        states, problems = _states(case, gates, allowance)
    except ScaleError as error:
        return CaseResult(case, gates, (_failing(case, "replicas", str(error)),))
    failures = [_failing(case, "a step", problem) for problem in problems]
    unknown = [name for name in case.node_order if name not in states[-1].outcome.nodes]
    if unknown:
        failures.append(_failing(case, "nodeOrder", f"unknown node: {', '.join(unknown)}"))
    since = {step: before + 1 for before, step in pairwise((-1, *sorted({e.step for e in case.expected})))}
    for expected in case.expected:
        failures += _compared(case, expected, _at(states, since[expected.step], expected.step))
    if not failures and all(compares_nothing(expected.value) for expected in case.expected):
        at = (*case.at, "expect")
        everything = Change((), ABSENT, expectation_of(Observed(states[-1])))
        failures.append(Failure(Mismatch("the case", (), (everything,), _NOTHING), case.place, at))
    return CaseResult(case, gates, tuple(failures))


def _states(case: Case, gates: GateSet, allowance: Allowance) -> tuple[list[Simulation], list[str]]:
    """The state after each step, the start first, and what could not be done."""
    if not case.steps:
        found = simulate(
            case.loaded,
            gates,
            case.namespace_labels,
            case.node_order,
            case.replicas,
            allowance=allowance,
            allocate_unreferenced=case.allocate_unreferenced,
            scheduler=case.schedulers.get(gates.minor),
            dialect=case.dialect,
        )
        return [found], []
    played = play(
        case.loaded,
        gates,
        case.namespace_labels,
        case.steps,
        node_order=case.node_order,
        replicas=case.replicas,
        allowance=allowance,
        allocate_unreferenced=case.allocate_unreferenced,
        scheduler=case.schedulers.get(gates.minor),
        dialect=case.dialect,
    )
    problems = [f"{state.title}: {problem}" for state in played.states for problem in state.problems]
    return [state.simulation for state in played.states], problems


def _at(states: Sequence[Simulation], since: int, step: int) -> Simulation:
    """The state after a step, with what was left out since the previous expectation."""
    # A scenario that has spent its search steps ends early.
    found = states[min(step, len(states) - 1)]
    left_out = tuple(out for state in states[since : step + 1] for out in state.left_out)
    outcome = found.outcome._replace(left_out=left_out)
    return Simulation(
        found.kube_version,
        found.feature_gates,
        outcome,
        lambda: found.objects,
        found.findings,
        found.scheduler,
        explain=found.explain,
        given=found.given,
    )


def _compared(case: Case, expected: Expected, simulation: Simulation) -> Iterator[Failure]:
    for mismatch in mismatches(expected.value, Observed(simulation)):
        place = location(case.document, (*expected.at, *mismatch.steps))
        yield Failure(mismatch, place, expected.at)


def _failing(case: Case, subject: str, message: str) -> Failure:
    return Failure(Mismatch(subject, (), (), message), case.place, case.at)


def document(results: Results) -> dict[str, Any]:
    """The JSON document of ``dractl test --format json``; it has errors only if any."""
    tried, faulty = results.tried, results.faulty
    summary = {"files": results.files, "cases": len(tried), "failed": sum(not entry.ok for entry in tried)}
    return {
        "schema": SCHEMA,
        "summary": {**summary, **({"errors": len(faulty)} if faulty else {})},
        "updated": list(results.updated),
        "cases": [entry.to_dict() for entry in tried],
        **({"errors": [error for file in faulty for error in _errors(file, faulty[file])]} if faulty else {}),
    }


def _errors(file: str, faulty: Faulty) -> Iterator[JsonDict]:
    """What is wrong with a file that cannot be used; without a place if it cannot be read at all."""
    if faulty.error is not None:
        yield {"file": file, "rule": None, "field": "", "message": faulty.error.message, "location": None}
    for found in faulty.findings:
        yield {
            "file": file,
            "rule": found.rule,
            "field": found.field,
            "message": found.message,
            "location": found.location and location_document(found.location),
        }


def _failure(failure: Failure) -> JsonDict:
    mismatch = failure.mismatch
    return {
        "subject": mismatch.subject,
        "location": location_document(failure.place),
        "changes": [_change(change) for change in mismatch.changes],
        "note": mismatch.note,
    }


def _change(change: Change) -> JsonDict:
    """A change; what is absent is left out."""
    entry: JsonDict = {"field": list(change.steps)}
    if change.expected is not ABSENT:
        entry["expected"] = change.expected
    if change.actual is not ABSENT:
        entry["actual"] = change.actual
    return entry
