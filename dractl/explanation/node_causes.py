"""Why a node itself turns a pod away, by every filter that looks at no devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dractl.explanation.holders import Holders
from dractl.explanation.model import Cause, NodeRefuses, NodeShort
from dractl.simulation.allocator.checks.taints import BLOCKING_EFFECTS
from dractl.simulation.pods.outcome import NODE_AFFINITY, NODE_TAINT, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import NodeInfo
from dractl.simulation.scheduler.nodes import Node, describe_taint, is_tolerated
from dractl.simulation.scheduler.plugins import dynamic_resources, node_resources_fit
from dractl.simulation.scheduler.plugins.registry import FILTER_PLUGINS
from dractl.simulation.scheduler.prefilter import SchedulingCycle
from dractl.simulation.scheduler.resources import PODS, shortages, shown

__all__ = ["is_lasting", "node_causes"]

_FILTERS = tuple(row for row in FILTER_PLUGINS if row.name != dynamic_resources.NAME)


def node_causes(
    cycle: SchedulingCycle, node: Node, info: NodeInfo, holders: Holders
) -> Iterator[tuple[str, Cause]]:
    """The causes with their categories, in the order of the filters; each category once."""
    seen: set[str] = set()
    for plugin in _FILTERS:
        refusal = plugin.filter(cycle.state, node, info)
        if refusal is None or refusal.category in seen:
            continue
        seen.add(refusal.category)
        if plugin.name == node_resources_fit.NAME:
            for cause in _shortages(cycle, node, info, holders):
                yield refusal.category, cause
        else:
            yield refusal.category, _refusal(refusal, cycle.state.pod, node, cycle.snapshot.nodes)


def is_lasting(cause: Cause) -> bool:
    """Whether the node would turn the pod away even if no other pod ran there."""
    if isinstance(cause, NodeShort):
        return cause.is_lasting
    return True


def _refusal(refusal: Refusal, pod: Pod, node: Node, nodes: Sequence[Node]) -> NodeRefuses:
    if refusal.category == NODE_TAINT:
        taints = [
            describe_taint(taint)
            for taint in node.taints
            if taint.get("effect") in BLOCKING_EFFECTS and not is_tolerated(taint, pod)
        ]
        return NodeRefuses(refusal.category, ", ".join(dict.fromkeys(taints)))
    if refusal.category != NODE_AFFINITY:
        return NodeRefuses(refusal.category, "")
    missing = {
        key: value
        for key, value in (pod.spec.get("nodeSelector") or {}).items()
        if node.ref.labels.get(key) != value
    }
    if not missing:
        return NodeRefuses(refusal.category, refusal.message)
    detail = ", ".join(f"{key}={value}" for key, value in missing.items())
    values = tuple(
        (key, tuple(Counter(str(other.ref.labels.get(key, "(absent)")) for other in nodes).most_common(4)))
        for key in missing
    )
    return NodeRefuses(refusal.category, detail, values)


def _shortages(cycle: SchedulingCycle, node: Node, info: NodeInfo, holders: Holders) -> Iterator[NodeShort]:
    allocatable, demand = node.allocatable or {}, cycle.state.demand
    placed = cycle.snapshot.loads.placed.get(node.name, ())
    for name in shortages(demand, info.load, allocatable, info.served):
        needed = 1 if name == PODS else demand.requests[name]
        taken = info.load.pods if name == PODS else info.load.requests.get(name, 0)
        total = allocatable.get(name, 0)
        yield NodeShort(
            name,
            shown(name, needed),
            shown(name, total - taken),
            shown(name, total),
            tuple(holders.of_node(node.name, name, placed)),
            is_lasting=needed > total,
        )
