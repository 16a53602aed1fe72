"""How many devices requests need, before any is chosen."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.preparation import AllDevices, prepare, size
from dractl.simulation.allocator.model.reasons import Fatal
from tests.simulation.allocator.test_search import IS_B, SearchCase
from tests.simulation.build import body, claim, device, exactly, first_of, resource_slice

AB = [resource_slice("s", device("x", "a"), device("y", "b"), device("z", "b"))]


def prepared(case: SearchCase) -> AllDevices | Fatal:
    checks = DeviceChecks(case.demands, case.supply, case.matcher, case.features)
    return prepare(case.demands, case.supply, checks, case.features.quirks)


def needed(*requests: Any) -> list[int]:
    case = SearchCase(AB, claim("c", *requests))
    found = prepared(case)
    assert not isinstance(found, Fatal)
    return [size(entry, found) for ask in case.demands[0].asks for entry in ask.alternatives]


def test_a_request_for_all_needs_what_matches() -> None:
    assert needed(exactly("all", count=None), exactly("b", IS_B, count=None), exactly("n", count=4)) == [
        3,
        2,
        4,
    ]


def test_subrequests_are_counted_one_by_one() -> None:
    assert needed(first_of("r", all=body(count=None), some=body(count=2))) == [3, 2]


def test_of_subrequests_the_smallest_counts_for_the_limit() -> None:
    case = SearchCase(
        AB, claim("c", exactly("many", count=30), first_of("r", a=body(count=9), b=body(count=2)))
    )
    assert not isinstance(prepared(case), Fatal)
    case = SearchCase(
        AB, claim("c", exactly("many", count=30), first_of("r", a=body(count=9), b=body(count=3)))
    )
    found = prepared(case)
    assert isinstance(found, Fatal)
    assert found.message == "claim default/c, request r: the claim needs 33 devices, but can have at most 32"
