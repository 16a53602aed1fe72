"""Nested levels, run without Python's own stack."""

from __future__ import annotations

import sys

import pytest

from dractl.simulation.allocator.level_stack import Level, run_levels


def countdown(place: int) -> Level[int, int] | int:
    """A level at each place down to 0, each of which adds one to the end of the level below."""

    def level() -> Level[int, int]:
        below = yield place - 1
        return below + 1

    return level() if place else 0


def test_levels_may_be_deeper_than_a_recursion() -> None:
    depth = 10 * sys.getrecursionlimit()
    assert run_levels(depth, countdown) == depth


def test_a_first_place_without_a_level_ends_at_once() -> None:
    assert run_levels(0, countdown) == 0


def test_a_level_tries_several_places_and_ends_with_the_first_that_succeeds() -> None:
    opened = []

    def open_level(place: str) -> Level[str, str] | str:
        opened.append(place)

        def level() -> Level[str, str]:
            for letter in "abc":
                end = yield place + letter
                if end:
                    return end
            return ""

        return level() if len(place) < 2 else place * (place == "cb")

    assert run_levels("", open_level) == "cb"
    assert opened == ["", "a", "aa", "ab", "ac", "b", "ba", "bb", "bc", "c", "ca", "cb"]


def test_an_error_in_a_level_is_raised() -> None:
    def open_level(place: int) -> Level[int, int] | int:
        if place:
            raise ValueError("no such place")

        def level() -> Level[int, int]:
            return (yield 1)

        return level()

    with pytest.raises(ValueError, match="no such place"):
        run_levels(0, open_level)
