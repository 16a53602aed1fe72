"""How many findings a run keeps: the rest are counted, and say so once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api import budgets
from dractl.finding import Finding, Severity
from dractl.records import NamedTuple

__all__ = ["SKIPPED", "Cap", "Unlisted"]

SKIPPED = "document/skipped"
"""A report counts these by kind; a document has at most one, and the number of documents has a limit."""

_Kind = tuple[str, Severity, bool, bool]
"""What decides whether a user wants a finding, and how it is counted."""


def _kind(finding: Finding) -> _Kind:
    return finding.rule, finding.severity, finding.object is None, bool(finding.cause)


class Unlisted(NamedTuple):
    """Findings that are counted only: the first of its kind, and their number."""

    first: Finding
    number: int


class Cap:
    """Keeps findings up to the limit of each severity, so that warnings never take the place of errors.

    ``last`` has, by severity, the first document of which not all findings are kept.
    """

    def __init__(self) -> None:
        """Start with nothing kept."""
        self._room: dict[Severity, int] = {}
        self.last: dict[Severity, int] = {}
        self._unlisted: dict[_Kind, Unlisted] = {}
        self._firsts: dict[_Kind, Finding] = {}

    def kept(self, number: int, findings: Iterable[Finding]) -> list[Finding]:
        """The findings of a document, by its number, that are kept; the others are counted."""
        return list(self._kept(number, findings))

    def _kept(self, number: int, findings: Iterable[Finding]) -> Iterator[Finding]:
        for finding in findings:
            severity = finding.severity
            if finding.rule == SKIPPED:
                yield finding
                continue
            room = self._room.get(severity, budgets.FINDINGS.value)
            if room > 0:
                self._room[severity] = room - 1
                yield finding
                continue
            self.last.setdefault(severity, number)
            self.count(finding)

    def errors(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """For each kind of error among ``findings`` the first of the run, which all documents share."""
        found = {_kind(finding): finding for finding in findings if finding.severity is Severity.ERROR}
        return tuple(self._firsts.setdefault(kind, finding) for kind, finding in found.items())

    def count(self, finding: Finding) -> None:
        """Count a finding that is not kept."""
        key = _kind(finding)
        known = self._unlisted.get(key)
        self._unlisted[key] = (
            Unlisted(finding, 1) if known is None else known._replace(number=known.number + 1)
        )

    @property
    def unlisted(self) -> tuple[Unlisted, ...]:
        """What is not kept."""
        return tuple(self._unlisted.values())
