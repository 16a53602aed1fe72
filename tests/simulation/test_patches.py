"""What a patch of a minor mends outside of the allocator, in small clusters at the patches around it."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.engine.replay import play
from dractl.simulation.engine.steps import allocate_steps
from tests.rows import each_row
from tests.simulation.build import (
    allocated,
    claim,
    container,
    device,
    device_class,
    exactly,
    gate_set,
    node,
    pod,
    resource_slice,
    result,
    sized_node,
    taint_rule,
)

GPU = device_class("gpu")
RULES = {"DRADeviceTaints": True, "DRADeviceTaintRules": True}


def states(kube: str, objects: list[Any], *created: Any, **gates: bool) -> list[dict[str, Any]]:
    return play(objects, [{"create": item} for item in created], gate_set(kube, **gates))


def outcome(kube: str, objects: list[Any], item: Any, **gates: bool) -> Any:
    (answer,) = allocate_steps(objects, [{"claims": [item]}], gate_set(kube, **gates))
    return answer["node"] or answer["refused"]


def beside_an_allocated_claim(kube: str, **gates: bool) -> dict[str, Any]:
    """A pod with an allocated claim and a new one, which fits on two nodes."""
    slices = [resource_slice(f"s-{name}", "d", pool=name) for name in ("node-a", "node-b")]
    shared = resource_slice("s", "x", pool="everywhere", driver="net.example.com", allNodes=True)
    held = allocated(claim("held"), result("x", pool="everywhere", driver="net.example.com"))
    objects = [sized_node("node-a"), sized_node("node-b"), *slices, shared, GPU, held, claim("new")]
    (state,) = states(kube, objects, pod("p", claims={"held": "held", "new": "new"}), **gates)
    found: dict[str, Any] = state["pods"]["p"]
    return found


@each_row("kube", ["1.35.0", "1.35.5", "1.36.0", "1.36.1"])
def test_nodes_cannot_be_scored_beside_an_allocated_claim(kube: str) -> None:
    found = beside_an_allocated_claim(kube)
    assert (found["node"], found["reason"]) == (None, "SchedulerError")


@each_row("kube", ["1.34.0", "1.35.6", "1.35", "1.36.2", "1.37.0"])
def test_nodes_are_scored_beside_an_allocated_claim(kube: str) -> None:
    assert beside_an_allocated_claim(kube)["node"] == "node-a"


def test_nodes_are_scored_without_prioritized_lists_too() -> None:
    assert beside_an_allocated_claim("1.35.5", DRAPrioritizedList=False)["reason"] == "SchedulerError"
    assert beside_an_allocated_claim("1.35.6", DRAPrioritizedList=False)["node"] == "node-a"


def test_one_node_is_not_scored() -> None:
    objects = [sized_node("node-a"), resource_slice("s", "d", "x"), GPU]
    held = allocated(claim("held"), result("x"))
    item = pod("p", claims={"held": "held", "new": "new"})
    (state,) = states("1.35.5", [*objects, held, claim("new")], item)
    assert state["pods"]["p"]["node"] == "node-a"


@each_row(("kube", "evicts"), [("1.36", False), ("1.37.1", False), ("1.37.2", True), ("1.37", True)])
def test_a_device_of_an_extended_resource_evicts(kube: str, evicts: bool) -> None:
    gpu = device_class("gpu", extendedResourceName="example.com/gpu")
    objects = [sized_node("node-a"), resource_slice("s", "d"), gpu]
    item = pod("p", container(requests={"example.com/gpu": "1"}))
    rule = taint_rule("r", {}, effect="NoExecute")
    state = states(kube, objects, item, rule, **RULES, DRAExtendedResource=True)[-1]
    assert state["pods"]["p"]["node"] == "node-a"
    assert state["pods"]["p"].get("terminating", False) is evicts


@each_row(("kube", "found"), [
    ("1.35", "n"), ("1.36.0", {"n": "error"}), ("1.36.2", {"n": "error"}), ("1.36.3", "n"), ("1.37.0", "n"),
])  # fmt: skip
def test_a_taint_rule_crashes_the_scheduler(kube: str, found: Any) -> None:
    objects = [node("n"), resource_slice("s", "d", pool="n"), GPU, taint_rule("r", {"device": "other"})]
    assert outcome(kube, objects, claim("c"), **RULES) == found
    assert outcome(kube, objects[:-1], claim("c"), **RULES) == "n"
    assert outcome(kube, objects, claim("c")) == "n", "without the gate nobody looks at rules"


@each_row(("kube", "is_tainted"), [("1.36", True), ("1.37.0", True), ("1.37.1", False), ("1.37", False)])
def test_a_rule_without_a_selector_taints_all(kube: str, is_tainted: bool) -> None:
    rule = taint_rule("r", None)
    objects = [node("n"), resource_slice("s", "d", pool="n"), GPU, rule]
    assert outcome(kube, objects, claim("c"), **RULES) == ({"n": "unsatisfied"} if is_tainted else "n")


@each_row(("kube", "most"), [("1.33.0", 16), ("1.33.1", 32), ("1.33", 32), ("1.32.0", 32)])
def test_a_claim_may_have_thirty_two_devices(kube: str, most: int) -> None:
    devices = [device(f"d{number}") for number in range(40)]
    objects = [node("n"), resource_slice("s", *devices, pool="n"), GPU]
    for count in (16, 17, 32):
        found = outcome(kube, objects, claim("c", exactly("r", count=count)))
        assert found == ("n" if count <= most else {"n": "unsatisfied"}), count


@pytest.mark.parametrize(("kube", "most"), [("1.32.0", 32), ("1.32.1", 33), ("1.32", 33)])
def test_a_claim_has_up_to_256_users(kube: str, most: int) -> None:
    objects = [sized_node("node-a", cpu="100", pods="100"), resource_slice("s", "d"), GPU, claim("shared")]
    pods = [pod(f"p{number}", claims={"gpu": "shared"}) for number in range(33)]
    state = states(kube, objects, *pods, DynamicResourceAllocation=True)[-1]
    assert sum(found["node"] is not None for found in state["pods"].values()) == most
