"""Unicode's classes of characters and spellings of letters, from the table that is next to this package.

The table is made by ``tests/cel/unicode_classes.go`` from what Go knows, so that the version of Python does
not matter.
"""

from __future__ import annotations

import os
from functools import cache

_FILE = os.path.join(os.path.dirname(__file__), "data", "unicode_classes.txt")  # noqa: PTH118, PTH120


@cache
def _lines() -> dict[str, list[str]]:
    """The lines of the table by their first words."""
    found: dict[str, list[str]] = {"#": [], "class": [], "union": [], "fold": []}
    with open(_FILE, encoding="ascii") as file:  # noqa: PTH123
        for line in file:
            kind, _, rest = line.rstrip("\n").partition(" ")
            found[kind].append(rest)
    return found


@cache
def class_table(name: str) -> tuple[int, ...]:
    """Where the ranges of a category or script begin and where they are over, in turns; empty for no name."""
    for line in _lines()["class"]:
        head, _, ranges = line.partition(" ")
        if head == name:
            return tuple([point for text in ranges.split(" ") for point in _bounds(text)])
    for line in _lines()["union"]:
        head, _, parts = line.partition(" ")
        if head == name:
            return _united([class_table(part) for part in parts.split(" ")])
    return ()


def _bounds(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    return int(low, 16), int(high or low, 16) + 1


def _united(tables: list[tuple[int, ...]]) -> tuple[int, ...]:
    ranges = sorted(pair for table in tables for pair in zip(table[::2], table[1::2], strict=True))
    bounds: list[int] = []
    for low, high in ranges:
        if bounds and low <= bounds[-1]:
            bounds[-1] = max(bounds[-1], high)
        else:
            bounds += [low, high]
    return tuple(bounds)


@cache
def spellings() -> dict[str, tuple[str, ...]]:
    """By each letter with more than one, all its spellings that differ in case only."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _lines()["fold"]:
        letters = tuple([chr(int(point, 16)) for point in line.split(" ")])
        found.update(dict.fromkeys(letters, letters))
    return found
