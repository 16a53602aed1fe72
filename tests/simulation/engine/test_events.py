"""What can happen to a cluster from outside."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.engine.cluster import Cluster
from dractl.simulation.engine.events import EVENTS
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from tests.rows import each_row
from tests.simulation.build import (
    DRIVER,
    Object,
    allocated,
    claim,
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

POOL = {"driver": DRIVER, "pool": "node-a"}
BASE = [sized_node("node-a"), resource_slice("s", "d0", "d1"), device_class("gpu"), template("t")]


def cluster(*objects: Object) -> Cluster:
    return Cluster([*BASE, *objects], Settings(features(), environment(), evicts=True), is_tended=True)


def user(name: str = "p") -> Object:
    return pod(name, templates={"gpu": "t"})


def problem_of(scene: Cluster, word: str, subject: Any) -> str | None:
    problem = scene.do(word, subject)
    scene.rest()
    return problem


def devices(scene: Cluster) -> dict[str | None, str]:
    return {row.pod: row.device for row in scene.outcome().placements}


def find(scene: Cluster, kind: str, name: str) -> Object:
    namespace = "" if kind in ("Node", "ResourceSlice") else "default"
    found = scene.scheduler.api_objects.get(kind, namespace, name)
    assert found is not None
    return found


@pytest.mark.parametrize("word", ["complete", "fail"])
def test_a_pod_that_ends_frees_its_devices(word: str) -> None:
    scene = cluster(user("p"), user("q"), user("r"))
    assert devices(scene) == {"default/p": "d0", "default/q": "d1"}
    assert problem_of(scene, word, {"name": "p"}) is None
    assert devices(scene) == {"default/q": "d1", "default/r": "d0"}
    phase = find(scene, "Pod", "p")["status"]["phase"]
    assert phase == {"complete": "Succeeded", "fail": "Failed"}[word]


@each_row(
    ("word", "subject", "problem"),
    [
        ("complete", {"name": "x"}, "Pod default/x does not exist"),
        ("terminate", {"name": "x", "namespace": "n"}, "Pod n/x does not exist"),
        ("delete", {"kind": "Node", "name": "x"}, "Node x does not exist"),
        ("timeout", {"name": "p"}, "Pod default/p is not waiting for binding conditions"),
        ("timeout", {"name": "x"}, "Pod default/x does not exist"),
        ("conditions", {"claim": "x"}, "ResourceClaim default/x does not exist"),
        (
            "conditions",
            {"claim": "p-gpu-"},
            "no device of ResourceClaim default/p-gpu has binding conditions",
        ),
        ("cordon", {"node": "x"}, "Node x does not exist"),
        ("drain", {"node": "x"}, "Node x does not exist"),
        ("taint", {"node": "x", "key": "k", "effect": "NoSchedule"}, "Node x does not exist"),
        ("untaint", {"node": "x", "key": "k"}, "Node x does not exist"),
        ("untaint", {"node": "node-a", "key": "k"}, "Node node-a has no such taint"),
        ("withdraw", {**POOL, "pool": "x", "devices": ["d0"]}, f"driver {DRIVER} has no pool x"),
        ("withdraw", {**POOL, "devices": ["d0", "d9"]}, f"pool node-a of driver {DRIVER} has no device d9"),
        (
            "scale",
            {"kind": "Job", "name": "x", "replicas": 1},
            "unknown workload Job/default/x; the input has no workloads",
        ),
    ],
)
def test_what_cannot_be_done_is_reported(word: str, subject: Object, problem: str) -> None:
    scene = cluster(user())
    before = list(scene.scheduler.api_objects)
    assert problem_of(scene, word, subject) == problem
    assert devices(scene) == {"default/p": "d0"}
    if word != "conditions":
        assert list(scene.scheduler.api_objects) == before


def test_a_node_that_is_cordoned_takes_no_pods_and_keeps_its_own() -> None:
    scene = cluster(user("p"))
    problem_of(scene, "cordon", {"node": "node-a"})
    problem_of(scene, "create", user("q"))
    assert devices(scene) == {"default/p": "d0"}
    problem_of(scene, "uncordon", {"node": "node-a"})
    assert devices(scene) == {"default/p": "d0", "default/q": "d1"}


def test_a_drained_node_loses_its_pods_but_for_those_of_daemon_sets() -> None:
    owner = {"kind": "DaemonSet", "name": "agent", "controller": True}
    agent = pod("agent", nodeName="node-a", ownerReferences=[owner])
    agent["metadata"]["ownerReferences"] = [owner]
    scene = cluster(agent, user("p"))
    problem_of(scene, "drain", {"node": "node-a"})
    assert [item.name for item in scene.scheduler.pods()] == ["agent"]
    assert find(scene, "Node", "node-a")["spec"]["unschedulable"] is True


def test_nodes_that_only_slices_name_can_be_drained_too() -> None:
    others = [resource_slice("s", "d0"), resource_slice("z", "d0", pool="node-b"), device_class("gpu")]
    scene = Cluster(others, Settings(features(), environment()), is_tended=True)
    assert problem_of(scene, "cordon", {"node": "node-a"}) is None
    assert [node.name for node in scene.scheduler.nodes] == ["node-a", "node-b"]
    problem_of(scene, "create", template("t"))
    problem_of(scene, "create", user())
    assert [row.node for row in scene.outcome().placements] == ["node-b"]


def test_a_taint_of_a_node_evicts_or_only_keeps_off() -> None:
    scene = cluster(user("p"))
    problem_of(scene, "taint", {"node": "node-a", "key": "k", "value": "v", "effect": "NoSchedule"})
    problem_of(scene, "create", user("q"))
    assert devices(scene) == {"default/p": "d0"}
    problem_of(scene, "taint", {"node": "node-a", "key": "k", "effect": "NoExecute"})
    assert devices(scene) == {}
    assert [(gone.pod, gone.reason) for gone in scene.removals] == [
        ("default/p", "its node node-a has the taint k:NoExecute")
    ]
    assert find(scene, "Node", "node-a")["spec"]["taints"] == [
        {"key": "k", "value": "v", "effect": "NoSchedule"},
        {"key": "k", "effect": "NoExecute"},
    ]
    problem_of(scene, "untaint", {"node": "node-a", "key": "k", "effect": "NoExecute"})
    assert devices(scene) == {}
    problem_of(scene, "untaint", {"node": "node-a", "key": "k"})
    assert devices(scene) == {"default/q": "d0"}


def test_a_taint_of_a_device_evicts_its_pod() -> None:
    scene = cluster(user("p"))
    problem_of(scene, "taintDevice", {**POOL, "device": "d0", "key": "k", "effect": "NoExecute"})
    assert devices(scene) == {}
    assert [gone.reason for gone in scene.removals] == [
        f"its device {DRIVER}/node-a/d0 has the taint k:NoExecute"
    ]
    problem_of(scene, "create", user("q"))
    assert devices(scene) == {"default/q": "d1"}
    problem_of(scene, "untaintDevice", {**POOL, "device": "d0", "key": "k"})
    problem_of(scene, "create", user("r"))
    assert devices(scene) == {"default/q": "d1", "default/r": "d0"}
    assert find(scene, "ResourceSlice", "s")["spec"]["pool"]["generation"] == 3


def test_taints_of_devices_need_their_gate() -> None:
    settings = Settings(features(DRADeviceTaints=False, DRADeviceTaintRules=False), environment())
    scene = Cluster(BASE, settings, is_tended=True)
    problem = problem_of(scene, "taintDevice", {**POOL, "device": "d0", "key": "k", "effect": "NoExecute"})
    assert problem is not None
    assert "DRADeviceTaints is off" in problem


def test_a_device_that_is_withdrawn_is_given_to_nobody_and_taken_from_nobody() -> None:
    scene = cluster(user("p"))
    problem_of(scene, "withdraw", {**POOL, "devices": ["d1"]})
    problem_of(scene, "create", user("q"))
    assert devices(scene) == {"default/p": "d0"}
    problem_of(scene, "withdraw", {**POOL, "devices": ["d0"]})
    assert devices(scene) == {"default/p": "d0"}


def test_a_new_generation_takes_the_place_of_the_older_slices() -> None:
    scene = cluster(user("p"), resource_slice("second", "e0", count=1))
    problem_of(scene, "publish", [resource_slice("one", "d0"), resource_slice("two", "d7")])
    slices = scene.scheduler.api_objects.of_kind("ResourceSlice")
    assert [(item["metadata"]["name"], item["spec"]["pool"]) for item in slices] == [
        ("one", {"name": "node-a", "generation": 2, "resourceSliceCount": 2}),
        ("two", {"name": "node-a", "generation": 2, "resourceSliceCount": 2}),
    ]
    problem_of(scene, "create", user("q"))
    assert devices(scene) == {"default/p": "d0", "default/q": "d7"}
    problem_of(scene, "publish", [resource_slice("one", "d0", generation=9)])
    assert find(scene, "ResourceSlice", "one")["spec"]["pool"]["generation"] == 9


CONDITIONAL = {
    "bindsToNode": True,
    "bindingConditions": ["Ready"],
    "bindingFailureConditions": ["Broken"],
}


def waiting() -> Cluster:
    devices = [{"name": "d0", **CONDITIONAL}]
    objects = [BASE[0], resource_slice("s", *devices), *BASE[2:], user("p")]
    scene = Cluster(objects, Settings(features(), environment()), is_tended=True)
    assert [row.category for row in scene.outcome().pending] == ["waiting"]
    return scene


def test_binding_conditions_come_true_or_fail() -> None:
    scene = waiting()
    assert problem_of(scene, "conditions", {"claim": "p-gpu", "conditions": {"Ready": "False"}}) is None
    assert [row.category for row in scene.outcome().pending] == ["waiting"]
    problem_of(scene, "conditions", {"claim": "p-gpu", "conditions": {"Ready": "True"}})
    assert scene.outcome().ok
    assert find(scene, "Pod", "p")["spec"]["nodeName"] == "node-a"
    scene = waiting()
    problem_of(scene, "conditions", {"claim": "p-gpu", "conditions": {"Broken": "True"}})
    # The allocation is given up, and the same device is chosen anew.
    assert [row.category for row in scene.outcome().pending] == ["waiting"]
    assert "devices" not in find(scene, "ResourceClaim", "p-gpu")["status"]


def test_a_pod_whose_time_for_binding_is_over_starts_again() -> None:
    scene = waiting()
    problem_of(scene, "withdraw", {**POOL, "devices": ["d0"]})
    assert problem_of(scene, "timeout", {"name": "p"}) is None
    assert [row.category for row in scene.outcome().pending] == ["no-devices"]
    assert "status" not in find(scene, "ResourceClaim", "p-gpu")


def test_a_claim_with_a_user_outside_stays_his() -> None:
    users = [{"resource": "pods", "name": "elsewhere", "uid": "u"}]
    scene = cluster(allocated(claim("c"), result("d0"), reservedFor=users), user("p"))
    assert devices(scene) == {None: "d0", "default/p": "d1"}


def test_an_update_without_status_keeps_the_status() -> None:
    before: dict[str, Any] = pod("p", status={"phase": "Pending", "resourceClaimStatuses": [{"name": "e"}]})
    for status, expected in ((None, before["status"]), ({"phase": "Failed"}, {"phase": "Failed"})):
        scheduler = Scheduler([before], Settings(features(), environment()))
        item = pod("p") if status is None else {**pod("p"), "status": status}
        assert EVENTS["update"](scheduler, item) is None
        assert [found.status for found in scheduler.pods()] == [expected]
