"""Topology spread, worked out by hand from the scheduler's formula."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.node_load import PodsOfNode
from dractl.simulation.scheduler.nodes import Node, node_of
from dractl.simulation.scheduler.plugins.registry import SCORE_PLUGINS
from dractl.simulation.scheduler.resources import NO_LOAD, demand_of
from tests.simulation.build import features, node, pod

ZONE = "topology.kubernetes.io/zone"
NODES = [node_of(node(f"n{number}", labels={ZONE: zone})) for number, zone in enumerate(("z1", "z1", "z2"))]


def labelled(name: str, **spec: Any) -> Pod:
    return Pod(pod(name, metadata={"labels": {"app": "web"}}, **spec))


def service(**selector: str) -> dict[str, Any]:
    metadata = {"name": "s", "namespace": "default"}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"selector": selector}}


def scores(item: Pod, *objects: dict[str, Any], **placed: list[Pod]) -> list[int] | None:
    return weighted(item, Objects(objects), NODES, placed)


def weighted(
    item: Pod, objects: Objects, feasible: list[Node], placed: dict[str, list[Pod]], kube: str = "1.37"
) -> list[int] | None:
    (plugin,) = [row for row in SCORE_PLUGINS if row.name == "PodTopologySpread"]
    quirks = features(kube).quirks
    on_nodes = {name: PodsOfNode(pods) for name, pods in placed.items()}
    state = CycleState(item, demand_of(item), objects, NODES, on_nodes, quirks=quirks)
    found = plugin.score(state, [FeasibleNode(entry, NodeInfo(entry, NO_LOAD), ()) for entry in feasible])
    return None if found is None else [plugin.weight * value for value in found]


def test_a_pod_that_nothing_selects_does_not_care() -> None:
    assert scores(labelled("p")) is None
    assert scores(labelled("p"), service(app="other")) is None
    assert scores(labelled("p"), service()) is None


def test_pods_of_a_service_keep_apart_by_host_and_zone() -> None:
    # Weights: ln(3 + 2) per host, ln(2 + 2) per zone; skews add 2 and 4 everywhere.
    # n0: 1.61 + 1.39 + 6 = 9, n1: 1.39 + 6 = 7.39, n2: 6. Rounded 9, 7, 6.
    assert scores(labelled("p"), service(app="web"), n0=[labelled("q")]) == [
        2 * (100 * 6 // 9),
        2 * (100 * 8 // 9),
        200,
    ]


def test_nodes_without_pods_are_all_equal() -> None:
    assert scores(labelled("p"), service(app="web")) == [200, 200, 200]


def test_pods_of_other_namespaces_and_pods_that_end_do_not_count() -> None:
    other = Pod(pod("q", namespace="other", metadata={"labels": {"app": "web"}}))
    ending = labelled("r")
    gone = Pod({**ending.data, "metadata": {**ending.data["metadata"], "deletionTimestamp": "now"}})
    assert scores(labelled("p"), service(app="web"), n0=[other, gone]) == [200, 200, 200]


def test_a_workload_selects_its_pods() -> None:
    owner = {"kind": "StatefulSet", "name": "web", "controller": True}
    item = Pod(pod("p", metadata={"labels": {"app": "web"}, "ownerReferences": [owner]}))
    workload = {
        "kind": "StatefulSet",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": "web"}}},
    }
    assert scores(item, workload, n0=[labelled("q")]) is not None
    controller = {
        "kind": "ReplicationController",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"selector": {"app": "web"}},
    }
    owner = {"kind": "ReplicationController", "name": "web", "controller": True}
    item = Pod(pod("p", metadata={"labels": {"app": "web"}, "ownerReferences": [owner]}))
    assert scores(item, controller) == [200, 200, 200]


def own(key: str, when: str = "ScheduleAnyway", **more: Any) -> dict[str, Any]:
    selector = {"matchLabels": {"app": "web"}}
    return {
        "topologyKey": key,
        "maxSkew": 1,
        "whenUnsatisfiable": when,
        "labelSelector": selector,
        **more,
    }


def test_own_constraints_take_the_place_of_the_default_ones() -> None:
    item = labelled("p", topologySpreadConstraints=[own(ZONE)])
    # Weight ln(2 + 2): z1 has two pods, so 2.77, rounded 3; z2 has none.
    placed = {"n0": [labelled("q")], "n1": [labelled("r")]}
    assert scores(item, service(app="web"), **placed) == [0, 0, 200]


def test_own_constraints_leave_out_nodes_without_the_label() -> None:
    item = labelled("p", topologySpreadConstraints=[own("rack")])
    assert scores(item) == [0, 0, 0]


def test_hard_constraints_do_not_count_for_scores() -> None:
    assert scores(labelled("p", topologySpreadConstraints=[own(ZONE, "DoNotSchedule")])) is None


def test_match_label_keys_narrow_what_counts() -> None:
    item = Pod(
        pod(
            "p",
            metadata={"labels": {"app": "web", "version": "2"}},
            topologySpreadConstraints=[own(ZONE, matchLabelKeys=["version"])],
        )
    )
    old = Pod(pod("q", metadata={"labels": {"app": "web", "version": "1"}}))
    new = Pod(pod("r", metadata={"labels": {"app": "web", "version": "2"}}))
    assert scores(item, n0=[old]) == [200, 200, 200]
    assert scores(item, n0=[new]) == [0, 0, 200]


def test_pods_on_nodes_that_the_pod_cannot_use_do_not_count() -> None:
    item = labelled("p", topologySpreadConstraints=[own(ZONE)], nodeSelector={"kubernetes.io/hostname": "n1"})
    assert weighted(item, Objects(), NODES[1:2], {"n0": [labelled("q")]}) == [200]


def test_an_empty_selector_counts_all_pods_since_1_38() -> None:
    item = labelled("p", topologySpreadConstraints=[{**own(ZONE), "labelSelector": {}}])
    placed = {"n0": [labelled("q")]}
    assert weighted(item, Objects(()), NODES, placed, kube="1.37") == [200, 200, 200]
    equal, other, free = weighted(item, Objects(()), NODES, placed, kube="1.38") or []
    assert equal == other < free
