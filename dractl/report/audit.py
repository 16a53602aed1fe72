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
    """The violations and the claims that were not checked; with ``summary`` also the rest, and counts."""
    lines = [*capped(line for found in audit.violations for line in _violation(found, style))]
    unchecked = [entry for entry in audit.unchecked if summary or entry.is_claim]
    lines += capped(_unchecked(unchecked, style))
    if summary:
        lines += _counts(audit, style) if audit.claims else _nothing(audit, style)
    return text_of(lines)


def _violation(found: Violation, style: Style) -> Iterator[str]:
    subject = found.device or some_of(found.claims, _MOST_CLAIMS)
    whose = f" of {some_of(found.claims, _MOST_CLAIMS)}" if found.device and found.claims else ""
    fault = "; the scheduler of this minor does not see it" if found.is_known_fault else ""
    text = f"{subject}{whose}: {found.message}{fault} [{found.rule}]"
    yield from labelled("error", text, style)


def _unchecked(unchecked: Iterable[Unchecked], style: Style) -> Iterator[str]:
    """A line for all that are not checked for one reason."""
    subjects: dict[tuple[bool, str], list[str]] = {}
    for entry in unchecked:
        subjects.setdefault((entry.is_claim, entry.reason), []).append(entry.subject)
    for (is_claim, reason), names in subjects.items():
        verb = "is" if len(names) == 1 else "are"
        subject = f"{some_of(names, _MOST_UNCHECKED)} {verb} " if all(names) else ""
        yield from labelled("warning" if is_claim else "info", f"{subject}not checked: {reason}", style)


def _nothing(audit: Audit, style: Style) -> Iterator[str]:
    """Lines for an input without allocations, with where to get some."""
    left = f" ({len(audit.unchecked)} not checked)" if audit.unchecked else ""
    minor = f"(Kubernetes {release.titled(audit.kube_version)})"
    yield f"nothing to check: no ResourceClaim of the input has a status.allocation{left} {minor}"
    yield from labelled("info", _HINT, style)


_HINT = (
    "pass the objects of a cluster (kubectl get "
    "nodes,resourceslices,deviceclasses,resourceclaims,pods -A -o yaml), "
    "or simulate them first and pass the file of dractl simulate --save-state"
)


def _counts(audit: Audit, style: Style) -> Iterator[str]:
    verdict = counted(len(audit.violations), "violation")
    painted = style.paint("mark" if audit.ok else "error", verdict)
    devices = f"{counted(audit.allocations, 'allocated device')} of {counted(audit.claims, 'claim')}"
    left = f", {len(audit.unchecked)} not checked" if audit.unchecked else ""
    yield f"{painted} in {devices}{left} (Kubernetes {release.titled(audit.kube_version)})"
