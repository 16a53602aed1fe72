"""The pods on every node, and what they take together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.resources import NO_LOAD, Demand, Load

PodKind = tuple[str, frozenset[tuple[str, str]]]
"""The namespace and the labels of a pod."""


class PodsOfNode(list[Pod]):
    """The pods on a node, and how many there are of each kind that a selector can tell from others."""

    __slots__ = ("kinds",)

    def __init__(self, pods: Iterable[Pod] = ()) -> None:
        """Start with some pods."""
        super().__init__()
        self.kinds: dict[PodKind, int] = {}
        for pod in pods:
            self.append(pod)

    def append(self, pod: Pod) -> None:
        """Add a pod; one that is to end is of no kind."""
        super().append(pod)
        if not pod.is_terminating:
            kind = pod.namespace, frozenset(pod.labels.items())
            self.kinds[kind] = self.kinds.get(kind, 0) + 1


class NodeLoads:
    """Pods by node: ``placed`` are the pods themselves, and equal loads of nodes have equal numbers."""

    def __init__(self, demand_of: Callable[[Pod], Demand] = resources.demand_of) -> None:
        """Start with empty nodes, whose load has the number 0; ``demand_of`` tells what a pod takes."""
        self.placed: dict[str, PodsOfNode] = {}
        self._demand_of = demand_of
        self._numbers: dict[str, int] = {}
        self._loads: list[Load] = [NO_LOAD]
        self._known: dict[Hashable, int] = {_content(NO_LOAD): 0}
        self._views: dict[frozenset[str], _View] = {}

    def add(self, node: str, pod: Pod) -> None:
        """Count a pod on a node."""
        pods = self.placed.get(node)
        if pods is None:
            pods = self.placed[node] = PodsOfNode()
        pods.append(pod)
        load = self.load(self._numbers.get(node, 0)).plus(self._demand_of(pod))
        number = self._known.setdefault(_content(load), len(self._loads))
        if number == len(self._loads):
            self._loads.append(load)
        self._numbers[node] = number

    def numbers(self, nodes: Iterable[str], names: frozenset[str] | None = None) -> Sequence[int]:
        """The number of the load of each node; with ``names``, of a load that is equal in these resources."""
        get = self._numbers.get
        if names is None:
            return [get(name, 0) for name in nodes]
        if names not in self._views:
            if len(self._views) >= _MAX_VIEWS:
                self._views.clear()
            self._views[names] = _View(names)
        equal = self._views[names].equal(self._loads)
        return [equal[get(name, 0)] for name in nodes]

    def load(self, number: int) -> Load:
        """The load of a number."""
        return self._loads[number]


_MAX_VIEWS = 64
"""So many sets of resources are remembered that pods look at."""


class _View:
    """Which loads are equal to a pod that only looks at some resources."""

    __slots__ = ("_first", "_names", "_numbers")

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._first: dict[Hashable, int] = {}
        self._numbers: list[int] = []

    def equal(self, loads: Sequence[Load]) -> Sequence[int]:
        """For each load the number of the first that is equal to it."""
        for number in range(len(self._numbers), len(loads)):
            load = loads[number]
            seen = [amounts.get(name, 0) for amounts in load[1:] for name in self._names]
            self._numbers.append(self._first.setdefault((load.pods, *seen), number))
        return self._numbers


def _content(load: Load) -> Hashable:
    return load.pods, frozenset(load.requests.items()), frozenset(load.for_scores.items())
