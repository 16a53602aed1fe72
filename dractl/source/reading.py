"""What reading one document gives: a value with its marks, or a fault."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from dractl.api import budgets
from dractl.records import NamedTuple
from dractl.source.marks import Mark

__all__ = ["MAX_DEPTH", "TOO_DEEP", "Fault", "Halt", "Part", "Reading", "character_fault"]

MAX_DEPTH = budgets.NESTING.value
"""How deep mappings and lists may nest."""

TOO_DEEP = budgets.NESTING.message()


class Fault(NamedTuple):
    """Why a text cannot be read, and the offset of the character where that shows."""

    offset: int
    message: str


class Reading(NamedTuple):
    """One document: its value, its marks (perhaps made when asked for), and the routes of repeated keys."""

    value: Any
    mark: Mark | Callable[[], Mark]
    duplicates: tuple[tuple[str | int, ...], ...]


class Part(NamedTuple):
    """A part of a document.

    ``kind`` is ``document``, ``document-end``, ``mapping``, ``list``, ``end``, ``scalar`` or ``alias``; an
    alias has the name of its anchor as ``value``. ``is_plain``: neither quoted nor tagged.
    """

    kind: str
    offset: int
    value: str = ""
    anchor: str = ""
    tag: str = ""
    is_plain: bool = False


class Halt(Exception):  # noqa: N818 - it says that reading stops; the fault is a value
    """Reading stops: the text is refused; ``is_final`` if another road would not come to another end."""

    def __init__(self, offset: int, message: str, *, is_final: bool = False) -> None:
        """Stop at the character ``offset``."""
        super().__init__(message)
        self.fault = Fault(offset, message)
        self.is_final = is_final


def character_fault(text: str) -> Fault | None:
    """The fault of the first character that no YAML text may hold (``yaml_parser_update_buffer``)."""
    found = re.search("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    if found is None:
        return None
    code = ord(found[0])
    what = "half of a surrogate pair" if 0xD800 <= code <= 0xDFFF else "a control character"
    advice = "the file is binary or UTF-16; save it as UTF-8 text" if code == 0 else "remove it"
    return Fault(found.start(), f"U+{code:04X} is {what}, which YAML does not allow; {advice}")
