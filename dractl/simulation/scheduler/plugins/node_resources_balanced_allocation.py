"""``NodeResourcesBalancedAllocation``: cpu and memory of a node are used to the same degree.

Since 1.36 the change counts that the pod makes, before that the result; up to 1.32 also for best-effort pods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dractl.simulation.allocator.model.features import Features
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import CPU, MEMORY, Demand, Load

NAME = "NodeResourcesBalancedAllocation"

_MAX_REMEMBERED = 1 << 16
"""So many uses of nodes are remembered: what one carries seldom changes from one pod to the next."""

_HALF = MAX_SCORE // 2
_NO_DEMAND = Demand({}, {})


def counts_change(features: Features) -> bool:
    """Whether :func:`score` is the plugin of the minor; else :func:`score_result`."""
    return not features.quirks.balance_ignores_before


def counts_result(features: Features) -> bool:
    """Whether :func:`score_result` is the plugin of the minor."""
    return features.quirks.balance_ignores_before


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """How evenly cpu and memory are used, compared with before; skips a pod that asks for neither."""
    demand = state.demand
    if not _asks_for_any(demand):
        return None
    return [_balance(demand, entry.node, entry.info.load) for entry in nodes]


def score_result(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """How evenly cpu and memory are used with the pod; since 1.33 skips a pod that asks for neither."""
    demand = state.demand
    if not _asks_for_any(demand) and not state.quirks.balance_counts_best_effort:
        return None
    return [_evenness_with(demand, entry.node, entry.info.load) for entry in nodes]


def _asks_for_any(demand: Demand) -> bool:
    return any(demand.requests.get(name) for name in (CPU, MEMORY))


def _balance(demand: Demand, node: Node, load: Load) -> int:
    change = _evenness_with(demand, node, load) - _evenness_with(_NO_DEMAND, node, load)
    return _HALF + (_HALF + change) // 2


def _evenness_with(demand: Demand, node: Node, load: Load) -> int:
    size = node.allocatable or {}
    cpu, memory = (load.requests.get(name, 0) + demand.requests.get(name, 0) for name in (CPU, MEMORY))
    return _evenness(cpu, size.get(CPU, 0), memory, size.get(MEMORY, 0))


@lru_cache(maxsize=_MAX_REMEMBERED)
def _evenness(used_cpu: int, cpu: int, used_memory: int, memory: int) -> int:
    if not cpu or not memory:
        return MAX_SCORE
    apart = abs(min(1.0, used_cpu / cpu) - min(1.0, used_memory / memory))
    return int((1 - apart / 2) * MAX_SCORE)
