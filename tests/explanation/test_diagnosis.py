"""Causes by group of nodes: what is told of each, in which order, and who holds what."""

from __future__ import annotations

from typing import Any

import dractl
from dractl.explanation.model import (
    BUSY,
    NEVER,
    CapacityShort,
    ClaimElsewhere,
    ConstraintUnmet,
    CounterShort,
    DeviceTainted,
    Explanation,
    InUse,
    NodeRefuses,
    NodeShort,
    NoDevices,
    NotSelected,
    Other,
    TooFew,
)
from tests.explanation.explained import explained
from tests.simulation.build import (
    Object,
    allocated,
    body,
    claim,
    container,
    device,
    device_class,
    exactly,
    first_of,
    node,
    pod,
    resource_slice,
    result,
    sharing,
    sized_node,
    template,
)

A, B = "node-a", "node-b"
TAINT = {"key": "example.com/sick", "value": "x", "effect": "NoSchedule"}


def waiting(*requests: Object, **devices: Any) -> list[Object]:
    """A pod with a claim of its own for these requests."""
    return [claim("late", *requests, **devices), pod("late", claims={"gpu": "late"})]


def held(name: str, *, request: str = "gpu", user: str = "early") -> Object:
    """A claim that has a device of node-a."""
    users = [{"resource": "pods", "name": user, "uid": f"uid-{user}"}]
    return allocated(claim(f"of-{name}"), result(name, request=request), node_name=A, reservedFor=users)


def running(name: str, **more: Any) -> Object:
    return pod(name, nodeName=A, metadata={"uid": f"uid-{name}", **more})


def steps(explanation: Explanation) -> list[tuple[str, int]]:
    return [(step.step, step.left) for step in explanation.groups[0].funnel]


def test_devices_in_use_are_told_with_their_pods() -> None:
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", "g0", "g1"),
            running("early", deletionTimestamp="2026-01-01T00:00:00Z"),
            held("g0"),
            held("g1", user="gone"),
            *waiting(exactly("gpu")),
        ]
    )
    (group,) = found.groups
    (cause,) = group.causes
    assert isinstance(cause, InUse)
    assert found.when == BUSY
    assert found.fits_empty == (A,)
    assert cause.devices == 2
    pods = {holder.claim: holder.pods[0] for holder in cause.holders}
    assert pods["default/of-g0"].is_deleting
    assert pods["default/of-g0"].in_input
    assert not pods["default/of-g1"].in_input
    assert steps(found) == [("published", 2), ("class", 2), ("free", 0)]


def test_a_lasting_cause_hides_that_a_device_is_in_use() -> None:
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", device("g0", taints=[TAINT]), device("g1", "b")),
            held("g0"),
            held("g1"),
            *waiting(exactly("gpu", 'device.attributes["gpu.example.com"].model == "a"')),
        ]
    )
    selector, taint = found.groups[0].causes
    assert isinstance(selector, NotSelected)
    assert selector.values == (("model", (("b", 1),)),)
    assert isinstance(taint, DeviceTainted)
    assert taint.devices == 1
    assert found.when == NEVER


def test_too_few_devices_are_a_number() -> None:
    found = explained(
        [node(A), device_class(), resource_slice("s", "g0", "g1"), *waiting(exactly("gpu", count=3))]
    )
    assert found.groups[0].causes == (TooFew(3, 2),)
    assert found.when == NEVER


def test_a_constraint_is_told_with_its_largest_group() -> None:
    models = [device(f"g{number}", model) for number, model in enumerate("aab")]
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", *models),
            *waiting(exactly("gpu", count=3), constraints=[{"matchAttribute": "gpu.example.com/model"}]),
        ]
    )
    (cause,) = found.groups[0].causes
    assert cause == ConstraintUnmet(0, "gpu.example.com/model", False, 2, "a", 0, 2, 3)


def test_a_constraint_over_two_requests_counts_a_device_once() -> None:
    models = [device(f"g{number}", model) for number, model in enumerate("ab")]
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", *models),
            *waiting(exactly("a"), exactly("b"), constraints=[{"matchAttribute": "gpu.example.com/model"}]),
        ]
    )
    (cause,) = found.groups[0].causes
    assert isinstance(cause, ConstraintUnmet)
    assert (cause.largest, cause.needed) == (1, 2)
    assert found.groups[0].request == "a and b"


def test_every_node_is_in_one_group_and_the_nearest_comes_first() -> None:
    found = explained(
        [
            node(A),
            node(B),
            node("node-c", spec={"unschedulable": True}),
            node("node-d", spec={"taints": [TAINT]}),
            device_class(),
            resource_slice("s", "g0"),
            *waiting(exactly("gpu", count=2)),
        ]
    )
    assert [group.nodes for group in found.groups] == [(A,), (B,), ("node-d",), ("node-c",)]
    kinds = [type(group.causes[0]) for group in found.groups]
    assert kinds == [TooFew, NoDevices, NodeRefuses, NodeRefuses]
    assert isinstance(found.groups[2].causes[1], NoDevices), "what is in the way behind the taint"


def test_a_node_that_is_short_of_cpu_is_told_with_its_pods_and_what_else_lacks() -> None:
    busy = pod("early", container(requests={"cpu": "3"}), nodeName=A)
    found = explained(
        [
            sized_node(A),
            device_class(),
            resource_slice("s", "g0"),
            busy,
            held("g0"),
            claim("late"),
            pod("late", container(requests={"cpu": "2"}), claims={"gpu": "late"}),
        ]
    )
    cpu, devices = found.groups[0].causes
    assert isinstance(cpu, NodeShort)
    assert (cpu.needed, cpu.available, cpu.total, cpu.is_lasting) == ("2", "1", "4", False)
    assert cpu.holders[0].pods[0].name == "default/early"
    assert isinstance(devices, InUse)
    assert found.when == BUSY


