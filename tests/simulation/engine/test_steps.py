"""Claims in groups over nodes in a given order."""

from __future__ import annotations

from typing import Any

from dractl.simulation.engine.steps import allocate_steps
from tests.simulation.build import (
    allocated,
    claim,
    device,
    device_class,
    exactly,
    gate_set,
    node,
    resource_slice,
    result,
    sharing,
    taint_rule,
)

CLUSTER = [
    node("node-a"),
    node("node-b"),
    resource_slice("s1", "a0"),
    resource_slice("s2", "b0", "b1", pool="node-b"),
    device_class("gpu"),
]


def step(*claims: dict[str, Any], order: list[str] | None = None, **more: Any) -> dict[str, Any]:
    return {"claims": list(claims), "node-order": order or ["node-a", "node-b"], **more}


def outcomes(*steps: dict[str, Any], objects: list[dict[str, Any]] | None = None, **gates: bool) -> list[Any]:
    return allocate_steps(CLUSTER if objects is None else objects, steps, gate_set(**gates))


def devices(outcome: dict[str, Any]) -> list[str]:
    return [
        entry["device"]
        for made in outcome["allocations"]
        for entry in made["allocation"]["devices"]["results"]
    ]


def test_the_first_node_that_fits_is_taken_and_what_it_gave_stays_taken() -> None:
    first, second, third = outcomes(
        step(claim("c")), step(claim("d")), step(claim("e", exactly("gpu", count=2)))
    )
    assert (first["node"], devices(first), first["refused"]) == ("node-a", ["a0"], {})
    assert (second["node"], devices(second)) == ("node-b", ["b0"])
    assert second["refused"] == {"node-a": "unsatisfied"}
    assert third == {
        "node": None,
        "allocations": [],
        "refused": {"node-a": "unsatisfied", "node-b": "unsatisfied"},
    }


def test_claims_are_allocated_together_and_named() -> None:
    (outcome,) = outcomes(step(claim("c"), claim("d")))
    assert outcome["node"] == "node-b"
    assert [made["claim"] for made in outcome["allocations"]] == ["default/c", "default/d"]


def test_a_released_claim_gives_its_devices_back() -> None:
    found = outcomes(
        step(claim("c")),
        step(claim("d"), order=["node-a"]),
        step(claim("d"), order=["node-a"], deallocate=["c"]),
    )
    assert [outcome["node"] for outcome in found] == ["node-a", None, "node-a"]


def test_a_claim_that_is_allocated_binds_the_others_to_its_node() -> None:
    held = allocated(claim("held"), result("b0", pool="node-b"), node_name="node-b")
    (outcome,) = outcomes(step(held, claim("c")))
    assert (outcome["node"], devices(outcome)) == ("node-b", ["b1"])
    (again,) = outcomes(step(claim("held"), claim("c")), objects=[*CLUSTER, held])
    assert (again["node"], devices(again)) == ("node-b", ["b1"])


def test_a_missing_class_is_no_matter_of_nodes() -> None:
    assert outcomes(step(claim("c", exactly("gpu", of="other")))) == [
        {"node": None, "allocations": [], "refused": {}}
    ]


def test_an_error_is_reported_from_a_node_that_does_not_fit() -> None:
    picky = claim("c", exactly("gpu", 'device.attributes["gpu.example.com"].size > 1'))
    objects = [*CLUSTER, node("node-c"), resource_slice("s3", device("c0", size="x"), pool="node-c")]
    (outcome,) = outcomes(step(picky, order=["empty", "node-a"]), objects=objects)
    assert outcome["refused"] == {"empty": "unsatisfied", "node-a": "error"}


def test_nodes_come_in_the_order_of_the_objects_where_none_is_given() -> None:
    assert allocate_steps(CLUSTER, [{"claims": [claim("c")]}], gate_set())[0]["node"] == "node-a"


def test_share_ids_are_blanked() -> None:
    objects = [node("node-a"), resource_slice("s", sharing("m")), device_class("gpu")]
    (outcome,) = outcomes(step(claim("c")), objects=objects)
    (entry,) = outcome["allocations"][0]["allocation"]["devices"]["results"]
    assert entry["shareID"] == "*"


def test_taint_rules_count_only_with_their_gate() -> None:
    objects = [*CLUSTER, taint_rule("r", {"pool": "node-a"})]
    assert outcomes(step(claim("c")), objects=objects)[0]["node"] == "node-b"
    off = {"DRADeviceTaintRules": False}
    assert outcomes(step(claim("c")), objects=objects, **off)[0]["node"] == "node-a"


def test_a_budget_ends_in_an_error() -> None:
    objects = [node("node-a"), resource_slice("s", *(f"d{n}" for n in range(9))), device_class("gpu")]
    item = claim("c", exactly("one", count=9), exactly("two"))
    (outcome,) = allocate_steps(objects, [step(item, order=["node-a"])], gate_set(), budget=10)
    assert outcome["refused"] == {"node-a": "error"}


def test_searches_are_recalled_until_something_changes() -> None:
    found = outcomes(
        *(step(claim(name)) for name in ("c", "d", "e", "f", "g")),
        step(claim("h"), deallocate=["d"]),
        step(claim("i", exactly("gpu", "true"))),
    )
    assert [devices(outcome) for outcome in found] == [["a0"], ["b0"], ["b1"], [], [], ["b0"], []]
    assert found[3] == found[4]
