"""Device taints, tolerations and taint rules."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.reasons import Tainted
from dractl.simulation.taints import tolerates, untolerated, with_rules
from tests.simulation.build import device, resource_slice, taint_rule

TAINT = {"key": "example.com/t", "value": "x", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("toleration", "expected"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "example.com/t", "operator": "Exists"}, True),
        ({"key": "other", "operator": "Exists"}, False),
        ({"key": "example.com/t", "operator": "Equal", "value": "x"}, True),
        ({"key": "example.com/t", "value": "x"}, True),
        ({"key": "example.com/t", "operator": "Equal", "value": "y"}, False),
        ({"key": "example.com/t", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "example.com/t", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"operator": "Equal", "value": "x"}, True),
        ({"key": "example.com/t", "operator": "Near"}, False),
    ],
)
def test_a_toleration_covers_a_taint(toleration: dict[str, Any], expected: bool) -> None:
    assert tolerates(toleration, TAINT) is expected


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("NoSchedule", Tainted("example.com/t", "x", "NoSchedule")),
        ("NoExecute", Tainted("example.com/t", "x", "NoExecute")),
        ("None", None),
        ("Later", None),
    ],
)
def test_only_known_effects_keep_a_device_out(effect: str, expected: Tainted | None) -> None:
    assert untolerated([{**TAINT, "effect": effect}], []) == expected


def test_every_taint_must_be_tolerated() -> None:
    other = {**TAINT, "value": "y"}
    tolerations = [{"key": "example.com/t", "value": "x"}]
    assert untolerated([TAINT], tolerations) is None
    assert untolerated([TAINT, other], tolerations) == Tainted("example.com/t", "y", "NoSchedule")


def tainted(selector: dict[str, Any] | None) -> list[str]:
    """The devices of two slices that a rule with the selector taints, as ``slice/device``."""
    slices = [
        resource_slice("s1", "d0", "d1", pool="p"),
        resource_slice("s2", "d0", pool="q", driver="nic.example.com"),
    ]
    return [
        f"{item['metadata']['name']}/{entry['name']}"
        for item in with_rules(slices, [taint_rule("r", selector)])
        for entry in item["spec"]["devices"]
        if entry.get("taints")
    ]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (None, []),
        ({}, ["s1/d0", "s1/d1", "s2/d0"]),
        ({"driver": "nic.example.com"}, ["s2/d0"]),
        ({"pool": "p"}, ["s1/d0", "s1/d1"]),
        ({"device": "d0"}, ["s1/d0", "s2/d0"]),
        ({"pool": "p", "device": "d1"}, ["s1/d1"]),
        ({"driver": "nic.example.com", "pool": "p"}, []),
    ],
)
def test_a_rule_taints_what_it_selects(selector: dict[str, Any] | None, expected: list[str]) -> None:
    assert tainted(selector) == expected


def test_a_rule_adds_to_the_taints_of_the_slice_and_changes_nothing_given() -> None:
    item = resource_slice("s", device("d0", taints=[TAINT]))
    (after,) = with_rules([item], [taint_rule("r", {}, effect="NoExecute")])
    effects = [taint["effect"] for taint in after["spec"]["devices"][0]["taints"]]
    assert effects == ["NoSchedule", "NoExecute"]
    assert item["spec"]["devices"][0]["taints"] == [TAINT]


def test_without_rules_slices_stay_the_same_objects() -> None:
    item = resource_slice("s", "d0")
    assert with_rules([item], [])[0] is item
    assert (
        with_rules([item], [taint_rule("r", {"device": "other"})])[0]["spec"]["devices"][0]
        is (item["spec"]["devices"][0])
    )
