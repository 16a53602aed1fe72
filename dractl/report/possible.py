"""The possible sets of pools for people: a block for each counter set, a line for each combination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api import release
from dractl.cluster.possible_sets import Combination
from dractl.report.listing import hanging, labelled
from dractl.report.placements import named, warning_line
from dractl.report.style import Style, brief, sentence, text_of
from dractl.report.text import counted
from dractl.workflows.possible import Kind, PoolSets, Possible, Sets

__all__ = ["notes", "render"]

_MOST_NAMES = 3
"""Counter sets, and fragmented combinations, that are named where there are more."""


def render(possible: Possible, style: Style, *, summary: bool = True) -> str:
    """The pools with their sets, then what was left out and a line that counts.

    Without ``summary`` only what went wrong.
    """
    parts = [list(_pool(pool, style, summary=summary)) for pool in possible.pools if summary or pool.problems]
    left_out = list(_left_out(possible, style))
    if left_out:
        parts.append(left_out)
    if summary:
        remarks = [line for text in notes(possible) for line in labelled("warning", text, style)]
        minor = release.title(possible.gates.minor)
        whose = "prototype APIs" if possible.is_of_prototypes else f"Kubernetes {minor}"
        parts.append([*remarks, f"{counted(len(possible.pools), 'pool')} ({whose})"])
    return "\n".join(text_of(lines) for lines in parts)


def notes(possible: Possible) -> Iterator[str]:
    """What formats for programs do not hold: the warnings about the objects, a line each."""
    yield from map(sentence, map(warning_line, possible.findings))


def _left_out(possible: Possible, style: Style) -> Iterator[str]:
    if possible.left_out:
        yield style.paint("error", "Left out")
    for row in possible.left_out:
        yield from hanging("  ", named(row.object) + row.reason, style)


def _pool(pool: PoolSets, style: Style, *, summary: bool) -> Iterator[str]:
    yield style.paint("bold", brief(pool.name))
    if pool.problem:
        yield from labelled("warning", pool.problem, style, indent="  ")
        return
    if summary and pool.free:
        text = _listed(Combination(_numbers(pool.free), 1), pool.free)
        yield from hanging("  always available: ", text, style)
    if not (pool.free or pool.sets):
        yield "  no devices"
    for sets in pool.sets:
        if summary or sets.problem:
            yield from _sets(sets, style)


def _numbers(kinds: Iterable[Kind]) -> tuple[tuple[str, int], ...]:
    return tuple((kind.name, len(kind.devices)) for kind in kinds)


def _sets(sets: Sets, style: Style) -> Iterator[str]:
    every = [", ".join(map(brief, names)) for names in (sets.counter_sets, *sets.alike)]
    more = f" and {len(every) - _MOST_NAMES} more" if len(every) > _MOST_NAMES + 1 else ""
    shown = every[:_MOST_NAMES] if more else every
    word = "counter set" if len(every) == 1 and len(sets.counter_sets) == 1 else "counter sets"
    each = ", each" if sets.alike else ""
    devices = counted(sum(len(kind.devices) for kind in sets.kinds), "device")
    yield f"  {word} {'; '.join(shown)}{more}{each} with {devices}:"
    for combination in sets.combinations:
        yield from hanging("    ", _listed(combination, sets.kinds) or "nothing", style)
    if sets.fragmented:
        first = "; ".join(_listed(entry, sets.kinds) for entry in sets.fragmented[:_MOST_NAMES])
        rest = len(sets.fragmented) - _MOST_NAMES
        yield from hanging("    fragmented: ", f"{first}{f'; and {rest} more' if rest > 0 else ''}", style)
    for kind in sets.kinds:
        if kind.never:
            yield f"    never: {', '.join(map(brief, kind.never))} (too little of a counter)"
    if sets.problem:
        yield from labelled("warning", sets.problem, style, indent="    ")
    fit = (
        "too many sets to count"
        if sets.all is None
        else f"{sets.all:,} set{'s' * (sets.all != 1)} of devices"
    )
    yield f"    {fit}, {sets.maximal:,} of them maximal"


def _listed(combination: Combination, kinds: Sequence[Kind]) -> str:
    """The numbers and kinds of a combination, those that take most first."""
    numbers = dict(combination.kinds)
    return " + ".join(
        f"{numbers[kind.name]} × {brief(kind.name)}" for kind in kinds if numbers.get(kind.name)
    )
