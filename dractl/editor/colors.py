"""The parts of CEL expressions in YAML, for colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.cel.common.errors import CompileError
from dractl.cel.parser.tokens import Token, tokens_of
from dractl.editor.buffer import Buffer, Position
from dractl.editor.context import scalars_named
from dractl.editor.scalars import Scalar
from dractl.records import NamedTuple

__all__ = ["TYPES", "Colored", "colors_in", "encoded"]

TYPES = ("variable", "property", "function", "string", "number", "operator", "keyword")
_KEYWORDS = frozenset({"true", "false", "null", "in"})
_NUMBERS = frozenset({"int", "uint", "float"})
_STRINGS = frozenset({"string", "bytes"})
_LONGEST = 20_000


class Colored(NamedTuple):
    """A piece of one line and its type, an entry of ``TYPES``."""

    at: Position
    length: int
    type: str


def colors_in(lines: Sequence[str], first: int = 0, last: int | None = None) -> list[Colored]:
    """The parts of the expressions that begin in some lines, in their order."""
    found = [part for scalar in scalars_named(lines, first, last) for part in _colors(scalar)]
    return sorted(found)


def _colors(scalar: Scalar) -> Iterator[Colored]:
    tokens = _tokens(scalar.text[:_LONGEST])
    for number, token in enumerate(tokens):
        kind = _type(tokens, number)
        start = scalar.places[token.offset]
        end = scalar.places[token.offset + len(token.text)]
        if kind and start.line == end.line and end.column > start.column:
            yield Colored(start, end.column - start.column, kind)


def _tokens(text: str) -> list[Token]:
    """The tokens up to the first mistake."""
    while text:
        try:
            return tokens_of(text)[0]
        except CompileError as error:
            text = text[: min(error.error.offset or 0, len(text) - 1)]
    return []


def _type(tokens: Sequence[Token], number: int) -> str:
    token = tokens[number]
    if token.kind in _KEYWORDS:
        return "keyword"
    if token.kind in _STRINGS:
        return "string"
    if token.kind in _NUMBERS:
        return "number"
    if token.kind == "name":
        if tokens[number + 1].text == "(":
            return "function"
        return "property" if number and tokens[number - 1].text == "." else "variable"
    is_operator = token.kind != "end" and token.text not in ("(", ")", "[", "]", "{", "}", ",", ".")
    return "operator" if is_operator else ""


def encoded(buffer: Buffer) -> list[int]:
    """The colors of a text as the protocol has them: each relative to the one before."""
    data: list[int] = []
    line = column = 0
    for part in colors_in(buffer.lines):
        start = buffer.units(part.at)
        end = buffer.units(Position(part.at.line, part.at.column + part.length))
        same = part.at.line == line
        data += [
            part.at.line - line,
            start - column if same else start,
            end - start,
            TYPES.index(part.type),
            0,
        ]
        line, column = part.at.line, start
    return data
