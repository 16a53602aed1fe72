"""Ranges of integers such as ``0-3,5``, kept as their bounds: a text of a few bytes may mean billions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise

from dractl.api.quantity import Quantity, parse

__all__ = ["Cells", "Segments", "contains", "overlaps", "range_of", "size_of"]

Segments = tuple[tuple[int, int], ...]
"""The first and last integers of the parts of a range, in order; no two overlap or touch."""

_SEGMENT = re.compile(r"\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*", re.ASCII)
_ONE = parse("1")


def range_of(text: object) -> Segments | None:
    """The integers of a range; None if the text is not one."""
    written = _written(str(text))
    return None if written is None else _joined(written)


def _written(text: str) -> list[tuple[int, int]] | None:
    """The segments as a text has them."""
    found: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _SEGMENT.fullmatch(part)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            return None
        found.append((first, last))
    return found


def _joined(segments: Iterable[tuple[int, int]]) -> Segments:
    found: list[tuple[int, int]] = []
    for first, last in sorted(segments):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def size_of(segments: Iterable[tuple[int, int]]) -> int:
    """The number of integers in segments that do not overlap."""
    return sum(last - first + 1 for first, last in segments)


def contains(outer: Segments, inner: Segments) -> bool:
    """Whether every integer of a range is in another."""
    return all(any(first <= one and two <= last for first, last in outer) for one, two in inner)


def overlaps(text: str) -> bool:
    """Whether segments of a range have integers in common."""
    written = _written(text)
    return written is not None and size_of(written) > size_of(_joined(written))


class Cells:
    """The ranges of one pool, cut where any of them begins or ends.

    All integers of such a cell are consumed together or not at all, so one counter can stand for them. It is
    named by the first of them.
    """

    def __init__(self, ranges: Iterable[tuple[str, object]]) -> None:
        """Cut the ranges, given by the names of their resources."""
        bounds: dict[str, set[int]] = {}
        for name, text in ranges:
            for first, last in range_of(text) or ():
                bounds.setdefault(name, set()).update((first, last + 1))
        self._bounds = {name: sorted(found) for name, found in bounds.items()}

    def count(self, name: str, text: object) -> int:
        """How many cells a range has."""
        bounds = self._bounds.get(name, [])
        return sum(
            bisect_left(bounds, last + 1) - bisect_left(bounds, first) for first, last in range_of(text) or ()
        )

    def of(self, name: str, text: object) -> Iterator[tuple[int, int]]:
        """The cells of a range, in order: the first integer of each, and how many it has."""
        bounds = self._bounds.get(name, [])
        for first, last in range_of(text) or ():
            for position in range(bisect_left(bounds, first), bisect_left(bounds, last + 1)):
                yield bounds[position], bounds[position + 1] - bounds[position]

    def widths(self) -> dict[str, int]:
        """The counters that stand for more than one integer, and for how many."""
        return {
            f"{name}.{first}": end - first
            for name, bounds in self._bounds.items()
            for first, end in pairwise(bounds)
            if end - first > 1
        }

    def counters(self, name: str, text: object) -> dict[str, Quantity]:
        """A range as one counter for each cell."""
        return {f"{name}.{first}": _ONE for first, _ in self.of(name, text)}
