"""One sentence about why a search found nothing."""

from __future__ import annotations

from typing import Any

from dractl.api import quantity
from dractl.simulation.allocator.explain import ReasonCollector, describe, sentence
from dractl.simulation.allocator.model import reasons
from dractl.simulation.allocator.search_result import NotFound
from tests.rows import each_row
from tests.simulation.allocator.test_search import NODE, SearchCase
from tests.simulation.build import (
    allocated,
    body,
    claim,
    device,
    exactly,
    first_of,
    resource_slice,
    result,
    sharing,
)

GPUS = [resource_slice("s", device("d0", "a"), device("d1", "b"), device("d2", "b"))]
ONLY_A = 'device.attributes["gpu.example.com"].model == "a"'


def why(slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = ()) -> str:
    case = SearchCase(slices, *claims, held=held)
    listener = ReasonCollector()
    found = case.run(observer=listener)
    assert isinstance(found, NotFound), found
    return sentence(listener, case.demands)


def why_on_node(slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = ()) -> str:
    """As the scheduler asks: what does not match is told of devices that are taken, too."""
    case = SearchCase(slices, *claims, held=held)
    listener = ReasonCollector()
    case.run(observer=listener)
    return sentence(
        listener,
        case.demands,
        mismatch=lambda request, device: case.matcher.mismatch(request, device, NODE),
    )


def test_a_device_that_is_taken_and_of_no_use_is_not_told_to_be_in_use() -> None:
    held = [allocated(claim("other"), result("d0"), result("d1"))]
    assert why_on_node(GPUS, claim("c", exactly("gpu", ONLY_A)), held=held) == (
        "claim default/c, request gpu: needs 1 device; 3 candidates: "
        "2 for which request selector #0 is false "
        '(`device.attributes["gpu.example.com"].model == "a"`), 1 in use by claim default/other'
    )


def test_a_request_for_all_says_which_device_it_lacks() -> None:
    both = [resource_slice("s", sharing("a", "10"), sharing("b", "10"))]
    wanted = exactly("gpu", count=None, capacity={"requests": {"mem": "5"}})
    taken = result("a", shareID="share", consumedCapacity={"mem": "6"})
    held = [allocated(claim("other"), taken)]
    assert why(both, claim("c", wanted), held=held) == (
        "claim default/c, request gpu: requires all matching devices, but gpu.example.com/node-a/a is "
        "unavailable: "
        "with too little capacity mem (needs 5; 6 of 10 in use)"
    )
    whole = [allocated(claim("other"), result("d1"))]
    assert why(GPUS, claim("c", exactly("gpu", count=None)), held=whole) == (
        "claim default/c, request gpu: requires all matching devices, but gpu.example.com/node-a/d1 is "
        "unavailable: "
        "in use by claim default/other"
    )
    admin = exactly("gpu", count=None, adminAccess=True, capacity={"requests": {"mem": "5"}})
    assert "node-a/a is unavailable: with too little" in why(both, claim("c", admin), held=held)


def test_a_taken_device_whose_selector_fails_is_reported_to_be_in_use() -> None:
    fails = 'device.attributes["gpu.example.com"].nope == "a"'
    held = [allocated(claim("other"), *(result(name) for name in ("d0", "d1", "d2")))]
    assert why_on_node(GPUS, claim("c", exactly("gpu", fails)), held=held) == (
        "claim default/c, request gpu: needs 1 device; 3 candidates: 3 in use by claim default/other; once "
        "one is free, request selector #0 fails for device gpu.example.com/node-a/d0: no such key: 'nope'; "
        "the only one is model"
    )


def test_devices_that_fit_alone_name_what_is_in_the_way_together() -> None:
    alike = [resource_slice("s", device("d0", "a"), device("d1", "a"))]
    constraints = [{"distinctAttribute": "gpu.example.com/model"}]
    assert why(alike, claim("c", exactly("gpu", count=2), constraints=constraints)) == (
        "claim default/c, request gpu: needs 2 devices; 2 candidates: 2 fit alone, but not together "
        "(1 whose attribute gpu.example.com/model is not distinct (constraint #0))"
    )


def test_devices_are_counted_by_reason() -> None:
    held = [allocated(claim("other"), result("d0"))]
    assert why(GPUS, claim("c", exactly("gpu", ONLY_A)), held=held) == (
        "claim default/c, request gpu: needs 1 device; 3 candidates: "
        "2 for which request selector #0 is false "
        '(`device.attributes["gpu.example.com"].model == "a"`), 1 in use by claim default/other'
    )


def test_a_request_for_more_than_there_is() -> None:
    assert why(GPUS, claim("c", exactly("gpu", count=4))) == (
        "claim default/c, request gpu: needs 4 devices; 3 candidates: only 3 fit"
    )


