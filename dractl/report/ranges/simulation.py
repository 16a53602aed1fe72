"""Simulations of several minors for people: what all of them share, then what changes and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api.release import Minor
from dractl.report.listing import capped, hanging, some_of
from dractl.report.placements import labelled_remarks, pending_lines, placement_table, verdict
from dractl.report.style import Style, brief, sentence, text_of
from dractl.report.text import counted
from dractl.simulation.pods.outcome import Placement
from dractl.workflows.matrix import in_words
from dractl.workflows.ranges.groups import Shared, grouped
from dractl.workflows.ranges.simulations import Fate, SimulationMatrix, SubjectFates

__all__ = ["render"]

_MOST_DEVICES = 8
"""Devices of a pod that are named in one line."""


def render(matrix: SimulationMatrix, style: Style, *, summary: bool = True) -> str:
    """What is the same in all minors as for one of them, then what changes, by pod, and the counts.

    Without ``summary`` only what waits and what was left out, in one line each.
    """
    if not summary:
        return text_of(capped(line for each in matrix.subjects for line in _failing(each, matrix, style)))
    placed = [each for each in matrix.subjects if each.is_placed]
    same = [each.groups()[0].result for each in placed if len(each.groups()) == 1]
    parts: list[list[str]] = []
    rows = [row for fate in same for row in fate.placements]
    if rows:
        parts.append(placement_table(rows, style))
    waiting = [
        line
        for fate in same
        if fate.pending is not None
        for line in pending_lines(fate.pending, fate.explained, style, summary=True)
    ]
    parts.append(list(capped(waiting)))
    changing = [each for each in placed if len(each.groups()) > 1]
    if changing:
        lines = (line for each in changing for line in _changes(each, style))
        parts.append([style.paint("bold", "Changes between minors"), *capped(lines)])
    left_out = [line for each in matrix.subjects for line in _left_out(each, matrix, style)]
    if left_out:
        parts.append([style.paint("error", "Left out"), *capped(left_out)])
    parts.append([*capped(_remarks(matrix, style)), *_counts(matrix, style)])
    return "\n".join(text_of(lines) for lines in parts if lines)


def _failing(each: SubjectFates, matrix: SimulationMatrix, style: Style) -> Iterator[str]:
    for minors, fate in each.groups(is_long=False):
        tag = _tag(minors, matrix.minors)
        if fate.pending is not None:
            lines = pending_lines(fate.pending, fate.explained, style, summary=False)
            yield next(iter(lines)) + tag
        elif fate.left_out is not None:
            head = f"{style.paint('error', 'Left out')} {brief(each.subject)}"
            yield f"{head}: {sentence(fate.left_out.reason)}{tag}"


def _left_out(each: SubjectFates, matrix: SimulationMatrix, style: Style) -> Iterator[str]:
    """Why an object was left out, in the words of the newest minor that does so."""
    having = {minor: fate.left_out.reason for minor, fate in each.fates.items() if fate.left_out is not None}
    if having and not (each.is_placed and len(each.groups()) > 1):
        subject = "" if each.subject.startswith("#") else f"{each.subject}: "
        reason = list(having.values())[-1]
        yield from hanging("  ", f"{subject}{reason}{_tag(list(having), matrix.minors)}", style)


def _tag(having: Sequence[Minor], every: Sequence[Minor]) -> str:
    """The minors in brackets, unless these are all."""
    return "" if len(having) == len(every) else f" ({in_words(having)})"


def _changes(each: SubjectFates, style: Style) -> Iterator[str]:
    """One pod: a line for each group of minors, and the explanation below where it waits."""
    yield style.paint("bold", brief(each.subject))
    for minors, fate in each.groups():
        head = f"  {in_words(minors)}: "
        if fate.pending is not None:
            narrower = style._replace(width=None if style.width is None else style.width - 2)
            first, *others = pending_lines(fate.pending, fate.explained, narrower, summary=True)
            yield f"{head}{first}"
            yield from (f"  {line}" for line in others)
        else:
            yield from hanging(head, _where(fate), style)


def _where(fate: Fate) -> str:
    if fate.left_out is not None:
        return f"left out: {fate.left_out.reason}"
    if not fate.placements:
        return "no devices" if fate.node is None else f"node {fate.node}, no devices"
    devices = list(dict.fromkeys(map(_device, fate.placements)))
    where = "" if fate.node is None else f"node {fate.node}, "
    return f"{where}{some_of(devices, _MOST_DEVICES)}"


def _device(row: Placement) -> str:
    shares = ", ".join(f"{name}={amount}" for name, amount in row.consumed_capacity.items())
    share = f" with {shares}" if shares else ""
    return f"{row.request}: {row.driver}/{row.pool}/{row.device}{share}"


def _remarks(matrix: SimulationMatrix, style: Style) -> Iterator[str]:
    found: dict[tuple[str, str], list[Minor]] = {}
    for minor, simulation in matrix.simulations.items():
        for remark in dict.fromkeys(labelled_remarks(simulation)):
            found.setdefault(remark, []).append(minor)
    for (label, text), minors in found.items():
        yield f"{style.paint(label, f'{label}:')} {sentence(text)}{_tag(minors, matrix.minors)}"


def _counts(matrix: SimulationMatrix, style: Style) -> Iterable[str]:
    """How much was placed, by minors, and how much of it changes."""
    for each in _verdicts(matrix):
        is_fine = all(matrix.simulations[minor].ok for minor in each.minors)
        yield f"{in_words(each.minors)}: {style.paint('mark' if is_fine else 'warning', each.result)}"
    first, last = matrix.minors[0], matrix.minors[-1]
    placed = [each for each in matrix.subjects if each.is_placed]
    changing = sum(bool(each.changes) for each in placed)
    every = counted(len(placed), "result")
    if changing:
        yield f"from {first} to {last}, {changing} of {every} {'changes' if changing == 1 else 'change'}"
    else:
        yield f"from {first} to {last} no result changes ({every})"


def _verdicts(matrix: SimulationMatrix) -> list[Shared[str]]:
    texts = {
        minor: f"{verdict(each)} on {counted(len(each.outcome.nodes), 'node')}"
        for minor, each in matrix.simulations.items()
    }
    return grouped(texts, lambda text: text)
