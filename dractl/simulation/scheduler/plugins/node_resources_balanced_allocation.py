"""``NodeResourcesBalancedAllocation``: cpu and memory of a node are used to the same degree.

Since 1.36 the change counts that the pod makes, before that the result; up to 1.32 also for best-effort pods.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from dractl.simulation.allocator.model.features import Features
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode
from dractl.simulation.scheduler.resources import CPU, MEMORY, Demand

NAME = "NodeResourcesBalancedAllocation"

_MAX_REMEMBERED = 1 << 16
"""So many uses of nodes are remembered: what one carries seldom changes from one pod to the next."""

_HALF = MAX_SCORE // 2


def counts_change(features: Features) -> bool:
    """Whether :func:`score` is the plugin of the minor; else :func:`score_result`."""
    return not features.quirks.balance_ignores_before


def counts_result(features: Features) -> bool:
    """Whether :func:`score_result` is the plugin of the minor."""
    return features.quirks.balance_ignores_before


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """How evenly cpu and memory are used, compared with before; skips a pod that asks for neither."""
    if not _asks_for_any(state.demand):
        return None
    cpu, memory = _cpu_and_memory(state.demand.requests)
    found = []
    for entry in nodes:
        size_cpu, size_memory = _cpu_and_memory(entry.node.allocatable or {})
        used_cpu, used_memory = _cpu_and_memory(entry.info.load.requests)
        before = _evenness(used_cpu, size_cpu, used_memory, size_memory)
        after = _evenness(used_cpu + cpu, size_cpu, used_memory + memory, size_memory)
        found.append(_HALF + (_HALF + after - before) // 2)
    return found


def score_result(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """How evenly cpu and memory are used with the pod; since 1.33 skips a pod that asks for neither."""
    demand = state.demand
    if not _asks_for_any(demand) and not state.quirks.balance_counts_best_effort:
        return None
    cpu, memory = _cpu_and_memory(demand.requests)
    found = []
    for entry in nodes:
        size_cpu, size_memory = _cpu_and_memory(entry.node.allocatable or {})
        used_cpu, used_memory = _cpu_and_memory(entry.info.load.requests)
        found.append(_evenness(used_cpu + cpu, size_cpu, used_memory + memory, size_memory))
    return found


def _cpu_and_memory(amounts: Mapping[str, int]) -> tuple[int, int]:
    return amounts.get(CPU, 0), amounts.get(MEMORY, 0)


def _asks_for_any(demand: Demand) -> bool:
    return any(demand.requests.get(name) for name in (CPU, MEMORY))


@lru_cache(maxsize=_MAX_REMEMBERED)
def _evenness(used_cpu: int, cpu: int, used_memory: int, memory: int) -> int:
    if not cpu or not memory:
        return MAX_SCORE
    apart = abs(min(1.0, used_cpu / cpu) - min(1.0, used_memory / memory))
    return int((1 - apart / 2) * MAX_SCORE)
