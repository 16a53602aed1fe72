"""Taint rules: which devices they taint, in which minor."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cel.common.errors import CelError
from dractl.cluster.objects import name_of
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.taint_rules import TaintRules
from tests.rows import each_row
from tests.simulation.build import (
    device,
    device_class,
    environment,
    features,
    resource_slice,
    taint_rule,
)

TAINT = {"key": "example.com/t", "value": "x", "effect": "NoSchedule"}
CLASSES = {"a": device_class("a", 'device.attributes["gpu.example.com"].model == "a"')}
SLICES = [
    resource_slice("s1", "d0", device("d1", "b"), pool="p"),
    resource_slice("s2", "d0", pool="q", driver="nic.example.com"),
]


def applied(slices: list[dict[str, Any]], *rules: dict[str, Any], kube: str = "1.37") -> list[dict[str, Any]]:
    matcher = Matcher(environment(kube), features(kube))
    return TaintRules(rules, CLASSES.get, matcher.holds, features(kube).quirks).applied_to(slices)


def tainted(selector: dict[str, Any] | None, kube: str = "1.37") -> list[str]:
    """The devices of two slices that a rule with the selector taints, as ``slice/device``."""
    return [
        f"{item['metadata']['name']}/{entry['name']}"
        for item in applied(SLICES, taint_rule("r", selector), kube=kube)
        for entry in item["spec"]["devices"]
        if entry.get("taints")
    ]


@pytest.mark.parametrize("kube", ["1.33", "1.36", "1.37"])
@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ({}, ["s1/d0", "s1/d1", "s2/d0"]),
        ({"driver": "nic.example.com"}, ["s2/d0"]),
        ({"pool": "p"}, ["s1/d0", "s1/d1"]),
        ({"device": "d0"}, ["s1/d0", "s2/d0"]),
        ({"pool": "p", "device": "d1"}, ["s1/d1"]),
        ({"driver": "nic.example.com", "pool": "p"}, []),
    ],
)
def test_a_rule_taints_what_it_selects(selector: dict[str, Any], expected: list[str], kube: str) -> None:
    assert tainted(selector, kube) == expected


@pytest.mark.parametrize(("kube", "expected"), [("1.36", ["s1/d0", "s1/d1", "s2/d0"]), ("1.37", [])])
def test_a_rule_without_selector_taints_nothing_since_1_37(kube: str, expected: list[str]) -> None:
    assert tainted(None, kube) == expected


def cel(expression: str) -> list[dict[str, Any]]:
    return [{"cel": {"expression": expression}}]


@each_row(
    ("selector", "expected"),
    [
        ({"deviceClassName": "a"}, ["s1/d0"]),
        ({"deviceClassName": "gone"}, []),
        ({"selectors": cel('device.driver == "nic.example.com"')}, ["s2/d0"]),
        ({"deviceClassName": "a", "selectors": cel("false")}, []),
        # A run-time error rules the device out, an expression that does not compile the whole rule.
        ({"selectors": cel('device.attributes["gpu.example.com"].model == "b"')}, ["s1/d1"]),
        ({"selectors": cel("no selector")}, []),
    ],
)
def test_rules_of_1_34_may_select_by_class_and_cel(selector: dict[str, Any], expected: list[str]) -> None:
    assert tainted(selector, "1.34") == expected
    # Later the fields are gone.
    assert tainted(selector, "1.35") == ["s1/d0", "s1/d1", "s2/d0"]


def test_a_broken_rule_leaves_the_slice_without_the_taints_of_others() -> None:
    rules = [taint_rule("r", {}), taint_rule("broken", {"selectors": cel("no selector")})]
    assert applied(SLICES, *rules, kube="1.34") == SLICES


def test_a_rule_adds_to_the_taints_of_the_slice_and_changes_nothing_given() -> None:
    item = resource_slice("s", device("d0", taints=[TAINT]))
    (after,) = applied([item], taint_rule("r", {}, effect="NoExecute"))
    effects = [taint["effect"] for taint in after["spec"]["devices"][0]["taints"]]
    assert effects == ["NoSchedule", "NoExecute"]
    assert item["spec"]["devices"][0]["taints"] == [TAINT]


def test_without_rules_slices_stay_the_same_objects() -> None:
    item = resource_slice("s", "d0")
    assert applied([item])[0] is item
    (after,) = applied([item], taint_rule("r", {"device": "other"}))
    assert after["spec"]["devices"][0] is item["spec"]["devices"][0]


def test_the_order_of_files_does_not_decide_which_taint_comes_first() -> None:
    first, second = taint_rule("a", {}), taint_rule("b", {})
    second["spec"]["taint"]["effect"] = "NoExecute"
    (device, *_) = applied(SLICES, second, first)[0]["spec"]["devices"]
    assert [taint["effect"] for taint in device["taints"]] == ["NoSchedule", "NoExecute"]


def test_a_rule_whose_selector_is_given_up_is_named() -> None:
    given_up = []

    def evaluate(*_: object) -> CelError:
        return CelError("budget", "the budget of the run is spent")

    rule = taint_rule("r", {"selectors": [{"cel": {"expression": "true"}}]})
    rules = TaintRules(
        [rule],
        CLASSES.get,
        evaluate,
        features("1.33").quirks,
        lambda item, reason: given_up.append((name_of(item), reason)),
    )
    assert rules.applied_to(SLICES) == SLICES
    assert given_up == [
        ("r", "not applied to ResourceSlice s1: the budget of the run is spent"),
        ("r", "not applied to ResourceSlice s2: the budget of the run is spent"),
    ]
