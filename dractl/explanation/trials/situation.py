"""Changes of a world that are tried, on a few nodes and then on all, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from types import MappingProxyType

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Key, key_of
from dractl.explanation.trials.claims import Source, sources_of
from dractl.explanation.trials.holding import Units
from dractl.explanation.trials.nearby import cut_to, nearby, of_every_kind
from dractl.explanation.world import Change, World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import Refusal

__all__ = ["MOST_CONFIRMED", "Readmit", "Situation"]

Readmit = Callable[[GateSet, Mapping[str, Mapping[str, str]]], Iterable[JsonDict]]
"""Gives the objects that the API server takes of the input, under other gates and labels of namespaces."""

MOST_CONFIRMED = 64
"""Nodes of a cluster in which each way out is simulated as a whole; 1,000 take half a second each.

In a larger one it is simulated on the nearest nodes and on those with devices of every kind: what a pod gets
on a node depends on no other node, unless a selector fails there.
"""

_SHARES = 4

MOST_SPREAD = 1_000
"""The same for a pod that is spread over nodes, so that other nodes matter to it."""


class Situation:
    """A world in which a pod waits, cut to a few nodes, and how many trials are left.

    ``is_cut`` tells that a limit was reached, so that something may not have been found.
    """

    def __init__(
        self,
        world: World,
        refusals: Mapping[str, Refusal] | None = None,
        readmit: Readmit | None = None,
        labels: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
        *,
        nearest: Sequence[str] = (),
        allowance: Allowance | None = None,
    ) -> None:
        """Choose the nodes; nothing is tried yet. ``refusals`` are those of the nodes if they are known.

        ``nearest`` are nodes that are known to be the nearest misses, each for another reason.
        ``readmit`` and ``labels`` are those of :func:`dractl.explanation.remedies.find.find_ways_out`.
        """
        self.world = world
        self.readmit = readmit
        self.labels = labels
        self.near = nearby(world, refusals, nearest)
        names = {node.name for node in world.scheduler.nodes}
        self.is_whole = names == set(self.near)
        # A search that takes long must not use up the steps of the run.
        if allowance is None:
            allowance = Allowance(search=budgets.REMEDY_SEARCH.value)
            allowance.steps = budgets.REMEDY_STEPS.value
        self._allowance = allowance
        self.cut = self._limited(cut_to(world, self.near))
        wide = names if self._is_small(len(names)) else {*self.near, *of_every_kind(world)}
        self.wide = self._limited(cut_to(world, wide))
        self.sources: tuple[Source, ...] = sources_of(world)
        self.is_cut = False
        self._assumes = False
        self._left = budgets.REMEDY_TRIALS.value
        self._emptied: World | None = None
        self._units: Units | None = None

    @property
    def emptied(self) -> World:
        """The few nodes while nothing runs on them."""
        if self._emptied is None:
            self._emptied = self.cut.emptied()
        return self._emptied

    @cached_property
    def fits_empty(self) -> bool:
        """Whether the pod gets one of the few nodes while nothing runs on them."""
        return self.emptied.place() is not None

    @property
    def units(self) -> Units:
        """What could be freed, in the whole cluster."""
        if self._units is None:
            self._units = Units(self.world)
        return self._units

    @contextmanager
    def share(self, trials: int) -> Iterator[None]:
        """Within, at most so many trials are made, and a quarter of the steps is spent.

        One search must not take what all others need.
        """
        allowance = self._allowance
        kept = max(self._left - trials, 0)
        kept_steps = max(allowance.steps - budgets.REMEDY_STEPS.value // _SHARES, 0)
        self._left -= kept
        allowance.steps -= kept_steps
        try:
            yield
        finally:
            self._left += kept
            allowance.steps += kept_steps

    def has_trials(self) -> bool:
        """Whether anything more may be tried; from the first no on something may have been missed."""
        if self._left > 0 and self._allowance.steps > 0:
            return True
        self.is_cut = True
        return False

    def assuming(self) -> Situation:
        """The same situation, in which every change is assumed to place the pod, without a trial."""
        made = copy(self)
        made._assumes = True
        return made

    def after(self, change: Change) -> Situation:
        """The few nodes after a change, within the same budget; see :meth:`take_over`."""
        world = self.cut.changed(change)
        return Situation(world, None, self.readmit, self.labels, allowance=self._allowance)

    def take_over(self, other: Situation) -> None:
        """Have as many trials left as another situation of the same pod."""
        self._left = other._left
        self.is_cut |= other.is_cut

    def place(self, world: World) -> str | None:
        """The node that the pod gets in a world; None also if nothing more may be tried."""
        if not self.has_trials():
            return None
        self._left -= 1
        before = self._allowance.steps
        node = world.place()
        if node is None and before - self._allowance.steps >= budgets.REMEDY_SEARCH.value:
            # A search may have ended before it found something.
            self.is_cut = True
        return node

    def fits(self, change: Change, settings: Settings | None = None) -> str | None:
        """The node that the pod gets after a change, of the few nodes; None: it still waits."""
        if self._assumes:
            return next(iter(self.near), None)
        return self.place(self._limited(self.cut.changed(change), settings))

    def moved(self, change: Change, pods: Sequence[Key]) -> tuple[str, ...] | None:
        """The nodes that these pods get, which a change makes anew, once the waiting pod has its own.

        None if not all of them get one.
        """
        if not self.has_trials():
            return None
        self._left -= 1
        return _moved(self.cut, change, pods)

    def confirmed(
        self, change: Change, moved: Sequence[Key] = (), settings: Settings | None = None
    ) -> str | None:
        """The node that the pod gets after a change; what the change moves must get one, too.

        This is tried in the whole cluster, or in a large one on nodes of every kind: what a pod gets on a
        node depends on no other node, but a selector that fails anywhere keeps it from all.
        """
        if moved and not self.is_whole and _moved(self.wide, change, moved) is None:
            return None
        return self._limited(self.wide.changed(change), settings).place()

    def _limited(self, world: World, settings: Settings | None = None) -> World:
        """The world with other settings, if any, and with what the trials together may spend."""
        limited = (settings or world.settings)._replace(allowance=self._allowance)
        return World(world.objects.values(), limited, world.pod_key)

    def _is_small(self, nodes: int) -> bool:
        spreads = bool(self.world.pod.spec.get("topologySpreadConstraints"))
        return nodes <= (MOST_SPREAD if spreads else MOST_CONFIRMED)


def _moved(world: World, change: Change, pods: Sequence[Key]) -> tuple[str, ...] | None:
    last = [change[key] for key in pods]
    objects = [*world.changed({**change, **dict.fromkeys(pods)}).objects.values()]
    objects += (item for item in last if item is not None)
    scheduler = Scheduler(objects, world.settings)
    scheduler.settle()
    nodes = {key_of(pod.data): pod.node or scheduler.decision(pod).node for pod in scheduler.pods()}
    found = [nodes.get(key) for key in (world.pod_key, *pods)]
    return None if None in found else tuple(str(node) for node in found[1:])
