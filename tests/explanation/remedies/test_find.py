"""The ways out as a whole: their order, their number, their limits."""

from __future__ import annotations

import pytest

from dractl.api import budgets
from dractl.explanation.remedies.find import MOST_WAYS, find_ways_out
from tests.explanation.small_worlds import cel, device_class, lines, node, pod, slice_of, template, world_of

MANY = [
    node(unschedulable=True),
    slice_of(count=2),
    node("b", taints=[{"key": "t", "effect": "NoSchedule"}]),
    slice_of("b", count=2),
    node("c"),
    slice_of("c", count=1),
    device_class(),
]


def test_at_most_five_ways_the_smallest_first() -> None:
    world = world_of(*MANY, template("late", {"count": 2}), pod())
    remedy = find_ways_out(world)
    assert len(remedy.ways_out) <= MOST_WAYS
    names = ["uncordon", "remove-taint", "tolerate-node", "count", "alternative"]
    assert [way.way for way in remedy.ways_out] == names
    assert not remedy.is_cut
    assert lines(world, remedy)


def test_equal_worlds_have_equal_remedies() -> None:
    def made() -> object:
        remedy = find_ways_out(world_of(*MANY, template("late", {"count": 2}, cel("true")), pod()))
        return [way._replace(change={}) for way in remedy.ways_out], remedy.conflict

    assert made() == made()


def test_a_limit_that_is_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "REMEDY_TRIALS", budgets.REMEDY_TRIALS._replace(value=3))
    assert find_ways_out(world_of(*MANY, template("late", {"count": 2}), pod())).is_cut
