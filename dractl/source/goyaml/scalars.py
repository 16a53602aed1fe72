"""Scalars as they are written: quoted, plain, and in blocks; what each character of their value came from.

Each reader takes a cursor at the first character and leaves it behind the last one. The value comes in
pieces, each with the offset of its first character in the text, so that a place inside the value can be
found again.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from dractl.source.goyaml.cursor import BLANK, BREAK, BREAKZ, SPACES_AND_TABS, TO_BREAK, Cursor
from dractl.source.reading import Halt

__all__ = ["Pieces", "end_line", "read_block", "read_plain", "read_quoted", "value_of"]

Pieces: TypeAlias = "list[tuple[str, int]]"

_BLANKS_AND_BREAKS = "".join(sorted(BLANK | BREAK))
_SPACE = BLANK | BREAK
# A run at a time: one call of ``re`` for each word instead of Python code for each character.
_PLAIN = re.compile(f"(?:[^{_BLANKS_AND_BREAKS}\0:]|:(?![{_BLANKS_AND_BREAKS}\0]))+")
_PLAIN_IN_FLOW = re.compile(rf"(?:[^{_BLANKS_AND_BREAKS}\0:,?\[\]{{}}]|:(?![{_BLANKS_AND_BREAKS}\0]))+")
_SINGLE = re.compile(f"[^{_BLANKS_AND_BREAKS}\0']+")
_DOUBLE = re.compile(f'[^{_BLANKS_AND_BREAKS}\0"\\\\]+')
# Indicators in either order, at most one of each, as in ``yaml_parser_scan_block_scalar``.
_BLOCK_HEADER = re.compile("[|>](?:[+-][1-9]?|[1-9][+-]?)?")

# The escapes of go-yaml: it has ``\'`` but not ``\/``, libyaml the other way round.
_ESCAPES = {
    **dict(zip("0abt\tnvfre \"'\\", "\0\a\b\t\t\n\v\f\r\x1b \"'\\", strict=True)),
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_CODE_LENGTHS = {"x": 2, "u": 4, "U": 8}
_HEX = frozenset("0123456789abcdefABCDEF")
_TAB = "a tab indents this line; YAML allows only spaces"


def value_of(pieces: Pieces) -> str:
    """The whole value."""
    return "".join([text for text, _ in pieces])


def read_plain(cursor: Cursor, indent: int, *, is_flow: bool) -> tuple[Pieces, bool]:
    """A scalar without quotes inside a collection indented by ``indent``; whether line breaks followed it.

    Mirrors ``yaml_parser_scan_plain_scalar``.
    """
    run = _PLAIN_IN_FLOW if is_flow else _PLAIN
    pieces: Pieces = []
    glue: Pieces = []
    has_break = False
    while not cursor.is_document_marker() and cursor.character != "#":
        start = cursor.at
        found = cursor.skip(run)
        if found:
            pieces += glue
            pieces.append((found, start))
            has_break = False
        if cursor.character not in _SPACE:
            break
        line = cursor.line
        glue = _fold(cursor, has_break=False, indent=indent + 1)
        has_break = cursor.line > line
        # A less indented line ends the scalar in block context; between brackets indentation means nothing.
        if not is_flow and cursor.column <= indent:
            break
    return pieces, has_break


def read_quoted(cursor: Cursor) -> Pieces:
    """A scalar in single or double quotes; mirrors ``yaml_parser_scan_flow_scalar``."""
    start, quote = cursor.at, cursor.character
    cursor.at += 1
    pieces: Pieces = []
    while True:
        if cursor.is_document_marker() or cursor.character == "\0":
            raise Halt(start, f"the quoted text that starts here has no closing {quote}")
        has_break = _read_run(cursor, quote, pieces)
        if cursor.character == quote:
            break
        pieces += _fold(cursor, has_break=has_break)
    cursor.at += 1
    return pieces


def _read_run(cursor: Cursor, quote: str, pieces: Pieces) -> bool:
    """Read a quoted scalar up to white space or its end; whether that is an escaped line break."""
    run = _SINGLE if quote == "'" else _DOUBLE
    while True:
        start = cursor.at
        found = cursor.skip(run)
        if found:
            pieces.append((found, start))
        start = cursor.at
        if quote == "'" and cursor.text.startswith("''", start):
            pieces.append(("'", start))
            cursor.at += 2
        elif quote == '"' and cursor.character == "\\":
            cursor.at += 1
            if cursor.character in BREAK:
                cursor.read_break()
                return True
            pieces.append((_escaped(cursor), start))
        else:
            return False


def _escaped(cursor: Cursor) -> str:
    """What the escape stands for whose backslash has been read."""
    start = cursor.at - 1
    character = cursor.character
    cursor.at += 1
    if character in _ESCAPES:
        return _ESCAPES[character]
    length = _CODE_LENGTHS.get(character)
    if length is None:
        raise Halt(start, f"unknown escape \\{character}; use \\\\ for a backslash")
    digits = cursor.text[cursor.at : cursor.at + length]
    if not _HEX.issuperset(digits):
        raise Halt(start, f"\\{character} must be followed by {length} hexadecimal digits")
    code = int(digits, 16)
    if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        raise Halt(start, f"\\{character}{digits} is not a Unicode character")
    cursor.at += length
    return chr(code)


def _fold(cursor: Cursor, *, has_break: bool, indent: int = 0) -> Pieces:
    """Read white space inside a scalar on several lines; what is left of it between two words.

    ``has_break``: an escaped line break went before. ``indent``: up to where tabs may not indent a line.
    """
    spaces: Pieces = []
    leading: Pieces = []
    trailing: Pieces = []
    while (character := cursor.character) in _SPACE:
        if character in BLANK:
            # Tabs may separate words, but not indent a line of a scalar.
            if has_break and character == "\t" and cursor.column < indent:
                raise Halt(cursor.at, _TAB)
            if not has_break:
                spaces.append((character, cursor.at))
            cursor.at += 1
            continue
        start = cursor.at
        (trailing if has_break else leading).append((cursor.read_break(), start))
        has_break = True
    if not leading:
        return trailing if has_break else spaces
    # One line break becomes a space, several lose the first; the separators of Unicode are never folded.
    if leading[0][0] == "\n":
        return trailing or [(" ", leading[0][1])]
    return leading + trailing


def read_block(cursor: Cursor, indent: int) -> Pieces:
    """A literal or folded scalar inside a block collection indented by ``indent`` (-1 outside of any).

    Mirrors ``yaml_parser_scan_block_scalar``.
    """
    start = cursor.at
    is_literal = cursor.character == "|"
    header = cursor.skip(_BLOCK_HEADER)
    digit, chomping = header.strip("|>+-"), header.strip("|>123456789")
    if cursor.character == "0":
        raise Halt(start, "the indentation of a block scalar must be 1 to 9")
    end_line(cursor, start)
    # The indicator counts from the parent, whose indentation is -1 outside of any block.
    width = int(digit) + max(indent, 0) if digit else 0
    width, trailing = _block_breaks(cursor, width, indent)
    pieces: Pieces = []
    leading: Pieces = []
    was_blank = False
    while cursor.column == width and cursor.character != "\0":
        is_blank = cursor.character in BLANK
        # Lines that start with white space keep their line breaks, also the one before and the one after
        # them.
        if is_literal or was_blank or is_blank or not leading or leading[0][0] != "\n":
            pieces += leading
        elif not trailing:
            pieces.append((" ", leading[0][1]))
        pieces += trailing
        was_blank = is_blank
        begin = cursor.at
        pieces.append((cursor.skip(TO_BREAK), begin))
        begin = cursor.at
        leading = [(cursor.read_break(), begin)] if cursor.character in BREAK else []
        width, trailing = _block_breaks(cursor, width, indent)
    if chomping != "-":
        pieces += leading
    if chomping == "+":
        pieces += trailing
    return pieces


def _block_breaks(cursor: Cursor, width: int, indent: int) -> tuple[int, Pieces]:
    """Go past indentation and empty lines; the width of the indentation (found out if 0), the line breaks."""
    breaks: Pieces = []
    deepest = 0
    while True:
        while (width == 0 or cursor.column < width) and cursor.character == " ":
            cursor.at += 1
        # Empty lines before the text may be indented more than it; upstream takes the deepest of them.
        deepest = max(deepest, cursor.column)
        if (width == 0 or cursor.column < width) and cursor.character == "\t":
            raise Halt(cursor.at, _TAB)
        if cursor.character not in BREAK:
            break
        start = cursor.at
        breaks.append((cursor.read_break(), start))
    return width or max(deepest, indent + 1, 1), breaks


def end_line(cursor: Cursor, start: int) -> None:
    """Go past spaces and a comment to the next line; ``Halt`` at ``start`` if anything else follows."""
    cursor.skip(SPACES_AND_TABS)
    if cursor.character == "#":
        cursor.skip(TO_BREAK)
    if cursor.character not in BREAKZ:
        raise Halt(start, "only a comment may follow on this line")
    if cursor.character in BREAK:
        cursor.read_break()
