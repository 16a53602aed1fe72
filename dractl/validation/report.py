"""What a validation comes out with: findings, counts and stored objects; values only."""

from __future__ import annotations

from typing import Any, NamedTuple

from dractl.api.gates import GateSet
from dractl.finding import Finding, Severity

SCHEMA = "dractl.validate/1"


class Summary(NamedTuple):
    """What was looked at, and how many findings of which weight there are."""

    files: int
    objects: int
    skipped: int
    errors: int
    warnings: int


class Report(NamedTuple):
    """The result of :func:`dractl.validate`.

    ``findings`` stand in the order of the input. ``persisted`` has, per object that was read, in order, what
    the API server would store (a Pod or workload as it was sent), and None where it refuses the object.
    """

    kube_version: str
    gates: GateSet
    summary: Summary
    findings: tuple[Finding, ...]
    persisted: tuple[dict[str, Any] | None, ...]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``dractl validate --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.kube_version,
            "featureGates": dict(sorted(self.gates.overrides.items())),
            "summary": self.summary._asdict(),
            "findings": [_finding(finding) for finding in self.findings],
        }


def _finding(finding: Finding) -> dict[str, Any]:
    about, where = finding.object, finding.location
    document: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "type": finding.type,
        "field": finding.field,
        "badValue": finding.bad_value,
        "message": finding.message,
        "hint": finding.hint,
        "related": list(finding.related),
        "object": about
        and {
            "apiVersion": about.api_version,
            "kind": about.kind,
            "namespace": about.namespace,
            "name": about.name,
        },
        "location": where and {"file": where.file, "line": where.line, "column": where.column},
    }
    if finding.after_decode:
        document["afterDecode"] = True
    return document
