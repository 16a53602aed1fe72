"""Ways out by what others hold: a smallest set of pods to end or claims to free, or pods that can move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from dractl.cluster.objects import key_of
from dractl.explanation.trials.edits import dropped
from dractl.explanation.trials.holding import Unit
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate
from dractl.explanation.world import Change
from dractl.simulation.pods.pods import Pod

__all__ = ["free", "smallest_set"]

_MOST_UNITS = 32
"""Units of a node that are told apart; beyond it only those that are the least loss are looked at."""

_WRITTEN = ("name", "namespace", "labels", "annotations", "ownerReferences")
_DELETION = "metadata.deletionTimestamp"
_TWO = 2
_ENDED = 3
"""A pod that ends is a greater change than one that moves."""

_MOST_MOVED = 3
_MOST_MOVES = 4


def smallest_set(situation: Situation) -> tuple[Unit, ...]:
    """A smallest set of units whose end lets the pod in, of equal ones the least loss; empty if none does."""
    return _Search(situation).smallest()


def free(situation: Situation) -> Iterator[Candidate]:
    """Pods that can move, then the smallest set of pods to end and claims to free."""
    search = _Search(situation)
    best = search.smallest()
    if best:
        yield from _moves(situation, search, best)
        found = _candidate(best, situation.units.freed(best))
        ends = all(map(situation.units.is_ending, best))
        yield found._replace(field=_DELETION, size=0) if ends else found


def _moves(situation: Situation, search: _Search, best: tuple[Unit, ...]) -> Iterator[Candidate]:
    """Pods that get another place once the waiting pod has theirs: nothing needs to end for good.

    They are made anew, behind the waiting pod; whoever made them has to do that.
    """
    if len(best) > _MOST_MOVED or all(map(situation.units.is_ending, best)):
        return
    alike = (chosen for chosen in search.sets_of(len(best)) if chosen != best)
    for number, chosen in enumerate(chain((best,), alike)):
        if number == _MOST_MOVES or not situation.has_trials():
            return
        pods = [situation.units.pod_of(unit) for unit in chosen]
        if any(pod is None for pod in pods):
            continue
        change = dict(situation.units.freed(chosen))
        change.update((key_of(pod.data), _anew(pod)) for pod in pods if pod is not None)
        nodes = situation.moved(change, [unit.key for unit in chosen])
        if nodes is not None:
            yield _candidate(chosen, change, nodes)
            return


def _candidate(units: Sequence[Unit], change: Change, nodes: tuple[str, ...] = ()) -> Candidate:
    names = [f"{unit.key.namespace}/{unit.key.name}" for unit in units]
    moved = tuple(unit.key for unit in units) if nodes else ()
    size = len(units) - 1 + (0 if moved else _ENDED)
    return Candidate(units[0].key, "", names, list(nodes) or None, size, change, moved)


def _anew(pod: Pod) -> dict[str, object]:
    """The pod as its author made it, without a node."""
    bare = dropped(pod.data, ("spec", "nodeName"))
    metadata = {name: value for name, value in pod.data["metadata"].items() if name in _WRITTEN}
    return {**{key: value for key, value in bare.items() if key != "status"}, "metadata": metadata}


class _Search:
    """The smallest set of units whose end lets the pod in, on one of the few nodes."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._units = situation.units
        self._known: dict[frozenset[Unit], bool] = {}
        self._of_best: tuple[list[Unit], list[Unit]] = ([], [])

    def smallest(self) -> tuple[Unit, ...]:
        """The set, the least loss first; empty if nothing that ends helps."""
        best: tuple[Unit, ...] = ()
        for node in self._situation.near:
            units = self._useful(node)
            if not units:
                continue
            found = self._single(units, best) or self._several(units, len(best) or len(units))
            if found and (not best or _loss(found) < _loss(best)):
                best = found
        return tuple(sorted(best))

    def sets_of(self, size: int) -> Iterator[tuple[Unit, ...]]:
        """The sets of a size on all of the few nodes that let the pod in, the least loss first."""
        for node in self._situation.near:
            for chosen in _in_order(self._useful(node), size):
                if self._situation.has_trials() and self._lets_in(chosen):
                    yield chosen

    def _useful(self, node: str) -> list[Unit]:
        """The units of a node, if the pod gets in once they are all gone."""
        units = self._units.on(node)
        if len(units) > _MOST_UNITS:
            units = units[:_MOST_UNITS]
            self._situation.is_cut = True
        return units if units and self._lets_in(units) else []

    def _single(self, units: list[Unit], best: Sequence[Unit]) -> tuple[Unit, ...]:
        """The first unit that is enough, and a smaller loss than the best that is known."""
        for unit in units:
            if best and _loss([unit]) >= _loss(best):
                break
            if self._lets_in([unit]):
                return (unit,)
        return ()

    def _several(self, units: list[Unit], bound: int) -> tuple[Unit, ...]:
        """A smallest set of two or more of these units that lets the pod in, up to a size of ``bound``."""
        if bound < _TWO:
            return ()
        needed = [unit for unit in units if not self._lets_in([other for other in units if other != unit])]
        if len(needed) > bound:
            return ()
        if self._lets_in(needed):
            return tuple(needed)
        others = [unit for unit in units if unit not in needed]
        kept = self._greedy(units)
        for size in range(max(_TWO, len(needed) + 1), min(bound, len(kept)) + 1):
            for more in _in_order(others, size - len(needed)):
                if not self._situation.has_trials():
                    return kept
                if self._lets_in([*needed, *more]):
                    return tuple(sorted([*needed, *more]))
        return kept

    def _greedy(self, units: list[Unit]) -> tuple[Unit, ...]:
        """A set that lets the pod in and of which none can stay; who is the greatest loss stays first."""
        kept = list(units)
        for unit in units[::-1]:
            rest = [other for other in kept if other != unit]
            if rest and self._lets_in(rest):
                kept = rest
        return tuple(kept)

    def _lets_in(self, units: Sequence[Unit]) -> bool:
        chosen = frozenset(units)
        known = self._known.get(chosen)
        if known is None:
            known = bool(units) and self._situation.fits(self._units.freed(units)) is not None
            if self._situation.has_trials():
                self._known[chosen] = known
        return known


def _loss(units: Sequence[Unit]) -> tuple[int, list[tuple[int, int]]]:
    """What compares the loss of two sets: how many, and of what priority, the highest first."""
    return len(units), sorted((unit.rank[:2] for unit in units), reverse=True)


def _in_order(units: Sequence[Unit], size: int) -> Iterator[tuple[Unit, ...]]:
    """The sets of a size; those come first of which the greatest loss is least."""
    ordered = sorted(units)
    for last in range(size - 1, len(ordered)):
        for others in combinations(ordered[:last], size - 1):
            yield (*others, ordered[last])