def test_the_request_at_which_the_search_is_stuck_is_named() -> None:
    assert why(GPUS, claim("c", exactly("one", of="a"), exactly("two", of="a"))) == (
        "claim default/c, request two: needs 1 device; 3 candidates: "
        "2 for which class a selector #0 is false "
        '(`device.attributes["gpu.example.com"].model == "a"`), 1 already chosen for this pod'
    )


def test_every_alternative_is_spoken_of() -> None:
    text = why(GPUS, claim("c", first_of("gpu", none=body("false"), many=body(count=9))))
    assert "request gpu/none: needs 1 device; 3 candidates: 3 for which request selector #0 is false" in text
    assert "request gpu/many: needs 9 devices" in text


def test_constraints_tell_what_differs() -> None:
    match = {"matchAttribute": "gpu.example.com/model"}
    text = why(GPUS, claim("c", exactly("one", of="a"), exactly("two"), constraints=[match]))
    assert text == (
        "claim default/c, request two: needs 1 device; 3 candidates: "
        "2 whose attribute gpu.example.com/model differs (constraint #0), 1 already chosen for this pod"
    )


def test_capacity_is_reported_with_numbers() -> None:
    slices = [resource_slice("s", sharing("m", "10Gi"))]
    held = [allocated(claim("other"), result("m", shareID="1", consumedCapacity={"mem": "8Gi"}))]
    text = why(slices, claim("c", exactly("gpu", capacity={"requests": {"mem": "4Gi"}})), held=held)
    assert text.endswith("1 with too little capacity mem (needs 4Gi; 8Gi of 10Gi in use)")


def test_a_node_without_devices() -> None:
    assert why([], claim("c")) == (
        "claim default/c, request gpu: needs 1 device, but no ResourceSlice has devices for this node"
    )
    assert why(GPUS, claim("c", exactly("gpu", "false", count=None))) == (
        "claim default/c, request gpu: needs all matching devices, but no device matches"
    )


def test_pools_that_give_nothing_are_named() -> None:
    slices = [resource_slice("s", "d0", pool="p", count=2, allNodes=True)]
    assert why(slices, claim("c")).endswith(
        "but the node has no devices in usable pools; "
        "pool gpu.example.com/p is incomplete: 1 of 2 slices of generation 1 exist"
    )


GIB = quantity.parse("1Gi")


@each_row(
    ("reason", "words"),
    [
        (reasons.OtherNode(), "on another node"),
        (reasons.Tainted("k", "v", "NoSchedule"), "with untolerated taint k=v:NoSchedule"),
        (reasons.Tainted("k", "", "NoExecute"), "with untolerated taint k:NoExecute"),
        (reasons.CapacityMissing("mem"), "without capacity mem"),
        (
            reasons.CapacityPolicyViolated("mem", GIB),
            "whose request policy does not allow 1Gi of capacity mem",
        ),
        (reasons.AttributeMissing(1, "a/b"), "without attribute a/b (constraint #1)"),
        (reasons.AttributeRepeated(0, "a/b"), "whose attribute a/b is not distinct (constraint #0)"),
        (
            reasons.CounterShort("c0", "mem", GIB, quantity.parse("2Gi")),
            "short of counter mem of counter set c0 (needs 2Gi; 1Gi available)",
        ),
        (
            reasons.GroupsIncompatible("c0"),
            "with conflicting compatibility groups on counter set c0",
        ),
        (reasons.NodeOperations(is_off=True), "with skipNodeOperations (feature off)"),
        (reasons.NodeOperations(is_off=False), "with skipNodeOperations, which the node does not support"),
        (reasons.CountersOff(), "with consumesCounters (feature off)"),
        (reasons.BindingConditionsOff(), "with binding conditions (feature off)"),
    ],
)
def test_every_reason_has_words(reason: reasons.Reason, words: str) -> None:
    assert describe(reason) == words


def test_of_many_claims_in_use_only_some_are_named() -> None:
    names = [f"d{number}" for number in range(12)]
    slices = [resource_slice("s", *(device(name, "a") for name in names))]
    held = [allocated(claim(f"c{name}"), result(name)) for name in names]
    text = why(slices, claim("c", exactly("gpu")), held=held)
    assert text.count("in use by claim default/") == 8
    assert text.endswith(", 4 in use by 4 more claims")


def test_a_long_expression_is_cut_and_on_one_line() -> None:
    expression = "device.driver ==\n  " + " || ".join(["'a' == 'b'"] * 20)
    text = describe(reasons.SelectorFalse("request", 0, expression))
    assert text.startswith("for which request selector #0 is false (`device.driver == 'a' == 'b' ||")
    assert text.endswith("…`)")
    assert len(text) < 140
