"""The pods on every node, and what they take together."""

from __future__ import annotations

from collections.abc import Callable

from dractl.simulation import resources
from dractl.simulation.pods import Pod
from dractl.simulation.resources import Demand, Load, load_of


class Crowd:
    """Pods by node: ``placed`` are the pods themselves, ``loads`` what they take."""

    def __init__(self, demand_of: Callable[[Pod], Demand] = resources.demand_of) -> None:
        """Start without pods; ``demand_of`` tells what one takes."""
        self.placed: dict[str, list[Pod]] = {}
        self.loads: dict[str, Load] = {}
        self._demand_of = demand_of
        self._demands: dict[str, list[Demand]] = {}

    def add(self, node: str, pod: Pod) -> None:
        """Count a pod on a node."""
        self.placed.setdefault(node, []).append(pod)
        demands = self._demands.setdefault(node, [])
        demands.append(self._demand_of(pod))
        self.loads[node] = load_of(demands)
