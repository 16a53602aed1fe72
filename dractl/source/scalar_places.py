"""From a character of a scalar's value back to the character of the text that it was read from."""

from __future__ import annotations

import re

__all__ = ["offset_in_scalar"]

_HEADER = re.compile(r"[|>]([0-9+-]*)[ \t]*(?:#[^\n\r]*)?(?:\r\n|\r|\n|$)")


def offset_in_scalar(text: str, start: int, value: str, offset: int) -> int:
    """The offset in ``text`` of the character ``offset`` of ``value``, a scalar written at ``start``.

    Both are walked side by side: white space and line breaks may differ by folding and indentation, escapes are
    taken as one character. Returns ``start`` where the two cannot be brought together.
    """
    header = _HEADER.match(text, start)
    at = header.end() if header else start
    wanted = value[:offset]
    for position, character in enumerate(wanted):
        _ = position
        found = text.find(character, at) if not character.isspace() else at
        if found < 0:
            return start
        at = found + (0 if character.isspace() else 1)
    nxt = value[offset : offset + 1]
    if nxt and not nxt.isspace():
        found = text.find(nxt, at)
        return start if found < 0 else found
    return at
