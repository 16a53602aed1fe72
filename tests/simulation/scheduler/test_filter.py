"""The filters around DRA."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Objects
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.filter import first_refusal, is_meant_for
from dractl.simulation.scheduler.framework import CycleState, NodeInfo
from dractl.simulation.scheduler.nodes import implied_node, node_of
from dractl.simulation.scheduler.plugins.node_affinity import meets_affinity
from dractl.simulation.scheduler.resources import Load, demand_of
from tests.rows import each_row
from tests.simulation.build import container, node, pod, sized_node

EMPTY = Load(0, {}, {})
TAINT = {"key": "dedicated", "value": "dra", "effect": "NoSchedule"}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def refused(item: dict[str, Any], data: dict[str, Any], load: Load = EMPTY) -> Refusal | None:
    found, place = Pod(item), node_of(data)
    state = CycleState(found, demand_of(found), Objects(), [place], {})
    return first_refusal(state, place, NodeInfo(place, load))


def category(item: dict[str, Any], data: dict[str, Any], load: Load = EMPTY) -> str | None:
    found = refused(item, data, load)
    return None if found is None else found.category


def wanting(*terms: dict[str, Any]) -> dict[str, Any]:
    return {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": list(terms)}}}


RACK_1 = {"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r1"]}]}


def test_a_plain_node_takes_a_plain_pod() -> None:
    assert refused(pod("p"), node("n")) is None
    assert refused(pod("p"), sized_node("n")) is None


def test_an_unschedulable_node_takes_only_pods_that_tolerate_it() -> None:
    closed = node("n", spec={"unschedulable": True})
    assert category(pod("p"), closed) == "node-unschedulable"
    toleration = {"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule"}
    assert category(pod("p", tolerations=[toleration]), closed) is None


@pytest.mark.parametrize(
    ("taints", "expected"),
    [
        ([TAINT], "node-taint"),
        ([{**TAINT, "effect": "NoExecute"}], "node-taint"),
        ([{**TAINT, "effect": "PreferNoSchedule"}], None),
    ],
)
def test_a_taint_keeps_pods_out_that_do_not_tolerate_it(taints: Any, expected: str | None) -> None:
    tainted = node("n", spec={"taints": taints})
    assert category(pod("p"), tainted) == expected
    assert category(pod("p", tolerations=[{"key": "dedicated", "operator": "Exists"}]), tainted) is None


def test_the_taint_is_named() -> None:
    found = refused(pod("p"), node("n", spec={"taints": [TAINT]}))
    assert found == Refusal(
        "node-taint", "the pod does not tolerate the node's taint dedicated=dra:NoSchedule"
    )


@each_row(
    ("toleration", "expected"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "dedicated", "value": "dra"}, True),
        ({"key": "dedicated", "operator": "Equal", "value": "other"}, False),
        ({"key": "dedicated", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "dedicated", "operator": "Lt", "value": "dra"}, False),
    ],
)
def test_a_toleration_covers_a_node_taint(toleration: dict[str, Any], expected: bool) -> None:
    assert tolerates(toleration, TAINT) is expected


@each_row(
    ("spec", "expected"),
    [
        ({"nodeSelector": {"rack": "r1"}}, None),
        ({"nodeSelector": {"rack": "r2"}}, "node-affinity"),
        ({"affinity": wanting(RACK_1)}, None),
        ({"affinity": wanting({"matchExpressions": [{"key": "x", "operator": "Exists"}]})}, "node-affinity"),
        ({"affinity": wanting({"matchExpressions": [{"key": "x", "operator": "Exists"}]}, RACK_1)}, None),
        ({"affinity": wanting()}, "node-affinity"),
        ({"nodeSelector": {"rack": "r1"}, "affinity": wanting()}, "node-affinity"),
    ],
)
def test_selector_and_required_affinity_must_match(spec: dict[str, Any], expected: str | None) -> None:
    data = node("n", labels={"rack": "r1"})
    assert category(pod("p", **spec), data) == expected
    assert meets_affinity(Pod(pod("p", **spec)), node_of(data).ref) is (expected is None)


def test_the_first_check_that_refuses_counts() -> None:
    data = sized_node("n", pods="0", spec={"unschedulable": True, "taints": [TAINT]})
    strict = pod("p", nodeSelector={"rack": "r9"})
    assert category(strict, data) == "node-unschedulable"
    data["spec"]["unschedulable"] = False
    assert category(strict, data) == "node-taint"
    data["spec"]["taints"] = []
    assert category(strict, data) == "node-affinity"
    assert category(pod("p"), data) == "too-many-pods"


def test_nodes_that_an_affinity_names_are_looked_at_before_anything_else() -> None:
    def naming(*names: str) -> dict[str, Any]:
        return {"matchFields": [{"key": "metadata.name", "operator": "In", "values": list(names)}]}

    closed = node("n", spec={"unschedulable": True})
    assert category(pod("p", affinity=wanting(naming("m"))), closed) == "node-affinity"
    assert category(pod("p", affinity=wanting(naming("m"), naming("n"))), closed) == "node-unschedulable"
    # A term that names no node may match any.
    assert category(pod("p", affinity=wanting(naming("m"), RACK_1)), closed) == "node-unschedulable"
    both = {"matchFields": [*naming("m")["matchFields"], *naming("n")["matchFields"]]}
    assert category(pod("p", affinity=wanting(both)), closed) == "node-affinity"


def test_resources_that_are_short_are_named_with_numbers() -> None:
    big = pod("p", container(requests={"cpu": "3", "memory": "9Gi"}))
    found = refused(big, sized_node("n", cpu="4"), Load(1, {"cpu": 2000}, {}))
    assert found is not None
    assert found.category == "insufficient:cpu"
    assert found.message == ("needs 3 cpu; 2 left; needs 9Gi memory; 8Gi left")
    full = refused(pod("p"), sized_node("n", pods="1"), Load(1, {}, {}))
    assert full == Refusal("too-many-pods", "the node allows 1 pods and already has 1")
    sizes = {"allocatable": {"cpu": "4", "memory": "8Gi"}}
    unstated = refused(pod("p"), node("n", status=sizes), Load(0, {}, {}))
    message = "the node has no pods in status.allocatable, which counts as 0; add `pods: 110`"
    assert unstated == Refusal("too-many-pods", message)


def test_a_node_that_does_not_say_what_it_has_is_not_asked() -> None:
    assert refused(pod("p", container(requests={"cpu": "999"})), node("n")) is None


def test_an_implied_node_is_known_by_name_only() -> None:
    found = implied_node("n")
    assert found.ref.labels == {"kubernetes.io/hostname": "n"}
    assert is_meant_for(Pod(pod("p", nodeSelector={"kubernetes.io/hostname": "n"})), found)
    assert not is_meant_for(Pod(pod("p", nodeSelector={"rack": "r1"})), found)


def test_a_node_tells_of_its_features() -> None:
    assert node_of(node("n", status={"declaredFeatures": ["X"]})).ref.declared_features == {"X"}
