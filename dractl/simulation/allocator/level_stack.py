"""Runs the nested levels of a search on a list instead of Python's own stack.

Each level is a generator. The claims of a pod can hold hundreds of devices, with a level for each, and a
recursion that deep would exceed Python's limit of 1,000 frames.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import TypeAlias, TypeVar, cast

__all__ = ["Level", "run_levels"]

Place = TypeVar("Place")
End = TypeVar("End")

Level: TypeAlias = Generator[Place, End, End]
"""A level yields the place of the level below, receives how that ended, and returns how it ended itself."""


def run_levels(first: Place, open_level: Callable[[Place], Level[Place, End] | End]) -> End:
    """How the level at ``first`` ended, after all levels below it.

    ``open_level`` returns the level at a place, or its end where nothing can be tried.
    """
    levels: list[Level[Place, End]] = []
    below = open_level(first)
    while True:
        try:
            if isinstance(below, GeneratorType):
                levels.append(below)
                place = next(below)
            else:
                end = cast("End", below)
                if not levels:
                    return end
                place = levels[-1].send(end)
        except StopIteration as stop:
            levels.pop()
            below = stop.value
        else:
            below = open_level(place)
