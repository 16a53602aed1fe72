"""Whether many wishes can be met at once, each with things of its own: a matching in a bipartite graph."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import NamedTuple

from dractl.api import budgets

MOST_EDGES = budgets.LOOK_AHEAD_EDGES.value
"""Beyond so many pairs, weighed by the number of things wanted, it is not looked at."""


class SlotDemand(NamedTuple):
    """So many of some things are wanted."""

    number: int
    among: Collection[Hashable]


def can_be_met(wishes: Sequence[SlotDemand]) -> bool:
    """Whether every wish can have its things, none of them twice; True, too, where that is much to tell."""
    if any(wish.number > len(wish.among) for wish in wishes):
        return False
    if sum(wish.number for wish in wishes) * sum(len(wish.among) for wish in wishes) > MOST_EDGES:
        return True
    owners: dict[Hashable, int] = {}
    return all(
        _takes_one_more(number, wishes, owners)
        for number, wish in enumerate(wishes)
        for _ in range(wish.number)
    )


def _takes_one_more(wanting: int, wishes: Sequence[SlotDemand], owners: dict[Hashable, int]) -> bool:
    """Give a wish one more thing, for which others may have to take other things instead."""
    given_up: dict[int, Hashable] = {}
    """What a wish could give up to the one that comes before it."""
    taker: dict[Hashable, int] = {}
    waiting = [wanting]
    for wish in waiting:
        for thing in wishes[wish].among:
            if thing in taker or owners.get(thing) == wish:
                continue
            taker[thing] = wish
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
        wish = taker[thing]
        owners[thing] = wish
        if wish == wanting:
            return
        thing = given_up[wish]
