"""``NodeResourcesFit``: enough cpu, memory, pods and extended resources, and the emptier node first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.simulation.pods.outcome import TOO_MANY_PODS, Refusal
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import CPU, MEMORY, PODS, Demand, Load, shortages, shown

NAME = "NodeResourcesFit"

_SCORED = (CPU, MEMORY)


def filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:
    """Refuse a pod that asks for more than is left; what DRA serves on the node is left out."""
    if node.allocatable is None:
        return None
    short = shortages(state.demand, info.load, node.allocatable, info.served)
    if not short:
        return None
    category = TOO_MANY_PODS if short[0] == PODS else f"insufficient:{short[0]}"
    texts = [_shortage_text(name, state.demand, info.load, node.allocatable) for name in short]
    return Refusal(category, "; ".join(texts))


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int]:
    """``LeastAllocated``: the mean of what is left of cpu and memory."""
    asked = [(name, state.demand.for_scores.get(name, 0)) for name in _SCORED]
    return [_least_allocated(asked, entry.node, entry.info.load) for entry in nodes]


def _least_allocated(asked: Sequence[tuple[str, int]], node: Node, load: Load) -> int:
    sizes, loads = node.allocatable or {}, load.for_scores
    total = count = 0
    for name, amount in asked:
        size = sizes.get(name, 0)
        if size:
            count += 1
            used = loads.get(name, 0) + amount
            if used <= size:
                total += (size - used) * MAX_SCORE // size
    return total // count if count else 0


def _shortage_text(name: str, demand: Demand, load: Load, allocatable: Mapping[str, int]) -> str:
    if name == PODS and PODS not in allocatable:
        return "the node has no pods in status.allocatable, which counts as 0; add `pods: 110`"
    if name == PODS:
        return f"the node allows {allocatable.get(PODS, 0)} pods and already has {load.pods}"
    left = allocatable.get(name, 0) - load.requests.get(name, 0)
    return f"needs {shown(name, demand.requests[name])} {name}; {shown(name, left)} left"
