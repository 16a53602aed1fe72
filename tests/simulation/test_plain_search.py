"""The search finds what a plain one finds, in odd worlds and in small ones that need long searches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from tests.simulation.oracle_allocator import searches_of
from tests.simulation.plain_search import AttemptError, Reference, TooLongError
from tests.simulation.random_clusters import WorldMaker
from tests.simulation.random_searches import SearchMaker

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "30"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))
STEPS = 20_000
PLAIN = 10**9

ERROR, NOTHING = "error", "nothing"


def made(source: str) -> Iterator[dict[str, Any]]:
    if source == "worlds":
        maker = WorldMaker(SEED)
        return (maker.api_objects() for _ in range(CASES))
    searches = SearchMaker(SEED)
    return (searches.search() for _ in range(3 * CASES))


def expected(reference: Reference) -> Any:
    try:
        found = reference.run(STEPS)
    except AttemptError:
        return ERROR
    if isinstance(found, str):
        return NOTHING
    picks, selected = found
    shown = [
        (pick.request.full_name, pick.device.id, pick.amounts if reference.is_share(pick.device) else {})
        for pick in picks
    ]
    return shown, selected


def shown(found: Result) -> Any:
    if isinstance(found, Fatal):
        return ERROR
    if isinstance(found, NotFound):
        return NOTHING
    choices = [(choice.request.full_name, choice.device.id, choice.consumed) for choice in found.choices]
    return choices, dict(found.selected)


@pytest.mark.parametrize("source", ["worlds", "searches"])
def test_shortcuts_change_neither_result_nor_the_plain_search(source: str) -> None:
    compared = long = 0
    for api_objects in made(source):
        for arguments in searches_of(api_objects):
            reference = Reference(*arguments)
            try:
                wanted = expected(reference)
            except TooLongError:
                continue
            for patience in (1, 7, PLAIN):
                found = search(*arguments, patience=patience)
                assert shown(found) == wanted, (api_objects, patience)
                if patience == PLAIN and isinstance(found, Found | NotFound):
                    assert found.effort == reference.steps
            compared += 1
            long += reference.steps > 200
    assert compared > CASES
    assert long > (0 if source == "worlds" else CASES // 4)


def test_shortcuts_find_what_1_36_finds_without_them() -> None:
    compared = long = 0
    for api_objects in made("searches"):
        for arguments in searches_of({**api_objects, "gates": {}}, "1.36"):
            plain = search(*arguments, budget=STEPS, patience=PLAIN)
            if isinstance(plain, Fatal) and plain.is_timeout:
                continue
            for patience in (1, 7):
                assert shown(search(*arguments, patience=patience)) == shown(plain), (api_objects, patience)
            compared += 1
            long += not isinstance(plain, Fatal) and plain.effort > 200
    assert compared > CASES
    assert long > CASES // 20


def test_searches_have_shares_of_other_claims_with_and_without_capacity() -> None:
    held = [
        result
        for api_objects in made("searches")
        for item in api_objects["objects"]
        if item["kind"] == "ResourceClaim"
        for result in item["status"]["allocation"]["devices"]["results"]
    ]
    assert any("consumedCapacity" in result for result in held if "shareID" in result)
    assert any("consumedCapacity" not in result for result in held if "shareID" in result)
    assert any("shareID" not in result for result in held)


def test_a_seed_makes_the_same_searches_again() -> None:
    first, second = SearchMaker(7), SearchMaker(7)
    assert [first.search() for _ in range(20)] == [second.search() for _ in range(20)]
