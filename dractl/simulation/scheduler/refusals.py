"""The refusals of all nodes as one: what a pod that no node takes is said to wait for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dractl.simulation.pods.outcome import (
    CLAIM_ELSEWHERE,
    INVALID_POOLS,
    NO_DEVICES,
    NODE_AFFINITY,
    NODE_TAINT,
    NODE_UNSCHEDULABLE,
    NOT_EVALUATED,
    TIMEOUT,
    TOO_MANY_PODS,
    Refusal,
)

_STAGES: tuple[str, ...] = (NODE_UNSCHEDULABLE, NODE_TAINT, NODE_AFFINITY, TOO_MANY_PODS)
_LAST_STAGES: tuple[str, ...] = (CLAIM_ELSEWHERE, NO_DEVICES, INVALID_POOLS, TIMEOUT, NOT_EVALUATED)

_MAX_MESSAGES = 3
"""So many messages of nodes make up one of a pod; each node's own stands beside it."""


def summed_up(refusals: Mapping[str, Refusal]) -> Refusal:
    """The category of the nodes that let a pod come furthest, and what these nodes say.

    ``refusals`` are those of all nodes, by name. Each message goes with the number of nodes that it is
    true of, the most frequent one first.
    """
    if not refusals:
        return Refusal(NO_DEVICES, "there is no node: give Node objects, or slices that name nodes")
    category = max((refusal.category for refusal in refusals.values()), key=_stage)
    messages = [refusal.message for refusal in refusals.values() if refusal.category == category]
    if len(refusals) == 1:
        return Refusal(category, f"node {next(iter(refusals))}: {messages[0]}")
    return Refusal(category, _counted(messages, len(refusals)))


def _counted(messages: Sequence[str], nodes: int) -> str:
    counts = Counter(messages).most_common()
    parts = [f"{count} of {nodes} nodes: {message}" for message, count in counts[:_MAX_MESSAGES]]
    others = sum(count for _, count in counts[_MAX_MESSAGES:])
    if others:
        parts.append(f"{others} of {nodes} nodes: otherwise, as each says")
    return "; ".join(parts)


def _stage(category: str) -> int:
    """How far a node let the pod come; ``insufficient:…`` stands between the two groups."""
    if category in _LAST_STAGES:
        return len(_STAGES) + 1 + _LAST_STAGES.index(category)
    return _STAGES.index(category) if category in _STAGES else len(_STAGES)
