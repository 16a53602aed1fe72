"""``TaintToleration``: taints that keep a pod away, and taints that only count for scores."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.simulation.allocator.checks.taints import BLOCKING_EFFECTS, tolerates
from dractl.simulation.pods.outcome import NODE_TAINT, Refusal
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import Node, describe_taint, is_tolerated

NAME = "TaintToleration"

_SOFT = "PreferNoSchedule"


def filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:  # noqa: ARG001
    """The first taint that blocks the pod refuses it."""
    for taint in node.taints:
        if taint.get("effect") in BLOCKING_EFFECTS and not is_tolerated(taint, state.pod):
            text = f"the pod does not tolerate the node's taint {describe_taint(taint)}"
            return Refusal(NODE_TAINT, text)
    return None


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int]:
    """The fewer taints with effect PreferNoSchedule that the pod does not tolerate, the better."""
    tolerations = [entry for entry in state.pod.tolerations if entry.get("effect") in (None, "", _SOFT)]
    counts = [
        sum(
            taint.get("effect") == _SOFT
            and not any(tolerates(toleration, taint) for toleration in tolerations)
            for taint in entry.node.taints
        )
        for entry in nodes
    ]
    most = max(counts)
    return [MAX_SCORE - MAX_SCORE * count // most if most else MAX_SCORE for count in counts]
