"""Characters and words by which a text does more than be read: it steers terminals and CI services.

CI services read commands from the log: GitHub where a line begins with ``::``, blanks aside; GitHub, Azure
and TeamCity from ``##[``, ``##vso[`` and ``##teamcity[`` anywhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from unicodedata import category

__all__ = [
    "begins_command",
    "escaped",
    "has_command",
    "is_plain",
    "path_shown",
    "quieted",
    "quieted_inside",
    "referenced",
    "shown",
]

_CUT = "\ufffd"
"""What is shown for a character that is not let through."""


# Letters and marks by their category, and yet without a shape of their own: grapheme joiner, Hangul fillers,
# Khmer inherent vowels, variation selectors. A run of these can carry a hidden text.
@cache
def _shapeless() -> re.Pattern[str]:
    return re.compile(
        "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
    )


_STYLES_OF_SYMBOLS = "\ufe0e\ufe0f"
"""The variation selectors that choose whether the symbol before them is drawn in black or in colour."""

_MOST_MARKS = 8
"""Marks on one letter; more climb over the lines around. Tibetan has up to six, Hebrew four."""


@cache
def _anywhere() -> re.Pattern[str]:
    return re.compile(r"#(?=#[\w.-]*\[)")


@cache
def _at_start() -> re.Pattern[str]:
    return re.compile(r"\s*(?=::.*::)")


# With what looks like one, and with the groups of GitLab, Travis and Buildkite.
@cache
def _maybe_at_start() -> re.Pattern[str]:
    return re.compile(
        r"(?:\s|\x1b\[[\d;]*m)*"  # also behind the colour that dractl gives it
        r"(?=::|section_(?:start|end):|travis_\w+:|(?:---|\+\+\+|~~~|\^\^\^)(?:\s|$))"
    )


@cache
def _unsafe_path() -> re.Pattern[str]:
    return re.compile(
        r"[^\w./<]"
        r"|section_(?:start|end):|travis_\w+:"
        r"|(?:not )?ok\b|\d+\.\.|Bail out!|TAP version|pragma\b"  # the lines of TAP
    )


def is_plain(character: str) -> bool:
    """Whether a character is seen, as itself, and leaves those around it where they are.

    False for controls and format characters (bidirectional, zero-width, tags), what is for private use or not
    assigned, halves of surrogate pairs, blanks but for the ordinary one, and characters without a shape.
    """
    return character.isprintable() and not _shapeless().match(character)


def shown(text: str) -> Iterator[str]:
    """What to show for each character of ``text``, one for one: itself, or one that takes a column."""
    before, marks = "", 0
    for character in text:
        marks = marks + 1 if category(character) in _MARKS else 0
        if marks > _MOST_MARKS:
            yield _CUT
        elif is_plain(character) or category(character) == "Zs" or _is_style(character, before):
            yield character
        else:
            yield chr(0x2400 + ord(character)) if character < " " else _CUT
        before = character


_MARKS = frozenset({"Mn", "Mc", "Me"})


def _is_style(character: str, before: str) -> bool:
    """Whether a character chooses how the symbol before it is drawn, as in most emoji."""
    return character in _STYLES_OF_SYMBOLS and before != "" and category(before) == "So"


def escaped(text: str, *, pairs: bool) -> str:
    """JSON or YAML in double quotes with an escape for each character that is not plain.

    In JSON those beyond U+FFFF are ``pairs``, in YAML one escape. No command of a CI is left in it.
    """

    def escape(character: str) -> str:
        code = ord(character)
        if code <= 0xFFFF:
            return f"\\u{code:04x}"
        if not pairs:
            return f"\\U{code:08x}"
        code -= 0x10000
        return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"

    safe = _with_escapes(text, escape)
    return _anywhere().sub(lambda _: escape("#"), safe) if "##" in safe else safe


def referenced(document: str) -> str:
    """XML with a reference for each character that is not plain, and in each command that a CI would find.

    A reader of XML takes both for the same.
    """
    safe = _with_escapes(document, _reference).replace("\t", _reference("\t"))
    return "\n".join(_without_command(line) for line in safe.split("\n"))


def _reference(character: str) -> str:
    return f"&#{ord(character)};"


def _without_command(line: str) -> str:
    line = _anywhere().sub(lambda found: _reference(found[0]), line) if "##" in line else line
    found = _maybe_at_start().match(line)
    if found is None:
        return line
    start = found.end()
    return line[:start] + _reference(line[start]) + line[start + 1 :]


def _with_escapes(text: str, escape: Callable[[str], str]) -> str:
    if text.isascii() and "\r" not in text and "\x7f" not in text:
        return text
    return _MAY_BE_HIDDEN.sub(lambda found: found[0] if is_plain(found[0]) else escape(found[0]), text)


# All but printable ASCII, as what it is not: a range up to the last character takes milliseconds to compile.
_MAY_BE_HIDDEN = re.compile("[^\x00-\x0c\x0e-\x7e]")


def path_shown(path: str) -> str:
    """``path`` with ``./`` where a line that it begins could be taken for a command."""
    return f"./{path}" if _unsafe_path().match(path) else path


def begins_command(line: str) -> bool:
    """Whether a line begins with a command of a CI, blanks aside."""
    return _at_start().match(line) is not None


def has_command(line: str) -> bool:
    """Whether a CI finds a command in a line, at its beginning or anywhere."""
    return begins_command(line) or ("##" in line and _anywhere().search(line) is not None)


def quieted(line: str) -> str:
    """``line`` with one character replaced in each command that a CI would find in it."""
    line = quieted_inside(line)
    found = _maybe_at_start().match(line)
    return line if found is None else line[: found.end()] + _CUT + line[found.end() + 1 :]


def quieted_inside(text: str) -> str:
    """``text`` without the commands that a CI finds anywhere in a line."""
    return _anywhere().sub(_CUT, text) if "##" in text else text
