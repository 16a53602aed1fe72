"""A search that remembers finds what the plain search finds."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import gates, release
from dractl.cel.environment import Environment
from dractl.cluster.objects import Objects
from dractl.cluster.pools import Inventory
from dractl.simulation.demand import ClaimDemand, demand_of, missing_class
from dractl.simulation.features import features_of
from dractl.simulation.matching import Matcher
from dractl.simulation.nodes import node_of
from dractl.simulation.reasons import Fatal
from dractl.simulation.search import Found, NotFound, Result, search
from dractl.simulation.supply import Market, Supply
from dractl.simulation.taint_rules import TaintRules
from dractl.simulation.usage import Usage
from tests.conformance.allocations import defaulted
from tests.simulation.build import claim, device, exactly, first_of, resource_slice
from tests.simulation.test_search import Question
from tests.simulation.worlds import WorldMaker

PLAIN = 10**9
WORLDS = 60


def shown(found: Result) -> Any:
    """What a search found, without how long it took."""
    if isinstance(found, Found):
        choices = [(choice.request.full_name, choice.device.id, choice.consumed) for choice in found.choices]
        return choices, dict(found.selected)
    return found.invalid_pools if isinstance(found, NotFound) else found.message


def questions(world: dict[str, Any]) -> Any:
    """Every node with the claims of every step of a world, as arguments of a search."""
    chosen = gates.resolve(release.NEWEST, world["gates"])
    features = features_of(chosen)
    objects = Objects(defaulted(release.NEWEST, item) for item in world["objects"])
    matcher = Matcher(Environment(release.NEWEST, chosen, stored=True), features)

    def device_class(name: str) -> Any:
        return objects.get("DeviceClass", "", name)

    found = objects.of_kind("DeviceTaintRule") if features.device_taint_rules else []
    rules = TaintRules(found, device_class, matcher.holds, features.quirks)
    market = Market(Inventory(rules.applied_to(objects.of_kind("ResourceSlice"))), features)
    offers = market.offers(Usage(objects.of_kind("ResourceClaim"), features))

    for step in world["steps"]:
        claims = [defaulted(release.NEWEST, item) for item in step["claims"]]
        if any(missing_class(item, device_class) for item in claims):
            continue
        demands = [demand_of(item, device_class, features) for item in claims]
        ready = [demand for demand in demands if isinstance(demand, ClaimDemand)]
        for node in objects.of_kind("Node"):
            supply = offers.on(node_of(node).ref)
            if len(ready) == len(demands) and isinstance(supply, Supply):
                yield ready, supply, matcher, features


def test_remembering_and_looking_ahead_change_no_answer() -> None:
    maker = WorldMaker(3)
    compared = 0
    for _ in range(WORLDS):
        for question in questions(maker.world()):
            plain = search(*question, patience=PLAIN, budget=20_000)
            if isinstance(plain, Fatal) and plain.is_timeout:
                continue
            quick = search(*question, patience=1, budget=20_000)
            assert shown(quick) == shown(plain)
            if isinstance(quick, Found) and isinstance(plain, Found):
                assert quick.effort == plain.effort
            elif isinstance(quick, NotFound) and isinstance(plain, NotFound):
                assert quick.effort <= plain.effort
            compared += 1
    assert compared > WORLDS


MODEL = {"matchAttribute": "gpu.example.com/model"}


def ranks(number: int) -> dict[str, Any]:
    return claim("c", *(exactly(f"r{position}") for position in range(number)), constraints=[MODEL])


def test_a_search_over_orders_is_cut_to_one_over_sets() -> None:
    devices = [device(f"d{number}", "a" if number < 6 else "b") for number in range(12)]
    question = Question([resource_slice("s", *devices)], ranks(7))
    plain, quick = question.run(patience=PLAIN), question.run(patience=50)
    assert isinstance(plain, NotFound)
    assert isinstance(quick, NotFound)
    # The effort is what the plain search takes, though most of it is spared.
    assert quick.effort == plain.effort > 20_000
    spent = question.run(patience=50, budget=3_000)
    assert isinstance(spent, NotFound)


def test_admin_access_tells_claims_apart() -> None:
    slices = [resource_slice("s", "x", "y", "z")]
    first = claim("c", exactly("one"), exactly("two"), exactly("three"))
    second = claim("d", exactly("admin", adminAccess=True, count=3), exactly("more"))
    question = Question(slices, first, second)
    assert shown(question.run(patience=1)) == shown(question.run(patience=PLAIN))


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
    question = Question(slices, item)
    assert shown(question.run(patience=1)) == shown(question.run(patience=PLAIN))
