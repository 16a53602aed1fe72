"""The pods on every node, and what they take together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.resources import NO_LOAD, Demand, Load


class NodeLoads:
    """Pods by node: ``placed`` are the pods themselves, and equal loads of nodes have equal numbers."""

    def __init__(self, demand_of: Callable[[Pod], Demand] = resources.demand_of) -> None:
        """Start with empty nodes, whose load has the number 0; ``demand_of`` tells what a pod takes."""
        self.placed: dict[str, list[Pod]] = {}
        self._demand_of = demand_of
        self._numbers: dict[str, int] = {}
        self._loads: list[Load] = [NO_LOAD]
        self._known: dict[Hashable, int] = {_content(NO_LOAD): 0}

    def add(self, node: str, pod: Pod) -> None:
        """Count a pod on a node."""
        self.placed.setdefault(node, []).append(pod)
        load = self.load(self._numbers.get(node, 0)).plus(self._demand_of(pod))
        number = self._known.setdefault(_content(load), len(self._loads))
        if number == len(self._loads):
            self._loads.append(load)
        self._numbers[node] = number

    def numbers(self, nodes: Iterable[str]) -> Sequence[int]:
        """The number of the load of each node."""
        get = self._numbers.get
        return [get(name, 0) for name in nodes]

    def load(self, number: int) -> Load:
        """The load of a number."""
        return self._loads[number]


def _content(load: Load) -> Hashable:
    return load.pods, frozenset(load.requests.items()), frozenset(load.for_scores.items())
