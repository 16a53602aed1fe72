"""An audit for people: a line for each violation, what could not be checked, and a line that counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api import release
from dractl.auditing.model import Audit, Unchecked, Violation
from dractl.report.listing import capped, labelled, some_of
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]

_MOST_UNCHECKED = 4
"""Objects that are named where many are not checked for one reason."""

_MOST_CLAIMS = 4
"""Claims that are named where many take part."""


def render(audit: Audit, style: Style, *, summary: bool = True) -> str:
    """The violations; with ``summary`` also what could not be checked, and the numbers."""
    lines = [*capped(line for found in audit.violations for line in _violation(found, style))]
    if summary:
        lines += capped(_unchecked(audit.unchecked, style))
        lines.append(_counts(audit, style))
    return text_of(lines)


def _violation(found: Violation, style: Style) -> Iterator[str]:
    subject = found.device or some_of(found.claims, _MOST_CLAIMS)
    whose = f" of {some_of(found.claims, _MOST_CLAIMS)}" if found.device and found.claims else ""
    fault = "; the scheduler of this minor does not see it" if found.is_known_fault else ""
    text = f"{subject}{whose}: {found.message}{fault} [{found.rule}]"
    yield from labelled("error", text, style)


def _unchecked(unchecked: Iterable[Unchecked], style: Style) -> Iterator[str]:
    """A line for all that are not checked for one reason."""
    subjects: dict[str, list[str]] = {}
    for entry in unchecked:
        subjects.setdefault(entry.reason, []).append(entry.subject)
    for reason, names in subjects.items():
        verb = "is" if len(names) == 1 else "are"
        subject = f"{some_of(names, _MOST_UNCHECKED)} {verb} " if all(names) else ""
        yield from labelled("info", f"{subject}not checked: {reason}", style)


def _counts(audit: Audit, style: Style) -> str:
    verdict = counted(len(audit.violations), "violation")
    painted = style.paint("mark" if audit.ok else "error", verdict)
    devices = f"{counted(audit.allocations, 'allocated device')} of {counted(audit.claims, 'claim')}"
    left = f", {len(audit.unchecked)} not checked" if audit.unchecked else ""
    return f"{painted} in {devices}{left} (Kubernetes {release.titled(audit.kube_version)})"
