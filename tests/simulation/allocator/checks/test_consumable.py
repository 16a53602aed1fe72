"""What a request takes from a device, and whether that is left."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity
from dractl.api.quantity_grammar import BINARY_SI
from dractl.cluster.devices import Device, Slice
from dractl.simulation.allocator.checks.consumable import Arithmetic, need, shortage
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.reasons import (
    CapacityMissing,
    CapacityPolicyViolated,
    CapacityShort,
    Fatal,
)
from tests.rows import each_row
from tests.simulation.build import DRIVER, body, device_class, resource_slice

RANGE = {"default": "1", "validRange": {"min": "1", "step": "2"}}
FRACTIONS = {"default": "1", "validRange": {"min": "500m", "step": "250m"}}
WHOLE = Arithmetic(fractional=False, wraps=False)
VALUES = {"default": "1", "validValues": ["1", "5", "10"]}


def asking(**requests: str) -> Request:
    return Request("gpu", None, body(capacity={"requests": requests}), device_class())


def having(value: str, policy: dict[str, Any] | None = None, **more: str) -> Device:
    entry: dict[str, Any] = {"value": value}
    if policy is not None:
        entry["requestPolicy"] = policy
    capacity = {"bw": entry, **{name: {"value": text} for name, text in more.items()}}
    return Slice(resource_slice("s", {"name": "d", "capacity": capacity})).devices[0]


def amount(request: Request, item: Device, *, fractional: bool = False) -> str:
    found = need(request, item, WHOLE._replace(fractional=fractional))
    assert isinstance(found, dict), found
    return str(found["bw"])


@each_row(
    ("asked", "policy", "expected"),
    [
        ({}, None, "20"),
        ({}, VALUES, "1"),
        ({"bw": "3"}, None, "3"),
        ({"bw": "3"}, {"default": "4"}, "3"),
        ({"bw": "3"}, VALUES, "5"),
        ({"bw": "5"}, VALUES, "5"),
        ({"bw": "4"}, RANGE, "5"),
        ({"bw": "1"}, RANGE, "1"),
        # Below the minimum it is raised to the minimum.
        ({"bw": "100m"}, RANGE, "1"),
        ({"bw": "3"}, {"validRange": {"min": "2"}}, "3"),
    ],
)
def test_an_amount_follows_the_policy(asked: dict[str, str], policy: Any, expected: str) -> None:
    assert amount(asking(**asked), having("20", policy)) == expected


@each_row(
    ("asked", "fractional", "expected"),
    [("600m", True, "750m"), ("500m", True, "500m"), ("1", True, "1"), ("600m", False, "1")],
)
def test_fractions_are_counted_in_thousandths_only_with_the_feature(
    asked: str, fractional: bool, expected: str
) -> None:
    assert amount(asking(bw=asked), having("20", FRACTIONS), fractional=fractional) == expected


def test_a_rounded_amount_has_the_format_of_the_step() -> None:
    policy = {"validRange": {"min": "1Ki", "step": "1Ki"}}
    assert amount(asking(bw="1500"), having("1Mi", policy)) == "2Ki"


def test_a_capacity_that_the_device_lacks_is_missing() -> None:
    assert need(asking(mem="1"), having("20"), WHOLE) == CapacityMissing("mem")


@pytest.mark.parametrize(
    ("asked", "policy", "expected"),
    [
        ("11", VALUES, "11"),
        ("10", {"validRange": {"min": "1", "max": "8"}}, "10"),
        # Rounding up to a step may pass the maximum: the device is skipped, not rounded down.
        ("8", {"validRange": {"min": "1", "max": "8", "step": "2"}}, "9"),
    ],
)
def test_an_amount_that_the_policy_does_not_allow_violates_it(asked: str, policy: Any, expected: str) -> None:
    found = need(asking(bw=asked), having("20", policy), WHOLE)
    assert found == CapacityPolicyViolated("bw", quantity.parse(expected))


def test_the_default_is_always_allowed() -> None:
    policy = {"default": "3", "validRange": {"min": "4", "max": "8"}}
    assert amount(asking(), having("20", policy)) == "3"
    policy = {"default": "3", "validRange": {"max": "2"}}
    assert amount(asking(bw="3"), having("20", policy)) == "3"
    # Written another way it is not the default, as upstream compares how quantities are held.
    found = need(asking(bw="3000m"), having("20", policy), WHOLE)
    assert found == CapacityPolicyViolated("bw", quantity.parse("3"))


def test_a_request_is_compared_with_the_size_also_where_nothing_is_shared() -> None:
    found = need(asking(bw="21"), having("20"), WHOLE)
    assert found == CapacityShort("bw", *(quantity.parse(text) for text in ("20", "0", "21")))


@each_row(
    ("asked", "policy", "fractional", "words"),
    [
        ("-1", None, False, "the amount -1 is negative"),
        (str(2**63), RANGE, False, "is out of range"),
        (
            "9223372036854775807",
            {"validRange": {"min": "1", "step": "4"}},
            False,
            "rounded up to the next step",
        ),
        ("0.0006", {"validRange": {"min": "0", "step": "1m"}}, True, "not a whole number of thousandths"),
    ],
)
def test_an_amount_that_cannot_be_is_an_error(asked: str, policy: Any, fractional: bool, words: str) -> None:
    found = need(asking(bw=asked), having("20", policy), WHOLE._replace(fractional=fractional))
    assert isinstance(found, Fatal)
    assert found.message.startswith("device gpu.example.com/node-a/d, capacity bw: ")
    assert words in found.message


OLD = Arithmetic(fractional=False, wraps=True)


@each_row(
    ("asked", "policy", "expected"),
    [
        # The binary form of 3000.
        ("2500", {"validRange": {"min": "0", "step": "1k"}}, "3k"),
        ("1500", {"validRange": {"min": "1Ki", "step": "1Ki"}}, "2Ki"),
        ("600m", FRACTIONS, "1"),
        # One more step passes the largest int64 and comes out at the other end.
        (str(2**63 - 1), {"validRange": {"min": "0", "step": "4"}}, str(-(2**63))),
    ],
)
def test_older_minors_round_in_whole_numbers_that_wrap(asked: str, policy: Any, expected: str) -> None:
    found = need(asking(bw=asked), having("20k", policy), OLD)
    assert isinstance(found, dict), found
    assert found["bw"] == quantity.parse(expected)
    assert found["bw"].format == BINARY_SI


def test_older_minors_take_negative_amounts() -> None:
    found = need(asking(bw="-1"), having("20"), OLD)
    assert found == {"bw": quantity.parse("-1")}


def test_a_step_of_zero_crashes_older_schedulers() -> None:
    found = need(asking(bw="2"), having("20", {"validRange": {"min": "1", "step": "0"}}), OLD)
    assert isinstance(found, Fatal)
    assert "crashes" in found.message


def amounts(**texts: str) -> dict[str, quantity.Quantity]:
    return {name: quantity.parse(text) for name, text in texts.items()}


@each_row(
    ("taken", "expected"),
    [
        ([], None),
        ([amounts(bw="10"), amounts(bw="7")], None),
        ([amounts(bw="10"), amounts(bw="8")], ("20", "18", "3")),
        ([amounts(mem="100Gi")], None),
    ],
)
def test_what_others_take_counts(taken: list[Any], expected: tuple[str, str, str] | None) -> None:
    reason = None if expected is None else CapacityShort("bw", *(quantity.parse(t) for t in expected))
    item = having("20")
    assert shortage(item, item.capacity, amounts(bw="3"), *taken) == reason


def test_every_capacity_counts() -> None:
    item = having("20", mem="1Gi")
    found = shortage(item, item.capacity, amounts(bw="1", mem="1Gi"), amounts(mem="1Mi"))
    assert isinstance(found, CapacityShort)
    assert found.name == "mem"


def test_quantities_too_far_apart_are_an_error_and_no_crash() -> None:
    item = having("20")
    found = shortage(item, item.capacity, amounts(bw="1e9999"), amounts(bw="1n"))
    assert isinstance(found, Fatal)
    assert "magnitudes differ too much" in found.message


NAMED = WHOLE._replace(literal=False)
"""As since 1.38."""


def sharing(*names: str) -> Device:
    capacity = {name: {"value": "10"} for name in names}
    device = {"name": "d", "allowMultipleAllocations": True, "capacity": capacity}
    return Slice(resource_slice("s", device)).devices[0]


@pytest.mark.parametrize(("own", "asked"), [("bw", f"{DRIVER}/bw"), (f"{DRIVER}/bw", "bw")])
def test_since_1_38_a_name_is_found_in_either_spelling(own: str, asked: str) -> None:
    device, request = sharing(own), asking(**{asked: "3"})
    assert need(request, device, WHOLE) == CapacityMissing(asked)
    assert need(request, device, NAMED) == amounts(**{own: "3"})
    assert need(asking(**{"e.io/bw": "3"}), device, NAMED) == CapacityMissing("e.io/bw")


def test_since_1_38_one_capacity_cannot_be_asked_for_twice() -> None:
    found = need(asking(**{"bw": "3", f"{DRIVER}/bw": "4"}), sharing("bw"), NAMED)
    assert found == Fatal(f"capacity 'bw' requested both as 'bw' and as '{DRIVER}/bw'")


def test_since_1_38_the_spelling_with_the_domain_wins() -> None:
    device = sharing("bw", f"{DRIVER}/bw")
    assert need(asking(bw="3"), device, NAMED) == amounts(**{f"{DRIVER}/bw": "3"})
    assert need(asking(bw="3"), device, WHOLE) == amounts(**{"bw": "3", f"{DRIVER}/bw": "10"})


def test_since_1_38_a_negative_request_is_refused_before_it_is_rounded() -> None:
    device, request = having("20", RANGE), asking(bw="-3")
    assert need(request, device, WHOLE) == amounts(bw="1")
    found = need(request, device, NAMED)
    assert isinstance(found, Fatal)
    assert found.message.endswith(f"capacity {DRIVER}/bw: the amount is negative: request -3")
