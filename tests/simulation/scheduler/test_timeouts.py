"""What is said where the scheduler's own search would run for more than ten seconds."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.report import Simulation
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import LongSearch, Outcome
from dractl.simulation.scheduler.timeouts import SCHEDULER_STEPS, LongSearches, Subject, is_too_long, sentence
from tests.simulation.build import (
    claim,
    device_class,
    environment,
    exactly,
    features,
    pod,
    resource_slice,
    sized_node,
    template,
)

MANY = [exactly(f"r{number}") for number in range(13)]


def test_a_search_is_too_long_by_its_steps() -> None:
    assert not is_too_long(SCHEDULER_STEPS)
    assert is_too_long(SCHEDULER_STEPS + 1)


@pytest.mark.parametrize(
    ("steps", "shown"), [(21_124_671, "21,124,671"), (6_943_978_985_210_483_999, "10^18")]
)
def test_steps_are_shown_as_people_read_them(steps: int, shown: str) -> None:
    assert sentence(steps, has_limit=True) == (
        f"a real scheduler would try about {shown} steps, but stops after ten seconds"
    )
    assert sentence(steps, has_limit=False).endswith("which takes more than ten seconds")


@pytest.mark.parametrize(
    ("steps", "has_limit", "text"),
    [
        (13_000_001, True, "at least 13,000,001 steps, but stops after ten seconds"),
        (
            2_000,
            True,
            "at least 2,000 steps, and may or may not finish within ten seconds",
        ),
        (2_000, False, "at least 2,000 steps, without a time limit"),
    ],
)
def test_of_a_search_given_up_here_only_the_beginning_is_known(
    steps: int, has_limit: bool, text: str
) -> None:
    assert sentence(steps, has_limit=has_limit, is_open=True) == f"a real scheduler would try {text}"


def test_only_the_last_attempt_counts() -> None:
    found = LongSearches(has_limit=True)
    one, other = Subject("default/p", None), Subject(None, "default/c")
    found.add(one, "node-a", 10)
    found.add(one, "node-b", 20)
    found.add(other, "node-a", 30)
    found.begin(one)
    found.add(one, "node-b", 40)
    assert set(found) == {
        LongSearch("default/p", None, "node-b", 40, True),
        LongSearch(None, "default/c", "node-a", 30, True),
    }


def simulated(kube: str = "1.37", *objects: Any, **gates: bool) -> Outcome:
    """A node on which a search is long, and one with enough devices."""
    cluster = [
        sized_node("node-a"),
        sized_node("node-b"),
        resource_slice("a", *(f"d{number}" for number in range(12))),
        resource_slice("b", *(f"d{number}" for number in range(13)), pool="node-b"),
        device_class("gpu"),
        *(objects or (template("many", *MANY), pod("p", templates={"gpu": "many"}))),
    ]
    return run(
        cluster,
        features=features(kube, **gates),
        environment=environment(kube, **gates),
        allocate_unreferenced=True,
    )


def test_one_node_fails_the_attempt_since_1_36() -> None:
    found = simulated()
    (item,) = found.pending
    assert item.category == "timeout"
    assert item.message.startswith("on node node-a: claim")
    assert item.message.endswith("steps, but stops after ten seconds")
    (search,) = found.long_searches
    assert (search.pod, search.node, search.has_limit) == ("default/p", "node-a", True)
    # Twelve devices in every order, and a look at each of them at every place.
    assert 10**9 < search.steps < 10**11


def test_before_that_it_rules_out_its_node() -> None:
    found = simulated("1.35")
    assert {row.node for row in found.placements} == {"node-b"}
    assert [search.node for search in found.long_searches] == ["node-a"]


def test_where_nothing_limits_the_time_it_is_only_said() -> None:
    found = simulated("1.37", DRASchedulerFilterTimeout=False)
    assert {row.node for row in found.placements} == {"node-b"}
    assert [(search.node, search.has_limit) for search in found.long_searches] == [("node-a", False)]


def test_a_search_given_up_here_is_reported_with_what_the_scheduler_goes_through() -> None:
    cluster = [
        sized_node("node-a"),
        resource_slice("a", *(f"d{number}" for number in range(12))),
        device_class("gpu"),
        template("many", *MANY),
        pod("p", templates={"gpu": "many"}),
    ]
    found = run(cluster, features=features(), environment=environment(), allowance=Allowance(100))
    assert [row.category for row in found.pending] == ["timeout"]
    assert found.long_searches == (LongSearch("default/p", None, "node-a", 101, True, is_open=True),)


def test_a_claim_without_a_pod_is_named_itself() -> None:
    found = simulated("1.37", claim("c", *MANY))
    assert [(search.pod, search.claim) for search in found.long_searches] == [(None, "default/c")]
    document = Simulation("1.37", {}, found, ()).to_dict()
    (entry,) = document["longSearches"]
    assert list(entry) == ["pod", "claim", "node", "steps", "message"]
    assert "stops after ten seconds" in entry["message"]
