"""Pods one after the other, until nothing changes."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.objects import Key
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.simulation.build import (
    allocated,
    claim,
    container,
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

CLASS = device_class("gpu")
NODES = [sized_node("node-a"), sized_node("node-b")]
SLICES = [resource_slice("s1", "a0", "a1"), resource_slice("s2", "b0", pool="node-b")]
CLUSTER = [*NODES, *SLICES, CLASS, template("t")]


def scheduler(*objects: dict[str, Any], **settings: Any) -> Scheduler:
    found = Scheduler(objects, Settings(features(), environment(), **settings))
    found.settle()
    return found


def where(found: Scheduler) -> dict[str, str | None]:
    return {pod.name: pod.node for pod in found.pods()}


def category(found: Scheduler, name: str) -> str | None:
    (item,) = [pod for pod in found.pods() if pod.name == name]
    refused = found.decision(item).refused
    return None if refused is None else refused.category


def the_claim(found: Scheduler, name: str) -> dict[str, Any]:
    item = found.api_objects.get("ResourceClaim", "default", name)
    assert item is not None
    return item


def devices(item: dict[str, Any]) -> list[str]:
    allocation = item.get("status", {}).get("allocation") or {"devices": {}}
    return [entry["device"] for entry in allocation["devices"].get("results", [])]


def pinned(name: str, node: str, *containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return pod(name, *containers, nodeSelector={"kubernetes.io/hostname": node}, **spec)


def test_pods_get_nodes_and_claims_in_order() -> None:
    found = scheduler(*CLUSTER, *(pinned(name, "node-a", templates={"gpu": "t"}) for name in ("p", "q", "r")))
    assert where(found) == {"p": "node-a", "q": "node-a", "r": None}
    assert devices(the_claim(found, "p-gpu")) == ["a0"]
    assert devices(the_claim(found, "q-gpu")) == ["a1"]
    assert category(found, "r") == "no-devices"


def test_a_higher_priority_goes_first() -> None:
    found = scheduler(
        *CLUSTER,
        pinned("low", "node-b", templates={"gpu": "t"}),
        pinned("high", "node-b", templates={"gpu": "t"}, priority=5),
    )
    assert where(found) == {"low": None, "high": "node-b"}


def test_pods_share_a_claim_and_follow_it() -> None:
    found = scheduler(
        *CLUSTER,
        claim("shared"),
        pinned("p", "node-b", claims={"gpu": "shared"}),
        pod("q", claims={"gpu": "shared"}),
        pinned("r", "node-a", claims={"gpu": "shared"}),
    )
    assert where(found) == {"p": "node-b", "q": "node-b", "r": None}
    assert category(found, "r") == "claim-elsewhere"
    users = the_claim(found, "shared")["status"]["reservedFor"]
    assert [user["name"] for user in users] == ["p", "q"]


def test_a_pod_that_has_a_node_keeps_it_and_counts() -> None:
    held = allocated(claim("held"), result("a0"), node_name="node-a")
    running = pod("p", container(requests={"cpu": "4"}), claims={"gpu": "held"}, nodeName="node-a")
    found = scheduler(*CLUSTER, held, running, pinned("q", "node-a", container(requests={"cpu": "1"})))
    assert where(found) == {"p": "node-a", "q": None}
    assert category(found, "q") == "insufficient:cpu"


def test_what_a_finished_pod_had_is_free() -> None:
    done = pod("done", claims={"gpu": "c"}, nodeName="node-b", status={"phase": "Succeeded"})
    user = {"resource": "pods", "name": "done", "uid": "1"}
    done["metadata"]["uid"] = "1"
    held = allocated(claim("c"), result("b0", pool="node-b"), reservedFor=[user])
    found = scheduler(*CLUSTER, held, done, pinned("p", "node-b", templates={"gpu": "t"}))
    assert where(found)["p"] == "node-b"
    assert devices(the_claim(found, "c")) == []


def test_an_old_allocation_that_nobody_uses_is_given_up_for_a_pod() -> None:
    held = allocated(claim("c"), result("a0"), node_name="node-a")
    found = scheduler(*CLUSTER, held, pinned("p", "node-b", claims={"gpu": "c"}))
    assert where(found) == {"p": "node-b"}
    assert devices(the_claim(found, "c")) == ["b0"]


def test_an_old_allocation_that_somebody_uses_is_not_given_up() -> None:
    user = {"resource": "pods", "name": "other", "uid": "1"}
    held = allocated(claim("c"), result("a0"), node_name="node-a", reservedFor=[user])
    found = scheduler(*CLUSTER, held, pinned("p", "node-b", claims={"gpu": "c"}))
    assert category(found, "p") == "claim-elsewhere"
    assert devices(the_claim(found, "c")) == ["a0"]


def test_two_claims_on_two_nodes_are_given_up_one_after_the_other() -> None:
    first = allocated(claim("a"), result("a0"), node_name="node-a")
    second = allocated(claim("b"), result("b0", pool="node-b"), node_name="node-b")
    found = scheduler(*CLUSTER, first, second, pod("p", claims={"x": "a", "y": "b"}))
    assert where(found) == {"p": "node-a"}


def test_an_error_on_one_node_ends_the_attempt() -> None:
    picky = exactly("gpu", 'device.attributes["gpu.example.com"].model == "a"')
    bare = resource_slice("s3", {"name": "c0"}, pool="node-c")
    found = scheduler(
        *CLUSTER, sized_node("node-c"), bare, template("picky", picky), pod("p", templates={"g": "picky"})
    )
    assert category(found, "p") == "error"
    # A node that an earlier check refuses is not looked at.
    found = scheduler(
        *CLUSTER,
        sized_node("node-c", spec={"unschedulable": True}),
        bare,
        template("picky", picky),
        pod("p", templates={"g": "picky"}),
    )
    assert where(found) == {"p": "node-a"}


def test_a_missing_class_is_found_before_any_node() -> None:
    found = scheduler(*NODES, *SLICES, template("t"), pod("p", templates={"gpu": "t"}))
    assert category(found, "p") == "class-missing"


def test_a_pod_with_a_claim_twice_never_runs() -> None:
    found = scheduler(*CLUSTER, claim("c"), pinned("p", "node-a", claims={"x": "c", "y": "c"}))
    assert category(found, "p") == "error"
    assert devices(the_claim(found, "c")) == ["a0"]
    assert "reservedFor" not in the_claim(found, "c")["status"]


def test_a_tie_is_reported_and_broken_by_order() -> None:
    objects = [*CLUSTER, pod("p", templates={"gpu": "t"})]
    found = scheduler(*objects)
    decision = found.decision(found.pods()[0])
    assert decision.placed is not None
    assert decision.placed.tied == ("node-a", "node-b")
    assert where(found) == {"p": "node-a"}
    assert where(scheduler(*objects, node_order=("node-b",))) == {"p": "node-b"}
    assert where(scheduler(*objects, choose=lambda _pod, nodes: nodes[-1])) == {"p": "node-b"}


def test_a_better_node_is_no_tie() -> None:
    emptier = sized_node("node-b", cpu="64")
    found = scheduler(NODES[0], emptier, *CLUSTER[2:], pod("p", templates={"gpu": "t"}))
    decision = found.decision(found.pods()[0])
    assert decision.placed is not None
    assert decision.placed.tied == ()
    assert (
        decision.placed.scores["node-b"]["NodeResourcesFit"]
        > decision.placed.scores["node-a"]["NodeResourcesFit"]
    )
    assert where(found) == {"p": "node-b"}


def test_a_pod_that_goes_leaves_its_devices_to_others() -> None:
    found = scheduler(
        *CLUSTER,
        *(pinned(name, "node-b", templates={"gpu": "t"}) for name in ("p", "q")),
        knows_all_pods=True,
    )
    assert where(found) == {"p": "node-b", "q": None}
    found.remove(Key("Pod", "default", "p"))
    found.settle()
    assert where(found) == {"q": "node-b"}
    assert found.api_objects.get("ResourceClaim", "default", "p-gpu") is None


def test_a_late_slice_helps_a_pod_that_waits() -> None:
    found = scheduler(*NODES, CLASS, template("t"), pod("p", templates={"gpu": "t"}))
    assert category(found, "p") == "no-devices"
    found.put(SLICES[1])
    found.settle()
    assert where(found) == {"p": "node-b"}


def test_objects_given_are_not_changed() -> None:
    item = pod("p", templates={"gpu": "t"})
    found = scheduler(*CLUSTER, item)
    assert where(found) == {"p": "node-a"}
    assert "nodeName" not in item["spec"]
    assert "status" not in item


def test_nodes_come_from_slices_where_there_are_no_node_objects() -> None:
    found = scheduler(*SLICES, CLASS, template("t"), pod("p", templates={"gpu": "t"}))
    assert [node.name for node in found.nodes] == ["node-a", "node-b"]
    assert where(found) == {"p": "node-a"}


def test_no_node_at_all_is_reported() -> None:
    found = scheduler(CLASS, template("t"), pod("p", templates={"gpu": "t"}))
    refused = found.decision(found.pods()[0]).refused
    assert refused is not None
    assert "no nodes exist" in refused.message


def test_a_pod_of_a_higher_priority_class_comes_first() -> None:
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1,
    }
    first = pod("first", templates={"gpu": "t"})
    second = pod("second", templates={"gpu": "t"}, priorityClassName="high")
    found = scheduler(
        sized_node("node-a"), resource_slice("s", "d0"), CLASS, template("t"), high, first, second
    )
    assert where(found) == {"first": None, "second": "node-a"}


def test_a_pod_with_scheduling_gates_gets_its_claim_and_nothing_more() -> None:
    held = pod("p", templates={"gpu": "t"}, schedulingGates=[{"name": "example.com/hold"}])
    found = scheduler(*CLUSTER, held)
    assert where(found) == {"p": None}
    assert category(found, "p") == "waiting"
    (made,) = found.api_objects.of_kind("ResourceClaim")
    assert made["metadata"]["generateName"] == "p-gpu-"
    assert devices(made) == []


def test_pods_for_another_scheduler_are_not_tried() -> None:
    found = scheduler(*CLUSTER, pod("p", templates={"gpu": "t"}, schedulerName="volcano"))
    assert where(found) == {"p": None}
    assert category(found, "p") == "other-scheduler"
    (item,) = found.pods()
    refused = found.decision(item).refused
    assert refused is not None
    assert refused.message == "the pod is for the scheduler volcano; only default-scheduler is simulated"
    (made,) = found.api_objects.of_kind("ResourceClaim")
    assert devices(made) == []


def test_the_default_scheduler_may_be_named() -> None:
    found = scheduler(*CLUSTER, pod("p", templates={"gpu": "t"}, schedulerName="default-scheduler"))
    assert where(found) == {"p": "node-a"}


@pytest.mark.parametrize(("kube", "node"), [("1.37", None), ("1.38", "node-a")])
def test_the_other_class_of_a_resource_takes_over_since_1_38(kube: str, node: str | None) -> None:
    name = "example.com/gpu"
    classes = [device_class(key, extendedResourceName=name) for key in ("gpu", "other")]
    found = Scheduler([*NODES, *SLICES, *classes], Settings(features(kube), environment(kube)))
    found.settle()
    found.remove(Key("DeviceClass", "", "gpu"))
    found.put(pinned("p", "node-a", container("c", requests={name: "1"})))
    found.settle()
    assert where(found) == {"p": node}
    found.put(classes[1])
    found.settle()
    assert where(found) == {"p": "node-a"}
