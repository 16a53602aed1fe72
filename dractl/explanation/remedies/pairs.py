"""Ways out of two changes, for a pod that no single one places."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from dractl.cluster.objects import Key
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.ways_out.registry import WAYS, Way

__all__ = ["MOST_PAIRS", "Pair", "pairs"]

MOST_PAIRS = 2
_MOST_FIRST = 8
_MOST_OF_ONE_WAY = 2
_SECOND_TRIALS = 15

_FIRST = frozenset(
    {
        "uncordon",
        "tolerate-node",
        "node-selector",
        "node-affinity",
        "tolerate-device",
        "drop-selector",
        "drop-constraint",
    }
)
"""The ways that take one obstacle away whatever else there is, so that they can be tried first."""

_NOT_SECOND = frozenset({"gate", "label-namespace", "label-node", "node-name", "add-node"})

Pair = tuple[tuple[Way, Candidate], tuple[Way, Candidate]]
"""The first change and the second one, which includes what the first one changes of the same object."""


def pairs(situation: Situation) -> Iterator[Pair]:
    """Pairs of changes that place the pod on the few nodes, the smallest of each first change.

    They are tried only one after the other: each first change, then what helps after it.
    """
    seen: set[frozenset[tuple[Key, str]]] = set()
    for first in islice(_first(situation), _MOST_FIRST):
        second = _second(situation, first[1])
        if second is None:
            continue
        places = frozenset((entry.owner, entry.field) for _, entry in (first, second))
        if len(places) > 1 and places not in seen:
            seen.add(places)
            yield first, second


def _first(situation: Situation) -> Iterator[tuple[Way, Candidate]]:
    assumed = situation.assuming()
    for way in WAYS:
        if way.name in _FIRST:
            for candidate in islice(way.find(assumed), _MOST_OF_ONE_WAY):
                yield way, candidate


def _second(situation: Situation, first: Candidate) -> tuple[Way, Candidate] | None:
    """The smallest change that places the pod after a first one."""
    after = situation.after(first.change)
    for way in WAYS:
        if way.is_for_bound or way.kind == "object" or way.name in _NOT_SECOND:
            continue
        with situation.share(_SECOND_TRIALS):
            after.take_over(situation)
            found = next(way.find(after), None)
            situation.take_over(after)
        if found is not None:
            return way, found
    return None
