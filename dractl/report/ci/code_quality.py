"""Findings as a GitLab Code Quality report: a JSON list that merge requests show beside the lines."""

from __future__ import annotations

import json
from hashlib import sha256

from dractl.api.json_types import JsonDict
from dractl.finding import Finding, Severity, rule_url
from dractl.lint.report import Report
from dractl.report.ci.region import region_of, shown

__all__ = ["fingerprint", "render"]

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report) -> str:
    """An entry for each finding that has a file."""
    seen: dict[str, int] = {}
    entries = [_entry(finding, seen) for finding in shown(report.listed) if finding.location is not None]
    return json.dumps(entries, indent=2) + "\n"


def _entry(finding: Finding, seen: dict[str, int]) -> JsonDict:
    where = finding.location
    region = None if where is None else region_of(where)
    return {
        "description": finding.sentence,
        "check_name": finding.narrowest,
        "content": {"body": f"See {rule_url(finding.narrowest)}"},
        "fingerprint": fingerprint(finding, seen),
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": "" if where is None else where.file,
            "lines": {"begin": 1 if region is None else region.line},
        },
    }


def fingerprint(finding: Finding, seen: dict[str, int]) -> str:
    """What stays the same when lines above change; equal findings are numbered through ``seen``."""
    about = finding.object
    parts = (
        finding.rule,
        finding.location.file if finding.location else "",
        *(about or ()),
        finding.field,
    )
    text = "\0".join(parts)
    seen[text] = seen.get(text, 0) + 1
    return sha256(f"{text}\0{seen[text]}".encode("utf-8", "backslashreplace")).hexdigest()
