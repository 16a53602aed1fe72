"""What is remembered of a search, and that it finds the same with a memory."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import release
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.pruning.memo import DeadEnd, Memo
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from tests.rows import each_row
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import claim, device, exactly, first_of, resource_slice
from tests.simulation.oracle_allocator import searches_of
from tests.simulation.random_clusters import WorldMaker

PLAIN = 10**9
WORLDS = 40
OLDER = [str(minor) for minor in release.KNOWN if release.parse("1.31") <= minor < release.NEWEST]


def shown(found: Result) -> Any:
    """What a search found, without how long it took."""
    if isinstance(found, Found):
        choices = [(choice.request.full_name, choice.device.id, choice.consumed) for choice in found.choices]
        return choices, dict(found.selected)
    return found.invalid_pools if isinstance(found, NotFound) else found.message


def test_of_a_way_through_devices_the_rest_is_known_from_any_later_position() -> None:
    memo: Memo[str] = Memo()
    assert memo.past("here") is None
    memo.remember("here", DeadEnd("no", 3, [60, 40, 10]))
    past = memo.past("here")
    assert past is not None
    assert [past.effort(position) for position in (3, 4, 5, 6)] == [60, 40, 10, 1]
    memo.remember("here", DeadEnd("no", 2, [70, 60, 40, 10]))
    assert memo.past("here") == DeadEnd("no", 2, [70, 60, 40, 10])
    assert len(memo) == 1


def test_a_memory_that_is_full_takes_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dractl.simulation.allocator.pruning.memo.LIMIT", 3)
    memo: Memo[str] = Memo()
    for number in range(5):
        memo.remember(number, DeadEnd("no", 0, [1, 1]))
    assert [memo.past(number) is not None for number in range(5)] == [True, True, False, False, False]


@each_row("kube", OLDER)
def test_the_searches_of_older_minors_find_the_same_with_a_memory(kube: str) -> None:
    maker = WorldMaker(3, kube)
    compared = 0
    for _ in range(WORLDS):
        for arguments in searches_of(maker.api_objects(), kube):
            plain = search(*arguments, patience=PLAIN, budget=10_000)
            if isinstance(plain, Fatal) and plain.is_timeout:
                continue
            assert shown(search(*arguments, patience=1, budget=10_000)) == shown(plain)
            compared += 1
    assert compared > WORLDS


MODEL = {"matchAttribute": "gpu.example.com/model"}


def ranks(number: int) -> dict[str, Any]:
    return claim("c", *(exactly(f"r{position}") for position in range(number)), constraints=[MODEL])


def test_a_search_over_orders_is_cut_to_one_over_numbers() -> None:
    devices = [device(f"d{number}", "a" if number < 6 else "b") for number in range(12)]
    case = SearchCase([resource_slice("s", *devices)], ranks(7))
    plain, quick = case.run(patience=PLAIN), case.run(patience=200)
    assert isinstance(plain, NotFound)
    assert isinstance(quick, NotFound)
    # The effort is what the plain search takes, though most of it is spared.
    assert quick.effort == plain.effort > 20_000
    assert isinstance(case.run(patience=200, budget=1_000), NotFound)


def test_admin_access_tells_claims_apart() -> None:
    slices = [resource_slice("s", "x", "y", "z")]
    first = claim("c", exactly("one"), exactly("two"), exactly("three"))
    second = claim("d", exactly("admin", adminAccess=True, count=3), exactly("more"))
    case = SearchCase(slices, first, second)
    assert shown(case.run(patience=1)) == shown(case.run(patience=PLAIN))


@pytest.mark.parametrize("held", [0, 1])
def test_subrequests_are_remembered_with_the_devices_that_matter(held: int) -> None:
    slices = [resource_slice("s", *(device(f"d{number}", "ab"[number % 2]) for number in range(6)))]
    only_a = 'device.attributes["gpu.example.com"].model == "a"'
    item = claim(
        "c",
        first_of(
            "one",
            two=exactly("", count=2)["exactly"],
            single=exactly("", count=1)["exactly"],
        ),
        exactly("two", count=2),
        exactly("three", only_a, count=3 + held),
    )
    case = SearchCase(slices, item)
    assert shown(case.run(patience=1)) == shown(case.run(patience=PLAIN))
