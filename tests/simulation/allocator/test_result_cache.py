"""Searches that need not be run again."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import NodeRef
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator.device.inventory import PoolCache, Supply
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.result_cache import CachedResult, ResultCache, label
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import (
    allocated,
    claim,
    device_class,
    environment,
    exactly,
    features,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

NODE = NodeRef("node-a", {})
SLICES = [resource_slice("s", "d0"), resource_slice("t", "e0", pool="other", allNodes=True)]
PAST = CachedResult(NotFound((), 1), f"claim {label(0)} gets nothing")


def supply(usage: Usage) -> Supply:
    found = PoolCache(Inventory(SLICES), features()).node_devices(usage).on(NODE)
    assert isinstance(found, Supply)
    return found


def test_what_asks_for_the_same_on_the_same_node_is_recalled() -> None:
    result_cache, usage = ResultCache(), Usage([], features())
    result_cache.answers([claim("c")], usage).keep(supply(usage), PAST)
    assert result_cache.answers([claim("d")], usage).past("node-a") is PAST
    assert result_cache.answers([claim("d")], usage).past("node-b") is None
    assert result_cache.answers([claim("d"), claim("e")], usage).past("node-a") is None
    assert result_cache.answers([claim("d", exactly("other"))], usage).past("node-a") is None


def test_only_a_plain_past_stands_for_itself() -> None:
    usage = Usage([], features())
    answers = ResultCache().answers([claim("c")], usage)
    answers.keep(supply(usage), PAST)
    assert answers.plain == {}
    answers.keep(supply(usage), CachedResult(Found((), {(0, 0): 2, (0, 1): 0}, 1), "", is_plain=True))
    assert answers.plain == {"node-a": (2, 0)}
    usage.add(allocated(claim("other"), result("d0")))
    answers.catch_up(usage)
    assert answers.plain == {}


@pytest.mark.parametrize(
    ("taken", "is_kept"),
    [(result("d0"), False), (result("e0", pool="other"), False), (result("x", pool="elsewhere"), True)],
)
def test_what_changes_in_a_pool_of_the_node_ends_it(taken: dict[str, Any], is_kept: bool) -> None:
    result_cache, usage = ResultCache(), Usage([], features())
    usage.add(allocated(claim("earlier"), taken))
    item = claim("c")
    result_cache.answers([item], usage).keep(supply(usage), PAST)
    assert result_cache.answers([item], usage).past("node-a") is PAST
    usage.add(allocated(claim("other"), taken))
    assert (result_cache.answers([item], usage).past("node-a") is PAST) is is_kept


def test_a_node_is_full_until_something_of_its_pools_changes() -> None:
    usage = Usage([], features())
    answers = ResultCache().answers([claim("c")], usage)
    answers.keep(supply(usage), PAST._replace(is_plain=True))
    assert answers.full["node-a"].text == PAST.sentence
    usage.add(allocated(claim("other"), result("d0")))
    answers.catch_up(usage)
    assert answers.full == {}


def test_a_sentence_is_reported_with_the_names_of_others() -> None:
    demands = SearchCase(SLICES, claim("another")).demands
    assert PAST.about(demands) == "claim default/another gets nothing"


def test_copies_of_a_pod_are_searched_for_only_where_something_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[str] = []

    def counting(demands: Any, place: Supply, *more: Any, **options: Any) -> Any:
        searched.append(place.node.name)
        return search(demands, place, *more, **options)

    monkeypatch.setattr("dractl.simulation.scheduler.claim_allocator.search", counting)
    nodes = [f"node-{number}" for number in range(5)]
    objects = [
        *(sized_node(name) for name in nodes),
        *(resource_slice(f"s-{name}", "d0", "d1", pool=name) for name in nodes),
        device_class("gpu"),
        template("t"),
        *(pod(f"p{number}", templates={"gpu": "t"}) for number in range(10)),
    ]
    scheduler = Scheduler(objects, Settings(features(), environment()))
    scheduler.settle()
    assert all(item.node is not None for item in scheduler.pods())
    # Five for the first pod and one for each that changed a node; without recall it would be fifty.
    assert len(searched) <= 5 + 10 + 5
