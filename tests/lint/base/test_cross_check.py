"""Checks across objects: each rule has one, and what they are given."""

from __future__ import annotations

from collections import Counter

from dractl.api import release
from dractl.lint.base.cross_check import CrossInput
from dractl.lint.base.input_set import InputSet
from dractl.lint.cross_checks import ACROSS_RULES


def test_every_rule_is_of_one_check() -> None:
    assert [name for name, times in Counter(rule.id for rule in ACROSS_RULES).items() if times > 1] == []


def test_the_rules_that_explain_where_devices_go() -> None:
    assert sorted(rule.id for rule in ACROSS_RULES if rule.explains_placement) == [
        "across/allocation-mode",
        "across/allocation-nowhere",
        "across/attribute-twice",
        "across/constraint-nothing",
        "across/device-duplicate",
        "across/pool-nodes",
        "across/request-missing",
        "across/slice-node-missing",
    ]


def test_nothing_has_no_pools() -> None:
    found = CrossInput(InputSet(()), release.NEWEST)
    assert (found.pools, found.is_pool_alone) == ([], False)
