"""A replay for people: each placement with its verdict, and the share that agrees."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import release
from dractl.observing.agreement import AGREES, DIFFERS, EXPLAINED, RACED, UNCOMPARED, Placed, Replay
from dractl.report.listing import capped, labelled, some_of
from dractl.report.style import Style, brief, text_of
from dractl.report.text import counted

__all__ = ["render"]

_MOST_DEVICES = 4


def render(replay: Replay, style: Style, *, summary: bool = True) -> str:
    """The placements in order; without ``summary`` only those that differ."""
    shown = [row for row in replay.placements if summary or row.verdict == DIFFERS]
    lines = [*capped(line for row in shown for line in _lines(row, style))]
    if summary:
        lines += (line for note in replay.notes for line in labelled("info", note, style))
        lines.append(_counts(replay, style))
    return text_of(lines)


def _lines(row: Placed, style: Style) -> Iterator[str]:
    yield f"{brief(row.time)}  {brief(row.pod)} on {brief(row.node)}: {_devices(row.devices)}"
    if row.verdict in (DIFFERS, RACED):
        where = (
            f"on {row.simulated_node}: {_devices(row.simulated_devices)}" if row.simulated_node else "nowhere"
        )
        label = "error" if row.verdict == DIFFERS else "warning"
        yield from labelled(label, f"simulated {where}; {row.message}", style)
    elif row.verdict == EXPLAINED:
        yield from labelled("info", row.message, style)


def _devices(devices: tuple[tuple[str, str], ...]) -> str:
    return brief(some_of([device for _, device in devices], _MOST_DEVICES))


def _counts(replay: Replay, style: Style) -> str:
    total = len(replay.placements)
    others = f"; {counted(replay.without_devices, 'pod')} without devices" if replay.without_devices else ""
    of = f" (Kubernetes {release.titled(replay.kube_version)}){others}"
    if not replay.is_compared:
        return f"{counted(total, 'placement')}{of}"
    compared = total - replay.count(UNCOMPARED)
    same, explained = replay.count(AGREES), replay.count(EXPLAINED)
    share = f"{100 * same / compared:.1f} % " if compared else ""
    text = f"{share}agree: {same:,} of {counted(compared, 'placement')}"
    text += f", {explained:,} explained, {replay.count(RACED):,} raced, {replay.count(DIFFERS):,} differ"
    return f"{style.paint('mark' if replay.ok else 'error', text)}{of}"
