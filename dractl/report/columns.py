"""Cells of a table with line breaks that make its columns fit, preferably where names have separators."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["fitted"]

_SEPARATORS = (re.compile(r"(?<=[/ ])"), re.compile(r"(?<=[/ .-])"))
"""Where a name may be broken: after a slash rather than after another separator."""

_NARROWEST = 6
"""No column gets narrower, however long its words are; then the table is wider than the room."""


def fitted(rows: Sequence[Sequence[str]], room: int, gap: int) -> list[list[str]]:
    """``rows`` with line breaks in their cells, so that all columns with their gaps fit into ``room``.

    The first row are the headings. The widest columns are narrowed first. No text is lost.
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    available = room - gap * (len(columns) - 1)
    limits = [[_longest_piece(column, separators) for column in columns] for separators in _SEPARATORS]
    for least in (*limits, [_NARROWEST] * len(columns)):
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
