"""What a run may spend: one purse for all its pods, nodes, steps and cases, so that many small efforts end.

Everything is counted in steps of a search, about ten microseconds each: dearer work counts as several.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType

from dractl.api import budgets
from dractl.api.budgets import Budget
from dractl.cluster.objects import Key, identity, key_of
from dractl.simulation.allocator.model.demand import MAX_RESULTS, ClaimDemand, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.pods.outcome import LeftOut, Placement, Refusal

SPENT = Fatal("not tried: the run has used all its search steps", is_timeout=True)
"""The result of a search without remaining steps."""

Reasons = Mapping[str, Refusal]
"""Why each node does not take a pod."""

_DROPPED: Reasons = MappingProxyType({})
"""Stands for reasons that are not kept."""

_CLAIMS_PER_POD = 4
"""So many claims take about as much memory as a pod."""

_STEPS_PER_POD = 20
"""To make a pod, and its claims, takes some hundred microseconds."""

_STEPS_PER_ATTEMPT = 5

_STEPS_PER_SHOWN = 10
"""To show an object takes 0.1 ms and 1 KB."""

_STEPS_PER_JUDGED = 100
"""To validate an object takes 1 ms."""

_NODES_PER_STEP = 100
"""To filter a node for a pod costs half a microsecond where nothing on it has changed."""

_MEMBERS_PER_STEP = 16
"""To compare a device with one that was chosen costs as much less."""


class Allowance:
    """What is left of the limits of a run, and which were reached."""

    def __init__(self, search: int = budgets.SEARCH.value) -> None:
        """Start with the limits of the table, or with fewer steps for each ``search``."""
        self.search = search
        self.steps = budgets.SEARCH_STEPS.value
        self.granted = self.steps
        self._known: set[Hashable] = set()
        self._reasons = budgets.REASONS.value
        self._held = 0
        self._rows = budgets.PLACEMENTS.value
        self._unlisted = 0
        self._pods = budgets.PODS.value
        self._lost = 0
        self._reached: dict[Budget, str] = {}
        self._returned: set[Budget] = set()
        self._given_up: dict[Key, LeftOut] = {}

    def begin(self, objects: Iterable[tuple[Hashable, int]]) -> None:
        """Begin a simulation: add what the objects of its input are worth, each once in a run.

        Each comes with its size, as ``bulk`` has it.
        """
        sizes = {name: size for name, size in objects if name not in self._known}
        self._known.update(sizes)
        more = sum(sizes.values()) * budgets.SEARCH_STEPS_PER_OBJECT.value
        self.steps += more
        self.granted += more
        self._held = 0
        self._pods = budgets.PODS.value
        self._lost = 0

    # Steps.

    def spend(self, steps: int) -> None:
        """Count work that was done."""
        self.steps -= steps

    def has_steps(self) -> bool:
        """Whether anything more may be tried; from the first no on the limit counts as reached."""
        if self.steps > 0:
            return True
        self.reach(budgets.SEARCH_STEPS, steps=f"{self.granted:,}")
        return False

    def most(self) -> int:
        """What one search may spend: most of what is left, so that others can be tried after it."""
        return self.steps - self.steps // 4

    def begin_attempt(self, nodes: int) -> bool:
        """Whether a pod may be tried on so many nodes."""
        if not self.has_steps():
            return False
        self.spend(_STEPS_PER_ATTEMPT + nodes // _NODES_PER_STEP)
        return True

    def show(self, objects: int) -> None:
        """Count what it takes to show so many objects once."""
        self.spend(objects * _STEPS_PER_SHOWN)

    def judge(self, objects: int) -> None:
        """Count what it takes to admit so many objects."""
        self.spend(objects * _STEPS_PER_JUDGED)

    # Pods and reasons.

    def room(self, pods: int, claims: int) -> int:
        """How many of so many pods with some claims each may be made of workloads."""
        size = max(1, -(-claims // _CLAIMS_PER_POD))
        made = min(pods, self._pods // size)
        self._pods -= made * size
        self.spend(made * size * _STEPS_PER_POD)
        self._lost += pods - made
        if self._lost:
            self._reached[budgets.PODS] = budgets.PODS.message(lost=f"{self._lost:,}")
        return made

    def kept(self, reasons: Reasons, instead_of: Reasons) -> Reasons:
        """The reasons of all nodes, or none of them where the pods that wait have too many."""
        self._held -= len(instead_of)
        if len(reasons) > budgets.REASONS.value - self._held:
            return _DROPPED
        self._held += len(reasons)
        return reasons

    def within_limits(self, reasons: Reasons) -> Reasons:
        """The reasons of all nodes, or none if the run has already reported too many."""
        if reasons is _DROPPED or len(reasons) > self._reasons:
            self.reach(budgets.REASONS)
            return {}
        self._reasons -= len(reasons)
        return reasons

    def lists_more(self) -> bool:
        """Whether the placements of one more pod may be listed."""
        if self._rows > 0:
            return True
        self._unlisted += 1
        self._reached[budgets.PLACEMENTS] = budgets.PLACEMENTS.message(pods=f"{self._unlisted:,}")
        return False

    def listed(self, rows: Sequence[Placement]) -> Sequence[Placement]:
        """Count the placements of a pod."""
        self._rows -= len(rows)
        return rows

    # What was reached.

    def reach(self, limit: Budget, **details: object) -> None:
        """Note that a limit was reached."""
        if limit not in self._reached:
            self._reached[limit] = limit.message(**details)

    def give_up(self, item: Mapping[str, object], reason: str) -> None:
        """Note, once, that an object could not be evaluated within the limits."""
        self._given_up.setdefault(key_of(item), LeftOut(identity(item), reason))

    def reached(self) -> list[LeftOut]:
        """The limits that were reached, and the objects given up, since this was last asked."""
        fresh = [limit for limit in self._reached if limit not in self._returned]
        self._returned.update(fresh)
        given_up = [*self._given_up.values()]
        self._given_up.clear()
        return [*given_up, *(LeftOut({}, self._reached[limit]) for limit in fresh)]


class Cost:
    """What the steps of a search for some claims are worth.

    A device is compared with all that were chosen by each constraint; what was chosen is gone through once
    more where the search has begun to remember.
    """

    def __init__(self, claims: Sequence[ClaimDemand], features: Features) -> None:
        """Look at how much the claims can hold."""
        held = [
            min(sum(max(map(_count, ask.alternatives)) for ask in claim.asks), MAX_RESULTS)
            for claim in claims
        ]
        compared = max(
            (len(c.constraints) * number for c, number in zip(claims, held, strict=True)), default=0
        )
        if features.list_type_attributes:
            compared *= _LIST
        self._early = 1 + compared // _MEMBERS_PER_STEP
        self._late = self._early + sum(held) // _MEMBERS_PER_STEP

    def of(self, steps: int, patience: int) -> int:
        """What so many steps are worth, of which the first do not remember."""
        return min(steps, patience) * self._early + max(steps - patience, 0) * self._late

    def affordable(self, worth: int, patience: int) -> int:
        """How many steps can be had for it, one at least."""
        early = min(worth // self._early, patience)
        return max(1, early + (worth - early * self._early) // self._late)


def _count(request: Request) -> int:
    # A stored claim may ask for less than nothing.
    return MAX_RESULTS if request.is_all else max(request.count, 0)


_LIST = 2
"""Sets of values are compared in twice the time."""
