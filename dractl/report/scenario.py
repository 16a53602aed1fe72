"""A scenario for people: after each step what changed, and the state then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api import release
from dractl.finding import Location
from dractl.report import placements
from dractl.report.listing import hanging
from dractl.report.style import Style, path, sentence, text_of
from dractl.report.text import counted
from dractl.scenario.runner import Played, State
from dractl.simulation.engine.report import Simulation

__all__ = ["notes", "render"]


def render(played: Played, style: Style, *, summary: bool = True) -> str:
    """Each state with its heading, what changed, the table, and what waits and what was left out.

    Without ``summary`` only what could not be done or was left out on the way, and what waits in the end.
    """
    parts: list[str] = []
    for number, state in enumerate(played.states):
        is_last = number == len(played.states) - 1
        if summary or state.problems or state.simulation.left_out or (is_last and state.simulation.pending):
            parts.append(_state(number, state, style, summary=summary))
    if summary:
        parts.append(_counts(played, style) + "\n")
    return "\n".join(parts)


def notes(played: Played) -> Iterator[str]:
    """What could not be done on the way, and what else formats for programs do not hold of the end."""
    for state in played.states:
        yield from (f"{_place(state.place)}: {state.title}: {problem}" for problem in state.problems)
    yield from placements.notes(played.last)


def _state(number: int, state: State, style: Style, *, summary: bool) -> str:
    title = f"Step {number}: {sentence(state.title)}" if number else "At the start"
    heading = style.paint("bold", title)
    place = style.paint("faint", f" ({_place(state.place)})") if state.place else ""
    lines = [line for change in state.changes for line in hanging("  - ", change, style)] if summary else []
    lines += [line for problem in state.problems for line in _problem(problem, style)]
    if summary and number and not lines:
        lines.append("  no changes")
    shown = (
        placements.tables(state.simulation, style)
        if summary
        else placements.troubles(state.simulation, style, summary=False)
    )
    parts: list[Iterable[str]] = [[heading + place, *lines], *shown]
    if summary and not state.simulation.placements:
        parts.insert(1, ["  no pod has devices"])
    remarks = list(placements.remarks(state.simulation, style)) if summary else []
    if remarks:
        parts.append(remarks)
    return "\n".join(text_of(lines) for lines in parts)


def _problem(problem: str, style: Style) -> list[str]:
    return hanging(f"  {style.paint('error', 'failed:')} ", problem, style)


def _place(place: Location | None) -> str:
    return "" if place is None else f"{path(place.file)}:{place.line}:{place.column}"


def _counts(played: Played, style: Style) -> str:
    last: Simulation = played.last
    placed = len({row.pod for row in last.placements if row.pod is not None})
    steps = counted(len(played.states) - 1, "step")
    verdict = f"after {steps} {counted(placed, 'pod')} with devices, {len(last.pending)} pending"
    problems = sum(len(state.problems) for state in played.states)
    left = sum(len(state.simulation.left_out) for state in played.states)
    verdict += f", {counted(problems, 'problem')}" if problems else ""
    verdict += f", {left} left out" if left else ""
    painted = style.paint("mark" if played.ok else "warning", verdict)
    return f"{painted} (Kubernetes {release.titled(last.kube_version)})"
