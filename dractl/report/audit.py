"""An audit for people: a line for each violation, what could not be checked, and a line that counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from dractl.api import budgets, release
from dractl.auditing.model import Audit, Unchecked, Violation
from dractl.report.listing import hanging
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]

_MOST_CLAIMS = 4
"""Claims that are named where many take part."""


def render(audit: Audit, style: Style, *, summary: bool = True) -> str:
    """The violations; with ``summary`` also what could not be checked, and the numbers."""
    lines = [*_cut(line for found in audit.violations for line in _violation(found, style))]
    if summary:
        lines += _cut(line for entry in audit.unchecked for line in _unchecked(entry, style))
        lines.append(_counts(audit, style))
    return text_of(lines)


def _violation(found: Violation, style: Style) -> Iterator[str]:
    subject = found.device or _claims(found.claims)
    whose = f" of {_claims(found.claims)}" if found.device and found.claims else ""
    fault = "; the scheduler of this minor does not see it" if found.is_known_fault else ""
    text = f"{subject}{whose}: {found.message}{fault} [{found.rule}]"
    yield from _labelled("error", text, style)


def _unchecked(entry: Unchecked, style: Style) -> Iterator[str]:
    subject = f"{entry.subject} is not checked: " if entry.subject else "not checked: "
    yield from _labelled("info", f"{subject}{entry.reason}", style)


def _labelled(label: str, text: str, style: Style) -> Iterator[str]:
    """``text`` after its label, wrapped on a terminal."""
    first, *others = hanging(f"{label}: ", text, style)
    yield style.paint(label, f"{label}:") + first.removeprefix(f"{label}:")
    yield from others


def _claims(names: Sequence[str]) -> str:
    more = len(names) - _MOST_CLAIMS
    named = ", ".join(names[:_MOST_CLAIMS] if more > 1 else names)
    return f"{named} and {more} more" if more > 1 else named


def _cut(lines: Iterable[str]) -> Iterator[str]:
    every = iter(lines)
    yield from islice(every, budgets.LINES.value)
    more = sum(1 for _ in every)
    if more:
        yield budgets.LINES.message(more=f"{more:,} more")


def _counts(audit: Audit, style: Style) -> str:
    verdict = counted(len(audit.violations), "violation")
    painted = style.paint("mark" if audit.ok else "error", verdict)
    devices = f"{counted(audit.allocations, 'allocated device')} of {counted(audit.claims, 'claim')}"
    left = f", {len(audit.unchecked)} not checked" if audit.unchecked else ""
    return f"{painted} in {devices}{left} (Kubernetes {release.titled(audit.kube_version)})"
