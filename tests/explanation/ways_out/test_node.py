"""Nodes that are uncordoned or added, and pods that name one."""

from __future__ import annotations

from dractl.explanation.remedies.find import find_ways_out
from tests.explanation.small_worlds import device_class, node, pod, slice_of, template, ways, world_of


def test_a_node_can_be_uncordoned() -> None:
    cluster = [node(unschedulable=True), slice_of(), device_class()]
    assert ways(*cluster, template("late"), pod()) == ["uncordon node a: fits on a"]


def test_one_more_node_is_like_one_of_these() -> None:
    cluster = [node(), slice_of(), device_class(), template("early"), pod("early")]
    world = world_of(*cluster, template("late"), pod())
    (added,) = (way for way in find_ways_out(world).ways_out if way.way == "add-node")
    assert added.node == "a-2"
    assert {key.name for key in added.change} == {"a-2", "a-2-slice"}
    assert ways(*cluster, template("late"), pod(), only="add-node") == ["add a node like a: fits on a-2"]


def test_a_node_that_only_slices_name_can_be_added_too() -> None:
    cluster = [slice_of(), device_class(), template("early"), pod("early")]
    assert ways(*cluster, template("late"), pod(), only="add-node") == ["add a node like a: fits on a-2"]


def test_a_pod_that_names_a_node_is_let_to_the_scheduler() -> None:
    cluster = [node("node-1"), slice_of("node-1"), device_class()]
    assert ways(*cluster, template("late"), pod(nodeName="node-2")) == [
        "remove nodeName node-2 (pod default/late, spec.nodeName); recreate the pod: fits on node-1",
        (
            "replace nodeName with a node selector for node node-1 (pod default/late, "
            "spec.nodeSelector[kubernetes.io/hostname]); recreate the pod: fits on node-1"
        ),
    ]
