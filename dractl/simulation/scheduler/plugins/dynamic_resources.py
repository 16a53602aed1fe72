"""``DynamicResources``: devices for the claims of a pod on a node, and better subrequests first."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.json_types import Object
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.outcome import CLAIM_ELSEWHERE, Refusal
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import Node

NAME = "DynamicResources"

MAX_ALTERNATIVES = 8
"""``FirstAvailableDeviceRequestMaxSize``: the first subrequest counts as much, the next one less."""


def filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:
    """All claims must be usable on the node or get devices there together."""
    allocator = state.allocator
    if allocator is None:
        return None
    if not allocator.decides_by_devices:
        refusal = allocator.sharing(node, info.on_other_nodes)
        if refusal is not None:
            return refusal
    pending_claims = allocator.claims.pending_claims(info.served)
    past = allocator.allocate(node, pending_claims)
    if isinstance(past, Refusal):
        return past
    if not allocator.decides_by_devices:
        statuses = allocator.node_statuses(node, info.load, allocator.fit(node, pending_claims))
        if isinstance(statuses, Refusal):
            return statuses
    if info.on_other_nodes:
        # Upstream remembers them only where the other claims can be allocated.
        allocator.unavailable.update((full_name(claim), claim) for claim in info.on_other_nodes)
        return Refusal(
            CLAIM_ELSEWHERE,
            f"ResourceClaim {full_name(info.on_other_nodes[0])} is already allocated, but not for this node",
        )
    allocator.selected[node.name] = past.selected
    return None


def is_score_enabled(features: Features) -> bool:
    """Prioritized lists count for scores since 1.35."""
    return features.prioritized_list and not features.quirks.scores_no_alternatives


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """Better subrequests score higher; those of claims that are allocated already count, too (1.36)."""
    if state.allocator is None:
        return None
    settled = [number for claim in state.allocator.claims.settled for number in _selected(claim)]
    raw = [sum(MAX_ALTERNATIVES - number for number in (*settled, *entry.selected)) for entry in nodes]
    most = max(raw)
    return [MAX_SCORE * value // most if most else 0 for value in raw]


def score_error(state: CycleState, nodes: Sequence[FeasibleNode], quirks: Quirks) -> str | None:
    """Why the nodes cannot be scored, or None; a single node has no score.

    Some releases look for every claim of the pod among the allocations of this attempt.
    """
    if not quirks.scores_no_settled_claims or len(nodes) == 1 or state.allocator is None:
        return None
    claims = state.allocator.claims
    if not claims.settled or not any(claims.pending_claims(node.info.served).pending for node in nodes):
        return None
    return (
        f"the scheduler fails to score nodes: claim {full_name(claims.settled[0])} is already allocated, "
        "another claim of the pod is not (fixed in 1.35.6 and 1.36.2)"
    )


def _selected(claim: Object) -> list[int]:
    """Which subrequest of each prioritized request the results of an allocated claim belong to."""
    results = (allocation_of(claim) or {}).get("devices", {}).get("results") or ()
    names = {entry.get("request") for entry in results}
    found = []
    for request in (claim.get("spec") or {}).get("devices", {}).get("requests") or ():
        for number, alternative in enumerate(request.get("firstAvailable") or ()):
            if f"{request.get('name')}/{alternative.get('name')}" in names:
                found.append(number)
                break
    return found
