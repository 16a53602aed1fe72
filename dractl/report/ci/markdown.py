"""Findings as Markdown: a summary for a pull request, or for the page of a CI run."""

from __future__ import annotations

from itertools import islice

from dractl.api import budgets, release
from dractl.finding import Finding, rule_url
from dractl.lint.report import Report
from dractl.report.ci.markup import cell_code, escaped
from dractl.report.ci.region import shown
from dractl.report.style import brief, sentence
from dractl.report.text import counted, known, verdict

__all__ = ["render"]

_MARKS = {"error": "❌ error", "warning": "⚠️ warning", "info": "ℹ️ info"}


def render(report: Report) -> str:
    """A heading with the verdict, and a table with a row for each finding."""
    counts = report.summary
    seen = f"{counted(counts.objects, 'object')} of {counted(counts.files, 'file')}"
    server = f"Kubernetes {release.titled(report.kube_version)}"
    lines = [f"### dractl: {verdict(report)}", "", f"{seen}, {server}{known(counts)}", ""]
    findings = shown(report.listed)
    rows = [_row(finding) for finding in islice(findings, budgets.LINES.value)]
    more = sum(1 for _ in findings) + counts.unlisted
    if rows:
        lines += ["| | place | finding | rule |", "|---|---|---|---|", *rows, ""]
    if more:
        lines += [f"{more:,} more", ""]
    return "\n".join(lines)


def _row(finding: Finding) -> str:
    where = finding.location
    place = ""
    if where is not None:
        place = brief(where.file) + (f":{where.line}" if where.line else "")
    subject = f"{cell_code(brief(finding.field))}: " if finding.field else ""
    hint = f"<br>{escaped(sentence(finding.hint))}" if finding.hint else ""
    text = f"{subject}{escaped(sentence(finding.message))}{hint}"
    rule = f"[{cell_code(finding.narrowest)}]({rule_url(finding.narrowest)})"
    return f"| {_MARKS[finding.severity.value]} | {cell_code(place)} | {text} | {rule} |"
