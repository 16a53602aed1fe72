"""The pods that workloads would make."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import budgets
from dractl.cluster.objects import Objects, name_of
from dractl.cluster.workload_pods import Expanded, with_pods
from tests.rows import each_row

NODES = ("node-a", "node-b")


def workload(kind: str, name: str = "web", **spec: Any) -> dict[str, Any]:
    pod_template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main"}]}}
    return {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "ns"},
        "spec": {"template": pod_template, **spec},
    }


def expanded(*objects: dict[str, Any], accepts: Any = lambda _pod, _node: True) -> Expanded:
    return with_pods(Objects(objects), NODES, accepts)


def pod_names(*objects: dict[str, Any]) -> list[str]:
    return [name_of(item) for item in expanded(*objects).objects if item["kind"] == "Pod"]


@each_row(
    ("item", "expected"),
    [
        (workload("Deployment", replicas=2), ["web-0", "web-1"]),
        (workload("ReplicaSet"), ["web-0"]),
        (workload("ReplicationController", replicas=0), []),
        (workload("StatefulSet", replicas=2, ordinals={"start": 5}), ["web-5", "web-6"]),
        (workload("Job"), ["web-0"]),
        (workload("Job", parallelism=3, completions=2), ["web-0", "web-1"]),
        (workload("Job", parallelism=3), ["web-0", "web-1", "web-2"]),
        (workload("Job", suspend=True), []),
        (workload("DaemonSet"), ["web-node-a", "web-node-b"]),
        (workload("Deployment", replicas=-3), []),
    ],
)
def test_a_workload_makes_pods_with_fixed_names(item: dict[str, Any], expected: list[str]) -> None:
    assert pod_names(item) == expected


def test_a_cron_job_runs_once() -> None:
    job = workload("Job", parallelism=2)["spec"]
    cron = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly"}}
    assert pod_names({**cron, "spec": {"jobTemplate": {"spec": job}}}) == ["nightly-0", "nightly-1"]
    assert pod_names({**cron, "spec": {"suspend": True, "jobTemplate": {"spec": job}}}) == []


def test_a_pod_carries_labels_owner_and_namespace() -> None:
    made = expanded(workload("Deployment")).objects[1]
    assert made["metadata"] == {
        "labels": {"app": "web"},
        "name": "web-0",
        "namespace": "ns",
        "ownerReferences": [
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": "web",
                "uid": "250c4986-6294-4c6d-8e2d-1ca0fd411afc",
                "controller": True,
            }
        ],
    }
    assert made["spec"] == {"containers": [{"name": "main"}]}


def test_pods_follow_their_workload() -> None:
    first, second = workload("Deployment", "a"), workload("Deployment", "b")
    assert [name_of(item) for item in expanded(first, second).objects] == ["a", "a-0", "b", "b-0"]


def test_pods_that_are_there_already_are_not_made_again() -> None:
    web = workload("Deployment", replicas=3)
    first, second = expanded(web).objects[1:3]
    assert pod_names(web, first, second) == ["web-2", "web-0", "web-1"]
    assert pod_names(web, *expanded(web).objects[1:]) == ["web-0", "web-1", "web-2"]


def test_a_workload_whose_child_is_there_leaves_the_pods_to_it() -> None:
    child = workload("ReplicaSet", "web-abc", replicas=1)
    owner = {"kind": "Deployment", "name": "web", "controller": True}
    child["metadata"]["ownerReferences"] = [owner]
    assert pod_names(workload("Deployment", replicas=5), child) == ["web-abc-0"]


def test_a_daemon_pod_is_bound_to_its_node_and_tolerates_its_troubles() -> None:
    preferred = [{"weight": 1, "preference": {}}]
    item = workload("DaemonSet")
    item["spec"]["template"]["spec"] = {
        "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}},
        "tolerations": [{"key": "mine", "operator": "Exists"}],
    }
    made = expanded(item).objects[2]
    affinity = made["spec"]["affinity"]["nodeAffinity"]
    assert affinity["requiredDuringSchedulingIgnoredDuringExecution"] == {
        "nodeSelectorTerms": [
            {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-b"]}]}
        ]
    }
    assert affinity["preferredDuringSchedulingIgnoredDuringExecution"] == preferred
    keys = [toleration["key"] for toleration in made["spec"]["tolerations"]]
    assert keys[0] == "mine"
    assert "node.kubernetes.io/unschedulable" in keys


def test_a_daemon_set_makes_pods_only_for_nodes_that_take_them() -> None:
    found = expanded(workload("DaemonSet"), accepts=lambda _pod, name: name == "node-b")
    assert [name_of(item) for item in found.objects] == ["web", "web-node-b"]


def test_a_workload_of_very_many_pods_is_cut_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "PODS_PER_WORKLOAD", budgets.PODS_PER_WORKLOAD._replace(value=2))
    found = expanded(workload("Deployment", replicas=10**12))
    assert len(found.objects) == 3
    ((item, reason),) = found.left_out
    assert name_of(item) == "web"
    assert reason == ("it has 1,000,000,000,000 pods; dractl simulates 2 of them (at most 2 per workload)")


def pod_of(kind: str, name: str, *, node: str = "", **status: Any) -> dict[str, Any]:
    owner = {"kind": kind, "name": "web", "controller": True}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "ns", "ownerReferences": [owner]},
        "spec": {"nodeName": node} if node else {},
        "status": status,
    }


def made(*objects: dict[str, Any]) -> list[str]:
    """The pods that are there only after the workloads have made theirs."""
    given = {name_of(item) for item in objects}
    return [name for name in pod_names(*objects) if name not in given]


def test_a_stateful_set_makes_the_ordinals_that_are_missing() -> None:
    web = workload("StatefulSet", replicas=3)
    assert made(web, pod_of("StatefulSet", "web-1")) == ["web-0", "web-2"]


def test_a_daemon_set_makes_pods_for_the_nodes_without_one() -> None:
    web = workload("DaemonSet")
    assert made(web, pod_of("DaemonSet", "web-x7f2k", node="node-a")) == ["web-node-b"]
    assert made(web, expanded(web).objects[2]) == ["web-node-a"]


def test_pods_that_have_ended_or_are_asked_to_are_replaced() -> None:
    web = workload("ReplicaSet", replicas=2)
    ending = pod_of("ReplicaSet", "web-1", node="n")
    ending["metadata"]["deletionTimestamp"] = "2024-01-01T00:00:00Z"
    assert made(web, pod_of("ReplicaSet", "web-0", phase="Failed"), ending) == ["web-2", "web-3"]


@each_row(
    ("spec", "phases", "expected"),
    [
        ({"parallelism": 2, "completions": 3}, ["Succeeded", "Succeeded"], 1),
        ({"parallelism": 2, "completions": 2}, ["Succeeded", "Succeeded"], 0),
        ({"parallelism": 2, "completions": 3}, ["Succeeded", "Running"], 1),
        ({"parallelism": 2}, ["Succeeded", "Running"], 0),
        ({"parallelism": 2}, ["Failed", "Running"], 1),
        ({"parallelism": 2, "backoffLimit": 1}, ["Failed", "Failed"], 0),
        ({"parallelism": 2, "backoffLimit": 2}, ["Failed", "Failed"], 2),
    ],
)
def test_a_job_stops_at_its_completions_or_at_its_failures(
    spec: dict[str, Any], phases: list[str], expected: int
) -> None:
    pods = [pod_of("Job", f"web-{number}", phase=phase) for number, phase in enumerate(phases)]
    assert len(made(workload("Job", **spec), *pods)) == expected


def test_a_name_that_another_pod_has_is_not_given_again() -> None:
    stranger = pod_of("Job", "web-0")
    assert made(workload("Deployment", replicas=1), stranger) == ["web-1"]


@pytest.mark.parametrize("condition", ["Complete", "Failed"])
def test_a_finished_job_makes_no_pods(condition: str) -> None:
    def job(status: str) -> dict[str, Any]:
        conditions = [{"type": "Suspended", "status": "False"}, {"type": condition, "status": status}]
        return {**workload("Job"), "status": {"conditions": conditions}}

    assert pod_names(job("True")) == []
    assert pod_names(job("False")) == ["web-0"]


def of_job(name: str, phase: str) -> dict[str, Any]:
    owner = {"kind": "Job", "name": "web", "controller": True}
    metadata = {"name": name, "namespace": "ns", "ownerReferences": [owner]}
    return {"kind": "Pod", "metadata": metadata, "spec": {}, "status": {"phase": phase}}


def test_a_job_counts_pods_that_are_gone() -> None:
    job = workload("Job", parallelism=2, completions=3)
    running = of_job("web-x", "Running")
    assert pod_names({**job, "status": {"succeeded": 2}}, running) == ["web-x"]
    assert pod_names({**job, "status": {"succeeded": 1}}, running) == ["web-1", "web-x"]
    # The status counts the pod that is still there, too.
    done = of_job("web-y", "Succeeded")
    assert pod_names({**job, "status": {"succeeded": 1}}, running, done) == ["web-0", "web-x", "web-y"]
    assert pod_names({**workload("Job", backoffLimit=1), "status": {"failed": 2}}) == []


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
@pytest.mark.parametrize(
    ("kind", "name", "after"),
    [
        ("StatefulSet", "web-1", ["web-0", "web-1"]),
        ("StatefulSet", "web-7", ["web-0", "web-1"]),
        ("DaemonSet", "web-node-a", ["web-node-a", "web-node-b"]),
        ("DaemonSet", "web-zzzzz", ["web-node-a", "web-node-b"]),
        ("ReplicaSet", "web-1", ["web-0", "web-2", "web-1"]),
    ],
)
def test_some_workloads_replace_pods_that_have_ended(
    kind: str, name: str, phase: str, after: list[str]
) -> None:
    ended = of_job(name, phase)
    ended["metadata"]["ownerReferences"][0]["kind"] = kind
    assert pod_names(workload(kind, replicas=2), ended) == after
    leaving = {**ended, "metadata": {**ended["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    assert name in pod_names(workload(kind, replicas=2), leaving)
    assert pod_names(ended) == [name]


@pytest.mark.parametrize(
    ("item", "field"),
    [
        (workload("StatefulSet", replicas=-1), "spec.replicas"),
        (workload("Job", parallelism=-2), "spec.parallelism"),
        (workload("Job", completions=-1), "spec.completions"),
    ],
)
def test_a_negative_number_of_pods_is_reported(item: dict[str, Any], field: str) -> None:
    assert pod_names(item) == []
    assert expanded(item).left_out == [(item, f"{field} is negative, which the API server rejects")]


def test_a_cron_job_may_have_a_negative_number_too() -> None:
    cron = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "nightly"}}
    item = {**cron, "spec": {"jobTemplate": workload("Job", parallelism=-1)}}
    ((_, reason),) = expanded(item).left_out
    assert reason == "spec.jobTemplate.spec.parallelism is negative, which the API server rejects"
