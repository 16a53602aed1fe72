"""Whole worlds: objects in, placements and reasons out."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import CATEGORIES, LeftOut, Outcome
from tests.simulation.build import (
    allocated,
    claim,
    container,
    device,
    device_class,
    environment,
    exactly,
    features,
    node,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

CLUSTER = [
    sized_node("node-a"),
    sized_node("node-b"),
    resource_slice("s1", "a0", "a1"),
    resource_slice("s2", "b0", pool="node-b"),
    device_class("gpu"),
    template("t"),
]


def simulate(*objects: dict[str, Any], **options: Any) -> Outcome:
    return run(objects, features=features(), environment=environment(), **options)


def rows(found: Outcome) -> list[str]:
    return [f"{row.pod} {row.container} {row.node} {row.claim} {row.device}" for row in found.placements]


def test_pods_are_placed_and_shown_by_container() -> None:
    found = simulate(*CLUSTER, pod("p", container("main", "gpu"), container("side"), templates={"gpu": "t"}))
    assert found.nodes == ("node-a", "node-b")
    assert rows(found) == ["default/p main node-a default/p-gpu a0"]
    assert found.ok
    assert found.pending == ()
    (item,) = found.pods
    assert item.claims == {"gpu": "p-gpu"}
    assert item.tied == ("node-a", "node-b")
    assert set(item.scores) == {"node-a", "node-b"}


def test_a_pod_that_gets_nothing_is_pending_with_a_reason_per_node() -> None:
    found = simulate(*CLUSTER, pod("p", templates={"gpu": "big"}), template("big", exactly("gpu", count=3)))
    (item,) = found.pending
    assert (item.pod, item.claim, item.category) == ("default/p", None, "no-devices")
    assert set(item.nodes) == {"node-a", "node-b"}
    assert item.nodes["node-a"].category == "no-devices"
    assert "needs 3 devices" in item.nodes["node-a"].message
    text = "claim default/p-gpu, request gpu: needs 3 devices; "
    assert item.message.startswith(f"1 of 2 nodes: {text}2 candidates: only 2 fit")
    assert f"; 1 of 2 nodes: {text}1 candidate: only 1 fits" in item.message
    assert not found.ok


def test_the_category_is_that_of_the_node_that_let_the_pod_come_furthest() -> None:
    strict = pod("p", templates={"gpu": "big"}, nodeSelector={"kubernetes.io/hostname": "node-b"})
    found = simulate(*CLUSTER, strict, template("big", exactly("gpu", count=2)))
    (item,) = found.pending
    assert item.category == "no-devices"
    assert {name: refusal.category for name, refusal in item.nodes.items()} == {
        "node-a": "node-affinity",
        "node-b": "no-devices",
    }


def test_claims_that_no_pod_refers_to_follow_the_pods_on_request() -> None:
    waiting = pod("p", templates={"gpu": "t"})
    found = simulate(claim("lone"), *CLUSTER, waiting, allocate_unreferenced=True)
    assert rows(found) == ["default/p None node-a default/p-gpu a0", "None None node-a default/lone a1"]
    assert found.notes == ()
    found = simulate(claim("big", exactly("gpu", count=5)), *CLUSTER, allocate_unreferenced=True)
    (item,) = found.pending
    assert (item.pod, item.claim, item.category) == (None, "default/big", "no-devices")


def test_claims_that_no_pod_refers_to_stay_unallocated() -> None:
    too_big = claim("big", exactly("gpu", count=5))
    found = simulate(claim("lone"), too_big, *CLUSTER, pod("p", templates={"gpu": "t"}))
    assert (rows(found), found.pending) == (["default/p None node-a default/p-gpu a0"], ())
    (note,) = found.notes
    assert (note.code, note.claims) == ("unreferenced-claims", ("default/lone", "default/big"))
    assert note.message == (
        "2 claims that no pod refers to stay unallocated: default/lone, default/big; allocate them with "
        "--allocate-unreferenced"
    )


def test_without_any_pod_the_note_says_what_claims_are_allocated_for() -> None:
    (note,) = simulate(claim("lone"), *CLUSTER).notes
    assert note.message == (
        "1 claim stays unallocated, because claims are allocated for pods and the input has none: "
        "default/lone; add a pod that uses it, or allocate it with --allocate-unreferenced"
    )


def test_a_note_names_some_of_many_claims() -> None:
    (note,) = simulate(*(claim(f"c{number}") for number in range(9)), *CLUSTER).notes
    assert "default/c4 and 4 more;" in note.message
    assert len(note.claims) == 9


def test_a_claim_of_a_pod_that_waits_is_not_unreferenced() -> None:
    found = simulate(claim("big", exactly("gpu", count=5)), *CLUSTER, pod("p", claims={"gpu": "big"}))
    assert [row.pod for row in found.pending] == ["default/p"]
    assert found.notes == ()


def test_a_claim_that_is_freed_for_a_pod_is_told() -> None:
    there = allocated(claim("shared"), result("a0"), node_name="node-a")
    here = {"kubernetes.io/hostname": "node-b"}
    found = simulate(*CLUSTER, there, pod("p", claims={"gpu": "shared"}, nodeSelector=here))
    assert rows(found) == ["default/p None node-b default/shared b0"]
    (note,) = found.notes
    assert (note.code, note.pods, note.claims) == ("claim-freed", ("default/p",), ("default/shared",))
    assert note.message == (
        "ResourceClaim default/shared was allocated on node node-a (gpu.example.com/node-a/a0), where "
        "pod default/p cannot run; no other pod uses it, so the scheduler frees it and allocates it again "
        "on node node-b (gpu.example.com/node-b/b0)"
    )


def test_a_claim_that_is_freed_for_nothing_is_told() -> None:
    there = allocated(
        claim("shared", exactly("gpu", count=2)), result("a0"), result("a1"), node_name="node-a"
    )
    here = {"kubernetes.io/hostname": "node-b"}
    found = simulate(*CLUSTER, there, pod("p", claims={"gpu": "shared"}, nodeSelector=here))
    assert [row.pod for row in found.pending] == ["default/p"]
    (note,) = found.notes
    assert note.message.endswith("so the scheduler frees it; it stays unallocated")


def test_a_claim_that_another_pod_uses_is_not_freed() -> None:
    user = {"resource": "pods", "name": "q", "uid": "2"}
    there = allocated(claim("shared"), result("a0"), node_name="node-a", reservedFor=[user])
    here = {"kubernetes.io/hostname": "node-b"}
    found = simulate(*CLUSTER, there, pod("p", claims={"gpu": "shared"}, nodeSelector=here))
    assert (found.pending[0].category, found.notes) == ("claim-elsewhere", ())


def test_a_claim_alone_can_be_in_error() -> None:
    broken = claim("c", exactly("gpu", "device.driver.nope"))
    (item,) = simulate(broken, *CLUSTER, allocate_unreferenced=True).pending
    assert item.category == "error"
    lost = claim("c", exactly("gpu", of="gone"))
    (item,) = simulate(lost, *CLUSTER, allocate_unreferenced=True).pending
    assert item.category == "class-missing"


def test_claims_that_are_allocated_already_are_shown_and_respected() -> None:
    held = allocated(claim("held"), result("a0"), node_name="node-a")
    found = simulate(held, *CLUSTER, claim("lone"), allocate_unreferenced=True)
    assert rows(found) == ["None None node-a default/held a0", "None None node-a default/lone a1"]


def test_a_pod_that_runs_already_is_shown() -> None:
    user = {"resource": "pods", "name": "p", "uid": "1"}
    held = allocated(claim("held"), result("b0", pool="node-b"), reservedFor=[user])
    running = pod(
        "p", container("main", "gpu"), metadata={"uid": "1"}, claims={"gpu": "held"}, nodeName="node-b"
    )
    assert rows(simulate(*CLUSTER, held, running)) == ["default/p main node-b default/held b0"]


def test_workloads_make_pods() -> None:
    spec = pod("x", container("main", "gpu"), templates={"gpu": "t"})["spec"]
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "default"},
        "spec": {"replicas": 4, "template": {"metadata": {}, "spec": spec}},
    }
    found = simulate(*CLUSTER, web)
    assert [row.pod for row in found.placements] == ["default/web-0", "default/web-1", "default/web-2"]
    assert [item.pod for item in found.pending] == ["default/web-3"]


def test_a_daemon_set_runs_where_it_may() -> None:
    spec = pod("x", templates={"gpu": "t"}, nodeSelector={"kubernetes.io/hostname": "node-b"})["spec"]
    agent = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {"template": {"spec": spec}},
    }
    found = simulate(*CLUSTER, agent)
    assert [item.pod for item in found.pods] == ["default/agent-node-b"]
    assert rows(found) == ["default/agent-node-b None node-b default/agent-node-b-gpu b0"]


def test_nodes_are_implied_by_slices() -> None:
    found = simulate(*CLUSTER[2:], pod("p", templates={"gpu": "t"}))
    assert found.nodes == ("node-a", "node-b")
    assert [row.node for row in found.placements] == ["node-a"]


def test_objects_come_back_with_their_new_status_in_order() -> None:
    item = pod("p", templates={"gpu": "t"})
    objects = [*CLUSTER, item]
    before = copy.deepcopy(objects)
    found = simulate(*objects)
    assert objects == before
    assert [entry["kind"] for entry in found.objects][-2:] == ["Pod", "ResourceClaim"]
    placed, made = found.objects[-2:]
    assert placed["spec"]["nodeName"] == "node-a"
    assert placed["status"]["resourceClaimStatuses"] == [{"name": "gpu", "resourceClaimName": "p-gpu"}]
    assert made["status"]["reservedFor"][0]["name"] == "p"


def test_what_came_out_can_be_simulated_again() -> None:
    first = simulate(*CLUSTER, pod("p", container("main", "gpu"), templates={"gpu": "t"}), claim("lone"))
    second = simulate(*first.objects)
    assert rows(second) == rows(first)
    assert second.objects == first.objects
    third = simulate(*first.objects, pod("q", templates={"gpu": "t"}))
    assert rows(third)[1] == "default/q None node-b default/q-gpu b0"


def test_a_finished_pod_is_not_shown() -> None:
    done = pod("p", templates={"gpu": "t"}, nodeName="node-a", status={"phase": "Failed"})
    found = simulate(*CLUSTER, done)
    assert found.placements == ()
    assert found.pending == ()


def test_a_pod_without_devices_is_placed_and_never_pending() -> None:
    found = simulate(*CLUSTER, pod("plain"), pod("stuck", nodeSelector={"rack": "r9"}))
    assert [(item.pod, item.node) for item in found.pods] == [
        ("default/plain", "node-a"),
        ("default/stuck", None),
    ]
    assert found.ok


def test_a_pod_that_asks_for_an_unknown_extended_resource_is_pending() -> None:
    item = pod("p", container(requests={"example.com/tpu": "1"}))
    (pending,) = simulate(*CLUSTER, item).pending
    assert pending.category == "insufficient:example.com/tpu"


def test_a_waiting_pod_is_pending_and_its_devices_are_shown() -> None:
    waiting = resource_slice("s", device("w", bindingConditions=["attached"]))
    found = simulate(node("node-a"), waiting, *CLUSTER[4:], pod("p", templates={"gpu": "t"}))
    (item,) = found.pending
    assert item.category == "waiting"
    assert rows(found) == ["default/p None node-a default/p-gpu w"]
    assert found.pods[0].waiting == ("gpu.example.com/node-a/w: attached",)


def test_what_the_caller_left_out_is_passed_on() -> None:
    entry = LeftOut({"kind": "Pod", "name": "x"}, "refused")
    assert simulate(*CLUSTER, left_out=[entry]).left_out == (entry,)


@pytest.mark.parametrize("budget", [3, 10**6])
def test_a_search_that_takes_too_long_is_a_timeout(budget: int) -> None:
    found = simulate(
        *CLUSTER,
        pod("p", templates={"gpu": "two"}),
        template("two", exactly("gpu", count=2)),
        allowance=Allowance(budget),
    )
    assert [item.category for item in found.pending] == (["timeout"] if budget == 3 else [])


def test_a_search_that_the_scheduler_would_not_finish_is_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dractl.simulation.scheduler.timeouts.SCHEDULER_STEPS", 2)
    objects = [*CLUSTER, pod("p", templates={"gpu": "t"})]
    (item,) = simulate(*objects).pending
    assert item.category == "timeout"
    assert "devices are available for all claims" in item.message
    off = {"DRASchedulerFilterTimeout": False}
    assert run(objects, features=features(**off), environment=environment(**off)).ok


def test_every_category_is_documented() -> None:
    assert all(text for text in CATEGORIES.values())
    assert "insufficient:RESOURCE" in CATEGORIES


@pytest.mark.parametrize(
    ("node_name", "category", "message"),
    [
        ("node-x", "node-name", "the pod names node node-x, which does not exist"),
        (
            "node-a",
            "error",
            "the pod is already bound to node node-a, so no scheduler allocates ResourceClaim",
        ),
    ],
)
def test_nobody_allocates_for_a_pod_that_names_its_node(node_name: str, category: str, message: str) -> None:
    bound = pod("p", templates={"gpu": "t"})
    bound["spec"]["nodeName"] = node_name
    (row,) = simulate(*CLUSTER, bound).pending
    assert row.category == category
    assert row.message.startswith(message)


DEAR = '"' + "a" * 8000 + '".matches("^' + "a{0,900}" * 27 + 'b$")'


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 20])
def test_a_selector_that_is_not_evaluated_leaves_the_pod_pending(count: int) -> None:
    big = device_class("big", DEAR)
    names = [f"p{number}" for number in range(count)]
    wanted = [pod(name, templates={"gpu": "t"}) for name in names]
    found = simulate(*CLUSTER[:-1], big, *wanted, template("t", exactly("gpu", of="big")))
    assert [entry.category for entry in found.pending] == ["not-evaluated"] * count
    assert "not evaluated: the expression needs more than 5,000,000 steps" in found.pending[0].message
    assert found.placements == ()


@pytest.mark.slow
def test_requests_for_all_devices_keep_the_category() -> None:
    wanted = template("t", exactly("gpu", of="big", count=None))
    found = simulate(*CLUSTER[:-1], device_class("big", DEAR), wanted, pod("p", templates={"gpu": "t"}))
    assert [entry.category for entry in found.pending] == ["not-evaluated"]


def test_a_request_for_all_devices_names_those_that_the_node_never_has() -> None:
    gates = {"DRAOptionalNodeOperations": True}
    odd = {**resource_slice("odd", "r0", pool="odd", nodeName="node-a")}
    odd["spec"]["skipNodeOperations"] = ["Prepare"]
    every = claim("every", {**exactly("r"), "exactly": {**exactly("r")["exactly"], "allocationMode": "All"}})
    found = run(
        [
            sized_node("node-a"),
            resource_slice("s", "a0"),
            odd,
            device_class("gpu"),
            allocated(claim("taken"), result("a0")),
            every,
        ],
        features=features(**gates),
        environment=environment(**gates),
        allocate_unreferenced=True,
    )
    (pending,) = found.pending
    assert "node-a/a0 is unavailable: in use by claim default/taken" in pending.nodes["node-a"].message
    assert pending.nodes["node-a"].message.endswith(
        "not available on this node in any case: gpu.example.com/odd/r0: with skipNodeOperations, which the "
        "node does not support"
    )
