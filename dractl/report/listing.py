"""Rows with a sentence at their end: in columns if they fit, else the sentence below its row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from textwrap import wrap
from typing import TypeVar

from dractl.api import budgets
from dractl.records import NamedTuple
from dractl.report.style import Style, brief, printable, sentence

__all__ = [
    "Cell",
    "Painted",
    "beside",
    "capped",
    "first_of",
    "hanging",
    "labelled",
    "listing",
    "prose",
    "some_of",
]

_GAP = "  "
_INDENT = "    "
_ROOM = 40
"""The minimum width of a column of sentences; with less it wraps after every word."""

LABELS = 10
"""The width of the column of labels on a page."""

_UNDER_HEAD = 6

PROSE_WIDTH = 100
"""No line of prose is longer, however wide the terminal is."""


class Painted(NamedTuple):
    """A cell with the name of its colour, as ``Style.paint`` knows it."""

    text: str
    color: str


Cell = str | Painted

Item = TypeVar("Item")


def listing(headings: Sequence[str], rows: Sequence[Sequence[Cell]], style: Style) -> list[str]:
    """``rows`` below their ``headings``; the last column holds sentences, which are wrapped on a terminal."""
    widths = [
        max(len(brief(_text(row[column]))) for row in (headings, *rows))
        for column in range(len(headings) - 1)
    ]
    used = sum(widths) + len(_GAP) * len(widths)
    room = None if style.width is None else style.width - used
    in_columns = room is None or room >= _ROOM or all(len(_text(row[-1])) <= room for row in rows)
    head = _row(headings if in_columns else headings[:-1], widths, Style())
    lines = [style.paint("bold", head)]
    for row in rows:
        last = sentence(_text(row[-1]))
        first = _row(row[:-1], widths, style)
        if not last:
            lines.append(first)
        elif not in_columns:
            lines.append(first)
            lines += prose(last, style, indent=_INDENT)
        else:
            shown = [last] if room is None else wrap(last, room, break_on_hyphens=False)
            lines.append(_filled(row[:-1], widths, style) + shown[0])
            lines += [" " * used + more for more in shown[1:]]
    return lines


def prose(text: str, style: Style, *, indent: str = "") -> list[str]:
    """``text`` in lines that are good to read, each after ``indent``."""
    width = min(style.width or PROSE_WIDTH, PROSE_WIDTH)
    return wrap(
        printable(text),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def hanging(head: str, text: str, style: Style) -> list[str]:
    """``text`` after ``head``; on a terminal in as many lines as it needs, under a head that is wide."""
    line = head + sentence(text)
    if style.width is None or len(line) <= style.width:
        return [line]
    if len(head) > style.width // 3:
        indent = " " * _UNDER_HEAD
        below = wrap(
            sentence(text),
            style.width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_on_hyphens=False,
        )
        return [head.rstrip(), *below]
    return wrap(line, style.width, subsequent_indent=" " * len(head), break_on_hyphens=False)


def labelled(label: str, text: str, style: Style, *, indent: str = "") -> Iterator[str]:
    """``text`` after ``error:``, ``warning:`` or ``info:``; on a terminal in as many lines as it needs."""
    first, *others = hanging(f"{indent}{label}: ", text, style)
    yield indent + style.paint(label, f"{label}:") + first.removeprefix(f"{indent}{label}:")
    yield from others


def beside(label: str, text: str, style: Style) -> Iterator[str]:
    """``text`` in the column right of a ``label``, which may be empty."""
    first, *others = prose(text, style, indent=" " * LABELS)
    yield style.paint("faint", label.ljust(LABELS)) + first[LABELS:]
    yield from others


def first_of(items: Sequence[Item], most: int) -> Sequence[Item]:
    """All items, or the first ``most`` of many; one more than that is shown, too."""
    return items if len(items) <= most + 1 else items[:most]


def some_of(names: Sequence[str], most: int) -> str:
    """The names with commas, as :func:`first_of` has them, and the number of the others."""
    shown = first_of(names, most)
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def capped(lines: Iterable[str]) -> Iterator[str]:
    """As many lines as a part of a report may have, and the number of the others."""
    every = iter(lines)
    yield from islice(every, budgets.LINES.value)
    more = sum(1 for _ in every)
    if more:
        yield budgets.LINES.message(more=f"{more:,} more")


def _row(cells: Sequence[Cell], widths: Sequence[int], style: Style) -> str:
    return _filled(cells, widths, style).rstrip()


def _filled(cells: Sequence[Cell], widths: Sequence[int], style: Style) -> str:
    return "".join(_cells(cells, widths, style))


def _cells(cells: Sequence[Cell], widths: Sequence[int], style: Style) -> Iterator[str]:
    for number, cell in enumerate(cells):
        text = brief(_text(cell))
        shown = style.paint(cell.color, text) if isinstance(cell, Painted) else text
        padding = " " * (widths[number] - len(text)) + _GAP if number < len(widths) else ""
        yield shown + padding


def _text(cell: Cell) -> str:
    return cell.text if isinstance(cell, Painted) else cell
