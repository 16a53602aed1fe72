"""What a validation comes out with: findings, counts and stored objects; values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from dractl.admission.admit import Admission
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Fix, Location, ObjectRef, Severity, rule_url
from dractl.lint.capped import SKIPPED, Unlisted
from dractl.records import NamedTuple
from dractl.versions.registry import DRA_GROUP

SCHEMA = "dractl.validate/1"


class Summary(NamedTuple):
    """The number of inputs, and of findings by severity.

    ``prototypes`` are those of the objects that are validated as objects of a prototype API, ``unlisted`` the
    findings that are counted here but not listed, because there are too many; ``suppressed`` are silenced by
    comments, and ``baseline`` are those that a baseline lists.
    """

    files: int
    objects: int
    skipped: int
    errors: int
    warnings: int
    prototypes: int = 0
    unlisted: int = 0
    suppressed: int = 0
    baseline: int = 0

    def to_dict(self) -> dict[str, int]:
        """The counts as the JSON documents have them; the last four only if any."""
        counts = self._asdict()
        for name in ("prototypes", "unlisted", "suppressed", "baseline"):
            if not counts[name]:
                del counts[name]
        return counts

    def about(self, findings: Iterable[Finding], unlisted: Sequence[Unlisted]) -> Summary:
        """The same with the counts of these findings, listed or not."""
        weights = Counter(finding.severity for finding in findings)
        for entry in unlisted:
            weights[entry.first.severity] += entry.number
        return self._replace(
            errors=weights[Severity.ERROR],
            warnings=weights[Severity.WARNING],
            unlisted=sum(entry.number for entry in unlisted),
        )


class Report:
    """The result of :func:`dractl.validate`.

    ``findings`` are in the order of the input; ``gates`` are those of the server that validated. ``unlisted``
    has what ``summary`` counts beyond them.
    """

    __slots__ = ("_admissions", "findings", "gates", "kube_version", "summary", "unlisted")

    def __init__(
        self,
        gates: GateSet,
        summary: Summary,
        findings: Sequence[Finding],
        admissions: Sequence[Admission | None],
        unlisted: Sequence[Unlisted] = (),
    ) -> None:
        """Hold what was found; ``admissions`` has None for an object of a kind that the server lacks."""
        self.kube_version = gates.minor.version
        self.gates = gates
        self.summary = summary
        self.findings = tuple(findings)
        self._admissions = tuple(admissions)
        self.unlisted = tuple(unlisted)

    @property
    def persisted(self) -> tuple[dict[str, Any] | None, ...]:
        """Per object that was read, in order, what the API server would store; None where it refuses it.

        A Pod or workload comes back as it was sent: its defaults are not dractl's business.
        """
        return tuple(None if found is None else found.stored() for found in self._admissions)

    @property
    def listed(self) -> tuple[Finding, ...]:
        """The findings that formats for people show one by one; see :func:`is_listed`."""
        has_many = has_many_unnamed(self.findings)
        return tuple(one for one in self.findings if is_listed(one) and not (has_many and is_unnamed(one)))

    def with_findings(
        self,
        findings: Sequence[Finding],
        unlisted: Sequence[Unlisted] = (),
        *,
        suppressed: int | None = None,
        baseline: int | None = None,
    ) -> Report:
        """The same report with only these findings, and counts that fit them; None keeps a count."""
        before = self.summary
        summary = before._replace(
            suppressed=before.suppressed if suppressed is None else suppressed,
            baseline=before.baseline if baseline is None else baseline,
        ).about(findings, unlisted)
        return Report(self.gates, summary, findings, self._admissions, unlisted)

    @property
    def ok(self) -> bool:
        """Whether it has no errors."""
        return self.summary.errors == 0

    @property
    def is_partial(self) -> bool:
        """Whether some objects, such as pods, are validated by their structure and their DRA parts only."""
        return any(found is not None and found.kind.group != DRA_GROUP for found in self._admissions)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``dractl validate --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.gates.overrides.items())),
            "summary": self.summary.to_dict(),
            "findings": [finding_document(finding) for finding in self.findings],
        }


def is_listed(finding: Finding) -> bool:
    """Whether people see a finding by itself.

    Skipped documents are counted by kind, and what merely follows from another finding is only counted.
    """
    return finding.rule != SKIPPED and not finding.cause


_FEW = 3
"""So many documents without apiVersion and kind are named one by one; folders may have hundreds."""


def is_unnamed(finding: Finding) -> bool:
    """Whether a finding says that a document is not a Kubernetes object, such as a values file."""
    return finding.rule == "document/unnamed" and finding.severity is Severity.INFO


def has_many_unnamed(findings: Iterable[Finding]) -> bool:
    """Whether there are so many such documents that people see their number only."""
    return sum(map(is_unnamed, findings)) > _FEW


def finding_document(finding: Finding) -> JsonDict:
    """A finding as the JSON documents have it."""
    about, where = finding.object, finding.location
    document: JsonDict = {
        "rule": finding.rule,
        "url": rule_url(finding.narrowest),
        "severity": finding.severity.value,
        "type": finding.type,
        "field": finding.field,
        "badValue": finding.bad_value,
        "message": finding.message,
        "hint": finding.hint,
        "related": list(finding.related),
        "object": about and object_document(about),
        "location": where and location_document(where),
    }
    if finding.detail:
        document["detail"] = finding.detail
    if where is not None and where.source:
        document["renderedFrom"] = where.source
    if finding.after_decode:
        document["afterDecode"] = True
    if finding.fix is not None:
        document["fix"] = fix_document(finding.fix)
    return document


def fix_document(fix: Fix) -> JsonDict:
    """A fix as the JSON documents have it: edits with ranges, whose end is the place after the last one."""
    edits = [
        {"start": _place_document(edit.start), "end": _place_document(edit.end), "text": edit.text}
        for edit in fix.edits
    ]
    return {"applicability": fix.applicability.value, "message": fix.message, "edits": edits}


def _place_document(place: tuple[int, int]) -> JsonDict:
    line, column = place
    return {"line": line, "column": column}


def object_document(about: ObjectRef) -> JsonDict:
    """An object as the JSON documents name it."""
    return {
        "apiVersion": about.api_version,
        "kind": about.kind,
        "namespace": about.namespace,
        "name": about.name,
    }


def location_document(where: Location) -> JsonDict:
    """A place as the JSON documents have it."""
    return {"file": where.file, "line": where.line, "column": where.column}
