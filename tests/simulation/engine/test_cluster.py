"""A cluster that is tended: kubelets end pods, controllers make them."""

from __future__ import annotations

from typing import Any

from dractl.simulation.engine.cluster import Cluster
from dractl.simulation.engine.settings import Settings
from tests.simulation.build import (
    DRIVER,
    Object,
    device_class,
    environment,
    features,
    pod,
    resource_slice,
    sized_node,
    taint_rule,
    template,
)

BASE = [
    sized_node("node-a"),
    sized_node("node-b"),
    resource_slice("a", "d0", "d1"),
    resource_slice("b", "d0", "d1", pool="node-b"),
    device_class("gpu"),
    template("t"),
]


def workload(kind: str = "Deployment", name: str = "web", **spec: Any) -> Object:
    made_of = {"metadata": {}, "spec": pod("x", templates={"gpu": "t"})["spec"]}
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": {"template": made_of, **spec},
    }


def cluster(*objects: Object, is_tended: bool = True) -> Cluster:
    settings = Settings(features(), environment(), evicts=True)
    return Cluster([*BASE, *objects], settings, is_tended=is_tended)


def places(scene: Cluster) -> dict[str, str | None]:
    return {item.name: item.node for item in scene.scheduler.pods()}


def after(scene: Cluster, word: str, subject: Any) -> dict[str, str | None]:
    assert scene.do(word, subject) is None
    scene.rest()
    return places(scene)


def test_a_workload_makes_its_pods_and_replaces_those_that_are_gone() -> None:
    scene = cluster(workload(replicas=2))
    assert places(scene) == {"web-0": "node-a", "web-1": "node-b"}
    assert after(scene, "delete", {"kind": "Pod", "name": "web-1"}) == {"web-0": "node-a", "web-1": "node-b"}
    assert after(scene, "drain", {"node": "node-b"}) == {"web-0": "node-a", "web-1": "node-a"}


def test_an_untended_cluster_makes_and_ends_nothing() -> None:
    scene = cluster(workload(replicas=2), pod("p"), is_tended=False)
    assert places(scene) == {"p": "node-a"}
    assert after(scene, "terminate", {"name": "p"}) == {"p": "node-a"}


def test_a_workload_is_scaled_up_and_down() -> None:
    scene = cluster(workload(replicas=1))
    grown = after(scene, "scale", {"kind": "Deployment", "name": "web", "replicas": 3})
    assert list(grown) == ["web-0", "web-1", "web-2"]
    assert list(after(scene, "scale", {"kind": "Deployment", "name": "web", "replicas": 1})) == ["web-0"]


def test_a_workload_takes_its_pods_with_it() -> None:
    scene = cluster(workload("Job", parallelism=2), pod("other"))
    assert list(after(scene, "delete", {"kind": "Job", "name": "web"})) == ["other"]


def test_a_job_makes_pods_until_it_is_complete() -> None:
    scene = cluster(workload("Job", parallelism=1, completions=2))
    assert list(after(scene, "complete", {"name": "web-0"})) == ["web-0", "web-1"]
    assert list(after(scene, "complete", {"name": "web-1"})) == ["web-0", "web-1"]


def test_a_job_that_fails_too_often_stops() -> None:
    scene = cluster(workload("Job", parallelism=2, backoffLimit=0))
    assert list(after(scene, "fail", {"name": "web-0"})) == ["web-0"]
    assert [gone.pod for gone in scene.removals] == ["default/web-1"]


def test_a_daemon_set_follows_the_nodes() -> None:
    scene = cluster(workload("DaemonSet"))
    assert places(scene) == {"web-node-a": "node-a", "web-node-b": "node-b"}
    assert after(scene, "delete", {"kind": "Node", "name": "node-b"}) == {"web-node-a": "node-a"}
    assert after(scene, "create", sized_node("node-b")) == {"web-node-a": "node-a", "web-node-b": "node-b"}


def test_a_node_takes_its_pods_and_its_slices_with_it() -> None:
    owned = resource_slice("owned", "n0", driver="nic.example.com")
    owned["metadata"]["ownerReferences"] = [{"kind": "Node", "name": "node-a", "controller": True}]
    scene = cluster(owned, pod("p", templates={"gpu": "t"}))
    assert after(scene, "delete", {"kind": "Node", "name": "node-a"}) == {}
    names = [item["metadata"]["name"] for item in scene.scheduler.api_objects.of_kind("ResourceSlice")]
    assert names == ["a", "b"]


