"""Decides whether all wishes can have different things: a matching in a bipartite graph."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from dractl.api import budgets
from dractl.records import NamedTuple

MOST_EDGES = budgets.LOOK_AHEAD_EDGES.value
"""Above this number of pairs, times the things wanted, no matching is computed."""


class SlotDemand(NamedTuple):
    """A wish for a number of different things out of some."""

    number: int
    among: Collection[Hashable]


def can_be_met(goals: Sequence[SlotDemand]) -> bool:
    """Whether every wish can have its own things; also True if deciding it would take too long."""
    if any(goal.number > len(goal.among) for goal in goals):
        return False
    if sum(goal.number for goal in goals) * sum(len(goal.among) for goal in goals) > MOST_EDGES:
        return True
    owners: dict[Hashable, int] = {}
    return all(
        _takes_one_more(number, goals, owners)
        for number, goal in enumerate(goals)
        for _ in range(goal.number)
    )


def _takes_one_more(wanting: int, goals: Sequence[SlotDemand], owners: dict[Hashable, int]) -> bool:
    """Give a wish one more thing, moving other wishes to other things if needed."""
    given_up: dict[int, Hashable] = {}
    """The things that a wish could give up to the wish before it."""
    taker: dict[Hashable, int] = {}
    # Breadth first along alternating paths, in a list: a chain of exchanges can be as long as there are
    # devices.
    waiting = [wanting]
    for goal in waiting:
        for thing in goals[goal].among:
            if thing in taker or owners.get(thing) == goal:
                continue
            taker[thing] = goal
            owner = owners.get(thing)
            if owner is None:
                _hand_over(thing, wanting, taker, given_up, owners)
                return True
            if owner != wanting and owner not in given_up:
                given_up[owner] = thing
                waiting.append(owner)
    return False


def _hand_over(
    free: Hashable,
    wanting: int,
    taker: dict[Hashable, int],
    given_up: dict[int, Hashable],
    owners: dict[Hashable, int],
) -> None:
    thing = free
    while True:
        goal = taker[thing]
        owners[thing] = goal
        if goal == wanting:
            return
        thing = given_up[goal]
