"""Compares allocations in worlds made at random with those of the real allocators."""

from __future__ import annotations

import os
from typing import Any

import pytest

from dractl.api import release
from tests import oracle
from tests.conformance import allocations
from tests.conformance.difference import Difference
from tests.simulation.oracle_allocator import outcome
from tests.simulation.random_clusters import WorldMaker

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "60"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
REPEAT = 30
"""How often a world of an older minor is asked about: up to 1.35 the real allocators try pools in a random
order. Worlds of the newest minor have gates with which they do not."""

NEWEST = str(release.NEWEST)
MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]


def difference(kube: str, api_objects: dict[str, Any], answer: dict[str, Any]) -> Difference | None:
    """How our allocations differ from all that the real allocator came to; None if they are one of these."""
    found = None
    for answered in answer.get("alternatives") or [answer]:
        row = {**api_objects, "kube": kube, "outcome": [outcome(step) for step in answered["steps"]]}
        found = allocations.check(row)
        if found is None:
            return None
    return found


ASKED = [
    pytest.param(
        kube,
        marks=pytest.mark.skipif(
            oracle.binary(kube) is None,
            reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor",
        ),
    )
    for kube in MINORS
]


@pytest.mark.parametrize("kube", ASKED)
def test_allocations_are_those_of_the_real_allocator(kube: str) -> None:
    program = oracle.binary(kube)
    assert program is not None
    maker = WorldMaker(SEED, kube)
    worlds = [maker.api_objects() for _ in range(CASES)]
    repeat = 1 if kube == NEWEST else REPEAT
    requests = [
        {"op": "allocate", "timeout_s": 20, "repeat": repeat, **api_objects} for api_objects in worlds
    ]
    differing: list[tuple[int, Difference]] = []
    for number, (api_objects, answer) in enumerate(zip(worlds, oracle.ask(program, requests), strict=True)):
        assert "error" not in answer, answer
        if answer.get("timeout"):
            continue
        found = difference(oracle.version(program), api_objects, answer)
        if found is not None:
            differing.append((number, found))
    assert differing == []


@pytest.mark.parametrize("kube", MINORS)
def test_a_seed_makes_the_same_worlds_again(kube: str) -> None:
    first, second = WorldMaker(7, kube), WorldMaker(7, kube)
    assert [first.api_objects() for _ in range(20)] == [second.api_objects() for _ in range(20)]
