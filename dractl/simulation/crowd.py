"""The pods on every node, and what they take together."""

from __future__ import annotations

from dractl.simulation.pods import Pod
from dractl.simulation.resources import Demand, Load, demand_of, load_of


class Crowd:
    """Pods by node: ``placed`` are the pods themselves, ``loads`` what they take."""

    def __init__(self) -> None:
        self.placed: dict[str, list[Pod]] = {}
        self.loads: dict[str, Load] = {}
        self._demands: dict[str, list[Demand]] = {}

    def add(self, node: str, pod: Pod) -> None:
        """Count a pod on a node."""
        self.placed.setdefault(node, []).append(pod)
        demands = self._demands.setdefault(node, [])
        demands.append(demand_of(pod))
        self.loads[node] = load_of(demands)
