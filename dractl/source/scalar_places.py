"""From a character of a scalar's value back to the character of the text that it was read from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from dractl.source.goyaml.cursor import Cursor
from dractl.source.goyaml.scalars import Pieces, read_block, read_plain, read_quoted, value_of
from dractl.source.reading import Halt

__all__ = ["offset_in_scalar"]

_PROPERTIES = re.compile(r"(?:[!&]\S*\s+)*")
_JSON_PIECE = re.compile(r'[^\\"]+|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.', re.ASCII)


def offset_in_scalar(text: str, start: int, value: str, offset: int) -> int:
    """The offset in ``text`` of the character ``offset`` of ``value``, a scalar written at ``start``.

    The scalar is read again, now with the place of each piece. How deep the collection around it is indented
    is not known here, so that each depth is tried until the value comes out. If it never does (the value is
    behind an alias), the answer is ``start``.
    """
    properties = _PROPERTIES.match(text, start)
    begin = properties.end() if properties else start
    for pieces in _readings(text, begin):
        if value_of(pieces) == value:
            return _offset_in(pieces, offset) if pieces else begin
    return start


def _offset_in(pieces: Pieces, offset: int) -> int:
    for piece, start in pieces:
        if offset < len(piece):
            return start + offset
        offset -= len(piece)
    last, start = pieces[-1]
    return start + len(last)


def _readings(text: str, start: int) -> Iterator[Pieces]:
    """The ways in which a scalar at ``start`` may be meant."""
    cursor = Cursor(text, start)
    first = cursor.character
    if first == '"':
        yield _json_string(text, start)
    line_start, column = cursor.line_start, cursor.column
    for indent in range(-1, column + 1) if first not in "\"'" else (0,):
        for is_flow in (False, True) if first not in "\"'|>" else (False,):
            cursor.at, cursor.line_start = start, line_start
            try:
                if first in "\"'":
                    yield read_quoted(cursor)
                elif first in "|>":
                    yield read_block(cursor, indent)
                else:
                    yield read_plain(cursor, indent, is_flow=is_flow)[0]
            except Halt:
                continue


def _json_string(text: str, start: int) -> Pieces:
    """The pieces of a string as JSON writes it, up to the first character that JSON would not have."""
    pieces: Pieces = []
    at = start + 1
    while (found := _JSON_PIECE.match(text, at)) is not None:
        piece = found[0]
        try:
            pieces.append((json.loads(f'"{piece}"') if piece[0] == "\\" else piece, at))
        except ValueError:
            break
        at = found.end()
    return pieces
