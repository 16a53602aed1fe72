"""A drain for people: who moves where, who stays Pending, who ends, and a line that counts."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import release
from dractl.observing.drain import Drain
from dractl.report.columns import headed
from dractl.report.listing import capped, labelled, some_of
from dractl.report.style import Style, brief, text_of
from dractl.report.text import counted

__all__ = ["render"]

_HEADINGS = ("POD", "NODE", "DEVICES")
_MOST_DEVICES = 4
_MOST_PODS = 5


def render(drain: Drain, style: Style, *, summary: bool = True) -> str:
    """Where the pods of a node go; without ``summary`` only those that stay Pending."""
    lines: list[str] = []
    moved = [pod for pod in drain.pods if pod.node is not None]
    if summary and moved:
        rows = [(pod.pod, pod.node or "", some_of(pod.devices, _MOST_DEVICES) or "-") for pod in moved]
        lines = headed(_HEADINGS, rows, style)
    lines += capped(_pending(drain, style))
    if summary:
        lines += _others(drain, style)
        lines.append(_counts(drain, style))
    return text_of(lines)


def _pending(drain: Drain, style: Style) -> Iterator[str]:
    for pod in drain.pods:
        if pod.node is None:
            yield from labelled("error", f"{pod.pod} stays Pending: {pod.reason or 'unknown'}", style)


def _others(drain: Drain, style: Style) -> Iterator[str]:
    if drain.ended:
        text = f"{counted(len(drain.ended), 'pod')} without a controller would end: "
        yield from labelled("warning", text + some_of(drain.ended, _MOST_PODS), style)
    if drain.staying:
        text = f"{counted(len(drain.staying), 'pod')} of the node itself would stay: "
        yield from labelled("info", text + some_of(drain.staying, _MOST_PODS), style)


def _counts(drain: Drain, style: Style) -> str:
    waiting = sum(1 for pod in drain.pods if pod.node is None)
    moved = len(drain.pods) - waiting
    text = f"{counted(moved, 'pod')} of {brief(drain.node)} would move, {waiting} would stay Pending"
    painted = style.paint("mark" if drain.ok else "error", text)
    return f"{painted} (Kubernetes {release.titled(drain.kube_version)})"
