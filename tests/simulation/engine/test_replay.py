"""A cluster told as a story."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.engine.replay import Replay, play
from tests.simulation.build import (
    allocated,
    claim,
    container,
    device,
    device_class,
    gate_set,
    pod,
    resource_slice,
    result,
    sized_node,
    taint_rule,
    template,
)

CLUSTER = [sized_node("node-a"), resource_slice("s", "d0", "d1"), device_class("gpu"), template("t")]
P, Q = pod("p", templates={"gpu": "t"}), pod("q", templates={"gpu": "t"})


def states(*steps: dict[str, Any], objects: Any = CLUSTER, **gates: bool) -> list[dict[str, Any]]:
    return play(objects, steps, gate_set(**gates))


def create(item: dict[str, Any]) -> dict[str, Any]:
    return {"create": item}


def named(word: str, kind: str, name: str) -> dict[str, Any]:
    return {word: {"kind": kind, "name": name}}


def allocation(state: dict[str, Any], name: str) -> list[str]:
    found = state["claims"][name]["allocation"]
    return [] if found is None else [entry["device"] for entry in found["devices"]["results"]]


def test_a_pod_is_created_and_its_claim_is_shown_without_its_random_end() -> None:
    (state,) = states(create(P))
    assert state["pods"] == {"p": {"node": "node-a", "claims": {"gpu": "p-gpu-"}}}
    found = state["claims"]["p-gpu-"]
    assert (found["generated"], found["owner"], found["reservedFor"]) == (True, "p", ["p"])
    assert found["annotations"] == {"resource.kubernetes.io/pod-claim-name": "gpu"}
    assert "allocationTimestamp" not in found["allocation"]
    assert allocation(state, "p-gpu-") == ["d0"]


def test_a_deleted_pod_frees_its_device_for_the_next() -> None:
    objects = [CLUSTER[0], resource_slice("s", "d0"), *CLUSTER[2:]]
    found = states(create(P), create(Q), named("delete", "Pod", "p"), objects=objects)
    assert [state["pods"].get("q", {}).get("node") for state in found] == [None, None, "node-a"]
    assert found[1]["pods"]["q"] == {
        "node": None,
        "reason": "Unschedulable",
        "claims": {"gpu": "q-gpu-"},
    }
    assert list(found[2]["claims"]) == ["q-gpu-"]


def test_a_completed_pod_keeps_its_place_and_loses_its_claim() -> None:
    _, state = states(create(P), named("complete", "Pod", "p"))
    assert state["pods"]["p"] == {
        "node": "node-a",
        "phase": "Succeeded",
        "claims": {"gpu": "p-gpu-"},
    }
    assert state["claims"] == {}


def test_a_terminating_pod_keeps_its_devices_until_it_is_gone() -> None:
    _, state = states(create(P), named("terminate", "Pod", "p"))
    assert state["pods"]["p"]["terminating"] is True
    assert allocation(state, "p-gpu-") == ["d0"]


def test_a_pod_without_a_node_is_gone_when_it_is_asked_to_end() -> None:
    _, state = states(create(pod("p", claims={"gpu": "missing"})), named("terminate", "Pod", "p"))
    assert state["pods"] == {}
    _, _, state = states(create(P), named("complete", "Pod", "p"), named("terminate", "Pod", "p"))
    assert state["pods"] == {}


def test_a_claim_in_use_stays_until_its_last_pod_has_gone() -> None:
    shared = [create(claim("c")), create(pod("p", claims={"gpu": "c"}))]
    found = states(*shared, named("delete", "ResourceClaim", "c"), named("delete", "Pod", "p"))
    assert found[2]["claims"]["c"]["deleting"] is True
    assert found[3]["claims"] == {}


def test_a_claim_that_is_not_in_use_goes_at_once() -> None:
    _, state = states(create(claim("c")), named("delete", "ResourceClaim", "c"))
    assert state["claims"] == {}
    _, again = states(create(claim("c")), named("delete", "Pod", "nobody"))
    assert again["claims"]["c"] == {"allocation": None, "reservedFor": []}


def test_a_pod_waits_for_what_is_not_there_yet() -> None:
    found = states(
        create(pod("p", claims={"gpu": "late"})), create(claim("late")), objects=[*CLUSTER[:2], CLUSTER[2]]
    )
    assert found[0]["pods"]["p"] == {"node": None, "reason": None, "claims": {"gpu": "late"}}
    assert found[1]["pods"]["p"]["node"] == "node-a"


def test_an_error_is_reported_from_being_unschedulable() -> None:
    (state,) = states(create(claim("c")), objects=CLUSTER)[:1]
    assert state["claims"]["c"]["allocation"] is None
    found = states(create(claim("c")), create(pod("p", claims={"x": "c", "y": "c"})))
    assert found[1]["pods"]["p"]["reason"] == "SchedulerError"


def test_a_pod_that_was_tried_stays_unschedulable_when_its_claim_goes() -> None:
    found = states(
        create(claim("c")),
        create(pod("p", claims={"x": "c", "y": "c"})),
        named("delete", "ResourceClaim", "c"),
    )
    assert found[2]["pods"]["p"]["reason"] == "Unschedulable"


WAITING = device("w", bindingConditions=["attached"], bindingFailureConditions=["failed"])


def test_conditions_are_reported_for_a_claim() -> None:
    objects = [CLUSTER[0], resource_slice("s", WAITING), *CLUSTER[2:]]
    reported = {"conditions": {"claim": "p-gpu-", "conditions": {"attached": "True"}}}
    found = states(create(P), reported, objects=objects)
    assert found[0]["pods"]["p"] == {"node": None, "reason": None, "claims": {"gpu": "p-gpu-"}}
    assert found[1]["pods"]["p"]["node"] == "node-a"
    assert found[1]["claims"]["p-gpu-"]["devices"] == [
        {
            "driver": "gpu.example.com",
            "pool": "node-a",
            "device": "w",
            "conditions": [{"type": "attached", "status": "True", "reason": "Set", "message": ""}],
        }
    ]
    assert states({"conditions": {"claim": "nobody", "conditions": {}}})[0]["claims"] == {}


def test_a_pod_whose_binding_failed_was_unschedulable_before_it_waits_again() -> None:
    objects = [CLUSTER[0], resource_slice("s", WAITING), *CLUSTER[2:]]
    failed = {"conditions": {"claim": "p-gpu-", "conditions": {"failed": "True"}}}
    _, state = states(create(P), failed, objects=objects)
    assert state["pods"]["p"] == {"node": None, "reason": "Unschedulable", "claims": {"gpu": "p-gpu-"}}
    assert allocation(state, "p-gpu-") == ["w"]
    assert "devices" not in state["claims"]["p-gpu-"]


def test_devices_whose_binding_failed_go_to_others_first() -> None:
    objects = [CLUSTER[0], resource_slice("s", WAITING), *CLUSTER[2:]]
    failed = {"conditions": {"claim": "p-gpu-", "conditions": {"failed": "True"}}}
    _, before, state = states(create(P), create(Q), failed, objects=objects)
    assert (allocation(before, "p-gpu-"), allocation(before, "q-gpu-")) == (["w"], [])
    assert (allocation(state, "p-gpu-"), allocation(state, "q-gpu-")) == ([], ["w"])
    assert [pod["reason"] for pod in state["pods"].values()] == ["Unschedulable", "Unschedulable"]


def test_a_taint_rule_that_comes_late_evicts() -> None:
    _, state = states(create(P), create(taint_rule("r", {}, effect="NoExecute")))
    assert state["pods"]["p"]["terminating"] is True


def test_a_slice_is_replaced() -> None:
    update = {"update": resource_slice("s", "d5", generation=2)}
    assert allocation(states(update, create(P))[1], "p-gpu-") == ["d5"]


def test_extended_resources_are_shown_with_their_mappings() -> None:
    gpu_class = device_class("gpu", extendedResourceName="example.com/gpu")
    item = pod("p", container(requests={"example.com/gpu": "1"}))
    (state,) = states(create(item), objects=[*CLUSTER[:2], gpu_class])
    assert state["pods"]["p"]["extended"] == {
        "claim": "p-extended-resources-",
        "mappings": [
            {"container": "main", "resource": "example.com/gpu", "request": "container-0-request-0"}
        ],
    }
    assert state["claims"]["p-extended-resources-"]["requests"] == [
        {
            "name": "container-0-request-0",
            "exactly": {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1},
        }
    ]


def test_names_outside_of_the_default_namespace_are_reported_whole() -> None:
    objects = [*CLUSTER[:3], template("t", namespace="ns")]
    (state,) = states(create(pod("p", namespace="ns", templates={"gpu": "t"})), objects=objects)
    assert list(state["pods"]) == ["ns/p"]
    assert list(state["claims"]) == ["ns/p-gpu-"]


def test_share_ids_are_blanked() -> None:
    held = allocated(claim("c"), result("d0", shareID="x"))
    replay = Replay([*CLUSTER, held], gate_set())
    state: Any = replay.state()
    assert state["claims"]["c"]["allocation"]["devices"]["results"][0]["shareID"] == "*"


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(KeyError):
        states({"explode": {}})


def test_a_pod_is_gated_until_its_gates_are_taken_away() -> None:
    held = pod("p", templates={"gpu": "t"}, schedulingGates=[{"name": "example.com/hold"}])
    before, after = states(create(held), {"update": P})
    assert before["pods"] == {"p": {"node": None, "reason": "SchedulingGated", "claims": {"gpu": "p-gpu-"}}}
    assert allocation(before, "p-gpu-") == []
    assert after["pods"] == {"p": {"node": "node-a", "claims": {"gpu": "p-gpu-"}}}
    assert list(after["claims"]) == ["p-gpu-"]


def test_a_pod_whose_gates_are_gone_stays_gated_while_its_claim_is_missing() -> None:
    held = pod("p", templates={"gpu": "absent"}, schedulingGates=[{"name": "example.com/hold"}])
    free = pod("p", templates={"gpu": "absent"})
    before, after = states(create(held), {"update": free})
    assert before["pods"]["p"]["reason"] == after["pods"]["p"]["reason"] == "SchedulingGated"