def test_counters_are_told_with_total_and_holders() -> None:
    counters = [{"name": "gpu0", "counters": {"memory": {"value": "40Gi"}}}]
    parts = [
        device(
            name,
            consumesCounters=[{"counterSet": "gpu0", "counters": {"memory": {"value": "30Gi"}}}],
        )
        for name in ("g0", "g1")
    ]
    sets = resource_slice("sets", count=2)
    sets["spec"] |= {"sharedCounters": counters}
    del sets["spec"]["devices"]
    found = explained(
        [
            node(A),
            device_class(),
            sets,
            resource_slice("s", *parts, count=2),
            running("early"),
            held("g0"),
            *waiting(exactly("gpu")),
        ]
    )
    in_use, short = found.groups[0].causes
    assert isinstance(in_use, InUse)
    assert isinstance(short, CounterShort)
    assert (short.counter, short.needed, short.available, short.total) == ("memory", "30Gi", "10Gi", "40Gi")
    (holder,) = short.holders
    assert (holder.claim, holder.amount) == ("default/of-g0", "30Gi")
    assert found.when == BUSY


def test_capacity_is_told_with_the_largest_amount_left() -> None:
    taken = allocated(
        claim("early"),
        result("g0", shareID="s1", consumedCapacity={"mem": "8Gi"}),
        node_name=A,
        reservedFor=[{"resource": "pods", "name": "early", "uid": "uid-early"}],
    )
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", sharing("g0"), sharing("g1", "1Gi")),
            running("early"),
            taken,
            *waiting(exactly("gpu", capacity={"requests": {"mem": "4Gi"}})),
        ]
    )
    never, short = found.groups[0].causes
    assert isinstance(never, CapacityShort)
    assert never.total == "1Gi"
    assert isinstance(short, CapacityShort)
    assert (short.needed, short.largest, short.total) == ("4Gi", "2Gi", "10Gi")
    assert [(holder.claim, holder.amount) for holder in short.holders] == [("default/early", "8Gi")]


def test_each_subrequest_has_its_own_funnel() -> None:
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", "g0"),
            *waiting(first_of("gpu", four=body(count=4), two=body(count=2))),
        ]
    )
    (group,) = found.groups
    assert [(unmet.request, unmet.causes) for unmet in group.alternatives] == [
        ("gpu/four", (TooFew(4, 1),)),
        ("gpu/two", (TooFew(2, 1),)),
    ]


def test_a_claim_that_is_allocated_elsewhere_names_the_node_and_its_user() -> None:
    used = allocated(
        claim("late"),
        result("g0"),
        node_name=A,
        reservedFor=[{"resource": "pods", "name": "early", "uid": "uid-early"}],
    )
    found = explained(
        [
            sized_node(A, cpu="1"),
            sized_node(B),
            device_class(),
            resource_slice("s", "g0"),
            running("early"),
            used,
            pod("late", container(requests={"cpu": "2"}), claims={"gpu": "late"}),
        ]
    )
    elsewhere = found.groups[-1].causes[0]
    assert isinstance(elsewhere, ClaimElsewhere)
    assert elsewhere.nodes == (A,)
    assert elsewhere.holders[0].pods[0].name == "default/early"
    assert isinstance(found.groups[0].causes[0], NodeShort)


def test_without_slices_the_input_is_what_lacks() -> None:
    found = explained([node(A), device_class(), *waiting(exactly("gpu"))])
    assert found.groups[0].causes == (NoDevices((), (), has_no_slices=True),)


def test_an_incomplete_pool_is_told() -> None:
    found = explained([node(A), device_class(), resource_slice("s", "g0", count=2), *waiting(exactly("gpu"))])
    (cause,) = found.groups[0].causes
    assert isinstance(cause, NoDevices)
    assert "1 of 2 slices" in cause.problems[0]


def test_a_selector_that_fails_is_told_with_its_error() -> None:
    found = explained(
        [
            node(A),
            device_class(),
            resource_slice("s", "g0"),
            *waiting(exactly("gpu", 'device.attributes["gpu.example.com"].kind == "a"')),
        ]
    )
    assert found.category == "error"
    assert isinstance(found.groups[0].causes[0], NotSelected)
    assert "no such key: 'kind'" in found.groups[0].causes[0].error


def test_what_is_missing_holds_for_every_node() -> None:
    found = explained([node(A), node(B), template("other"), pod("late", templates={"gpu": "none"})])
    (group,) = found.groups
    assert group.nodes == (A, B)
    assert isinstance(group.causes[0], Other)
    assert found.when == NEVER


def test_slices_that_were_left_out_are_not_called_missing() -> None:
    slice_of_a = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": "s"},
        "spec": {
            "driver": "gpu.example.com",
            "nodeName": A,
            "pool": {"name": A, "resourceSliceCount": 0, "generation": 1},
            "devices": [{"name": "g"}],
        },
    }
    found = dractl.simulate([node(A), device_class(), slice_of_a, *waiting(exactly("gpu"))])
    (entry,) = found.to_dict()["pending"]
    assert entry["summary"] == f"node {A}: the input has no devices: its only ResourceSlice was left out"
