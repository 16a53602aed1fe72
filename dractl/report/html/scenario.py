"""The page of ``dractl simulate --scenario``: what happened in each step, then the state in the end."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.report import placements
from dractl.report.html.common import filled
from dractl.report.html.model import Entries, Entry, Page
from dractl.report.html.simulation import facts, sections, version_of
from dractl.scenario.runner import Played, State

__all__ = ["page"]


def page(played: Played) -> Page:
    """The whole page; the sections after the steps are about the last state."""
    steps = Entries("steps", "Steps", tuple(map(_entry, played.states)))
    found = filled((steps, *sections(played.last)))
    return Page(
        "simulate --scenario",
        version_of(played.last),
        f"{played.about}: {placements.verdict(played.last)}"
        if played.about
        else placements.verdict(played.last),
        "ok" if played.ok else "warning",
        facts(played.last, found),
        found,
    )


def _entry(state: State) -> Entry:
    tone = "error" if state.problems or state.simulation.left_out else ""
    return Entry(f"{state.title}: {placements.verdict(state.simulation)}", tuple(_lines(state)), tone=tone)


def _lines(state: State) -> Iterator[str]:
    yield from (f"failed: {problem}" for problem in state.problems)
    yield from state.changes
    for row in state.simulation.left_out:
        yield f"left out: {placements.named(row.object)}{row.reason}"
