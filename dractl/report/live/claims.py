"""The claims of a cluster for people: a line each, and a line that counts."""

from __future__ import annotations

from collections import Counter

from dractl.api import release
from dractl.observing.claims import ALLOCATED, DELETING, PENDING, UNUSED, Claims
from dractl.report.columns import headed
from dractl.report.listing import some_of
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]

_HEADINGS = ("CLAIM", "STATE", "NODE", "DEVICES", "PODS")
_MOST_NAMES = 3
_STATES = (ALLOCATED, PENDING, UNUSED, DELETING)


def render(claims: Claims, style: Style, *, summary: bool = True) -> str:
    """The claims as a table; without ``summary`` only those that wait."""
    rows = [
        (
            row.claim,
            row.state,
            some_of(row.nodes, _MOST_NAMES) or "-",
            some_of(row.devices, _MOST_NAMES) or "-",
            some_of(row.pods, _MOST_NAMES) or "-",
        )
        for row in claims.rows
        if summary or row.state == PENDING
    ]
    lines = headed(_HEADINGS, rows, style) if rows else []
    if summary:
        lines.append(_counts(claims))
    return text_of(lines)


def _counts(claims: Claims) -> str:
    states = Counter(row.state for row in claims.rows)
    parts = [f"{states[state]:,} {state}" for state in _STATES if states[state]]
    told = f": {', '.join(parts)}" if parts else ""
    return f"{counted(len(claims.rows), 'claim')}{told} (Kubernetes {release.titled(claims.kube_version)})"
