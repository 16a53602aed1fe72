"""Wishes that can, or cannot, be met at once."""

from __future__ import annotations

import random
from itertools import combinations

from dractl.simulation.allocator.pruning.assignment import SlotDemand, can_be_met
from tests.rows import each_row


@each_row(
    ("goals", "met"),
    [
        ([], True),
        ([(0, "")], True),
        ([(1, "")], False),
        ([(2, "ab")], True),
        ([(3, "ab")], False),
        ([(1, "a"), (1, "a")], False),
        # The first has to give up what it took.
        ([(1, "ab"), (1, "a")], True),
        ([(1, "ab"), (1, "bc"), (1, "a"), (1, "b")], False),
        ([(2, "abc"), (1, "a"), (1, "b")], False),
        ([(2, "abcd"), (1, "a"), (1, "b")], True),
    ],
)
def test_goals(goals: list[tuple[int, str]], met: bool) -> None:
    assert can_be_met([SlotDemand(number, among) for number, among in goals]) is met


def by_trying(goals: list[tuple[int, str]], left: frozenset[str]) -> bool:
    if not goals:
        return True
    (number, among), *rest = goals
    ways = combinations(sorted(left.intersection(among)), number)
    return any(by_trying(rest, left.difference(taken)) for taken in ways)


def test_random_wishes_are_met_where_trying_all_ways_meets_them() -> None:
    dice = random.Random(1)  # noqa: S311 - wishes are no secrets
    answers = set()
    for _ in range(300):
        goals = [
            (dice.randint(0, 3), "".join(dice.sample("abcdef", dice.randint(0, 5))))
            for _ in range(dice.randint(1, 4))
        ]
        met = by_trying(goals, frozenset("abcdef"))
        assert can_be_met([SlotDemand(number, among) for number, among in goals]) is met
        answers.add(met)
    assert answers == {True, False}


def test_too_many_pairs_are_not_looked_at() -> None:
    assert can_be_met([SlotDemand(1, range(2_000))] * 1_500)
    assert can_be_met([SlotDemand(2_000, range(2_000))] * 2)
