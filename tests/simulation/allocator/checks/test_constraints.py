"""Constraints over the devices of a claim."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import Attribute, Device, Slice
from dractl.simulation.allocator.checks.constraints import refusal
from dractl.simulation.allocator.model.demand import Constraint, Request
from dractl.simulation.allocator.model.reasons import (
    AttributeDiffers,
    AttributeMissing,
    AttributeRepeated,
    Fatal,
)
from tests.rows import each_row
from tests.simulation.build import body, device_class, resource_slice

NAME = "example.org/root"


def request(name: str = "gpu", parent: str | None = None) -> Request:
    return Request(name, parent, body(), device_class())


GPU, NIC = request("gpu"), request("nic")
MATCH = Constraint(0, frozenset(), NAME, is_distinct=False)
DISTINCT = Constraint(1, frozenset(), NAME, is_distinct=True)


def having(value: dict[str, Any] | None) -> Device:
    attributes = {} if value is None else {NAME: value}
    return Slice(resource_slice("s", {"name": "d", "attributes": attributes})).devices[0]


def own(_: Request, device: Device, name: str) -> Attribute | None:
    return device.attribute(name)


def check(
    constraint: Constraint, *values: dict[str, Any] | None, as_sets: bool = False, of: Request = GPU
) -> Any:
    """The reason for the last value, after all others were chosen."""
    *members, candidate = [(of, having(value)) for value in values]
    return refusal([constraint], members, candidate, own, as_sets=as_sets)


P0, P1 = {"string": "p0"}, {"string": "p1"}
LIST = {"strings": ["p0", "p1"]}


@pytest.mark.parametrize("as_sets", [False, True])
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([P0], None),
        ([None], AttributeMissing(0, NAME)),
        ([P0, P0], None),
        ([P0, P1], AttributeDiffers(0, NAME)),
        ([P0, None], AttributeMissing(0, NAME)),
        ([{"int": 1}, {"int": 1}], None),
        ([{"int": 1}, {"string": "1"}], AttributeDiffers(0, NAME)),
        ([{"bool": True}, {"int": 1}], AttributeDiffers(0, NAME)),
        ([{"version": "1.0.0"}, {"version": "1.0.0"}], None),
        ([P0, P0, P1], AttributeDiffers(0, NAME)),
    ],
)
def test_matching_devices_share_one_value(values: list[Any], reason: Any, as_sets: bool) -> None:
    assert check(MATCH, *values, as_sets=as_sets) == reason


@pytest.mark.parametrize("as_sets", [False, True])
@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([P0], None),
        ([None], AttributeMissing(1, NAME)),
        ([P0, P1], None),
        ([P0, P0], AttributeRepeated(1, NAME)),
        ([P0, P1, P0], AttributeRepeated(1, NAME)),
        ([{"int": 1}, {"string": "1"}], None),
    ],
)
def test_distinct_devices_share_no_value(values: list[Any], reason: Any, as_sets: bool) -> None:
    assert check(DISTINCT, *values, as_sets=as_sets) == reason


@pytest.mark.parametrize(
    ("values", "reason"),
    [([LIST], None), ([LIST, LIST], AttributeDiffers(0, NAME)), ([LIST, P0], AttributeDiffers(0, NAME))],
)
def test_without_list_attributes_only_the_first_device_may_have_one(values: list[Any], reason: Any) -> None:
    assert check(MATCH, *values) == reason


@each_row(
    ("values", "reason"),
    [
        ([{"strings": ["a", "b"]}, {"strings": ["b", "c"]}], None),
        ([{"strings": ["a", "b"]}, {"strings": ["c"]}], AttributeDiffers(0, NAME)),
        # Every two of them meet, but not all three.
        (
            [{"ints": [1, 2]}, {"ints": [2, 3]}, {"ints": [1, 3]}],
            AttributeDiffers(0, NAME),
        ),
        ([P0, LIST], None),
        ([{"strings": []}], AttributeDiffers(0, NAME)),
        ([{"ints": [1]}, {"strings": ["1"]}], AttributeDiffers(0, NAME)),
    ],
)
def test_with_list_attributes_devices_share_an_element(values: list[Any], reason: Any) -> None:
    assert check(MATCH, *values, as_sets=True) == reason


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([LIST, {"strings": ["p2"]}], None),
        ([LIST, {"strings": ["p1", "p2"]}], AttributeRepeated(1, NAME)),
        ([LIST, {"ints": [1]}], None),
    ],
)
def test_with_list_attributes_distinct_devices_share_no_element(values: list[Any], reason: Any) -> None:
    assert check(DISTINCT, *values, as_sets=True) == reason


def test_a_distinct_list_next_to_another_device_is_refused_without_the_feature() -> None:
    assert check(DISTINCT, LIST) is None
    assert check(DISTINCT, P0, LIST) == AttributeRepeated(1, NAME)


def test_only_the_named_requests_are_concerned() -> None:
    gpus_only = MATCH._replace(requests=frozenset({"gpu"}))
    members = [(NIC, having(P1)), (GPU, having(P0))]
    assert refusal([gpus_only], members, (GPU, having(P0)), own, as_sets=False) is None
    assert refusal([gpus_only], members, (NIC, having(None)), own, as_sets=False) is None
    assert refusal([MATCH], members, (GPU, having(P0)), own, as_sets=False) == AttributeDiffers(0, NAME)


def test_the_first_constraint_that_refuses_is_named() -> None:
    found = refusal([MATCH, DISTINCT], [(GPU, having(P0))], (GPU, having(P0)), own, as_sets=False)
    assert found == AttributeRepeated(1, NAME)


def test_an_attribute_that_cannot_be_derived_is_an_error() -> None:
    def fails(_request: Request, _device: Device, _name: str) -> Fatal:
        return Fatal("no")

    assert refusal([MATCH], [], (GPU, having(P0)), fails, as_sets=False) == Fatal("no")
