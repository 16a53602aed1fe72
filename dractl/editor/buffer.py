"""The text of an open file as lines, changed in place, and its columns in the units of the editor."""

from __future__ import annotations

import re

from dractl.records import NamedTuple

__all__ = ["UTF_16", "Buffer", "Position", "Range", "column_of", "units_of", "word_at", "word_end"]

UTF_16 = "utf-16"
_BREAK = re.compile(r"\r\n|\r|\n")
_WIDTHS = {"utf-8": ("utf-8", 1), UTF_16: ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Position(NamedTuple):
    """A place between two characters: line and column from 0, the column in characters."""

    line: int
    column: int


class Range(NamedTuple):
    """A piece of a text; ``end`` is the place behind it."""

    start: Position
    end: Position


def units_of(line: str, column: int, encoding: str = UTF_16) -> int:
    """The column of a character of ``line`` as an editor counts it."""
    if line.isascii() or column <= 0:
        return min(column, len(line))
    codec, width = _WIDTHS[encoding]
    return len(line[:column].encode(codec, "surrogatepass")) // width


def column_of(line: str, units: int, encoding: str = UTF_16) -> int:
    """The character at which a column of an editor is; the end of the line if it is beyond that."""
    if line.isascii() or units <= 0:
        return max(0, min(units, len(line)))
    codec, width = _WIDTHS[encoding]
    known = line.encode(codec, "surrogatepass")[: units * width]
    return min(len(line), len(known.decode(codec, "ignore")))


def word_at(line: str, column: int) -> str:
    """The name around a column."""
    start = column
    while start > 0 and _is_of_word(line[start - 1]):
        start -= 1
    return line[start : word_end(line, column)]


def word_end(line: str, column: int) -> int:
    """The column at which the name around a column ends."""
    while column < len(line) and _is_of_word(line[column]):
        column += 1
    return column


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character in "-./_"


class Buffer:
    """The lines of a file without their breaks; ``version`` is the editor's number of this state."""

    __slots__ = ("encoding", "lines", "version")

    def __init__(self, text: str, version: int = 0, encoding: str = UTF_16) -> None:
        """Take a text; ``encoding`` names the units in which the editor counts columns."""
        self.encoding = encoding
        self.version = version
        self.lines = _BREAK.split(text)

    @property
    def text(self) -> str:
        """The text, its lines ended by line feeds."""
        return "\n".join(self.lines)

    def line(self, number: int) -> str:
        """A line; empty beyond the end."""
        return self.lines[number] if 0 <= number < len(self.lines) else ""

    def position(self, line: int, units: int) -> Position:
        """A place of the editor; what is beyond the text is at its end."""
        if line >= len(self.lines):
            return Position(len(self.lines) - 1, len(self.lines[-1]))
        line = max(0, line)
        return Position(line, column_of(self.lines[line], units, self.encoding))

    def units(self, position: Position) -> int:
        """The column of a place as the editor counts it."""
        return units_of(self.line(position.line), position.column, self.encoding)

    def replace(self, where: Range, text: str) -> None:
        """Put ``text`` in the place of a piece."""
        start, end = where
        new = _BREAK.split(text)
        new[0] = self.line(start.line)[: start.column] + new[0]
        new[-1] += self.line(end.line)[end.column :]
        self.lines[start.line : end.line + 1] = new
