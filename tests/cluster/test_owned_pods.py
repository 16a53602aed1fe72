"""The pods that workloads own."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects, name_of
from dractl.cluster.owned_pods import ended_pods, outlived, owned_pods, tallied

JOB = {"kind": "Job", "metadata": {"name": "web", "namespace": "ns"}, "spec": {}}


def owned(name: str, phase: str, kind: str = "Job", **metadata: Any) -> dict[str, Any]:
    owner = {"kind": kind, "name": "web", "controller": True}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": "ns", "ownerReferences": [owner], **metadata},
        "status": {"phase": phase},
    }


def test_the_status_of_a_job_counts_its_ended_pods() -> None:
    assert tallied(JOB, []) is JOB
    assert tallied(JOB, [owned("a", "Succeeded")])["status"] == {"succeeded": 1}
    counted = {**JOB, "status": {"succeeded": 3, "failed": 1}}
    assert tallied(counted, [owned("a", "Succeeded"), owned("b", "Failed")]) is counted
    fresh = [owned("c", "Succeeded"), owned("d", "Failed")]
    assert tallied(counted, [owned("a", "Succeeded")], fresh)["status"] == {"succeeded": 4, "failed": 2}


def test_terminating_and_ended_pods_are_not_active() -> None:
    pods = [
        owned("a", "Running"),
        owned("b", "Pending", deletionTimestamp="2026-01-01T00:00:00Z"),
        owned("c", "Succeeded"),
        owned("d", "Failed"),
    ]
    (found,) = owned_pods(Objects(pods)).values()
    assert [name_of(pod) for pod in found.active] == ["a"]
    assert (found.succeeded, found.failed, found.vanished) == (1, 1, 0)


def test_an_owner_that_is_not_the_controller_does_not_count() -> None:
    pod = owned("a", "Running")
    pod["metadata"]["ownerReferences"][0]["controller"] = False
    assert owned_pods(Objects([pod])) == {}


def test_only_pods_of_jobs_count_as_ended_pods() -> None:
    objects = Objects([JOB, owned("a", "Failed"), owned("b", "Running"), owned("c", "Failed", "ReplicaSet")])
    assert [(name_of(job), list(map(name_of, pods))) for job, pods in ended_pods(objects)] == [("web", ["a"])]


def test_an_ended_pod_is_replaced_only_while_its_workload_exists() -> None:
    workload = {"kind": "StatefulSet", "metadata": {"name": "web", "namespace": "ns"}, "spec": {}}
    pod = owned("web-0", "Failed", "StatefulSet")
    assert outlived(Objects([pod])) == []
    assert list(map(name_of, outlived(Objects([workload, pod])))) == ["web-0"]
