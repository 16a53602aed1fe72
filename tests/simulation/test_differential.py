"""Compares allocations in worlds made at random with those of the real allocator."""

from __future__ import annotations

import os
from typing import Any

import pytest

from dractl.api.release import NEWEST
from tests import oracle
from tests.conformance import allocations
from tests.conformance.difference import Difference
from tests.simulation.worlds import WorldMaker

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "100"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))

PROGRAM = oracle.binary(str(NEWEST))


def row(world: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """A world and the real answer as a row of the conformance runner."""
    return {**world, "kube": str(NEWEST), "outcome": [_outcome(step) for step in answer["steps"]]}


def _outcome(step: dict[str, Any]) -> dict[str, Any]:
    fatal = set(step.get("fatal_nodes") or ())
    return {
        "node": step["node"],
        "allocations": [_without_random(entry) for entry in step["allocations"]],
        "refused": {
            name: "error" if name in fatal else "unsatisfied" for name in step.get("errors_by_node") or {}
        },
    }


def _without_random(entry: dict[str, Any]) -> dict[str, Any]:
    for result in entry["allocation"]["devices"].get("results") or ():
        if "shareID" in result:
            result["shareID"] = "*"
    return entry


@pytest.mark.skipif(
    PROGRAM is None, reason="$DRACTL_ORACLE names no folder with the Kubernetes code of the minor"
)
def test_allocations_are_those_of_the_real_allocator() -> None:
    assert PROGRAM is not None
    maker = WorldMaker(SEED)
    worlds = [maker.world() for _ in range(CASES)]
    requests = [{"op": "allocate", "timeout_s": 20, **world} for world in worlds]
    differing: list[tuple[int, Difference]] = []
    for number, (world, answer) in enumerate(zip(worlds, oracle.ask(PROGRAM, requests), strict=True)):
        assert "error" not in answer, answer
        if answer.get("timeout"):
            continue
        difference = allocations.check(row(world, answer))
        if difference is not None:
            differing.append((number, difference))
    assert differing == []


def test_a_seed_makes_the_same_worlds_again() -> None:
    first, second = WorldMaker(7), WorldMaker(7)
    assert [first.world() for _ in range(20)] == [second.world() for _ in range(20)]
