"""Scores, worked out by hand from the scheduler's formulas."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import node_of
from dractl.simulation.scheduler.plugins.registry import score_plugins
from dractl.simulation.scheduler.resources import Load, demand_of
from dractl.simulation.scheduler.score import prioritize_nodes, select_host
from tests.rows import each_row
from tests.simulation.build import container, features, node, pod, sized_node

GIB = 2**30
EMPTY = Load(0, {}, {})


def scored(
    item: dict[str, Any],
    *options: tuple[dict[str, Any], Load, tuple[int, ...]],
    counts_alternatives: bool = True,
) -> list[dict[str, int]]:
    found = Pod(item)
    made = []
    for data, load, alternatives in options:
        place = node_of(data)
        made.append(FeasibleNode(place, NodeInfo(place, load), alternatives))
    allocator: Any = SimpleNamespace(claims=SimpleNamespace(settled=[]))
    state = CycleState(found, demand_of(found), Objects(), [entry.node for entry in made], {}, allocator)
    plugins = score_plugins(features()._replace(prioritized_list=counts_alternatives))
    return [dict(entry) for entry in prioritize_nodes(state, made, plugins)]


def of(item: dict[str, Any], plugin: str, *nodes: dict[str, Any]) -> list[int | None]:
    return [entry.get(plugin) for entry in scored(item, *((data, EMPTY, ()) for data in nodes))]


@each_row(
    ("alternatives", "expected"),
    [
        ([(0,), (1,)], [200, 174]),
        ([(0, 0), (0, 1)], [200, 186]),
        ([(), ()], [0, 0]),
        ([(7,), (0,)], [24, 200]),
    ],
)
def test_better_subrequests_score_higher(alternatives: Any, expected: list[int]) -> None:
    options = [(node(f"n{number}"), EMPTY, chosen) for number, chosen in enumerate(alternatives)]
    assert [entry["DynamicResources"] for entry in scored(pod("p"), *options)] == expected


def test_subrequests_do_not_count_where_prioritized_lists_are_off() -> None:
    (entry,) = scored(pod("p"), (node("n"), EMPTY, (0,)), counts_alternatives=False)
    assert "DynamicResources" not in entry


def test_the_emptier_node_scores_higher() -> None:
    item = pod("p", container(requests={"cpu": "1", "memory": "1Gi"}))
    # cpu (4000 - 1000) / 4000 = 75, memory (8 - 1) / 8 = 87, mean 81.
    assert of(item, "NodeResourcesFit", sized_node("n", cpu="4", memory="8Gi")) == [81]
    used = Load(1, {"cpu": 1000}, {"cpu": 1000, "memory": GIB})
    assert scored(item, (sized_node("n"), used, ()))[0]["NodeResourcesFit"] == (50 + 75) // 2


def test_containers_without_requests_count_for_the_fit() -> None:
    # 100m of 4 cpus leave 97, 200Mi of 8Gi leave 97.
    assert of(pod("p"), "NodeResourcesFit", sized_node("n")) == [97]


def test_a_node_that_is_over_committed_scores_nothing_for_that() -> None:
    used = Load(1, {}, {"cpu": 9000, "memory": 0})
    # cpu 0, memory 97, mean 48.
    assert scored(pod("p"), (sized_node("n"), used, ()))[0]["NodeResourcesFit"] == 48


def test_balance_compares_before_and_after() -> None:
    item = pod("p", container(requests={"cpu": "2"}))
    # Before: 0 and 0, so 100. After: 0.5 and 0, so int(100 * 0.75). 50 + (50 - 25) // 2.
    assert of(item, "NodeResourcesBalancedAllocation", sized_node("n")) == [62]
    # Before: 0 and 0.5, so 75. After: 0.5 and 0.5, so 100. 50 + (50 + 25) // 2.
    used = Load(1, {"memory": 4 * GIB}, {})
    assert scored(item, (sized_node("n"), used, ()))[0]["NodeResourcesBalancedAllocation"] == 87


def test_balance_does_not_count_for_a_pod_without_requests() -> None:
    assert of(pod("p"), "NodeResourcesBalancedAllocation", sized_node("n")) == [None]


SOFT = {"key": "a", "effect": "PreferNoSchedule"}


def test_fewer_soft_taints_score_higher() -> None:
    nodes = [
        node("n0"),
        node("n1", spec={"taints": [SOFT]}),
        node("n2", spec={"taints": [SOFT, {**SOFT, "key": "b"}, {"key": "c", "effect": "NoSchedule"}]}),
    ]
    assert of(pod("p"), "TaintToleration", *nodes) == [300, 150, 0]
    tolerant = pod("p", tolerations=[{"operator": "Exists"}])
    assert of(tolerant, "TaintToleration", *nodes) == [300, 300, 300]


def preferring(*weights: tuple[int, str]) -> dict[str, Any]:
    terms = [
        {
            "weight": weight,
            "preference": {"matchExpressions": [{"key": "rack", "operator": "In", "values": [rack]}]},
        }
        for weight, rack in weights
    ]
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": terms}}


def test_preferred_terms_add_up() -> None:
    nodes = [node(name, labels={"rack": name}) for name in ("r1", "r2", "r3")]
    item = pod("p", affinity=preferring((10, "r1"), (5, "r2"), (2, "r2")))
    assert of(item, "NodeAffinity", *nodes) == [200, 140, 0]
    nowhere = pod("p", affinity=preferring((10, "r9")))
    assert of(nowhere, "NodeAffinity", *nodes) == [0, 0, 0]


def test_affinity_does_not_count_without_preferred_terms() -> None:
    assert of(pod("p"), "NodeAffinity", node("n")) == [None]
    empty = {
        "nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "preference": {}}]}
    }
    assert of(pod("p", affinity=empty), "NodeAffinity", node("n")) == [0]


def test_the_scores_of_all_nodes_are_kept_by_name() -> None:
    item = Pod(pod("p", container(requests={"cpu": "1"})))
    places = [node_of(sized_node(name, cpu=cpu)) for name, cpu in (("a", "2"), ("b", "4"), ("c", "4"))]
    entries = [FeasibleNode(place, NodeInfo(place, EMPTY), ()) for place in places]
    state = CycleState(item, demand_of(item), Objects(), places, {})
    host = select_host(state, entries, score_plugins(features()), lambda _, names: names[-1])
    assert (host.chosen.node.name, host.tied) == ("c", ("b", "c"))
    assert (list(host.scores), len(host.scores)) == (["a", "b", "c"], 3)
    assert host.scores["b"] == host.scores["c"] != host.scores["a"]
