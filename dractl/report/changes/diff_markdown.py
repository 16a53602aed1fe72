"""A difference as Markdown, for a comment on a pull request: a headline, a table, and details folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.diffing.model import Diff
from dractl.report.changes.differences import BAD, GOOD, OTHER, Fact, Section, heading, headline, sections
from dractl.report.ci.markup import cell_code, escaped
from dractl.report.listing import first_of
from dractl.report.style import brief, sentence

__all__ = ["render"]

_KINDS = 3
"""Kinds of changes in the heading."""

_NAMED = 3
"""Objects that a row of the first table names; the details name more."""

_MOST_NAMED = 50
_MOST_ROWS = 30
"""Rows of a table: GitHub takes comments of up to 65,536 characters."""

_MOST = 60_000
_MARKS = {BAD: "❌", OTHER: "⚠️", GOOD: "✅"}


def render(diff: Diff) -> str:
    """A heading with what differs, a table with what matters most, and the rest to unfold."""
    lines = [f"### dractl diff: {escaped(headline(diff, _KINDS))}", "", escaped(sentence(heading(diff))), ""]
    listed = list(sections(diff))
    first = [(section, fact) for section in listed if not section.is_detail for fact in section.facts]
    if first:
        lines += ["| | what | for |", "|---|---|---|"]
        lines += [_row(fact, section.title, _NAMED) for section, fact in first[:_MOST_ROWS]]
        lines += _more(len(first) - _MOST_ROWS)
        lines.append("")
    for section in listed:
        if section.is_detail or any(len(fact.whom) > _NAMED + 1 for fact in section.facts):
            lines += _details(section)
    lines += [f"- {escaped(sentence(note))}" for note in diff.notes]
    return _cut(lines)


def _row(fact: Fact, title: str, most: int) -> str:
    what = [f"**{escaped(title)}**" if title else "", escaped(sentence(fact.what))]
    what += [escaped(sentence(line)) for line in fact.more]
    shown = first_of(fact.whom, most)
    whom = "<br>".join(cell_code(brief(name)) for name in shown)
    more = len(fact.whom) - len(shown)
    rest = f"<br>and {more:,} more" if more else ""
    return f"| {_MARKS[fact.weight]} | {'<br>'.join(filter(None, what))} | {whom}{rest} |"


def _more(number: int) -> Iterator[str]:
    if number > 0:
        yield f"| | {number:,} more | |"


def _details(section: Section) -> Iterator[str]:
    number = sum(len(fact.whom) for fact in section.facts)
    yield f"<details><summary>{section.title} ({number:,})</summary>"
    yield from ("", "| | what | for |", "|---|---|---|")
    yield from (_row(fact, "", _MOST_NAMED) for fact in section.facts[:_MOST_ROWS])
    yield from _more(len(section.facts) - _MOST_ROWS)
    yield from ("", "</details>", "")


def _cut(lines: Sequence[str]) -> str:
    """The lines as far as a comment takes them; a section that does not fit is left out whole."""
    kept: list[str] = []
    length = 0
    for part in _parts(lines):
        length += sum(len(line.encode("utf-8", "replace")) + 1 for line in part)
        if length > _MOST:
            kept += ["The rest does not fit a comment; `--format text` prints it.", ""]
            break
        kept += part
    return "\n".join(kept).rstrip("\n") + "\n"


def _parts(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines in pieces that make sense by themselves: rows, and whole foldings."""
    part: list[str] = []
    is_folded = False
    for line in lines:
        is_folded = is_folded or line.startswith("<details>")
        part.append(line)
        if is_folded and line != "</details>":
            continue
        is_folded = False
        yield part
        part = []
    if part:
        yield part
