"""Expectation files: their cases, each with everything that a simulation needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dractl.api import gates as gate_table
from dractl.api import names, release
from dractl.api.gates import GateError, GateSet
from dractl.api.path import Steps
from dractl.api.release import Minor, UnknownMinorError
from dractl.cel.compile import CelError
from dractl.finding import Finding, Location, Severity
from dractl.lint.base.placing import location
from dractl.lint.catalog import known_ids, unknown_rule
from dractl.records import NamedTuple
from dractl.scenario.reading import Faulty, finding, read, relative_to
from dractl.scenario.scenario import Scenario, Step, read_scenario, steps_of
from dractl.scenario.schema import as_list
from dractl.source.bounds import Bounds
from dractl.source.document import Document
from dractl.source.load import Loaded, PathError, Sources, load_inside
from dractl.testing.actual import full
from dractl.testing.format import TESTS
from dractl.testing.inventory import selector
from dractl.testing.patterns import where_of

__all__ = ["RULE", "Case", "Expected", "Overrides", "cases_in"]

RULE = "test/format"
"""What a finding about an expectation file breaks."""


class Expected(NamedTuple):
    """The expected results after a step (0: at the start or without steps), and their place in the file."""

    step: int
    value: Mapping[str, Any]
    at: Steps


class Case(NamedTuple):
    """A simulation with its expected results; ``gates`` has a set for each minor to test.

    ``schedulers`` has the gates of the scheduler for each of these, if it is not like the API server, and
    ``warnings`` say which of these pairs are not supported.
    ``at`` is the path of the case in ``document``.
    """

    name: str
    document: Document
    at: Steps
    loaded: Sequence[Loaded]
    gates: Sequence[GateSet]
    namespace_labels: Mapping[str, Mapping[str, str]] | None
    node_order: Sequence[str]
    replicas: Mapping[str, int]
    allocate_unreferenced: bool
    steps: Sequence[Step]
    expected: Sequence[Expected]
    schedulers: Mapping[Minor, GateSet]
    warnings: Sequence[Finding]
    dialect: str | None = None

    @property
    def place(self) -> Location:
        """The place of the case in its file."""
        return location(self.document, self.at)


class Overrides(NamedTuple):
    """Overrides from the command line; None if not set."""

    minors: str | None = None
    gates: Mapping[str, bool] | None = None


def cases_in(
    file: str, overrides: Overrides, bounds: Bounds | None = None, sources: Sources | None = None
) -> list[Case] | Faulty:
    """The cases of a file with their manifests, or what is wrong with it.

    What it names must be inside ``bounds``: without any the folder of the file and the working folder.
    ``sources`` takes what was read.
    """
    bounds = (bounds or Bounds.of_files([file])).with_working_folder(file)
    sources = sources or Sources()
    document = read(file, TESTS, RULE, bounds, sources)
    if isinstance(document, Faulty):
        return document
    entries: list[Steps] = [("cases", number) for number in range(len(document.value.get("cases") or ()))]
    found: list[Case] = []
    wrong = list(_repeated_names(document))
    for at in entries or [()]:
        case = _Reader(document, at, overrides, bounds, sources).case()
        if isinstance(case, Faulty):
            wrong += case.findings
        else:
            found.append(case)
    return Faulty(tuple(dict.fromkeys(wrong))) if wrong else found


def _repeated_names(document: Document) -> Iterator[Finding]:
    """Findings for duplicate case names."""
    seen: set[str] = set()
    for number, case in enumerate(document.value.get("cases") or ()):
        if case["name"] in seen:
            message = f"duplicate case name {case['name']}"
            yield finding(document, RULE, ("cases", number, "name"), message)
        seen.add(case["name"])


class _FaultError(Exception):
    """What makes a case impossible; it stays in this module."""

    def __init__(self, *findings: Finding) -> None:
        self.findings = findings


class _Reader:
    """Reads one case; it inherits from the file what it does not set."""

    def __init__(
        self, document: Document, at: Steps, overrides: Overrides, bounds: Bounds, sources: Sources
    ) -> None:
        self._bounds = bounds
        self._sources = sources
        self._document = document
        self._at = at
        self._overrides = overrides
        value: Any = document.value
        for step in at:
            value = value[step]
        self._own: Mapping[str, Any] = value
        self._scenario: Scenario | None = None

    def case(self) -> Case | Faulty:
        try:
            steps = self._steps()
            gates = self._gates()
            schedulers, warnings = self._schedulers(gates)
            return Case(
                name=self._own.get("name") or Path(self._document.file).name,
                document=self._document,
                at=self._at,
                loaded=self._manifests(steps),
                gates=gates,
                namespace_labels=self._labels(),
                node_order=self._get("nodeOrder", []),
                replicas=self._get("replicas", {}),
                allocate_unreferenced=self._get("allocateUnreferenced", default=False),
                steps=steps,
                expected=tuple(self._checked(self._expected(len(steps)), gates)),
                schedulers=schedulers,
                warnings=warnings,
                dialect=self._dialect(),
            )
        except _FaultError as fault:
            return Faulty(fault.findings)

    def _get(self, name: str, default: object) -> Any:
        return self._own.get(name, self._document.value.get(name, default))

    def _where(self, name: str) -> Steps:
        return (*self._at, name) if name in self._own else (name,)

    def _fault(self, name: str, message: str, *more: str | int) -> _FaultError:
        return _FaultError(finding(self._document, RULE, (*self._where(name), *more), message))

    def _manifests(self, steps: Iterable[Step]) -> list[Loaded]:
        given = as_list(self._get("manifests", "."))
        loaded: list[Loaded] = []
        # All at once, so that a file in a folder that is named as well is read once.
        paths = [relative_to(self._document.file, path) for path in given]
        for item in load_inside(paths, self._bounds, sources=self._sources):
            if isinstance(item, PathError):
                raise self._fault("manifests", f"{item.path}: {item.message}")
            loaded.append(item)
        brought = (item for step in steps for item in step.loaded)
        if not any(_may_count(item) for item in (*loaded, *brought)):
            raise self._fault("manifests", f"no objects in {', '.join(given)}; nothing to simulate")
        return loaded

    def _gates(self) -> list[GateSet]:
        texts = as_list(self._overrides.minors or self._get("kubeVersion", str(release.NEWEST)))
        try:
            minors = dict.fromkeys(minor for text in texts for minor in release.parse_range(text))
        except UnknownMinorError as error:
            raise self._fault("kubeVersion", str(error)) from None
        overrides = {**self._get("featureGates", {}), **(self._overrides.gates or {})}
        try:
            return gate_table.resolve_each(minors, overrides)
        except GateError as error:
            raise self._fault("featureGates", str(error)) from None

    def _schedulers(self, servers: Iterable[GateSet]) -> tuple[dict[Minor, GateSet], list[Finding]]:
        """The schedulers that the case or its scenario states, and warnings about unsupported pairs."""
        played = self._scenario
        version = self._get("schedulerVersion", played and played.scheduler_version)
        overrides = {
            **(played.scheduler_gates if played else {}),
            **self._get("schedulerFeatureGates", {}),
        }
        if version is None and not overrides:
            return {}, []
        from dractl.workflows.skew import SkewError, chosen_scheduler  # few cases have two minors

        is_inherited = self._get("schedulerVersion", None) is None and played is not None
        place = "scenario" if is_inherited else "schedulerVersion"
        found = {}
        warnings: list[Finding] = []
        for server in servers:
            try:
                chosen = chosen_scheduler(server, version, overrides)
            except (UnknownMinorError, SkewError) as error:
                raise self._fault(place, str(error)) from None
            except GateError as error:
                raise self._fault("schedulerFeatureGates", str(error)) from None
            if chosen is not None:
                found[server.minor] = chosen.gates
                warnings += (
                    finding(self._document, RULE, self._where(place), text)._replace(
                        severity=Severity.WARNING
                    )
                    for text in chosen.warnings
                )
        return found, warnings

    def _dialect(self) -> str | None:
        name: str | None = self._get("dialect", None)
        if name is None:
            return None
        from dractl.workflows.extensions import known_dialect  # few cases are about prototypes

        try:
            return known_dialect(name)
        except ValueError as error:
            raise self._fault("dialect", str(error)) from None

    def _labels(self) -> Mapping[str, Mapping[str, str]] | None:
        labels: Mapping[str, Mapping[str, str]] = self._get("namespaceLabels", {})
        for namespace, entries in labels.items():
            if wrong := names.dns_label(namespace):
                raise self._fault(
                    "namespaceLabels", f"invalid namespace {namespace!r}: {wrong[0]}", namespace
                )
            for key, text in entries.items():
                if wrong := (*names.label_key(key), *names.label_value(text)):
                    raise self._fault("namespaceLabels", wrong[0], namespace, key)
        return labels or None

    def _steps(self) -> tuple[Step, ...]:
        if "scenario" in self._own and "steps" in self._own:
            raise self._fault("steps", "steps and scenario are mutually exclusive")
        name = next((name for name in ("steps", "scenario") if name in self._own), None)
        name = name or next((name for name in ("steps", "scenario") if name in self._document.value), None)
        if name is None:
            return ()
        if name == "steps":
            steps = steps_of(self._document, self._where("steps"), RULE, self._bounds, self._sources)
            if isinstance(steps, Faulty):
                raise _FaultError(*steps.findings)
            return steps
        file = relative_to(self._document.file, self._get("scenario", ""))
        scenario = read_scenario(file, self._bounds, self._sources)
        if not isinstance(scenario, Faulty):
            self._scenario = scenario
            return scenario.steps
        if scenario.error is not None:
            raise self._fault("scenario", f"{scenario.error.path}: {scenario.error.message}")
        raise _FaultError(*scenario.findings)

    def _checked(self, expectations: Iterator[Expected], gates: Sequence[GateSet]) -> Iterator[Expected]:
        """The expectations, if each names a thing once, existing rules, and selectors that compile."""
        for expected in expectations:
            for steps, expression in where_of(expected.value):
                for gate_set in gates:
                    compiled = selector(expression, gate_set)
                    if isinstance(compiled, CelError):
                        message = f"does not compile ({gate_set.minor.version}): {compiled.message}"
                        raise _FaultError(finding(self._document, RULE, (*expected.at, *steps), message))
            for part in ("pods", "claims"):
                seen: dict[str, str] = {}
                for name in expected.value.get(part) or {}:
                    if full(name) in seen:
                        at = (*expected.at, part, name)
                        raise _FaultError(
                            finding(
                                self._document,
                                RULE,
                                at,
                                f"{name} duplicates {seen[full(name)]}",
                            )
                        )
                    seen[full(name)] = name
            for name, rules in (expected.value.get("refused") or {}).items():
                for rule in as_list(rules):
                    if message := _unknown(rule):
                        at = (*expected.at, "refused", name)
                        raise _FaultError(finding(self._document, RULE, at, message))
            yield expected

    def _expected(self, last: int) -> Iterator[Expected]:
        if self._own.get("steps") or ("steps" in self._document.value and "scenario" not in self._own):
            where = self._where("steps")
            for number, step in enumerate(self._get("steps", [])):
                if "expect" in step:
                    yield Expected(number + 1, step["expect"], (*where, number, "expect"))
        if self._get("expect", None) is not None:
            yield Expected(last, self._get("expect", {}), self._where("expect"))


def _may_count(item: Loaded) -> bool:
    """Whether something is an object, or unreadable text, which is reported later."""
    return not isinstance(item, Document) or (isinstance(item.value, dict) and "kind" in item.value)


def _unknown(rule: str) -> str:
    """Why no object can break a rule of that id; nothing if one can."""
    ids = list(known_ids())
    return "" if rule in ids else f"{unknown_rule(rule, ids)} (dractl rules lists them)"
