"""The page of ``dractl audit``: what is wrong with allocations, and all of them as a picture."""

from __future__ import annotations

from dractl.auditing.model import Audit, Violation
from dractl.report.html.common import facts_of, filled, gates_of, holders, notes, release_and_gates, within
from dractl.report.html.model import Cell, Fact, Keys, Page, Row, Table
from dractl.report.html.picture import picture
from dractl.report.html.uses import uses_of
from dractl.report.listing import some_of
from dractl.report.text import counted

__all__ = ["page"]

_MOST_CLAIMS = 8
"""Claims that are named where many take part."""


def page(audit: Audit) -> Page:
    """The whole page."""
    uses = uses_of(audit.objects)
    flags: dict[str, list[str]] = {}
    for violation in audit.violations:
        flags.setdefault(violation.device, []).append(f"violation: {violation.rule}")
    gate_set = gates_of(audit.kube_version, dict(audit.feature_gates))
    found = picture(audit.objects, gate_set, uses, flags=flags)
    devices = counted(audit.allocations, "allocated device")
    return Page(
        "audit",
        release_and_gates(audit.kube_version, audit.feature_gates),
        f"{counted(len(audit.violations), 'violation')} in {devices} of {counted(audit.claims, 'claim')}",
        "ok" if audit.ok else "error",
        (
            Fact("violations", f"{len(audit.violations):,}", "" if audit.ok else "error"),
            Fact("not checked", f"{len(audit.unchecked):,}"),
            Fact("claims", f"{audit.claims:,}"),
            *facts_of([found]),
        ),
        filled(
            (
                _violations(audit),
                notes(
                    (("info", _unchecked(entry.subject, entry.reason)) for entry in audit.unchecked),
                    "unchecked",
                    "Not checked",
                ),
                found,
                holders(uses),
            )
        ),
    )


def _violations(audit: Audit) -> Table:
    shown, more = within(audit.violations, "violation")
    return Table(
        "violations",
        "Violations",
        "What is wrong with allocations",
        ("Rule", "Device or claim", "Violation"),
        tuple(map(_violation, shown)),
        more,
    )


def _violation(found: Violation) -> Row:
    claims = some_of(found.claims, _MOST_CLAIMS)
    fault = "the scheduler of this minor does not see it" if found.is_known_fault else ""
    driver = found.device.partition("/")[0]
    return Row(
        (
            Cell(found.rule, tone="error"),
            Cell(found.device or claims, claims if found.device else ""),
            Cell(found.message, fault),
        ),
        Keys(driver=driver or None, claim=" ".join(found.claims)),
    )


def _unchecked(subject: str, reason: str) -> str:
    return f"{subject}: {reason}" if subject else reason
