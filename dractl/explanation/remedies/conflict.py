"""A smallest set of parts of what a pod asks for that cannot hold at once, but can without any of them.

A set holds if the pod gets a node once everything else that it asks for is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from dractl.explanation.model import NEVER, Member
from dractl.explanation.trials.parts import Part, members, parts_of, without
from dractl.explanation.trials.situation import Situation
from dractl.explanation.world import World

__all__ = ["MOST_TRIALS", "conflict_of", "smallest_conflict"]

MOST_TRIALS = 150
"""For one conflict; eight parts have 255 sets, of which most need no trial."""

_SEVERAL = 2
_FEW = 7


def conflict_of(situation: Situation, when: str | None) -> tuple[Member, ...]:
    """The conflict on the emptied nodes if the pod never fits, otherwise on the nodes as they are.

    Where the nodes are only busy, a single part says nothing that the causes do not say.
    """
    world = situation.emptied if when == NEVER else situation.cut
    with situation.share(MOST_TRIALS):
        found = smallest_conflict(situation, world)
    return () if when != NEVER and len(found) < _SEVERAL else members(situation.world, found)


def smallest_conflict(situation: Situation, world: World) -> tuple[Part, ...]:
    """The conflict as parts, in the order in which they are written; empty if there is none.

    It is empty, too, if the pod gets no node whatever it leaves out.
    """
    search = _Search(situation, world)
    if not search.parts or search.holds(search.parts) or not search.holds(()):
        return ()
    least = search.minimal(search.parts)
    for size in range(1, len(least)):
        for chosen in search.candidates(size):
            if not search.holds(chosen) and situation.has_trials():
                least = search.minimal(chosen)
                return least if search.is_proven(least) else ()
    return least if search.is_proven(least) else ()


class _Search:
    """The sets that were tried, and whether they hold."""

    def __init__(self, situation: Situation, world: World) -> None:
        self._situation = situation
        self._world = world
        self.parts = parts_of(world)
        self._known: dict[frozenset[Part], bool] = {}

    def holds(self, kept: Collection[Part]) -> bool:
        """Whether the pod gets a node with these parts only."""
        chosen = frozenset(kept)
        known = self._known.get(chosen)
        if known is None:
            gone = [part for part in self.parts if part not in chosen]
            known = self._situation.place(self._world.changed(without(self._world, gone))) is not None
            if self._situation.has_trials():
                self._known[chosen] = known
        return known

    def minimal(self, parts: Sequence[Part]) -> tuple[Part, ...]:
        """Of a set that does not hold one that holds without any of its parts."""
        kept = list(parts)
        while self._situation.has_trials():
            before = list(kept)
            # Amounts and constraints are kept rather than the last selector: what comes first is tried first.
            for part in before[::-1]:
                rest = [other for other in kept if other != part]
                if not self.holds(rest):
                    kept = rest
            if kept == before:
                break
        return tuple(kept)

    def is_proven(self, parts: Sequence[Part]) -> bool:
        """Whether it is known that the set does not hold, and does without any of its parts."""
        smaller = [frozenset(parts) - {part} for part in parts]
        known = self._known.get
        return known(frozenset(parts)) is False and all(known(entry) is True for entry in smaller)

    def candidates(self, size: int) -> Iterator[tuple[Part, ...]]:
        """The sets of a size that may not hold, as far as is known.

        What holds nearly always does so with less. It does not where a part keeps the pod from a device for
        which a selector fails, so that few parts are tried in all sets.
        """
        is_few = len(self.parts) <= _FEW
        holding = [] if is_few else [entry for entry, holds in self._known.items() if holds]
        for chosen in combinations(self.parts, size):
            if not self._situation.has_trials():
                return
            if not any(entry.issuperset(chosen) for entry in holding):
                yield chosen
