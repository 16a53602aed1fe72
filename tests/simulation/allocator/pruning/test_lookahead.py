"""Looking ahead: a search that cannot end well is ended early, but never instead of an error."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from tests.rows import each_row
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import (
    allocated,
    body,
    claim,
    device,
    device_class,
    exactly,
    first_of,
    node,
    resource_slice,
    result,
    sharing,
)
from tests.simulation.oracle_allocator import searches_of

PATIENCE = 5
CUT = 100
"""More steps than after which a search with this patience looks ahead; by far not enough without that."""

IS_B = 'device.attributes["gpu.example.com"].model == "b"'


def slices(*extra: Any) -> list[dict[str, Any]]:
    return [resource_slice("s", *(f"d{number}" for number in range(8)), *extra)]


def ends_at_once(*requests: dict[str, Any], held: Any = (), extra: Any = ()) -> tuple[Result, bool]:
    """How a search over two requests of two devices and some more ends, and whether it was cut short.

    It looks ahead before it would have come to an end otherwise.
    """
    many = [exactly(f"r{number}", count=2) for number in range(2)]
    case = SearchCase(slices(*extra), claim("c", *many, *requests), held=held)
    found = case.run(patience=PATIENCE)
    short = case.run(patience=PATIENCE, budget=CUT)
    return found, type(short) is type(found)


def test_a_request_that_nothing_matches_is_hopeless() -> None:
    found, was_cut = ends_at_once(exactly("last", "false"))
    assert isinstance(found, NotFound)
    assert was_cut


def test_a_request_for_more_than_there_is_is_hopeless() -> None:
    found, was_cut = ends_at_once(exactly("last", IS_B, count=2), extra=[device("b", "b")])
    assert isinstance(found, NotFound)
    assert was_cut


def test_a_request_for_all_with_a_device_in_use_is_hopeless() -> None:
    found, was_cut = ends_at_once(exactly("last", count=None), held=[allocated(claim("o"), result("d7"))])
    assert isinstance(found, NotFound)
    assert was_cut


def test_what_a_request_for_all_needs_no_other_can_have() -> None:
    found, was_cut = ends_at_once(exactly("last", count=None))
    assert isinstance(found, NotFound)
    assert was_cut


def test_one_alternative_that_may_do_is_hope() -> None:
    found, _ = ends_at_once(first_of("last", none=body("false"), some=body()))
    assert isinstance(found, Found)


@each_row(
    ("minor", "consumed", "is_found"),
    [("1.37", True, True), ("1.37", False, True), ("1.36", True, True), ("1.36", False, False)],
)
def test_a_device_of_which_a_share_is_held_took_its_counters_then(
    minor: str, consumed: bool, is_found: bool
) -> None:
    # The counter is used up; in 1.36 a share that consumes nothing does not count as one, so the next draws.
    draws = [{"counterSet": "set", "counters": {"n": {"value": "1"}}}]
    shared = [sharing(f"m{number}", consumesCounters=draws) for number in range(4)]
    counters = [{"name": "set", "counters": {"n": {"value": "2"}}}]
    taken: dict[str, Any] = {"consumedCapacity": {"mem": "1Gi"}} if consumed else {}
    held = [
        allocated(claim("o"), *(result(f"m{n}", pool="p", shareID=f"share-{n}", **taken) for n in range(2)))
    ]
    slices = [
        resource_slice("devices", *shared, pool="p", count=2, nodeName="node-a"),
        resource_slice("counters", pool="p", count=2, nodeName="node-a", sharedCounters=counters),
    ]
    wanted = claim("c", exactly("gpu", count=2, capacity={"requests": {"mem": "1Gi"}}))
    objects = [node("node-a"), device_class("gpu"), *slices, *held]
    (arguments,) = searches_of({"objects": objects, "steps": [{"claims": [wanted]}], "gates": {}}, minor)
    for patience in (1, 10**9):
        assert isinstance(search(*arguments, patience=patience), Found) is is_found


@pytest.mark.parametrize("order", ["before", "after"])
def test_an_error_on_the_way_is_not_lost(order: str) -> None:
    broken = {"name": "bare"}
    failing = exactly("picky", IS_B, count=1)
    requests = [failing, exactly("last", "false")]
    found, _ = ends_at_once(*(requests if order == "before" else requests[::-1]), extra=[broken])
    # The error ends the attempt where the search meets it; in the other order it never gets there.
    plain = SearchCase(
        slices(broken),
        claim(
            "c",
            *(exactly(f"r{number}", count=2) for number in range(2)),
            *(requests if order == "before" else requests[::-1]),
        ),
    ).run(patience=10**9)
    assert type(found) is type(plain)
    assert isinstance(found, Fatal) is (order == "before")


def test_a_constraint_on_a_request_for_all_may_be_an_error_too() -> None:
    match = {"matchAttribute": "gpu.example.com/model", "requests": ["all"]}
    items = (exactly("all", IS_B, count=None), exactly("last", "false"))
    many = [exactly(f"r{number}", count=2) for number in range(2)]
    case = SearchCase(slices(device("b", "b")), claim("c", *many, *items, constraints=[match]))
    found = case.run(patience=PATIENCE)
    assert isinstance(found, NotFound)
    assert found.effort > PATIENCE
