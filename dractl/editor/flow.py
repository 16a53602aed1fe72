"""Where a place is in flow style and JSON: a scan from the bracket on, also of half-typed text."""

from __future__ import annotations

import re

from dractl.records import NamedTuple

__all__ = ["Flow", "scan"]

_TOKEN = re.compile(
    r"(?P<blank>\s+|\#[^\n]*)"
    r"|(?P<string>\"(?:\\.|[^\"\\])*+\"|'(?:''|[^'])*+')"
    r"|(?P<open>[\"'])"
    r"|(?P<mark>[\[\]{},:])"
    r"|(?P<plain>(?:[^\s,\[\]{}:\"'#]|:(?=[^\s,\[\]{}]))[^\s,\[\]{}:]*(?::(?=[^\s,\[\]{}])[^\s,\[\]{}:]*)*)",
    re.DOTALL,
)


class _Frame:
    """An open bracket: its key that waits for a value, and the keys and texts before it."""

    __slots__ = ("is_list", "key", "texts")

    def __init__(self, *, is_list: bool) -> None:
        self.is_list = is_list
        self.key: str | None = None
        self.texts: dict[str, str] = {}


class Flow(NamedTuple):
    """What is known at the end of a text: the keys on the way, and what is being typed.

    ``objects`` has for each open mapping how many keys lead to it, and its scalars so far. ``start`` is the
    offset of what is being typed; ``quote`` its opening quote.
    """

    path: tuple[str, ...]
    objects: tuple[tuple[int, dict[str, str]], ...]
    is_key: bool
    start: int
    quote: str
    is_closed: bool


def scan(text: str) -> Flow:
    """What a text that begins with a bracket is in at its end."""
    stack: list[_Frame] = []
    last: tuple[str, int, int] | None = None
    at, quote, start = 0, "", len(text)
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            at += 1
            continue
        kind, piece, at = found.lastgroup, found[0], found.end()
        if kind == "open":
            quote, start = piece, at
            break
        if kind == "mark":
            last = _marked(stack, piece, last)
            if not stack:
                break
        elif kind != "blank":
            last = (piece.strip("\"'"), found.start(), at)
    if not quote and last is not None and last[2] == len(text):
        start = last[1]
    path: list[str] = []
    objects = []
    for frame in stack:
        if not frame.is_list:
            objects.append((len(path), frame.texts))
        if frame.key is not None:
            path.append(frame.key)
    is_key = bool(stack) and not stack[-1].is_list and stack[-1].key is None
    return Flow(tuple(path), tuple(objects), is_key, start, quote, not stack and bool(text))


def _marked(
    stack: list[_Frame], piece: str, last: tuple[str, int, int] | None
) -> tuple[str, int, int] | None:
    """Follow a bracket, comma or colon; what was written before it may be a key or a value."""
    if piece in "[{":
        stack.append(_Frame(is_list=piece == "["))
        return None
    if not stack:
        return None
    top = stack[-1]
    if piece == ":":
        if not top.is_list and top.key is None and last is not None:
            top.key = last[0]
        return None
    if not top.is_list and top.key is not None:
        top.texts[top.key] = last[0] if last else ""
        top.key = None
    if piece in "]}":
        stack.pop()
    return None
