"""How many devices requests need, before any is chosen."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.preparation import AllDevices, prepare, size
from dractl.simulation.allocator.model.reasons import Fatal
from tests.simulation.allocator.test_search import IS_B, Question
from tests.simulation.build import body, claim, device, exactly, first_of, resource_slice

AB = [resource_slice("s", device("x", "a"), device("y", "b"), device("z", "b"))]


def prepared(question: Question) -> AllDevices | Fatal:
    checks = DeviceChecks(question.demands, question.supply, question.matcher, question.features)
    return prepare(question.demands, question.supply, checks, question.features.quirks)


def needed(*requests: Any) -> list[int]:
    question = Question(AB, claim("c", *requests))
    found = prepared(question)
    assert not isinstance(found, Fatal)
    return [size(entry, found) for ask in question.demands[0].asks for entry in ask.alternatives]


def test_a_request_for_all_needs_what_matches() -> None:
    assert needed(exactly("all", count=None), exactly("b", IS_B, count=None), exactly("n", count=4)) == [
        3,
        2,
        4,
    ]


def test_subrequests_are_counted_one_by_one() -> None:
    assert needed(first_of("r", all=body(count=None), some=body(count=2))) == [3, 2]


def test_of_subrequests_the_smallest_counts_for_the_limit() -> None:
    question = Question(
        AB, claim("c", exactly("many", count=30), first_of("r", a=body(count=9), b=body(count=2)))
    )
    assert not isinstance(prepared(question), Fatal)
    question = Question(
        AB, claim("c", exactly("many", count=30), first_of("r", a=body(count=9), b=body(count=3)))
    )
    found = prepared(question)
    assert isinstance(found, Fatal)
    assert found.message == "claim default/c, request r: the claim needs 33 devices, but can have at most 32"
