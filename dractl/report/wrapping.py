"""Lines of words that fit the width of a terminal, without counting what only paints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple
from unicodedata import east_asian_width

from dractl.report.style import Style

__all__ = ["Word", "wrapped"]

_INDENT = " " * 6
"""Before what does not fit the first line: more than the hints below it have."""


class Word(NamedTuple):
    """A piece of a line that is never broken: as it is read, and with the codes that paint it."""

    shown: str
    painted: str


def wrapped(words: Iterable[Word], style: Style) -> Iterator[str]:
    """``words`` with blanks between, on as many lines as they need; on one if the style does not wrap."""
    room = style.width if style.wraps and style.width is not None else None
    line, taken = "", 0
    for word in words:
        size = _columns(word.shown)
        if room is not None and taken and taken + 1 + size > room and line != _INDENT.rstrip():
            yield line
            line, taken = _INDENT + word.painted, len(_INDENT) + size
        elif taken:
            line, taken = f"{line} {word.painted}", taken + 1 + size
        else:
            line, taken = word.painted, size
    yield line


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in {"W", "F"} else 1 for character in text)
