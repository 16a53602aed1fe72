"""What chosen devices have in common is what comparing with each of them gives."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dractl.cluster.devices import Attribute, Device, NodeRef
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator.checks.constraints import refusal
from dractl.simulation.allocator.device.common_values import CommonValues
from dractl.simulation.allocator.device.inventory import Candidate, PoolCache, Supply
from dractl.simulation.allocator.device.state import AllocationState, Choice
from dractl.simulation.allocator.model.demand import ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.usage import Usage
from tests.simulation.build import body, device_class, features, resource_slice

NAME = "example.org/root"
REQUESTS = [Request(name, None, body(), device_class()) for name in ("gpu", "nic")]
VALUES: list[Any] = [
    {"string": "a"},
    {"int": 1},
    {"bool": True},
    {"strings": ["a", "b"]},
    {"strings": ["b", "c"]},
    {"ints": [1, 2]},
    None,
]


def own(_: Request, device: Device, name: str) -> Attribute | None:
    return device.attribute(name)


@pytest.mark.parametrize("as_sets", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_any_order_of_choosing_and_giving_back_gives_what_each_comparison_gives(
    seed: int, as_sets: bool
) -> None:
    pick = random.Random(seed)  # noqa: S311 - no secrets
    devices = [
        {"name": f"d{number}", "attributes": {} if value is None else {NAME: value}}
        for number, value in enumerate(pick.choices(VALUES, k=12))
    ]
    supply = (
        PoolCache(Inventory([resource_slice("s", *devices)]), features())
        .node_devices(Usage([], features()))
        .on(NodeRef("node-a", {}))
    )
    assert isinstance(supply, Supply)
    candidates: list[Candidate] = list(supply.candidates)
    rules = (
        Constraint(0, frozenset(pick.choice([[], ["gpu"]])), NAME, is_distinct=pick.random() < 0.5),
        Constraint(1, frozenset(["nic"]), NAME, is_distinct=pick.random() < 0.5),
    )
    claims = [ClaimDemand("c", {}, (), rules)]
    state = AllocationState(claims, supply.counters, features().quirks)
    common = CommonValues(claims, own, as_sets=as_sets)
    for number in range(120):
        request, candidate = pick.choice(REQUESTS), pick.choice(candidates)
        members = [(choice.request, choice.device) for choice in state.of_claim(0)]
        expected = refusal(rules, members, (request, candidate.device), own, as_sets=as_sets)
        assert common.refusal(0, request, candidate.device, state) == expected
        choice = Choice(Slot(0, 0, 0, number), request, candidate, is_share=False, draws=False, consumed={})
        if expected is None:
            state.push(choice)
            if pick.random() < 0.2:
                # Bugs of older allocators leave a device behind as a member.
                other = pick.choice(candidates)
                state.keep(choice._replace(candidate=other))
        if state.stack and (expected is not None or pick.random() < 0.2):
            state.pop()
