"""What a run may spend: search steps, pods, reasons and placements, however many pods and cases there are."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import budgets
from dractl.api.budgets import Budget
from dractl.simulation.allocator.model.allowance import SPENT, Allowance, Cost
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import PATIENCE, search
from dractl.simulation.allocator.search_result import NotFound
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import NO_DEVICES, TIMEOUT, Outcome, Refusal
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import (
    claim,
    device,
    device_class,
    environment,
    exactly,
    features,
    pod,
    resource_slice,
    sized_node,
    taint_rule,
    template,
)


def limit(monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> Budget:
    changed: Budget = getattr(budgets, name)._replace(value=value)
    monkeypatch.setattr(budgets, name, changed)
    return changed


def simulate(*objects: dict[str, Any], allowance: Allowance | None = None) -> Outcome:
    return run(objects, features=features(), environment=environment(), allowance=allowance)


MODEL = {"matchAttribute": "gpu.example.com/model"}


def hard(wanted: int = 3, name: str = "t") -> dict[str, Any]:
    """A template of which three claims are more than five models of four devices have, and hard to refuse."""
    found = template(name, exactly("r", count=wanted))
    found["spec"]["spec"]["devices"]["constraints"] = [MODEL]
    return found


HARD = [
    device_class("gpu"),
    sized_node("node-a"),
    resource_slice(
        "s", *(device(f"d{kind}{number}", f"m{kind}") for kind in range(5) for number in range(4))
    ),
]


def hard_pods(number: int, *names: str) -> list[dict[str, Any]]:
    wanted = {f"c{position}": (names or ("t",))[position % max(len(names), 1)] for position in range(6)}
    return [pod(f"p{position}", templates=wanted) for position in range(number)]


def test_pods_that_are_alike_need_one_search() -> None:
    one, many = Allowance(), Allowance()
    found = simulate(*HARD, hard(), *hard_pods(1), allowance=one)
    # The scheduler would take more than ten seconds to find nothing.
    assert [row.category for row in found.pending] == [TIMEOUT]
    assert "alone, but not together (" in found.pending[0].message
    found = simulate(*HARD, hard(), *hard_pods(40), allowance=many)
    assert [row.category for row in found.pending] == [TIMEOUT] * 40
    assert all(
        f"claim default/{row.pod.partition('/')[2]}-c" in row.message for row in found.pending if row.pod
    )
    searched = one.granted - one.steps
    assert searched > 1_000
    assert many.granted - many.steps < searched + 40 * 100


def test_pods_that_are_alike_are_given_up_after_one_search() -> None:
    allowance = Allowance(search=500)
    found = simulate(*HARD, hard(), *hard_pods(40), allowance=allowance)
    assert [row.category for row in found.pending] == [TIMEOUT] * 40
    assert {row.message for row in found.pending} == {
        "on node node-a: the search for devices stopped after 500 steps (limit: 1,000,000)"
    }
    assert allowance.granted - allowance.steps < 500 * 2 + 40 * 100
    assert len(found.long_searches) == 40


def test_an_error_is_reported_with_the_claim_of_each_pod() -> None:
    broken = template("t", exactly("r", 'device.attributes["gpu.example.com"].missing == 1'))
    pods = [pod(f"p{number}", templates={"c": "t"}) for number in range(3)]
    found = simulate(*HARD, broken, *pods)
    assert [row.category for row in found.pending] == ["error"] * 3
    for number, row in enumerate(found.pending):
        assert f"claim default/p{number}-c" in row.message or f"p{number}-c" in row.message
        assert "{0}" not in row.message


def test_pods_that_differ_share_the_steps_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "SEARCH_STEPS", 6_000)
    templates = [hard(name=f"t{number}") for number in range(12)]
    # Each pod has its claims in another order, so that none is like another.
    pods = [
        pod(f"p{number}", templates={f"c{k}": f"t{k}" for k in range(number % 3 + 6)}) for number in range(9)
    ]
    for number, item in enumerate(pods):
        templates.append(template(f"own{number}", exactly("r", count=1 + number % 2)))
        item["spec"]["resourceClaims"].append({"name": "own", "resourceClaimTemplateName": f"own{number}"})
    allowance = Allowance()
    found = simulate(*HARD, *templates, *pods, allowance=allowance)
    rows = [row for row in found.left_out if "search steps" in row.reason]
    assert [row.reason for row in rows] == [
        (
            "the run used 6,000 search steps (6,000, and more for each object); "
            "later pods have the category timeout"
        )
    ]
    spared = [row for row in found.pending if row.message == SPENT.message]
    assert spared
    assert {row.category for row in spared} == {TIMEOUT}
    assert all(row.nodes == {} for row in spared)
    assert len(found.pending) == len(pods)


def test_each_object_of_the_input_adds_steps_once() -> None:
    allowance = Allowance()
    before = allowance.granted
    allowance.begin([("a", 1), ("b", 5)])
    allowance.begin([("b", 5), ("c", 2)])
    assert allowance.granted - before == 8 * budgets.SEARCH_STEPS_PER_OBJECT.value


def test_a_search_leaves_something_for_others() -> None:
    case = SearchCase([resource_slice("s", *(f"d{n}" for n in range(6)))], claim("c", exactly("r", count=3)))
    allowance = Allowance()
    allowance.steps = 4
    found = search(case.demands, case.supply, case.matcher, case.features, allowance=allowance)
    assert isinstance(found, Fatal)
    assert found.is_timeout
    assert found.message == "the search for devices stopped after 3 steps (limit: 1,000,000)"
    allowance.steps = 0
    assert search(case.demands, case.supply, case.matcher, case.features, allowance=allowance) is SPENT


def test_long_searches_and_many_constraints_are_dearer() -> None:
    def cost(*rules: Any, count: int = 1) -> Cost:
        case = SearchCase(
            [resource_slice("s", "d")], claim("c", exactly("r", count=count), constraints=list(rules))
        )
        return Cost(case.demands, case.features)

    assert cost().of(1_500, PATIENCE) == 1_500
    assert cost(count=32).of(1_500, PATIENCE) == 1_000 + 500 * 3
    assert cost(*[MODEL] * 8, count=32).of(100, PATIENCE) > 100 * 16
    for one in (cost(), cost(count=32), cost(*[MODEL] * 8, count=32)):
        steps = one.affordable(100_000, PATIENCE)
        assert one.of(steps, PATIENCE) <= 100_000 < one.of(steps + 1, PATIENCE)


def test_reasons_of_nodes_are_reported_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    row = limit(monkeypatch, "REASONS", 7)
    nodes = [sized_node(f"node-{letter}") for letter in "abc"]
    pods = [pod(f"p{number}", templates={"c": "t"}) for number in range(5)]
    found = simulate(*nodes, device_class("gpu"), template("t", exactly("r")), *pods)
    assert [len(entry.nodes) for entry in found.pending] == [3, 3, 0, 0, 0]
    assert [entry.category for entry in found.pending] == [NO_DEVICES] * 5
    assert all(entry.message for entry in found.pending)
    assert [entry.reason for entry in found.left_out] == [row.message()]


def test_reasons_that_were_given_up_make_room() -> None:
    allowance = Allowance()
    some = {f"n{number}": Refusal(NO_DEVICES, "") for number in range(budgets.REASONS.value)}
    assert allowance.kept(some, {}) is some
    assert len(allowance.kept({"n": Refusal(NO_DEVICES, "")}, {})) == 0
    assert allowance.kept(some, some) is some


def test_placements_are_listed_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "PLACEMENTS", 2)
    pods = [pod(f"p{number}", templates={"c": "t"}) for number in range(5)]
    found = simulate(*HARD, template("t", exactly("r")), *pods)
    assert len(found.placements) == 2
    assert all(entry.node for entry in found.pods)
    assert [entry.reason for entry in found.left_out] == [
        "the devices of 3 more pods are not listed: a run lists 2 placements"
    ]


def workload(name: str, replicas: int, claims: int = 1) -> dict[str, Any]:
    spec = pod("x", templates={f"c{number}": "t" for number in range(claims)})["spec"]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"replicas": replicas, "template": {"metadata": {}, "spec": spec}},
    }


def test_a_simulation_makes_so_many_pods_of_all_workloads(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "PODS", 10)
    found = simulate(*HARD, template("t", exactly("r")), *(workload(f"w{number}", 4) for number in range(5)))
    assert len(found.pods) == 10
    assert [entry.reason for entry in found.left_out] == [
        "10 pods of workloads are ignored: a simulation creates at most 10"
    ]


def test_a_pod_with_many_claims_counts_as_several(monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "PODS", 10)
    found = simulate(*HARD, template("t", exactly("r")), workload("w", 10, claims=9))
    assert len(found.pods) == 3


def test_a_plain_search_costs_what_it_takes() -> None:
    case = SearchCase([resource_slice("s", "x", "y")], claim("c", exactly("r", count=3)))
    allowance = Allowance()
    before = allowance.steps
    found = search(case.demands, case.supply, case.matcher, case.features, allowance=allowance)
    assert isinstance(found, NotFound)
    assert before - allowance.steps == found.effort


@pytest.mark.slow
def test_a_taint_rule_that_costs_too_much_is_left_out_by_name() -> None:
    expensive = f'"{"a" * 9000}".matches("^{"a{0,900}" * 27}b$")'
    rule = taint_rule("r", {"selectors": [{"cel": {"expression": expensive}}]})
    outcome = run(
        [rule, resource_slice("s", "d0")],
        features=features("1.33", DRADeviceTaints=True),
        environment=environment("1.33"),
    )
    ((item, reason, _),) = outcome.left_out
    assert (item["kind"], item["name"]) == ("DeviceTaintRule", "r")
    assert reason.startswith("not applied to ResourceSlice s: not evaluated: the expression needs more than ")
