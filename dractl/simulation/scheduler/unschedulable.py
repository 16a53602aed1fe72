"""Why no node takes a pod: the refusals of all nodes as one reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from dractl.simulation.allocator.result_cache import NoDevices, with_names
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
from dractl.simulation.scheduler.claim_allocator import ClaimAllocator
from dractl.simulation.scheduler.filter import Filtered
from dractl.simulation.scheduler.schedule_result import NodeRefusals, Refused, category_of

_STAGES: tuple[str, ...] = (NODE_UNSCHEDULABLE, NODE_TAINT, NODE_AFFINITY, TOO_MANY_PODS)
_LAST_STAGES: tuple[str, ...] = (CLAIM_ELSEWHERE, NO_DEVICES, INVALID_POOLS, TIMEOUT, NOT_EVALUATED)

_MAX_MESSAGES = 3
"""The most messages of nodes in the message of a pod; each node also has its own."""


def unschedulable(filtered: Filtered, allocator: ClaimAllocator) -> Refused:
    """The reason for a pod that fits nowhere, or whose attempt was ended by what happened on one node."""
    fatal = fatal_refusal(filtered, allocator)
    if fatal is not None:
        return failed_on(*fatal, filtered.refusals)
    category, message = summed_up(filtered.refusals)
    return Refused(category, message, filtered.refusals, tuple(allocator.unavailable.values()))


def failed_on(node: str, refusal: Refusal, refusals: Mapping[str, Refusal]) -> Refused:
    """The reason for a pod whose attempt was ended by one node."""
    return Refused(refusal.category, f"on node {node}: {refusal.message}", refusals, ())


def fatal_refusal(filtered: Filtered, allocator: ClaimAllocator) -> tuple[str, Refusal] | None:
    """The first node whose refusal ends the attempt for all nodes, or None."""
    return next(
        ((name, entry) for name, entry in filtered.decided.items() if allocator.ends_attempt(entry)), None
    )


def summed_up(refusals: Mapping[str, Refusal]) -> Refusal:
    """The category and the messages of the nodes where the pod got furthest.

    ``refusals`` has those of all nodes, by name. Each message comes with its number of nodes, the most
    frequent one first.
    """
    if not refusals:
        return Refusal(NO_DEVICES, "no nodes exist; add Node objects, or slices that name nodes")
    found: Mapping[str, Refusal | NoDevices] = refusals
    names: Sequence[str] = ()
    if isinstance(refusals, NodeRefusals):
        found, names = refusals.found, refusals.names
    category = max(dict.fromkeys(map(category_of, found.values())), key=stage_of)
    entries = [entry for entry in found.values() if category_of(entry) == category]
    texts = [entry.text for entry in entries if isinstance(entry, NoDevices)]
    if len(texts) < len(entries):
        # Others may say the same in other words, once the claims have names.
        texts = [refusal.message for refusal in refusals.values() if refusal.category == category]
        names = ()
    if len(found) == 1:
        return Refusal(category, f"node {next(iter(found))}: {with_names(texts[0], names)}")
    return Refusal(category, _counted(texts, len(found), names))


def _counted(messages: Sequence[str], nodes: int, names: Sequence[str]) -> str:
    counts = Counter(messages).most_common(_MAX_MESSAGES)
    parts = [f"{count} of {nodes} nodes: {with_names(message, names)}" for message, count in counts]
    others = len(messages) - sum(count for _, count in counts)
    if others:
        parts.append(f"{others} of {nodes} nodes: other reasons")
    return "; ".join(parts)


def stage_of(category: str) -> int:
    """How far a node let the pod come; ``insufficient:…`` is between the two groups."""
    if category in _LAST_STAGES:
        return len(_STAGES) + 1 + _LAST_STAGES.index(category)
    return _STAGES.index(category) if category in _STAGES else len(_STAGES)
