"""What allocators of older minors make of small worlds: each of their rules and bugs, and when it went."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.engine.steps import allocate_steps
from tests.rows import each_row
from tests.simulation.build import (
    allocated,
    body,
    claim,
    device,
    device_class,
    exactly,
    first_of,
    gate_set,
    node,
    resource_slice,
    result,
    sharing,
)

CLASSES = [
    device_class("gpu"),
    device_class("a", 'device.attributes["gpu.example.com"].model == "a"'),
    device_class("b", 'device.attributes["gpu.example.com"].model == "b"'),
]
A_B = resource_slice("s", device("x", "a"), device("y", "b"))

PRIORITIZED = {"DRAPrioritizedList": True}
ADMIN = {"DRAAdminAccess": True}
TAINTS = {"DRADeviceTaints": True}
SHARES = {"DRAConsumableCapacity": True}
COUNTERS = {"DRAPartitionableDevices": True}
NONE, ERROR = "unsatisfied", "error"


def outcome(
    kube: str, objects: list[dict[str, Any]], *claims: dict[str, Any], gates: dict[str, bool] | None = None
) -> list[str] | str:
    """``request=device`` for what is allocated on node-a, or the word for why nothing is."""
    made = allocation(kube, objects, *claims, gates=gates)
    if isinstance(made, str):
        return made
    return [f"{entry['request']}={entry['device']}" for item in made for entry in item["devices"]["results"]]


def allocation(
    kube: str, objects: list[dict[str, Any]], *claims: dict[str, Any], gates: dict[str, bool] | None = None
) -> list[dict[str, Any]] | str:
    """The allocations on node-a, or the word for why there are none."""
    step = {"claims": list(claims), "node-order": ["node-a"]}
    api_objects = [node("node-a"), *CLASSES, *objects]
    (made,) = allocate_steps(api_objects, [step], gate_set(kube, **(gates or {})))
    if made["node"] is None:
        return str(made["refused"]["node-a"])
    return [entry["allocation"] for entry in made["allocations"]]


# Requests for all devices.


@pytest.mark.parametrize(("kube", "expected"), [("1.31", ["gpu=x", "gpu=y"]), ("1.32", ["gpu=x"])])
def test_in_1_31_all_does_not_look_at_the_class(kube: str, expected: list[str]) -> None:
    assert outcome(kube, [A_B], claim("c", exactly("gpu", count=None, of="a"))) == expected


HELD = [allocated(claim("other"), result("x"))]


@pytest.mark.parametrize(("kube", "expected"), [("1.31", ["gpu=y"]), ("1.32", NONE), ("1.37", NONE)])
def test_in_1_31_all_leaves_out_what_is_in_use(kube: str, expected: Any) -> None:
    assert outcome(kube, [A_B, *HELD], claim("c", exactly("gpu", count=None))) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.31", ERROR), ("1.32", NONE)])
def test_in_1_31_it_is_an_error_if_nothing_is_left_for_what_follows_all(kube: str, expected: str) -> None:
    item = claim("c", exactly("all", count=None), exactly("more"))
    assert outcome(kube, [A_B], item) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.31", []), ("1.32", []), ("1.33", NONE)])
def test_all_of_nothing_was_met_up_to_1_32(kube: str, expected: Any) -> None:
    assert outcome(kube, [A_B], claim("c", exactly("gpu", "false", count=None))) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.32", NONE), ("1.33", ["any=y", "all=x"])])
def test_in_1_32_an_unmet_all_ends_the_search(kube: str, expected: Any) -> None:
    item = claim("c", exactly("any"), exactly("all", count=None, of="a"))
    assert outcome(kube, [A_B], item) == expected


@pytest.mark.parametrize(
    ("kube", "expected"), [("1.33", ["gpu/all=v", "gpu/one=y"]), ("1.34", ["gpu/one=v"])]
)
def test_in_1_33_all_keeps_what_it_took(kube: str, expected: list[str]) -> None:
    slices = [resource_slice("s", device("v", "a"), device("x", "a"), device("y", "b"))]
    item = claim("c", first_of("gpu", all=body(count=None, of="a"), one=body()))
    assert outcome(kube, [*slices, *HELD], item, gates=PRIORITIZED) == expected


@pytest.mark.parametrize(
    ("kube", "expected"),
    [("1.33", ["gpu/all=x"]), ("1.35", ["gpu/all=x"]), ("1.36", ["gpu/all=x", "gpu/all=y"])],
)
def test_up_to_1_35_all_as_second_choice_goes_on_with_the_first(kube: str, expected: list[str]) -> None:
    item = claim("c", first_of("gpu", one=body("false"), all=body(count=None)))
    assert outcome(kube, [A_B], item, gates=PRIORITIZED) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.33", NONE), ("1.35", NONE), ("1.36", ["gpu/second=y"])])
def test_up_to_1_35_a_second_all_has_the_devices_of_the_first(kube: str, expected: Any) -> None:
    item = claim("c", first_of("gpu", first=body(count=None, of="a"), second=body(count=None, of="b")))
    assert outcome(kube, [A_B, *HELD], item, gates=PRIORITIZED) == expected


# Pools.


@pytest.mark.parametrize(("kube", "expected"), [("1.31", ["gpu=x", "gpu=x"]), ("1.32", ["gpu=x"])])
def test_in_1_31_a_newer_generation_has_its_first_slice_twice(kube: str, expected: list[str]) -> None:
    # Listed twice, the device is counted twice; with admin access it can be had twice, too.
    slices = [
        resource_slice("old", "v"),
        resource_slice("new", "x", generation=2, count=1 + (kube == "1.31")),
    ]
    item = claim("c", exactly("gpu", count=None, adminAccess=True))
    assert outcome(kube, slices, item, gates={} if kube == "1.31" else ADMIN) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.31", ["gpu=x"]), ("1.34", ["gpu=x"]), ("1.35", NONE)])
def test_incomplete_pools_gave_devices_up_to_1_34(kube: str, expected: Any) -> None:
    slices = [resource_slice("s", "x", count=2)]
    assert outcome(kube, slices, claim("c")) == expected
    assert outcome(kube, slices, claim("c", exactly("gpu", count=None))) == ERROR


INVALID = [
    resource_slice("s1", device("x", "b"), device("x", "b")),
    resource_slice("s2", "y", pool="p", allNodes=True),
]


@each_row(
    ("kube", "of", "expected"),
    [
        ("1.31", "b", ["gpu=x"]),
        ("1.32", "b", ERROR),
        ("1.32", "a", ["gpu=y"]),
        ("1.33", "a", ERROR),
        ("1.34", "a", ERROR),
        ("1.35", "a", ["gpu=y"]),
        ("1.35", "b", NONE),
    ],
)
def test_invalid_pools_are_errors_for_some_minors(kube: str, of: str, expected: Any) -> None:
    assert outcome(kube, INVALID, claim("c", exactly("gpu", of=of))) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.35", ["gpu=x"]), ("1.36", ["gpu=w"])])
def test_up_to_1_35_the_order_is_that_of_the_slices(kube: str, expected: list[str]) -> None:
    slices = [resource_slice("s2", "x", count=2), resource_slice("s1", "w", count=2)]
    assert outcome(kube, slices, claim("c")) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.35", ["gpu=w"]), ("1.36", ["gpu=x"])])
def test_up_to_1_35_slices_with_binding_conditions_are_last_in_their_pool(
    kube: str, expected: list[str]
) -> None:
    waiting = device("x", bindingConditions=["attached"])
    slices = [resource_slice("s1", waiting, count=2), resource_slice("s2", "w", count=2)]
    assert outcome(kube, slices, claim("c"), gates={"DRADeviceBindingConditions": True}) == expected


# Admin access, taints, attributes.


@pytest.mark.parametrize(("kube", "expected"), [("1.33", ["gpu=x", "gpu=x"]), ("1.34", ["gpu=x", "gpu=y"])])
def test_up_to_1_33_admin_access_does_not_see_its_own_choices(kube: str, expected: list[str]) -> None:
    item = claim("c", exactly("gpu", count=2, adminAccess=True))
    assert outcome(kube, [A_B], item, gates=ADMIN) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.34", NONE), ("1.35", ["gpu=x"])])
def test_up_to_1_34_a_taint_blocks_whatever_its_effect(kube: str, expected: Any) -> None:
    slices = [resource_slice("s", device("x", taints=[{"key": "k", "effect": "None"}]))]
    assert outcome(kube, slices, claim("c"), gates=TAINTS) == expected


DISTINCT = {"distinctAttribute": "gpu.example.com/model"}


@each_row(
    ("kube", "models", "count", "expected"),
    [
        ("1.34", "aa", 2, ["gpu=d0", "gpu=d1"]),
        ("1.35", "aa", 2, NONE),
        # The second device takes the place of the first, and the third is compared with it alone.
        ("1.35", "aba", 3, ["gpu=d0", "gpu=d1", "gpu=d2"]),
        ("1.36", "aba", 3, ["gpu=d0", "gpu=d1", "gpu=d2"]),
        ("1.37", "aba", 3, NONE),
    ],
)
def test_distinct_values_were_remembered_by_request(
    kube: str, models: str, count: int, expected: Any
) -> None:
    devices = [device(f"d{number}", model) for number, model in enumerate(models)]
    item = claim("c", exactly("gpu", count=count), constraints=[DISTINCT])
    assert outcome(kube, [resource_slice("s", *devices)], item, gates=SHARES) == expected


# Counters.


def drawing(name: str, amount: str = "40Gi", **more: Any) -> dict[str, Any]:
    return device(
        name, consumesCounters=[{"counterSet": "c", "counters": {"mem": {"value": amount}}}], **more
    )


def counted(*devices: dict[str, Any], kube: str) -> list[dict[str, Any]]:
    """The slices of a pool with 40Gi of a counter: in one slice up to 1.34, then in two."""
    sets = [{"name": "c", "counters": {"mem": {"value": "40Gi"}}}]
    if kube in ("1.33", "1.34"):
        return [resource_slice("s", *devices, nodeName="node-a", sharedCounters=sets)]
    return [
        resource_slice("s0", count=2, nodeName="node-a", sharedCounters=sets),
        resource_slice("s1", *devices, count=2),
    ]


TAINT = {"key": "k", "effect": "NoSchedule"}


@each_row(
    ("kube", "expected"),
    [("1.33", ["gpu=y"]), ("1.34", NONE), ("1.35", NONE), ("1.36.2", NONE), ("1.36.3", ["gpu=y"])],
)
def test_from_1_34_to_1_36_2_a_refused_device_keeps_its_counters(kube: str, expected: Any) -> None:
    slices = counted(drawing("x", taints=[TAINT]), drawing("y"), kube=kube)
    assert outcome(kube, slices, claim("c"), gates={**COUNTERS, **TAINTS}) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.33", ["gpu=x"]), ("1.34", NONE)])
def test_in_1_33_counters_do_not_need_their_gate(kube: str, expected: Any) -> None:
    slices = [resource_slice("s", drawing("x"))]
    assert outcome(kube, slices, claim("c"), gates={"DRAPartitionableDevices": False}) == expected


@each_row(
    ("kube", "expected"),
    [("1.35.5", ERROR), ("1.35.6", ["gpu=x"]), ("1.36.1", ERROR), ("1.36.2", ["gpu=x"]), ("1.36", ["gpu=x"])],
)
def test_before_1_35_6_and_1_36_2_all_crashes_on_counters(kube: str, expected: Any) -> None:
    slices = counted(drawing("x"), kube=kube)
    assert outcome(kube, slices, claim("c", exactly("gpu", count=None)), gates=COUNTERS) == expected


# Shares.


@pytest.mark.parametrize(("kube", "expected"), [("1.35", ["gpu=m", "gpu=m"]), ("1.36", ["gpu=m", "gpu=y"])])
def test_up_to_1_35_one_request_may_have_a_device_twice(kube: str, expected: list[str]) -> None:
    slices = [resource_slice("s", sharing("m", "10Gi"), device("y", capacity={"mem": {"value": "10Gi"}}))]
    item = claim("c", exactly("gpu", count=2, capacity={"requests": {"mem": "1Gi"}}))
    assert outcome(kube, slices, item, gates=SHARES) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.36", ["gpu=y"]), ("1.37", NONE)])
def test_up_to_1_36_all_leaves_out_what_others_have_used_up(kube: str, expected: Any) -> None:
    slices = [resource_slice("s", sharing("m"), "y")]
    held = [allocated(claim("other"), result("m", shareID="1", consumedCapacity={"mem": "10Gi"}))]
    assert outcome(kube, [*slices, *held], claim("c", exactly("gpu", count=None)), gates=SHARES) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.34", ERROR), ("1.35", ["gpu=x", "gpu=y"])])
def test_in_1_34_capacity_is_looked_for_at_another_device(kube: str, expected: Any) -> None:
    # The second device is the only one of its slice: there is none at the second place.
    slices = [resource_slice("s1", "x", count=2), resource_slice("s2", "y", count=2)]
    assert outcome(kube, slices, claim("c", exactly("gpu", count=2)), gates=SHARES) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.34", NONE), ("1.35", ["one=m", "two=m"])])
def test_in_1_34_every_share_draws(kube: str, expected: Any) -> None:
    share = drawing("m", allowMultipleAllocations=True, capacity={"mem": {"value": "10Gi"}})
    small = {"capacity": {"requests": {"mem": "1Gi"}}}
    item = claim("c", exactly("one", **small), exactly("two", **small))
    assert outcome(kube, counted(share, kube=kube), item, gates={**SHARES, **COUNTERS}) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.36", NONE), ("1.37", ["gpu=m"])])
def test_up_to_1_36_a_share_without_capacity_does_not_count_as_one(kube: str, expected: Any) -> None:
    share = drawing("m", allowMultipleAllocations=True)
    held = [allocated(claim("other"), result("m", shareID="1"))]
    assert outcome(kube, [*counted(share, kube=kube), *held], claim("c")) == expected


# What selectors see.


@pytest.mark.parametrize(("kube", "gates", "expected"), [("1.36", {}, ERROR), ("1.37", {}, ["gpu=x"])])
def test_in_1_36_lists_need_their_gate(kube: str, gates: dict[str, bool], expected: Any) -> None:
    slices = [resource_slice("s", {"name": "x", "attributes": {"list": {"strings": ["v"]}}})]
    assert outcome(kube, slices, claim("c", exactly("gpu", "true")), gates=gates) == expected
    on = {**gates, "DRAListTypeAttributes": True}
    assert outcome(kube, slices, claim("c", exactly("gpu", "true")), gates=on) == ["gpu=x"]


@pytest.mark.parametrize(("gates", "expected"), [({}, ["gpu=m"]), (SHARES, NONE)])
def test_an_allocator_without_shares_does_not_tell_selectors_of_them(
    gates: dict[str, bool], expected: Any
) -> None:
    slices = [resource_slice("s", sharing("m"))]
    item = claim("c", exactly("gpu", "!device.allowMultipleAllocations"))
    assert outcome("1.35", slices, item, gates=gates) == expected


# The result.


def config(kube: str, *requests: dict[str, Any], names: list[str]) -> list[dict[str, Any]]:
    """The configuration of two requests, of a class with some, and of a claim that names ``names``."""
    made = allocation(
        kube,
        [A_B, device_class("gpu", config=[{"opaque": {"driver": "d", "parameters": {}}}])],
        claim("c", *requests, config=[{"requests": names, "opaque": {"driver": "e", "parameters": {}}}]),
    )
    assert isinstance(made, list), made
    return [
        {key: value for key, value in entry.items() if key != "opaque"}
        for entry in made[0]["devices"]["config"]
    ]


CLASS, CLAIM = {"source": "FromClass"}, {"source": "FromClaim"}
BOTH = ["one", "two"]


@each_row(
    ("kube", "expected"),
    [
        ("1.31", [CLASS, CLASS, {**CLAIM, "requests": BOTH}]),
        ("1.32", [{**CLASS, "requests": BOTH}, {**CLAIM, "requests": BOTH}]),
        ("1.33", [{**CLASS, "requests": BOTH}, {**CLAIM, "requests": BOTH}, {**CLAIM, "requests": BOTH}]),
        ("1.36", [{**CLASS, "requests": BOTH}, {**CLAIM, "requests": BOTH}, {**CLAIM, "requests": BOTH}]),
        ("1.37", [CLASS, CLAIM]),
    ],
)
def test_each_minor_repeats_and_names_configuration_in_its_way(kube: str, expected: list[Any]) -> None:
    assert config(kube, exactly("one"), exactly("two"), names=BOTH) == expected


@pytest.mark.parametrize(("kube", "is_there"), [("1.32", True), ("1.33", False)])
def test_up_to_1_32_configuration_for_nobody_is_copied(kube: str, is_there: bool) -> None:
    found = config(kube, exactly("one"), names=["gone"])
    assert ({**CLAIM, "requests": ["gone"]} in found) is is_there


@pytest.mark.parametrize(
    ("kube", "gates", "has_field"),
    [
        ("1.34", {}, False),
        ("1.35", {}, True),
        ("1.35", {"DRAAdminAccess": False, "DRAPrioritizedList": False}, False),
    ],
)
def test_tolerations_are_reported_since_1_35(kube: str, gates: dict[str, bool], has_field: bool) -> None:
    item = claim("c", exactly("gpu", tolerations=[{"operator": "Exists"}]))
    made = allocation(kube, [A_B], item, gates=gates)
    assert isinstance(made, list)
    assert ("tolerations" in made[0]["devices"]["results"][0]) is has_field


@pytest.mark.parametrize(("kube", "gates", "has_field"), [("1.31", {}, False), ("1.32", ADMIN, True)])
def test_admin_access_is_reported_since_1_32(kube: str, gates: dict[str, bool], has_field: bool) -> None:
    made = allocation(kube, [A_B], claim("c", exactly("gpu", adminAccess=True)), gates=gates)
    assert isinstance(made, list)
    assert ("adminAccess" in made[0]["devices"]["results"][0]) is has_field
