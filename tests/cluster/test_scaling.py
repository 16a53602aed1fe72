"""Workloads with another number of pods."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api.json_types import Object
from dractl.cluster.objects import Objects, name_of
from dractl.cluster.scaling import ScaleError, scaled
from dractl.cluster.workload_pods import with_pods
from tests.rows import each_row


def workload(kind: str, name: str = "web", namespace: str = "ns", **spec: Any) -> Object:
    return {"kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def pod(name: str, owner: Object, *, node: str = "", **status: Any) -> Object:
    reference = {"kind": owner["kind"], "name": name_of(owner), "controller": True}
    metadata = {"name": name, "namespace": "ns", "ownerReferences": [reference]}
    return {
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"nodeName": node} if node else {},
        "status": status,
    }


def names(objects: list[Object], kind: str = "Pod") -> list[str]:
    return [name_of(item) for item in objects if item["kind"] == kind]


@each_row("name", ["web", "ns/web", "Deployment/web", "Deployment/ns/web"])
def test_a_workload_is_found_by_any_of_its_names(name: str) -> None:
    (found,) = scaled([workload("Deployment", replicas=1)], {name: 3})
    assert found["spec"] == {"replicas": 3}


@each_row(
    ("kind", "before", "after"),
    [
        ("StatefulSet", {}, {"replicas": 3}),
        ("ReplicationController", {"replicas": 9}, {"replicas": 3}),
        ("Job", {"parallelism": 1}, {"parallelism": 3}),
        ("Job", {"completions": 2}, {"parallelism": 3, "completions": 3}),
        ("Job", {"completions": 8}, {"parallelism": 3, "completions": 8}),
        (
            "CronJob",
            {"schedule": "x", "jobTemplate": {"spec": {"completions": 1}}},
            {"schedule": "x", "jobTemplate": {"spec": {"parallelism": 3, "completions": 3}}},
        ),
    ],
)
def test_each_kind_keeps_its_number_where_it_does(
    kind: str, before: dict[str, Any], after: dict[str, Any]
) -> None:
    given = workload(kind, **before)
    (found,) = scaled([given], {"web": 3})
    assert found["spec"] == after
    assert given["spec"] == before


def test_a_daemon_set_has_no_replicas() -> None:
    with pytest.raises(ScaleError, match="one pod per node and no replicas"):
        scaled([workload("DaemonSet")], {"web": 2})


@pytest.mark.parametrize("kind", ["Job", "CronJob"])
def test_what_is_suspended_makes_no_pods(kind: str) -> None:
    with pytest.raises(ScaleError, match=f"{kind} ns/web is suspended and creates no pods"):
        scaled([workload(kind, suspend=True)], {"web": 1})
    assert len(scaled([workload(kind, suspend=True)], {"web": 0})) == 1
    assert len(scaled([workload(kind, suspend=False)], {"web": 1})) == 1


def test_a_name_that_nothing_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(ScaleError, match=r"unknown workload api; the input has ns/web$"):
        scaled([workload("Deployment"), pod("api", workload("Job"))], {"api": 1})
    with pytest.raises(ScaleError, match="the input has no workloads"):
        scaled([], {"api": 1})


def test_a_name_that_several_have_is_refused() -> None:
    both = [workload("Deployment"), workload("StatefulSet")]
    with pytest.raises(ScaleError, match="web is ambiguous; use Deployment/ns/web, StatefulSet/ns/web"):
        scaled(both, {"web": 1})
    assert [item["spec"] for item in scaled(both, {"StatefulSet/web": 1})] == [{}, {"replicas": 1}]
    elsewhere = [workload("Job"), workload("Job", namespace="other")]
    assert [item["spec"] for item in scaled(elsewhere, {"other/web": 2})] == [{}, {"parallelism": 2}]


def test_the_newest_replica_set_of_a_deployment_is_scaled_with_it() -> None:
    web = workload("Deployment", replicas=2)
    sets = [workload("ReplicaSet", f"web-{number}", replicas=0) for number in (1, 2)]
    for number, item in enumerate(sets, 1):
        item["metadata"] |= pod("", web)["metadata"] | {
            "name": f"web-{number}",
            "annotations": {"deployment.kubernetes.io/revision": str(number)},
        }
    found = scaled([web, *sets], {"web": 5})
    assert [item["spec"]["replicas"] for item in found] == [5, 0, 5]


@each_row(
    ("images", "created", "expected"),
    [
        (("a", "b"), ("2", "1"), [5, 2]),
        (("b", "a"), ("1", "2"), [0, 5]),
        (("a", "a"), ("2", "1"), [0, 5]),
        (("b", "c"), ("1", "2"), [0, 5]),
        (("b", "c"), ("2", "1"), [5, 2]),
        (("a", "a"), ("1", "1"), [0, 5]),
        (("b", "c"), ("1", "1"), [0, 5]),
    ],
)
def test_the_replica_set_with_the_template_of_its_deployment_is_scaled(
    images: tuple[str, str], created: tuple[str, str], expected: list[int]
) -> None:
    def template(image: str, **labels: str) -> dict[str, Any]:
        return {"metadata": {"labels": {"app": "web", **labels}}, "spec": {"containers": [{"image": image}]}}

    web = workload("Deployment", replicas=2, template=template("a"))
    sets = []
    for number, (image, time) in enumerate(zip(images, created, strict=True)):
        spec: dict[str, Any] = {
            "replicas": 0 if number == 0 else 2,
            "template": template(image, **{"pod-template-hash": image}),
        }
        item = workload("ReplicaSet", f"web-{number}", **spec)
        item["metadata"] |= {
            "ownerReferences": pod("", web)["metadata"]["ownerReferences"],
            "creationTimestamp": f"2026-01-0{time}T00:00:00Z",
        }
        sets.append(item)
    found = scaled([web, *sets], {"web": 5})
    assert [item["spec"]["replicas"] for item in found[1:]] == expected


def test_pods_without_a_node_go_first_and_then_the_youngest() -> None:
    web = workload("ReplicaSet", replicas=4)
    pods = [pod("a", web, node="n"), pod("b", web), pod("c", web, node="n"), pod("d", web, node="n")]
    assert names(scaled([web, *pods], {"web": 3})) == ["a", "c", "d"]
    assert names(scaled([web, *pods], {"web": 1})) == ["a"]
    assert names(scaled([web, *pods], {"web": 0})) == []


def test_a_stateful_set_gives_up_its_highest_ordinals() -> None:
    web = workload("StatefulSet", replicas=3)
    pods = [pod(f"web-{number}", web, node="n" if number else "") for number in (10, 0, 9)]
    assert names(scaled([web, *pods], {"web": 2})) == ["web-0", "web-9"]


def test_finished_pods_are_not_among_those_too_many() -> None:
    web = workload("ReplicaSet", replicas=1)
    pods = [pod("a", web, phase="Failed"), pod("b", web, node="n")]
    assert names(scaled([web, *pods], {"web": 1})) == ["a", "b"]


def test_more_replicas_make_more_pods() -> None:
    web = workload("Deployment", replicas=1, template={})
    assert names(with_pods(Objects(scaled([web], {"web": 3})), [], lambda *_: True).objects) == [
        "web-0",
        "web-1",
        "web-2",
    ]
