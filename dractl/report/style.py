"""How a report looks on what it is written to: how wide, and with colour or without."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PIPED_WIDTH", "PLAIN", "Style", "printable", "sentence"]

PIPED_WIDTH = 120
"""How wide excerpts of files are where there is no terminal to ask."""

_LONGEST = 2000
_RESET = "\x1b[0m"
_CODES = {"error": "1;31", "warning": "1;33", "info": "1;36", "bold": "1", "faint": "2", "mark": "1;32"}

# Bidirectional controls let a line read otherwise than it is; U+2028 and U+2029 end lines in some terminals.
_DECEIVING = frozenset(
    (0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)


class Style(NamedTuple):
    """The width of excerpts and tables in columns (None: as wide as they need), and whether to use colour."""

    width: int | None = PIPED_WIDTH
    color: bool = False

    def paint(self, name: str, text: str) -> str:
        """``text`` as error, warning, info, bold, faint or mark; unchanged without colour."""
        return f"\x1b[{_CODES[name]}m{text}{_RESET}" if self.color else text


PLAIN = Style()
"""Output that goes to a file or another program."""


def sentence(text: str) -> str:
    """``text`` as :func:`printable` has it, without its end if it is longer than anybody reads."""
    return printable(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def printable(text: str) -> str:
    """``text`` on one line, each character that steers a terminal replaced by one that can be seen."""
    return text if text.isascii() and text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if 0x7F <= code < 0xA0 or code in _DECEIVING or 0xD800 <= code < 0xE000:
        return "\ufffd"
    return character
