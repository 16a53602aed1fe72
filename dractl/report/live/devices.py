"""The devices of a cluster for people: a line each, the pools that give none, and a line that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dractl.api import release
from dractl.observing.devices import FREE, SHARED, USED, Devices
from dractl.report.columns import headed
from dractl.report.listing import capped, labelled, some_of
from dractl.report.style import Style, text_of
from dractl.report.text import counted

__all__ = ["render"]

_HEADINGS = ("NODE", "DRIVER", "POOL", "DEVICE", "STATE", "CLAIM")
_TAINTS = "TAINTS"
_MOST_CLAIMS = 3
_STATES = {FREE: "free", USED: "in use", SHARED: "shared"}


def render(devices: Devices, style: Style, *, summary: bool = True) -> str:
    """The devices as a table; without ``summary`` only the pools that cannot be used."""
    lines = []
    if summary and devices.rows:
        has_taints = any(row.taints for row in devices.rows)
        rows = [
            (
                row.node or "-",
                row.driver,
                row.pool,
                row.device,
                _STATES[row.state],
                some_of(row.claims, _MOST_CLAIMS) or "-",
                *([", ".join(row.taints) or "-"] if has_taints else []),
            )
            for row in devices.rows
        ]
        headings = (*_HEADINGS, _TAINTS) if has_taints else _HEADINGS
        lines = headed(headings, rows, style)
    lines += capped(_unusable(devices, style))
    if summary:
        lines.append(_counts(devices))
    return text_of(lines)


def _unusable(devices: Devices, style: Style) -> Iterator[str]:
    for pool in devices.unusable:
        text = f"{pool.driver}/{pool.pool}: the scheduler does not use the pool: {pool.problem}"
        yield from labelled("warning", text, style)


def _counts(devices: Devices) -> str:
    states = Counter(row.state for row in devices.rows)
    parts = [f"{states[state]:,} {name}" for state, name in _STATES.items() if states[state]]
    told = f": {', '.join(parts)}" if parts else ""
    return f"{counted(len(devices.rows), 'device')}{told} (Kubernetes {release.titled(devices.kube_version)})"
