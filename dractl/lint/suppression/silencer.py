"""Takes known findings out of a result, and adds what is wrong with the comments and entries that did it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dractl.finding import Finding
from dractl.lint.report import Report
from dractl.lint.suppression.baseline import Baseline
from dractl.lint.suppression.comments import Ignores

__all__ = ["Silencer", "silenced"]


class Silencer:
    """Decides about findings one after the other, each asked about once, and counts what it silences."""

    def __init__(self, ignores: Ignores | None, baseline: Baseline | None, files: Iterable[str]) -> None:
        """Silence by comments first; ``files`` are those of the input."""
        self._ignores = ignores
        self._baseline = baseline
        self._files = list(files)
        self.numbers: Counter[str] = Counter()

    def reason(self, finding: Finding) -> str:
        """What silences a finding: ``suppressed`` (a comment), ``baseline``, or nothing (empty)."""
        found = self._reason(finding)
        self.numbers[found] += 1
        return found

    def _reason(self, finding: Finding) -> str:
        if self._ignores is not None and self._ignores.silences(finding):
            return "suppressed"
        if self._baseline is not None and self._baseline.knows(finding):
            return "baseline"
        return ""

    def findings(self) -> Iterator[Finding]:
        """The findings about comments and entries, after all others were asked about."""
        for found in self._ignores.findings() if self._ignores is not None else ():
            if not self.reason(found):
                yield found
        if self._baseline is not None:
            yield from self._baseline.findings(self._files)


def silenced(report: Report, silencer: Silencer) -> Report:
    """``report`` without the findings that are known, and with those about comments and baseline.

    Findings that are only counted have no place, so they stay. What merely follows from a silenced finding
    counts as one of its own.
    """
    reasons = [(finding, silencer.reason(finding)) for finding in report.findings]
    kept = [finding for finding, reason in reasons if not reason]
    rules = {finding.rule for finding in kept}
    shown = [finding if finding.cause in rules else finding._replace(cause="") for finding in kept]
    more = list(silencer.findings())
    numbers = silencer.numbers
    return report.with_findings(
        [*shown, *more],
        report.unlisted,
        suppressed=numbers["suppressed"],
        baseline=numbers["baseline"],
    )
