"""Findings as SARIF 2.1.0, which code scanning and editors read.

The packages for SARIF on PyPI are a model generated in 2019 and converters of whole files; the part that is
needed here is one dictionary, which the tests hold against the schema of the standard.
"""

from __future__ import annotations

import json

from dractl import __version__
from dractl.api.json_types import JsonDict
from dractl.finding import Applicability, Finding, Fix, Severity
from dractl.lint.pages import page_of, paragraphs
from dractl.lint.report import Report
from dractl.report.ci.code_quality import fingerprint
from dractl.report.ci.region import region_of, shown, uri_of

__all__ = ["render"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report) -> str:
    """One run with a result for each finding, and the rules that they name."""
    findings = list(shown(report.listed))
    rules = {rule: number for number, rule in enumerate(dict.fromkeys(one.rule for one in findings))}
    seen: dict[str, int] = {}
    run: JsonDict = {
        "tool": {
            "driver": {"name": "dractl", "version": __version__, "rules": [_rule(rule) for rule in rules]}
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules[finding.rule], seen) for finding in findings],
        "properties": {
            "kubeVersion": report.kube_version,
            "featureGates": dict(sorted(report.gates.overrides.items())),
        },
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: str) -> JsonDict:
    page = page_of(rule)
    return {
        "id": rule,
        "shortDescription": {"text": page.summary},
        "fullDescription": {"text": "\n\n".join(paragraphs(page.rows[0])) or page.summary},
        "defaultConfiguration": {"level": _LEVELS[page.severity]},
        "help": {"text": f"dractl rule {rule}"},
    }


def _result(finding: Finding, index: int, seen: dict[str, int]) -> JsonDict:
    result: JsonDict = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.sentence},
        "partialFingerprints": {"dractl/v1": fingerprint(finding, seen)},
    }
    if finding.fix is not None and finding.fix.applicability is Applicability.SAFE and finding.location:
        result["fixes"] = [_fix(finding.fix, finding.location.file)]
    location = _location(finding)
    if location:
        result["locations"] = [location]
    return result


def _fix(fix: Fix, file: str) -> JsonDict:
    """A fix as an editor offers it; unsafe ones are left out, as the standard has no word for them."""
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.start[0],
                "startColumn": edit.start[1],
                "endLine": edit.end[0],
                "endColumn": edit.end[1],
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]
    changes = [{"artifactLocation": {"uri": uri_of(file)}, "replacements": replacements}]
    return {"description": {"text": fix.message}, "artifactChanges": changes}


def _location(finding: Finding) -> JsonDict:
    found: JsonDict = {}
    where, about = finding.location, finding.object
    if where is not None:
        physical: JsonDict = {"artifactLocation": {"uri": uri_of(where.file)}}
        region = region_of(where)
        if region is not None:
            physical["region"] = {
                "startLine": region.line,
                "startColumn": region.column,
                "endColumn": region.end_column,
                "snippet": {"text": where.text},
            }
        found["physicalLocation"] = physical
    if about is not None:
        name = "/".join(part for part in (about.kind, about.namespace, about.name) if part)
        logical: JsonDict = {"fullyQualifiedName": f"{name}:{finding.field}" if finding.field else name}
        found["logicalLocations"] = [{**logical, "kind": "object"}]
    return found
