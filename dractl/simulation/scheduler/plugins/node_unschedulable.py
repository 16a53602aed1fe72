"""``NodeUnschedulable``: no new pods on a node that is cordoned."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.simulation.pods.outcome import NODE_UNSCHEDULABLE, Refusal
from dractl.simulation.scheduler.framework import CycleState, NodeInfo
from dractl.simulation.scheduler.nodes import Node, is_tolerated

NAME = "NodeUnschedulable"

_TAINT: Mapping[str, str] = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}


def filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:  # noqa: ARG001
    """A pod passes if it tolerates the taint that represents ``spec.unschedulable``."""
    if node.is_unschedulable and not is_tolerated(_TAINT, state.pod):
        return Refusal(NODE_UNSCHEDULABLE, "the node is marked unschedulable")
    return None
