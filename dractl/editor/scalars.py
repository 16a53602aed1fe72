"""The texts of scalars in half-typed YAML, each character with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dractl.editor.buffer import Position
from dractl.records import NamedTuple

__all__ = ["BLOCK", "Row", "Scalar", "row_of", "scalar_at"]

BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?\Z")
_MOST_LINES = 400
_LONGEST = 20_000
_ESCAPES = {"n": "\n", "t": "\t"}


class Row(NamedTuple):
    """A line: the columns of its dashes, and the key behind them with its column and what follows it.

    ``column`` is where the content begins; ``rest_at`` where what follows the key does.
    """

    dashes: tuple[int, ...]
    column: int
    key: str | None
    rest: str
    rest_at: int


def row_of(text: str) -> Row | None:
    """The parts of a line; None for an empty one and a comment."""
    body = text.lstrip(" ")
    column = len(text) - len(body)
    if not body or (body[0] in "#\t\r" and not body.strip("\t\r")) or body[0] == "#":
        return None
    dashes: list[int] = []
    while body == "-" or body.startswith("- "):
        dashes.append(column)
        inner = body[1:].lstrip(" ")
        column += len(body) - len(inner)
        body = inner
    key, after = _key_in(body)
    rest = body[after:].strip() if key is not None else body.strip()
    at = column + after + len(body[after:]) - len(body[after:].lstrip(" "))
    return Row(tuple(dashes), column, key, rest, at)


def _key_in(body: str) -> tuple[str | None, int]:
    """The key at the start of a text, and how long it is with its colon."""
    quote = body[:1]
    if quote in ("'", '"'):
        end = body.find(quote, 1)
        colon = end + 1 if end > 0 and body[end + 1 : end + 2] == ":" else -1
    elif quote in ("{", "["):
        return None, 0
    else:
        colon = body.find(": ")
        if colon < 0:
            stripped = body.rstrip()
            colon = len(stripped) - 1 if stripped.endswith(":") else -1
    if colon <= 0 or body[colon + 1 : colon + 2] not in ("", " ", "\t"):
        return None, 0
    return body[:colon].strip("\"' "), colon + 1


class Scalar(NamedTuple):
    """The value of a scalar, and the place of each of its characters and of its end."""

    text: str
    places: tuple[Position, ...]

    def offset(self, position: Position) -> int | None:
        """The number of the first character at or behind a place; None if that is outside."""
        if not self.places[0] <= position <= self.places[-1]:
            return None
        return next(number for number, place in enumerate(self.places) if place >= position)


class _Writer:
    def __init__(self) -> None:
        self.characters: list[str] = []
        self.places: list[Position] = []

    def add(self, text: str, line: int, column: int) -> None:
        self.characters += text
        self.places += [Position(line, column + number) for number in range(len(text))]

    def done(self, line: int, column: int) -> Scalar:
        return Scalar("".join(self.characters), (*self.places, Position(line, column)))


def scalar_at(lines: Sequence[str], start: Position, indent: int) -> Scalar:
    """The scalar that begins at a place, the value of a key at the column ``indent``."""
    text = lines[start.line][start.column :]
    if BLOCK.match(text):
        return _block(lines, start.line, indent)
    if text[:1] in ("'", '"'):
        return _quoted(lines, start, text[0])
    return _plain(lines, start, indent)


def _block(lines: Sequence[str], header: int, indent: int) -> Scalar:
    writer = _Writer()
    end, margin = header + 1, -1
    for number in range(header + 1, min(len(lines), header + _MOST_LINES)):
        line = lines[number]
        column = len(line) - len(line.lstrip(" "))
        if line.strip():
            if column <= indent:
                break
            margin = column if margin < 0 else min(margin, column)
        end = number + 1
    for number in range(header + 1, end):
        line = lines[number][:_LONGEST]
        cut = min(max(margin, indent + 1), len(line))
        writer.add(line[cut:] + "\n", number, cut)
    last = max(header, end - 1)
    return writer.done(last, len(lines[last]) + 1)


def _goes_on(lines: Sequence[str], number: int, indent: int) -> bool:
    if number >= len(lines):
        return False
    row = row_of(lines[number])
    return row is not None and row.key is None and not row.dashes and row.column > indent


def _plain(lines: Sequence[str], start: Position, indent: int) -> Scalar:
    writer = _Writer()
    number, column = start
    while True:
        text = lines[number][column : column + _LONGEST]
        comment = text.find(" #")
        text = text[:comment] if comment >= 0 else text
        writer.add(text, number, column)
        if not _goes_on(lines, number + 1, indent) or number - start.line > _MOST_LINES:
            return writer.done(number, column + len(text))
        writer.add("\n", number, column + len(text))
        number += 1
        column = len(lines[number]) - len(lines[number].lstrip(" "))


def _quoted(lines: Sequence[str], start: Position, quote: str) -> Scalar:
    writer = _Writer()
    number, column = start.line, start.column + 1
    while True:
        line = lines[number][: column + _LONGEST]
        while column < len(line):
            character, after = line[column], line[column + 1 : column + 2]
            if quote == "'" and character == after == "'":
                writer.add("'", number, column)
                column += 2
            elif character == quote:
                return writer.done(number, column)
            elif quote == '"' and character == "\\" and after:
                writer.add(_ESCAPES.get(after, after), number, column)
                column += 2
            else:
                writer.add(character, number, column)
                column += 1
        if not _goes_on(lines, number + 1, -1) or number - start.line > _MOST_LINES:
            return writer.done(number, len(line))
        writer.add("\n", number, len(line))
        number += 1
        column = len(lines[number]) - len(lines[number].lstrip(" "))
