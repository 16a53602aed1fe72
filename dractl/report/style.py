"""How a report looks on what it is written to: how wide, and with colour or without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unicodedata import east_asian_width

from dractl.api import budgets, characters
from dractl.records import NamedTuple

__all__ = [
    "PIPED_WIDTH",
    "PLAIN",
    "Style",
    "Word",
    "brief",
    "columns",
    "path",
    "printable",
    "sentence",
    "text_of",
    "wrapped",
]

PIPED_WIDTH = 120
"""The width of excerpts if standard output is not a terminal."""

_RESET = "\x1b[0m"
_CODES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "faint": "2", "mark": "1;32"}


class Style(NamedTuple):
    """The width of excerpts and tables in columns (None: as wide as they need), and whether to use colour.

    ``links``: the terminal shows links. ``wraps``: lines longer than the width are wrapped between words.
    """

    width: int | None = PIPED_WIDTH
    color: bool = False
    links: bool = False
    wraps: bool = False

    def paint(self, name: str, text: str) -> str:
        """``text`` as error, warning, info, bold, faint or mark; unchanged without colour."""
        return f"\x1b[{_CODES[name]}m{text}{_RESET}" if self.color else text

    def link(self, text: str, url: str) -> str:
        """``text`` as a link to ``url``, if the terminal shows links."""
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if self.links else text


PLAIN = Style()
"""Output that goes to a file or another program."""

_INDENT = " " * 6
"""The indent of continued lines, deeper than that of the hints below them."""


class Word(NamedTuple):
    """A piece of a line that is never broken: as it is read, and with the codes that paint it."""

    shown: str
    painted: str


def wrapped(words: Iterable[Word], style: Style) -> Iterator[str]:
    """``words`` with blanks between, on as many lines as they need; on one if the style does not wrap."""
    room = style.width if style.wraps and style.width is not None else None
    line, taken = "", 0
    for word in words:
        size = columns(word.shown)
        if room is not None and taken and taken + 1 + size > room and line != _INDENT.rstrip():
            yield line
            line, taken = _INDENT + word.painted, len(_INDENT) + size
        elif taken:
            line, taken = f"{line} {word.painted}", taken + 1 + size
        else:
            line, taken = word.painted, size
    yield line


def columns(text: str) -> int:
    """How many columns a terminal needs for ``text``: two for each wide character."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(character) in {"W", "F"} else 1 for character in text)


def text_of(lines: Iterable[str]) -> str:
    """``lines`` as a text, in none of which a CI finds a command; what people read is written by this."""
    return "".join(f"{characters.quieted(line)}\n" for line in lines)


def path(name: str) -> str:
    """The name of a file, as a line may begin with it."""
    return sentence(characters.path_shown(name))


def sentence(text: str) -> str:
    """``text`` as :func:`printable` has it, without its end if it is longer than anybody reads."""
    return _cut(text, budgets.SHOWN_TEXT)


def brief(text: str) -> str:
    """A name, a field or another part of a line, cut like a :func:`sentence`, and sooner."""
    return _cut(text, budgets.SHOWN_NAME)


def _cut(text: str, budget: budgets.Budget) -> str:
    return printable(text if len(text) <= budget.value else text[: budget.value] + budget.message())


def printable(text: str) -> str:
    """``text`` on one line; a character that can be seen replaces each that steers a terminal or a CI."""
    if not (text.isascii() and text.isprintable()):
        text = "".join(characters.shown(text))
    return characters.quieted_inside(text)
