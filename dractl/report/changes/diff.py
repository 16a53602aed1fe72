"""A difference for people: each fact once with the objects that it concerns, the worst first."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.diffing.model import Diff
from dractl.report.changes.differences import BAD, Fact, Section, heading, headline, sections
from dractl.report.listing import capped, hanging
from dractl.report.style import Style, text_of

__all__ = ["render"]

_NAMED = 3
"""Objects that are named where many share a fact."""

_INDENT = "  "


def render(diff: Diff, style: Style, *, summary: bool = True) -> str:
    """The facts by section; with ``summary`` also what is compared, notes, and a line that counts."""
    lines: list[str] = []
    if summary:
        lines += [*hanging("", heading(diff), style), ""]
    for section in sections(diff):
        facts = (line for fact in section.facts for line in _fact(fact, style))
        lines += [style.paint("bold", section.title), *capped(facts), ""]
    if summary:
        for note in diff.notes:
            lines += hanging("info: ", note, style)
        color = "mark" if diff.ok else BAD if any(map(_is_bad, sections(diff))) else "warning"
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
    first, *others = hanging(f"{_INDENT}- ", fact.what, style)
    yield first.replace("- ", style.paint(fact.weight, "-") + " ", 1)
    yield from others
    for line in fact.more:
        yield from hanging(f"{_INDENT}    ", line, style)
    narrow = style if style.width is None else style._replace(width=style.width - len(_INDENT))
    for line in _whom(fact):
        first, *others = hanging(f"{_INDENT}    ", line, narrow)
        yield first
        yield from (f"{_INDENT}{other}" for other in others)


def _whom(fact: Fact) -> Iterator[str]:
    """The objects, each on its line; of many the first ones, and the number of the others."""
    most = _NAMED if len(fact.whom) > _NAMED + 1 else len(fact.whom)
    yield from filter(None, fact.whom[:most])
    if len(fact.whom) > most:
        yield f"and {len(fact.whom) - most:,} more"
