"""Notes about claims that the scheduler frees for a pod, because their allocation keeps it off all nodes."""

from __future__ import annotations

from dractl.api.json_types import JsonObject
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.pods.outcome import FREED, Note
from dractl.simulation.pods.placements import node_of, results_of

_MOST_DEVICES = 3
"""Devices of a claim that a note names."""


def freed_note(pod: str, before: JsonObject, after: JsonObject | None) -> Note:
    """That a claim was freed for a pod (``namespace/name``): where it was allocated, and where it is now.

    ``before`` is the claim as it was, ``after`` as it is in the end; None if it no longer exists.
    """
    claim = full_name(before)
    if after is not None and allocation_of(after) is not None:
        end = f" and allocates it again {_where(after)}"
    else:
        end = "; it stays unallocated"
    message = (
        f"ResourceClaim {claim} was allocated {_where(before)}, where pod {pod} cannot run; no other pod "
        f"uses it, so the scheduler frees it{end}"
    )
    return Note(FREED, message, (pod,), (claim,))


def _where(claim: JsonObject) -> str:
    """Node and devices of an allocation."""
    names = [
        f"{row.get('driver', '')}/{row.get('pool', '')}/{row.get('device', '')}" for row in results_of(claim)
    ]
    more = f" and {len(names) - _MOST_DEVICES} more" if len(names) > _MOST_DEVICES + 1 else ""
    devices = ", ".join(names[:_MOST_DEVICES] if more else names) + more
    node = node_of(claim)
    if node is None:
        return f"as {devices}" if devices else "without devices"
    return f"on node {node} ({devices})" if devices else f"on node {node}"