def test_a_pod_that_was_ending_from_the_start_keeps_its_devices() -> None:
    ending = pod("p", templates={"gpu": "t"}, nodeName="node-a")
    ending["metadata"]["deletionTimestamp"] = "2024-01-01T00:00:00Z"
    scene = cluster(ending)
    assert "p" in after(scene, "create", pod("q"))


def test_a_pod_that_is_made_again_takes_no_device_that_evicted_it() -> None:
    scene = cluster(workload(replicas=2))
    rule = taint_rule("r", {"driver": DRIVER, "pool": "node-b", "device": "d0"}, effect="NoExecute")
    assert after(scene, "create", rule) == {"web-0": "node-a", "web-1": "node-b"}
    rows = {(row.pod, row.node, row.device) for row in scene.outcome().placements}
    assert rows == {("default/web-0", "node-a", "d0"), ("default/web-1", "node-b", "d1")}
    assert [gone.pod for gone in scene.removals] == ["default/web-1"]


def test_why_pods_had_to_end() -> None:
    scene = cluster(workload(replicas=2), pod("p"))
    drained = {f"default/{name}" for name, node in places(scene).items() if node == "node-b"}
    after(scene, "drain", {"node": "node-b"})
    assert {(gone.pod, gone.reason) for gone in scene.removals} == {
        (name, "its node was drained") for name in drained
    }
    scene.removals.clear()
    after(scene, "delete", {"kind": "Pod", "name": "p"})
    after(scene, "complete", {"name": "web-0"})
    assert [(gone.pod, gone.reason) for gone in scene.removals] == [("default/p", "it was deleted")]


def status_of(scene: Cluster, kind: str, name: str = "web") -> Any:
    found = scene.scheduler.api_objects.get(kind, "default", name)
    return None if found is None else found.get("status")


def test_a_job_does_not_repeat_what_was_done_by_pods_that_are_gone() -> None:
    scene = cluster(workload("Job", parallelism=1, completions=2))
    assert list(after(scene, "complete", {"name": "web-0"})) == ["web-0", "web-1"]
    assert list(after(scene, "delete", {"kind": "Pod", "name": "web-0"})) == ["web-1"]
    assert status_of(scene, "Job") == {"succeeded": 1}
    assert list(after(scene, "delete", {"kind": "Pod", "name": "web-1"})) == ["web-1"]
    after(scene, "complete", {"name": "web-1"})
    assert status_of(scene, "Job") == {"succeeded": 2}
    assert after(scene, "delete", {"kind": "Pod", "name": "web-1"}) == {}


def test_a_job_counts_the_pods_of_a_node_that_goes() -> None:
    scene = cluster(workload("Job", parallelism=1, completions=2))
    after(scene, "complete", {"name": "web-0"})
    assert after(scene, "delete", {"kind": "Node", "name": "node-a"}) == {"web-1": "node-b"}
    assert after(scene, "complete", {"name": "web-1"}) == {"web-1": "node-b"}


def test_a_job_knows_from_the_start_which_pods_have_ended() -> None:
    done = pod("web-7")
    done["metadata"]["ownerReferences"] = [{"kind": "Job", "name": "web", "controller": True}]
    done["status"] = {"phase": "Succeeded"}
    scene = cluster(workload("Job", completions=1), done)
    assert after(scene, "delete", {"kind": "Pod", "name": "web-7"}) == {}
    assert status_of(scene, "Job") == {"succeeded": 1}


def test_a_stateful_set_replaces_a_pod_that_has_ended() -> None:
    scene = cluster(workload("StatefulSet", replicas=2))
    assert after(scene, "fail", {"name": "web-1"}) == {"web-0": "node-a", "web-1": "node-b"}
    assert "Failed" not in [pod.status.get("phase") for pod in scene.scheduler.pods()]
    assert [(gone.pod, gone.reason) for gone in scene.removals] == [
        ("default/web-1", "its workload replaces pods that have ended")
    ]
    assert list(after(scene, "scale", {"kind": "StatefulSet", "name": "web", "replicas": 1})) == ["web-0"]


def on_node(name: str, node: str) -> Object:
    made = pod(name)
    return {**made, "spec": {**made["spec"], "nodeName": node}}


def test_a_pod_that_comes_to_a_node_that_is_not_there_goes() -> None:
    scene = cluster(on_node("old", "node-x"))
    assert after(scene, "create", on_node("new", "node-y")) == {"old": "node-x"}
    assert [(gone.pod, gone.reason) for gone in scene.removals] == [
        ("default/new", "Node node-y does not exist")
    ]
    assert after(scene, "create", on_node("other", "node-a")) == {"old": "node-x", "other": "node-a"}
