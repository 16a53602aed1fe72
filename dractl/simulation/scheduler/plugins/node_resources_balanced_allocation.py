"""``NodeResourcesBalancedAllocation``: cpu and memory of a node are used to the same degree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import CPU, MEMORY, Demand, Load

NAME = "NodeResourcesBalancedAllocation"

_MAX_REMEMBERED = 1 << 16
"""So many uses of nodes are remembered: what one carries seldom changes from one pod to the next."""

_HALF = MAX_SCORE // 2


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """How evenly cpu and memory are used, compared with before; skips a pod that asks for neither."""
    demand = state.demand
    if not any(demand.requests.get(name) for name in (CPU, MEMORY)):
        return None
    return [_balance(demand, entry.node, entry.info.load) for entry in nodes]


def _balance(demand: Demand, node: Node, load: Load) -> int:
    size = node.allocatable or {}
    cpu, memory = size.get(CPU, 0), size.get(MEMORY, 0)
    used_cpu, used_memory = load.requests.get(CPU, 0), load.requests.get(MEMORY, 0)
    before = _evenness(used_cpu, cpu, used_memory, memory)
    after = _evenness(
        used_cpu + demand.requests.get(CPU, 0), cpu, used_memory + demand.requests.get(MEMORY, 0), memory
    )
    return _HALF + (_HALF + after - before) // 2


@lru_cache(maxsize=_MAX_REMEMBERED)
def _evenness(used_cpu: int, cpu: int, used_memory: int, memory: int) -> int:
    if not cpu or not memory:
        return MAX_SCORE
    apart = abs(min(1.0, used_cpu / cpu) - min(1.0, used_memory / memory))
    return int((1 - apart / 2) * MAX_SCORE)
