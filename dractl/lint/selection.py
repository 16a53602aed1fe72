"""Which findings a user wants to see: one place, after all rules have spoken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from dractl.finding import Finding, Severity
from dractl.lint.catalog import matching
from dractl.lint.report import Report
from dractl.source.walk import is_excluded

__all__ = ["OUTSIDE", "by_file", "chooser", "only"]

OUTSIDE: frozenset[str] = frozenset(
    {
        "across/class-missing",
        "across/claim-missing",
        "across/extended-missing",
        "across/slice-node-missing",
        "admin/unknown-namespace",
    }
)
"""Rules about what the input refers to and lacks: the cluster may have it, or another file."""

_UNREADABLE = "decode/fatal"


def chooser(select: Iterable[str], ignore: Iterable[str]) -> Callable[[Finding], bool]:
    """Whether a finding is wanted, by the ids or globs in ``select`` (empty: all) and ``ignore``.

    An error about what is not an object, such as text that cannot be read, is wanted whatever is chosen: the
    other rules could say nothing there, and silence would look like a verdict.

    Raises catalog.UnknownRuleError for an id or glob that means no rule.
    """
    wanted = _ids(select)
    unwanted = _ids(ignore)
    return lambda finding: (
        ((not wanted or not wanted.isdisjoint(finding.ids)) and unwanted.isdisjoint(finding.ids))
        or _is_unreadable(finding)
    )


def by_file(rows: Iterable[tuple[str, Iterable[str]]]) -> Callable[[Finding], bool]:
    """Whether a finding is wanted, by globs of files with the ids or globs to ignore in each.

    Raises catalog.UnknownRuleError for an id or glob that means no rule.
    """
    unwanted = [(glob, _ids(ids)) for glob, ids in rows]

    @cache
    def is_in(glob: str, file: str) -> bool:
        return is_excluded(file, [glob])

    return lambda finding: (
        finding.location is None
        or _is_unreadable(finding)
        or all(
            rules.isdisjoint(finding.ids) or not is_in(glob, finding.location.file)
            for glob, rules in unwanted
        )
    )


def only(report: Report, is_wanted: Callable[[Finding], bool]) -> Report:
    """``report`` with the findings that ``is_wanted`` accepts, counted again.

    What merely follows from a finding that is not wanted stands for itself.
    """
    kept = tuple(filter(is_wanted, report.findings))
    rules = {finding.rule for finding in kept}
    return report.with_findings(
        [finding if finding.cause in rules else finding._replace(cause="") for finding in kept],
        [entry for entry in report.unlisted if is_wanted(entry.first)],
    )


def _is_unreadable(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR and finding.object is None and finding.rule == _UNREADABLE


def _ids(patterns: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(matching, patterns))
