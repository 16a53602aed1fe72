"""A difference for people: each fact once with the objects that it concerns, the worst first."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.diffing.model import Diff
from dractl.report.changes.differences import BAD, Fact, Section, heading, headline, sections
from dractl.report.changes.facts import INDENT, NAMED, below, marked
from dractl.report.listing import capped, first_of, hanging
from dractl.report.style import Style, text_of

__all__ = ["render"]


def render(diff: Diff, style: Style, *, summary: bool = True) -> str:
    """The facts by section; with ``summary`` also what is compared, notes, and a line that counts."""
    lines: list[str] = []
    if summary:
        lines += [*hanging("", heading(diff), style), ""]
    listed = list(sections(diff))
    for section in listed:
        facts = (line for fact in section.facts for line in _fact(fact, style))
        lines += [style.paint("bold", section.title), *capped(facts), ""]
    if summary:
        for note in diff.notes:
            lines += hanging("info: ", note, style)
        color = "mark" if diff.ok else BAD if any(map(_is_bad, listed)) else "warning"
        label = "no difference" if diff.ok else "differs"
        text = "" if diff.ok else f": {headline(diff)}"
        first, *others = hanging("", label + text, style)
        lines += [first.replace(label, style.paint(color, label), 1), *others]
    elif lines:
        lines.pop()
    return text_of(lines)


def _is_bad(section: Section) -> bool:
    return any(fact.weight == BAD for fact in section.facts)


def _fact(fact: Fact, style: Style) -> Iterator[str]:
    yield from marked(fact.what, style, fact.weight)
    for line in fact.more:
        yield from below(line, style)
    narrow = style if style.width is None else style._replace(width=style.width - len(INDENT))
    for line in _whom(fact):
        first, *others = below(line, narrow)
        yield first
        yield from (f"{INDENT}{other}" for other in others)


def _whom(fact: Fact) -> Iterator[str]:
    """The objects, each on its line; of many the first ones, and the number of the others."""
    shown = first_of(fact.whom, NAMED)
    yield from filter(None, shown)
    if len(fact.whom) > len(shown):
        yield f"and {len(fact.whom) - len(shown):,} more"
