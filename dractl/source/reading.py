"""What reading one document gives: a value with its marks, or a fault; faults in plain words."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dractl.source.marks import Mark

__all__ = ["Fault", "Halt", "Reading", "character_fault", "syntax_fault"]

_NOT_ALLOWED = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Fault(NamedTuple):
    """Why a text cannot be read, and the offset of the character where that shows."""

    offset: int
    message: str


class Reading(NamedTuple):
    """One document: its value, its marks, and the routes of keys that strict reading refuses as repeated."""

    value: Any
    mark: Mark
    duplicates: tuple[tuple[str | int, ...], ...]


class Halt(Exception):  # noqa: N818 - it says that reading stops; the fault is a value
    """Reading stops: the text is refused."""

    def __init__(self, offset: int, message: str) -> None:
        """Stop at the character ``offset``."""
        super().__init__(message)
        self.fault = Fault(offset, message)


def character_fault(text: str) -> Fault:
    """The fault of the first character that YAML does not allow in a text."""
    found = _NOT_ALLOWED.search(text)
    if found is None:
        return Fault(0, "the text holds a character that YAML does not allow")
    code = ord(found[0])
    what = "half of a surrogate pair" if 0xD800 <= code <= 0xDFFF else "a control character"
    return Fault(found.start(), f"the character U+{code:04X} is {what}, which YAML does not allow; remove it")


def syntax_fault(text: str, offset: int, problem: str, context: str) -> Fault:
    """The fault that a parser found at ``offset``, in its words ``problem`` and ``context``."""
    return Fault(min(offset, len(text)), f"{context}: {problem}" if context else problem)
