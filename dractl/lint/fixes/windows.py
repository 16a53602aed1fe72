"""The lines of one item of a list as a document of their own, so that its fixes need not read the others."""

from __future__ import annotations

import re
from functools import lru_cache

from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.text import SourceText

__all__ = ["Window", "source_of", "window_of"]

_LEAD = re.compile(r"( *)- +")
_ANCHOR = re.compile(r"[\s\[{,]&[^&\s]")
"""An anchor, to which an alias in another item may refer."""


class Window(NamedTuple):
    """The lines of an item: where they start in the file, and their text.

    ``dash`` is the column of the dash, which ``text`` has and ``alone``, the text as a document, does not.
    """

    start: int
    text: str
    dash: int

    @property
    def alone(self) -> str:
        """The lines as a document."""
        return f"{self.text[: self.dash]} {self.text[self.dash + 1 :]}"

    def with_dash(self, alone: str) -> str | None:
        """The lines that ``alone`` makes in the list; None where they could be read in another way there.

        In a list in block style, lines that are indented deeper than its dashes are one item.
        """
        is_item = not alone[: self.dash + 1].strip(" ") and not _next_item(self.dash).search(alone)
        if not is_item or alone.endswith("\n") != self.text.endswith("\n") or _ANCHOR.search(alone):
            return None
        return f"{alone[: self.dash]}-{alone[self.dash + 1 :]}"


def window_of(document: Document, end: int) -> Window | None:
    """The lines of an item of a list in block style, whose YAML document ends at ``end``; None otherwise.

    Whoever calls checks that they mean the same as the item.
    """
    text, place = document.text, document.locate(())
    if text is None or place is None or not document.prefix:
        return None
    at = source_of(text).offset(*place)
    start = text.rfind("\n", 0, at) + 1
    lead = _LEAD.fullmatch(text, start, at)
    if lead is None:
        return None
    dash = len(lead[1])
    following = _next_item(dash).search(text, at, end)
    found = text[start : following.start() if following else end]
    return None if _ANCHOR.search(found) else Window(start, found, dash)


@lru_cache(maxsize=4)
def source_of(text: str) -> SourceText:
    """The lines of a text: each document of a file may have fixes, and to count them takes long."""
    return SourceText(text, "")


@lru_cache(maxsize=64)
def _next_item(dash: int) -> re.Pattern[str]:
    """What a line starts with that is behind the item."""
    return re.compile(rf"^ {{0,{dash}}}[^ \r\n#]", re.MULTILINE)
