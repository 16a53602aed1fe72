"""What cannot be packed by any mix of things into bins; never said of what can."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from dractl.simulation.allocator.pruning.packing import Packing


def goes_in(things: Sequence[int], bins: Sequence[int], single: int) -> bool:
    """Try all ways."""
    if not things:
        return True
    first, rest = things[0], things[1:]
    if single and goes_in(rest, bins, single - 1):
        return True
    return any(
        goes_in(rest, (*bins[:number], room - first, *bins[number + 1 :]), single)
        for number, room in enumerate(bins)
        if room >= first and room not in bins[:number]
    )


@pytest.mark.parametrize(
    ("things", "bins", "fits"),
    [
        ({4: 96}, {10: 40}, False),
        ({4: 80}, {10: 40}, True),
        ({6: 21, 4: 20}, {10: 20}, False),
        # 24 bins of two fives and 16 of three threes: no bin may have both.
        ({3: 48, 5: 48}, {10: 40}, True),
        ({3: 48, 5: 48}, {10: 39, 8: 1}, False),
        ({1: 1}, {}, False),
        ({}, {}, True),
        ({10**12: 41}, {10**15: 1}, True),
        ({10**12: 1001}, {10**15: 1}, False),
    ],
)
def test_weights_prove_what_does_not_fit(things: dict[int, int], bins: dict[int, int], fits: bool) -> None:
    assert Packing(things, bins).fits(things, bins) is fits


def test_nothing_that_fits_is_said_not_to() -> None:
    maker = random.Random(5)  # noqa: S311 - no secrets
    proved = 0
    for _ in range(400):
        things = [maker.randint(1, 7) for _ in range(maker.randint(1, 7))]
        bins = [maker.randint(-1, 12) for _ in range(maker.randint(0, 3))]
        single = maker.randint(0, 1)
        fits = Packing(things, bins).fits(Counter(things), Counter(bins), single)
        assert fits or not goes_in(sorted(things, reverse=True), bins, single), (things, bins, single)
        proved += not fits
    assert proved > 100
