"""A table in columns, with line breaks in its cells where it is wider than the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from dractl.report.listing import capped
from dractl.report.style import Style, brief, columns

__all__ = ["fitted", "headed", "table"]

_GAP = 2
"""The blanks between two columns."""

_SEPARATORS = (re.compile(r"(?<=[/ ])"), re.compile(r"(?<=[/ .-])"))
"""Where a name may be broken: after a slash rather than after another separator."""

_NARROWEST = 6
"""No column gets narrower, however long its words are; then the table is wider than the room."""


def table(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """``rows`` as lines; their first row are the headings, which must fit a line each.

    ``width`` is that of the terminal in columns; None: no cell is broken.
    """
    lines = list(_aligned(rows))
    if width is None or max(map(columns, lines)) <= width:
        return lines
    return list(_aligned(fitted(rows, width, _GAP)))


def headed(headings: Sequence[str], rows: Iterable[Sequence[str]], style: Style) -> list[str]:
    """As many of the ``rows`` as a report may have, in brief, below their ``headings``."""
    head, *lines = table([headings, *(list(map(brief, row)) for row in rows)], style.width)
    return [style.paint("bold", head), *capped(lines)]


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with each column as wide as its widest line; a cell may have several."""
    split = [[cell.split("\n") for cell in row] for row in rows]
    widths = [max(columns(line) for cell in column for line in cell) for column in zip(*split, strict=True)]
    for row in split:
        for parts in zip_longest(*row, fillvalue=""):
            padded = (part + " " * (width - columns(part)) for part, width in zip(parts, widths, strict=True))
            yield (" " * _GAP).join(padded).rstrip()


def fitted(rows: Sequence[Sequence[str]], room: int, gap: int) -> list[list[str]]:
    """``rows`` with line breaks in their cells, so that all columns with their gaps fit into ``room``.

    The first row are the headings. The widest columns are narrowed first. No text is lost.
    """
    cells = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in cells]
    available = room - gap * (len(cells) - 1)
    limits = [[_longest_piece(column, separators) for column in cells] for separators in _SEPARATORS]
    for least in (*limits, [_NARROWEST] * len(cells)):
        _narrow(widths, least, available)
    return [[_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows]


def _longest_piece(column: Sequence[str], separators: re.Pattern[str]) -> int:
    return max(len(piece.rstrip()) for cell in column for piece in separators.split(cell))


def _narrow(widths: list[int], least: Sequence[int], available: int) -> None:
    """Take from the widest column that may get narrower, until all fit."""
    while (excess := sum(widths) - available) > 0:
        free = [number for number, width in enumerate(widths) if width > least[number]]
        if not free:
            return
        widest = max(free, key=lambda number: widths[number])
        next_width = max((widths[number] for number in free if widths[number] < widths[widest]), default=0)
        goal = max(least[widest], next_width, widths[widest] - excess)
        widths[widest] = min(goal, widths[widest] - 1)


def _wrapped(cell: str, width: int) -> str:
    if len(cell) <= width:
        return cell
    lines = [""]
    for coarse in _SEPARATORS[0].split(cell):
        pieces = [coarse] if len(coarse.rstrip()) <= width else _SEPARATORS[1].split(coarse)
        for piece in pieces:
            if len((lines[-1] + piece).rstrip()) > width and lines[-1]:
                lines.append("")
            lines[-1] += piece
            while len(lines[-1].rstrip()) > width:
                lines[-1:] = [lines[-1][:width], lines[-1][width:]]
    return "\n".join(line.rstrip() for line in lines)
