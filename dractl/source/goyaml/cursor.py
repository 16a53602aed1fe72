"""A place in a YAML text that moves forward and knows its line and column."""

from __future__ import annotations

import re

__all__ = ["BLANK", "BLANKZ", "BREAK", "BREAKZ", "SPACES", "SPACES_AND_TABS", "TO_BREAK", "Cursor"]

_BREAKS = "\r\n\x85\u2028\u2029"
BLANK = frozenset(" \t")
BREAK = frozenset(_BREAKS)
BREAKZ = BREAK | {"\0"}
"""What ends a line: a line break or the end of the text."""
BLANKZ = BLANK | BREAKZ
"""What ends a word."""

SPACES = re.compile(" *")
SPACES_AND_TABS = re.compile("[ \t]*")
TO_BREAK = re.compile(f"[^{_BREAKS}\0]*")


class Cursor:
    """Reads ``text``, which holds no NUL, character by character or in runs; a NUL marks its end."""

    __slots__ = ("at", "line", "line_start", "text")

    def __init__(self, text: str, at: int = 0) -> None:
        """Start at the character ``at``, as if a line started at the last line break before it."""
        # Four, because a document marker looks at three further characters: no reader has to check whether it
        # is at the end.
        self.text = text + "\0\0\0\0"
        self.at = at
        self.line = 0
        # Places inside a scalar start in the middle of a text, and go-yaml compares indentation by the
        # column.
        self.line_start = 1 + max(text.rfind("\n", 0, at), text.rfind("\r", 0, at))

    @property
    def column(self) -> int:
        """How many characters stand before this one on its line."""
        return self.at - self.line_start

    @property
    def character(self) -> str:
        """The character here."""
        return self.text[self.at]

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Go past what ``pattern`` matches here, and return it; nothing if it does not match."""
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def read_break(self) -> str:
        """Go past a line break; what a scalar keeps of it (``read_line`` of go-yaml)."""
        text, at = self.text, self.at
        self.at = self.line_start = at + (2 if text[at] == "\r" and text[at + 1] == "\n" else 1)
        self.line += 1
        # NEL becomes a line feed, the separators of Unicode stay what they are.
        return text[at] if text[at] in "\u2028\u2029" else "\n"

    def is_document_marker(self) -> bool:
        """Whether ``---`` or ``...`` is here alone at the start of a line."""
        text, at = self.text, self.at
        return at == self.line_start and text[at : at + 3] in ("---", "...") and text[at + 3] in BLANKZ
