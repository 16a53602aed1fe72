"""What others hold: pods that end or move, claims without a pod."""

from __future__ import annotations

from tests.explanation.small_worlds import Object, device_class, node, pod, slice_of, template, ways, world_of


def held(name: str, device: str, users: list[Object]) -> Object:
    """A claim with a device of node a."""
    results = [{"request": "r0", "driver": "gpu.example.com", "pool": "a", "device": device}]
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}]
    allocation = {"devices": {"results": results}, "nodeSelector": {"nodeSelectorTerms": terms}}
    made = template(name)
    return {
        **made,
        "kind": "ResourceClaim",
        "spec": made["spec"]["spec"],
        "status": {"allocation": allocation, "reservedFor": users},
    }


def early(name: str, count: int = 1, priority: int = 0) -> list[Object]:
    return [template(name, {"count": count}), pod(name, priority=priority)]


def test_the_pod_of_the_lowest_priority_ends() -> None:
    cluster = [
        node(),
        slice_of(count=2),
        device_class(),
        *early("high", priority=9),
        *early("low", priority=1),
    ]
    assert ways(*cluster, template("late"), pod(), only="free") == ["end pod default/low: fits on a"]


def test_one_pod_ends_rather_than_two() -> None:
    cluster = [node(), slice_of(count=4), device_class(), *early("b", 2), *early("c"), *early("d")]
    assert ways(*cluster, template("late", {"count": 2}), pod(), only="free") == [
        "end pod default/b: fits on a"
    ]


def test_as_many_pods_end_as_needed() -> None:
    cluster = [node(), slice_of(count=2), device_class(), *early("b"), *early("c")]
    found = ways(*cluster, template("late", {"count": 2}), pod(), only="free")
    assert found == ["end 2 pods default/b, default/c: fits on a"]


def test_a_claim_whose_pod_is_gone_is_freed_first() -> None:
    user = {"resource": "pods", "name": "gone", "uid": "00000000-0000-4000-8000-000000000000"}
    cluster = [node(), slice_of(count=2), device_class(), held("leaked", "g0", [user]), *early("b")]
    assert ways(*cluster, template("late"), pod(), only="free") == [
        "free claim default/leaked, which no pod of the input uses: fits on a"
    ]


def test_nothing_ends_where_a_pod_can_move() -> None:
    """Node a has two devices, each with a pod; node b has one that is free."""
    cluster = [node(), slice_of(count=2), device_class(), *early("b"), node("b"), slice_of("b")]
    placed = [*cluster[:3], *early("b"), node("b"), slice_of("b")]
    found = ways(*placed, template("late", {"count": 2}), pod(), only="free")
    assert found == ["restart pod default/b, which then goes to b: fits on a"]


def test_nothing_that_ends_helps_a_pod_that_never_fits() -> None:
    cluster = [node(), slice_of(), device_class(), *early("b")]
    assert ways(*cluster, template("late", {"count": 2}), pod(), only="free") == []


def test_a_claim_and_a_pod_are_told_apart() -> None:
    cluster = [node(), slice_of(count=2), device_class(), held("leaked", "g0", []), *early("b")]
    found = ways(*cluster, template("late", {"count": 2}), pod(), only="free")
    assert found == [
        "free claim default/leaked, which no pod of the input uses, and end pod default/b: fits on a"
    ]


def test_a_pod_that_is_being_deleted_needs_only_patience() -> None:
    cluster = [node(), slice_of(count=2), device_class(), *early("b"), *early("c", priority=5)]
    placed = list(world_of(*cluster, template("late"), pod()).objects.values())
    for item in placed:
        if item["kind"] == "Pod" and item["metadata"]["name"] == "c":
            item["metadata"] = {**item["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}
    found = ways(*placed, only="free")
    assert found == ["wait until pod default/c, which is being deleted, ends: fits on a"]
