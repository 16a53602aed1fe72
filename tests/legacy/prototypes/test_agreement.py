"""Random worlds go the same way in their prototype and, carried over, in v1."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import dractl
from dractl.legacy.prototypes.to_v1 import to_v1
from tests.legacy.prototypes.worlds import api_objects

WORLDS = 8


def _places(objects: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    found = dractl.simulate(objects, allocate_unreferenced=True).placements
    return sorted((row.pod or "", row.container or "", row.pool, row.device) for row in found)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))]
)
def test_a_world_and_what_it_becomes_go_the_same_way(seed: int) -> None:
    random = Random(seed)  # noqa: S311 - no secret
    compared = 0
    while compared < WORLDS:
        objects = api_objects(random)
        found = to_v1(objects, None)
        assert dractl.validate(found.objects).ok
        before = dractl.simulate(objects, allocate_unreferenced=True)
        # A world in which something is lost, or wrong, need not go the same way.
        if not found.lost and not before.left_out:
            compared += 1
            assert _places(found.objects) == _places(objects)
