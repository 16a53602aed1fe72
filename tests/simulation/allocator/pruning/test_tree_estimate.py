"""How far a search has come, by the devices that it holds."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.pruning.symmetry import Symmetry
from dractl.simulation.allocator.pruning.tree_estimate import progress
from tests.rows import each_row
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import body, claim, exactly, first_of, resource_slice


def at(item: dict[str, Any], *places: tuple[int, int, int, int]) -> float:
    """The progress among four devices; a place is request, subrequest, number, and position of the device."""
    case = SearchCase([resource_slice("s", "w", "x", "y", "z")], item)
    checks = DeviceChecks(case.demands, case.supply, case.matcher, case.features)
    symmetry = Symmetry(case.demands, case.supply, checks, case.features, {})
    candidates = list(case.supply.candidates)
    stack = []
    for ask, alternative, number, position in places:
        request = case.demands[0].asks[ask].alternatives[alternative]
        slot = Slot(0, ask, alternative, number)
        stack.append(Choice(slot, request, candidates[position], False, False, {}))
    return progress(stack, case.demands, symmetry)


ONE = claim("c", exactly("r"))
TWO = claim("c", exactly("r"), exactly("s"))
PAIR = claim("c", exactly("r", count=2))
EITHER = claim("c", first_of("r", one=body(), other=body()))


@each_row(
    ("item", "places", "part"),
    [
        (ONE, [], 1),
        (ONE, [(0, 0, 0, 1)], 1 / 4),
        (ONE, [(0, 0, 0, 3)], 3 / 4),
        # Of twelve orders of two, three begin with each device.
        (TWO, [(0, 0, 0, 1), (1, 0, 0, 0)], 3 / 12),
        (TWO, [(0, 0, 0, 1), (1, 0, 0, 2)], 4 / 12),
        # Of six pairs, three hold the first device and two more the second.
        (PAIR, [(0, 0, 0, 1), (0, 0, 1, 2)], 3 / 6),
        (PAIR, [(0, 0, 0, 1), (0, 0, 1, 3)], 4 / 6),
        (PAIR, [(0, 0, 0, 2), (0, 0, 1, 3)], 5 / 6),
        (EITHER, [(0, 1, 0, 2)], 1 / 2 + 2 / 8),
    ],
)
def test_the_part_that_lies_behind(
    item: dict[str, Any], places: list[tuple[int, int, int, int]], part: float
) -> None:
    assert at(item, *places) == pytest.approx(part)


def test_at_the_first_leaf_its_own_part_counts() -> None:
    assert at(TWO, (0, 0, 0, 0), (1, 0, 0, 1)) == pytest.approx(1 / 12)
