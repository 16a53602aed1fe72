"""Findings as annotations: the workflow commands of GitHub Actions, a line each.

GitHub shows ten annotations of a kind for a step; the log has them all.
"""

from __future__ import annotations

from dractl.finding import Finding, Severity
from dractl.lint.report import Report
from dractl.report.ci.region import region_of, shown
from dractl.report.style import sentence

__all__ = ["render"]

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_IN_TEXT = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(report: Report) -> str:
    """A workflow command for each finding."""
    return "".join(f"{_command(finding)}\n" for finding in shown(report.listed))


def _command(finding: Finding) -> str:
    """``::error file=…,line=…,title=…::message``, with everything a stranger wrote escaped."""
    where = finding.location
    properties: dict[str, object] = {}
    if where is not None:
        properties["file"] = where.file
        region = region_of(where)
        if region is not None:
            properties |= {"line": region.line, "col": region.column, "endColumn": region.end_column}
    properties["title"] = finding.narrowest
    written = ",".join(
        f"{name}={sentence(str(value)).translate(_IN_PROPERTY)}" for name, value in properties.items()
    )
    text = sentence(finding.sentence).translate(_IN_TEXT)
    return f"::{_COMMANDS[finding.severity]} {written}::{text}"
