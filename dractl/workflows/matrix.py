"""One input before the servers of several Kubernetes minors: which verdicts change, and what appears when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dractl.api import budgets
from dractl.api.arguments import FieldValidation
from dractl.api.gates import GateSet, shared_overrides
from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.finding import Finding, Severity
from dractl.lint import changes
from dractl.lint.base import placing
from dractl.lint.capped import Cap
from dractl.lint.report import (
    Summary,
    finding_document,
    has_many_unnamed,
    is_listed,
    is_unnamed,
    location_document,
    object_document,
)
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded, stop_at
from dractl.source.text import SourceError
from dractl.workflows.spanning import Hidden, Spanning, Verdicts
from dractl.workflows.validate import (
    Check,
    EarlierState,
    Judged,
    Labels,
    PrototypeFindings,
    judge_all,
    summary_of,
)

if TYPE_CHECKING:
    from dractl.lint.base.elsewhere import Elsewhere
    from dractl.lint.suppression.silencer import Silencer

__all__ = ["SCHEMA", "Matrix", "Spanning", "Verdicts", "in_words", "validate_range"]

SCHEMA = "dractl.validate-matrix/1"


class Matrix:
    """The result of :func:`dractl.validate_range`.

    ``findings`` are in the order of the input, ``summaries`` has the counts of each minor. ``is_partial``:
    some objects, such as pods, are only checked for structure and DRA fields.
    """

    __slots__ = ("_hidden", "_items", "findings", "is_partial", "minors", "overrides", "summaries")

    def __init__(
        self,
        *,
        minors: Sequence[Minor],
        overrides: Mapping[str, bool],
        summaries: Mapping[Minor, Summary],
        items: Sequence[Document | SourceError | None],
        findings: Iterable[Spanning],
        is_partial: bool,
        hidden: Hidden | None = None,
    ) -> None:
        """Hold what was found; ``items`` has None in the place of what is no object in any minor.

        ``hidden`` are the findings that are only counted.
        """
        self.minors = tuple(minors)
        self.overrides = dict(overrides)
        self.findings = tuple(findings)
        self.is_partial = is_partial
        self.summaries = dict(summaries)
        self._items = tuple(items)
        self._hidden = hidden or Hidden({}, {})

    @property
    def kube_versions(self) -> tuple[str, ...]:
        """The minors, oldest first."""
        return tuple(minor.version for minor in self.minors)

    @property
    def listed(self) -> tuple[Spanning, ...]:
        """The findings that formats for people show one by one."""
        has_many = has_many_unnamed(row.finding for row in self.findings)
        return tuple(
            row
            for row in self.findings
            if is_listed(row.finding) and not (has_many and is_unnamed(row.finding))
        )

    @property
    def objects(self) -> tuple[Verdicts, ...]:
        """The objects in order, each with its verdicts."""
        refused = {
            (row.number, minor)
            for row in self.findings
            if row.finding.severity is Severity.ERROR
            for minor in row.minors
        }
        hidden = self._hidden.refused
        return tuple(
            Verdicts(
                placing.object_ref(item),
                placing.location(item),
                {
                    minor: (number, minor) not in refused and number not in hidden.get(minor, ())
                    for minor in self.minors
                },
            )
            for number, item in enumerate(self._items)
            if isinstance(item, Document)
        )

    @property
    def ok(self) -> bool:
        """Whether no minor has errors."""
        return not any(summary.errors for summary in self.summaries.values())

    def only(self, is_wanted: Callable[[Finding], bool]) -> Matrix:
        """The same matrix with only the findings that ``is_wanted`` accepts.

        An object without remaining errors counts as accepted. A finding whose cause is dropped counts as one
        of its own.
        """
        kept = [row for row in self.findings if is_wanted(row.finding)]
        return self._with(kept, self._hidden.only(is_wanted), self.summaries)

    def silenced(self, silencer: Silencer) -> Matrix:
        """The same matrix without the findings that are known, and with those about comments and baseline.

        Findings that are only counted have no place, so they stay.
        """
        reasons = [(row, silencer.reason(row.finding)) for row in self.findings]
        numbers = {minor: Counter[str]() for minor in self.minors}
        for row, reason in reasons:
            for minor in row.minors:
                numbers[minor][reason] += 1
        summaries = {
            minor: summary._replace(
                suppressed=numbers[minor]["suppressed"], baseline=numbers[minor]["baseline"]
            )
            for minor, summary in self.summaries.items()
        }
        kept = [row for row, reason in reasons if not reason]
        more = [Spanning(finding, self.minors) for finding in silencer.findings()]
        return self._with([*kept, *more], self._hidden, summaries)

    def _with(self, kept: Sequence[Spanning], hidden: Hidden, summaries: Mapping[Minor, Summary]) -> Matrix:
        rules = {row.finding.rule for row in kept}
        rows = [
            row
            if row.finding.cause in rules
            else Spanning(row.finding._replace(cause=""), row.minors, row.number)
            for row in kept
        ]
        by_minor: dict[Minor, list[Finding]] = {minor: [] for minor in self.minors}
        for row in rows:
            for minor in row.minors:
                by_minor[minor].append(row.finding)
        return Matrix(
            minors=self.minors,
            overrides=self.overrides,
            summaries={
                minor: summary.about(by_minor[minor], hidden.unlisted.get(minor, ()))
                for minor, summary in summaries.items()
            },
            items=self._items,
            findings=rows,
            is_partial=self.is_partial,
            hidden=hidden,
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``dractl validate --kube-version 1.33..1.37 --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersions": list(self.kube_versions),
            "featureGates": dict(sorted(self.overrides.items())),
            "summaries": {minor.version: summary.to_dict() for minor, summary in self.summaries.items()},
            "objects": [_object(verdicts) for verdicts in self.objects],
            "findings": [
                finding_document(row.finding) | {"kubeVersions": [minor.version for minor in row.minors]}
                for row in self.findings
            ],
        }


def _object(verdicts: Verdicts) -> JsonDict:
    return {
        "object": verdicts.object and object_document(verdicts.object),
        "location": location_document(verdicts.location),
        "verdicts": {
            minor.version: "accepted" if accepted else "refused"
            for minor, accepted in verdicts.accepted.items()
        },
        "changes": list(map(str, verdicts.changes)),
    }


class _Seen(NamedTuple):
    """What is kept of a document while other minors are asked; all stored objects would fill the memory."""

    item: Document | SourceError
    findings: list[Finding]
    errors: tuple[Finding, ...]
    is_prototype: bool
    is_object: bool
    is_partial: bool


def _bounded(loaded: list[Loaded]) -> list[Loaded]:
    """As many documents as a range of minors has memory for, and an error for the rest."""
    most = budgets.RANGE_DOCUMENTS.value
    if len(loaded) <= most:
        return loaded
    message = budgets.RANGE_DOCUMENTS.message(wanted=f"{len(loaded) - most:,}")
    return [*loaded[:most], stop_at(loaded[most], message)]


def validate_range(
    loaded: Iterable[Loaded],
    servers: Iterable[GateSet],
    namespace_labels: Labels | None,
    checks: Iterable[Check] = (),
    past: EarlierState | None = None,
    prototypes: PrototypeFindings | None = None,
    *,
    field_validation: FieldValidation = "strict",
    elsewhere: Elsewhere | None = None,
) -> Matrix:
    """The verdicts of ``servers``, one a minor and oldest first, on what was ``loaded`` once.

    The other arguments are those of ``run.validate``.
    """
    everything = _bounded(list(loaded))
    further = tuple(checks)
    gate_sets = list(servers)
    caps = {gates.minor: Cap() for gates in gate_sets}
    judged: dict[Minor, list[_Seen]] = {}
    for gates in gate_sets:
        found = judge_all(
            everything,
            gates,
            namespace_labels,
            further,
            past,
            prototypes,
            field_validation=field_validation,
            elsewhere=elsewhere,
            cap=caps[gates.minor],
        )
        judged[gates.minor] = [_seen(entry) for entry in found]
    minors = tuple(judged)
    _align(judged, caps)
    rows = list(zip(*judged.values(), strict=True))
    findings = list(_joined(minors, rows))
    if past is not None:
        findings += [Spanning(finding, minors) for finding in changes.about_gone(past.earlier)]
    unlisted = {minor: cap.unlisted for minor, cap in caps.items()}
    return Matrix(
        minors=minors,
        overrides=shared_overrides(gate_sets),
        summaries={
            minor: summary_of(
                entries, [found for entry in entries for found in entry.findings], unlisted[minor]
            )
            for minor, entries in judged.items()
        },
        items=[entries[0].item if any(entry.is_object for entry in entries) else None for entries in rows],
        findings=findings,
        is_partial=any(entry.is_partial for entries in rows for entry in entries),
        hidden=Hidden(unlisted, _refused(judged)),
    )


def _seen(entry: Judged) -> _Seen:
    return _Seen(
        entry.item, entry.findings, entry.errors, entry.is_prototype, entry.is_object, entry.is_partial
    )


def _align(judged: Mapping[Minor, Sequence[_Seen]], caps: Mapping[Minor, Cap]) -> None:
    """List of each severity the findings of those documents only of which every minor lists all.

    Otherwise a finding would seem to be one of some minors only. The first document is an exception.
    """
    last: dict[Severity, int] = {}
    for cap in caps.values():
        for severity, number in cap.last.items():
            last[severity] = max(1, min(number, last.get(severity, number)))
    if not last:
        return
    for minor, entries in judged.items():
        for number, entry in enumerate(entries):
            kept = [found for found in entry.findings if number < last.get(found.severity, number + 1)]
            if len(kept) < len(entry.findings):
                for found in entry.findings:
                    if number >= last.get(found.severity, number + 1):
                        caps[minor].count(found)
                entry.findings[:] = kept


def _refused(judged: Mapping[Minor, Sequence[_Seen]]) -> dict[Minor, dict[int, Sequence[Finding]]]:
    """The objects that are refused, with the kinds of their errors, where not each of these is listed."""
    found: dict[Minor, dict[int, Sequence[Finding]]] = {}
    for minor, entries in judged.items():
        of_minor = found[minor] = {}
        for number, entry in enumerate(entries):
            if not isinstance(entry.item, Document):
                continue
            listed = {finding.rule for finding in entry.findings if finding.severity is Severity.ERROR}
            if any(error.rule not in listed for error in entry.errors):
                of_minor[number] = entry.errors
    return found


def _joined(minors: Sequence[Minor], rows: Iterable[Sequence[_Seen]]) -> Iterator[Spanning]:
    """The findings of all minors, each once: first those of the newest minor."""
    for number, entries in enumerate(rows):
        found: dict[object, dict[Minor, Finding]] = {}
        for minor, entry in zip(reversed(minors), reversed(entries), strict=True):
            seen: Counter[object] = Counter()
            for finding in entry.findings:
                key = _identity(finding)
                seen[key] += 1
                found.setdefault((key, seen[key]), {})[minor] = finding
        for having in found.values():
            newest = next(iter(having.values()))
            yield Spanning(newest._replace(hint=_hint(having)), tuple(sorted(having)), number)


def _hint(having: Mapping[Minor, Finding]) -> str:
    """The hint of a finding of several minors, newest first, which may be another one in some of them."""
    by_hint: dict[str, list[Minor]] = {}
    for minor, finding in having.items():
        by_hint.setdefault(finding.hint, []).append(minor)
    if len(by_hint) == 1:
        return next(iter(by_hint))
    return "; ".join(f"in {in_words(sorted(minors))}: {hint}" for hint, minors in by_hint.items() if hint)


def in_words(minors: Iterable[Minor]) -> str:
    """Minors, oldest first, in words: ``1.33 to 1.35 and 1.37``."""
    runs: list[list[Minor]] = []
    for minor in minors:
        if runs and runs[-1][-1] == minor.previous():
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _identity(finding: Finding) -> tuple[object, ...]:
    """What makes two findings of different minors the same one; their words may name the minor."""
    return finding.rule, finding.severity, finding.type, finding.field, finding.location
