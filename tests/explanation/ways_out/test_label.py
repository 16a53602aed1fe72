"""Labels of nodes, and what pods and slices select nodes by."""

from __future__ import annotations

from tests.explanation.small_worlds import device_class, node, pod, slice_of, template, ways

CLUSTER = [node(), slice_of(), device_class(), template("late")]
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def test_the_node_selector_takes_a_value_that_a_node_has() -> None:
    assert ways(*CLUSTER, pod(nodeSelector={"rack": "r1"})) == [
        (
            "select nodes by rack=r0 instead of r1 (pod default/late, "
            "spec.nodeSelector[rack]); recreate the pod: fits on a"
        ),
        "label node a rack=r1: fits on a",
    ]


def test_a_label_that_no_node_has_leaves_the_node_selector() -> None:
    found = ways(*CLUSTER, pod(nodeSelector={"zone": "z"}), only="node-selector")
    assert found[0].startswith("remove zone=z from the node selector ")


def test_a_requirement_of_the_affinity_can_go() -> None:
    terms = [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z"]}]}]
    affinity = {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": terms}}}
    found = ways(*CLUSTER, pod(affinity=affinity), only="node-affinity")
    assert found[0].startswith("remove a requirement of the node affinity (pod default/late, spec.affinity.")


def test_a_node_gets_the_label_that_a_slice_asks_for() -> None:
    terms = [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["z"]}]}]
    cluster = [node(), slice_of(nodeSelector={"nodeSelectorTerms": terms}), device_class(), template("late")]
    assert ways(*cluster, pod()) == ["label node a zone=z: fits on a"]
