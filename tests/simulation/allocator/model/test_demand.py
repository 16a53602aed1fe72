"""Claims read into requests, or refused before any device is looked at."""

from __future__ import annotations

from typing import Any

from dractl.api import quantity
from dractl.simulation.allocator.model.demand import ClaimDemand, demand_of, missing_class
from dractl.simulation.allocator.model.reasons import Fatal
from tests.rows import each_row
from tests.simulation.build import body, claim, device_class, exactly, features, first_of

CLASSES = {name: device_class(name, f'device.driver == "{name}"') for name in ("gpu", "nic")}


def read(*requests: dict[str, Any], gates: dict[str, bool] | None = None, **devices: Any) -> ClaimDemand:
    found = demand_of(claim("c", *requests, **devices), CLASSES.get, features(**(gates or {})))
    assert isinstance(found, ClaimDemand), found
    return found


def refusal(*requests: dict[str, Any], gates: dict[str, bool] | None = None, **devices: Any) -> str:
    found = demand_of(claim("c", *requests, **devices), CLASSES.get, features(**(gates or {})))
    assert isinstance(found, Fatal), found
    return found.message


def test_a_request_is_read_with_the_tests_of_its_class_first() -> None:
    (ask,) = read(exactly("gpu", "true", count=3, adminAccess=True)).asks
    (request,) = ask.alternatives
    assert not ask.is_prioritized
    assert (request.full_name, request.count, request.is_all, request.admin_access) == ("gpu", 3, False, True)
    assert [(test.owner, test.number, test.expression) for test in request.tests] == [
        ("class gpu", 0, 'device.driver == "gpu"'),
        ("request", 0, "true"),
    ]


def test_missing_mode_and_count_have_the_servers_defaults() -> None:
    for given in ({}, {"count": 0, "allocationMode": ""}):
        (ask,) = read({"name": "gpu", "exactly": {"deviceClassName": "gpu", **given}}).asks
        assert ask.alternatives[0].count == 1
        assert not ask.alternatives[0].is_all


def test_subrequests_are_alternatives_with_full_names() -> None:
    (ask,) = read(first_of("gpu", big=body(count=None), small=body(of="nic"))).asks
    assert ask.is_prioritized
    assert [request.full_name for request in ask.alternatives] == ["gpu/big", "gpu/small"]
    assert [request.class_name for request in ask.alternatives] == ["gpu", "nic"]
    assert ask.alternatives[0].is_all


@each_row(
    ("names", "expected"),
    [
        ({"gpu"}, [True, True]),
        ({"gpu/big"}, [True, False]),
        ({"big"}, [False, False]),
        ({"nic"}, [False, False]),
    ],
)
def test_a_constraint_concerns_a_request_or_one_subrequest(names: set[str], expected: list[bool]) -> None:
    found = read(
        first_of("gpu", big=body(), small=body()),
        constraints=[{"matchAttribute": "example.org/root", "requests": sorted(names)}],
    )
    (constraint,) = found.constraints
    assert [constraint.concerns(request) for request in found.asks[0].alternatives] == expected


def test_a_constraint_without_requests_concerns_all() -> None:
    found = read(exactly("gpu"), constraints=[{"distinctAttribute": "example.org/root"}])
    assert found.constraints[0].is_distinct
    assert found.constraints[0].concerns(found.asks[0].alternatives[0])


def test_capacity_and_derived_attributes_are_read() -> None:
    derived = [{"name": "example.org/x", "expression": "device.driver"}]
    request = exactly("gpu", capacity={"requests": {"mem": "2Gi"}}, derivedAttributes=derived)
    found = read(request, gates={"DRADerivedAttributes": True}).asks[0].alternatives[0]
    assert found.capacity == {"mem": quantity.parse("2Gi")}
    assert found.derived_attributes == {"example.org/x": "device.driver"}


@each_row(
    ("request_", "gates", "words"),
    [
        (exactly("gpu", of="other"), {}, "request gpu: device class other does not exist"),
        (exactly("gpu", of=""), {}, "has no device class"),
        (exactly("gpu", selectors=[{}]), {}, "selector #0 has no CEL expression"),
        (
            exactly("gpu", capacity={"requests": {"mem": "1"}}),
            {"DRAConsumableCapacity": False},
            "consumable capacity is off",
        ),
        (
            first_of("gpu", a=body(), b=body(capacity={"requests": {"mem": "1"}})),
            {"DRAConsumableCapacity": False},
            "request gpu/b: requests capacity",
        ),
        (exactly("gpu", derivedAttributes=[{"name": "a/b", "expression": "1"}]), {}, "derived attributes"),
        (exactly("gpu", allocationMode="Some"), {}, "unknown allocation mode 'Some'; use ExactCount or All"),
    ],
)
def test_a_request_that_cannot_be_read_ends_the_attempt(
    request_: dict[str, Any], gates: dict[str, bool], words: str
) -> None:
    assert words in refusal(request_, gates=gates)
    assert refusal(request_, gates=gates).startswith("claim default/c, ")


def test_the_stable_allocator_overlooks_capacity_and_knows_no_distinct_attribute() -> None:
    stable = {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}
    assert read(exactly("gpu", capacity={"requests": {"mem": "1"}}), gates=stable)
    text = refusal(exactly("gpu"), gates=stable, constraints=[{"distinctAttribute": "example.org/root"}])
    assert text == "claim default/c, constraint #0: unsupported constraint type"


def test_gates_that_are_off_refuse_what_needs_them() -> None:
    off = features()._replace(admin_access=False, prioritized_list=False)
    for request, words in (
        (exactly("gpu", adminAccess=False), "admin access"),
        (first_of("gpu", a=body()), "prioritized lists are off"),
    ):
        found = demand_of(claim("c", request), CLASSES.get, off)
        assert isinstance(found, Fatal)
        assert words in found.message


def test_a_constraint_of_an_unknown_kind_ends_the_attempt() -> None:
    assert "constraint #0" in refusal(exactly("gpu"), constraints=[{"requests": ["gpu"]}])


def test_the_first_missing_class_is_named_with_its_request() -> None:
    item = claim("c", exactly("a"), first_of("b", x=body(), y=body(of="other")), exactly("c", of="gone"))
    assert missing_class(item, CLASSES.get) == ("b/y", "other")
    assert missing_class(claim("c"), CLASSES.get) is None
