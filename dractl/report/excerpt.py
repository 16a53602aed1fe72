"""One line of a file with a mark under one of its characters, cut to a width."""

from __future__ import annotations

from unicodedata import category, east_asian_width

from dractl.api import characters
from dractl.records import NamedTuple

__all__ = ["Excerpt", "excerpt"]

_TAB = 4
_ARROW = "→"
_DOTS = "…"
_LOOK = 4096
"""The most characters to read on each side of the mark; terminals are narrower."""


class Excerpt(NamedTuple):
    """The text of a line as it is shown, and the blanks that bring a mark under the character meant."""

    line: str
    indent: str


def excerpt(line: str, column: int, width: int) -> Excerpt:
    """The 1-based ``column`` of ``line`` with its surroundings, in at most ``width`` terminal columns.

    Tabs become an arrow with blanks, wide characters count twice. A line that is too long loses its ends,
    marked by ``…``.
    """
    at = min(max(column - 1, 0), len(line))
    start = max(0, at - _LOOK)
    cells = _cells(line[start : at + _LOOK])
    first, last = _window([cell[1] for cell in cells], at - start, width)
    cut_left, cut_right = start + first > 0, last < len(cells) or at + _LOOK < len(line)
    shown = "".join(text for text, _ in cells[first:last])
    before = sum(size for _, size in cells[first : at - start]) + (1 if cut_left else 0)
    return Excerpt(
        ((_DOTS if cut_left else "") + shown + (_DOTS if cut_right else "")).rstrip(), " " * before
    )


def _cells(text: str) -> list[tuple[str, int]]:
    """Each character as it is shown, with the number of columns it takes."""
    if text.isascii() and text.isprintable():
        return [(character, 1) for character in text]
    cells = []
    position = 0
    for character, seen in zip(text, characters.shown(text), strict=True):
        shown = _ARROW.ljust(_TAB - position % _TAB) if character == "\t" else seen
        size = len(shown) if character == "\t" else _columns(shown)
        position += size
        cells.append((shown, size))
    return cells


def _columns(character: str) -> int:
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in {"W", "F"} else 1


def _window(sizes: list[int], at: int, width: int) -> tuple[int, int]:
    """Which cells to show: all if they fit, else those around ``at``, with a column left for each cut end."""
    behind = 0 if at < len(sizes) else 1
    if sum(sizes) + behind <= width and len(sizes) < 2 * _LOOK:
        return 0, len(sizes)
    room = max(width - 2, 2)
    first = at
    taken = sizes[at] if at < len(sizes) else 1
    # What leads up to the place explains it; about a third of the line goes to what follows.
    while first > 0 and taken + sizes[first - 1] <= room * 2 // 3:
        first -= 1
        taken += sizes[first]
    last = min(at + 1, len(sizes))
    while last < len(sizes) and taken + sizes[last] <= room:
        taken += sizes[last]
        last += 1
    while first > 0 and taken + sizes[first - 1] <= room:
        first -= 1
        taken += sizes[first]
    return first, last
