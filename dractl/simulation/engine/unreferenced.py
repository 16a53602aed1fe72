"""Claims that no pod refers to: nothing in a cluster allocates them, so a simulation only does on request."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.json_types import Object
from dractl.cluster.objects import allocation_of, full_name, name_of, namespace_of
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.pods import placements
from dractl.simulation.pods.outcome import UNREFERENCED, Note, Pending, Placement
from dractl.simulation.scheduler.prebind import with_allocation
from dractl.simulation.scheduler.schedule_one import allocate_claim
from dractl.simulation.scheduler.schedule_result import Refused

_MOST_NAMES = 5
"""Claims that a note names."""


def allocate_unreferenced(scheduler: Scheduler) -> list[Pending]:
    """Allocate each claim without a pod on the first feasible node, then update the reasons of pending pods.

    Return the claims that no node has devices for.
    """
    while True:
        has_allocated, pending = _allocate_each(scheduler)
        if not scheduler.review() and not has_allocated:
            return pending


def _allocate_each(scheduler: Scheduler) -> tuple[bool, list[Pending]]:
    has_allocated = False
    pending: list[Pending] = []
    for claim in _claims(scheduler):
        if allocation_of(claim) is not None:
            continue
        found = allocate_claim(claim, scheduler.snapshot())
        if isinstance(found, Refused):
            pending.append(Pending(None, full_name(claim), found.category, found.message, found.nodes))
            continue
        has_allocated = True
        _, allocation = found
        scheduler.put(with_allocation(claim, allocation, scheduler.settings.features))
    return has_allocated, pending


def placements_of_unreferenced(scheduler: Scheduler) -> list[Placement]:
    """The devices of the allocated claims that no pod refers to."""
    return [
        row for claim in _claims(scheduler) for row in placements.of_claim(claim, placements.node_of(claim))
    ]


def unreferenced_notes(scheduler: Scheduler) -> tuple[Note, ...]:
    """A note about the claims that stay unallocated because no pod refers to them, if any."""
    names = [full_name(claim) for claim in _claims(scheduler) if allocation_of(claim) is None]
    return unreferenced(names, has_pods=bool(scheduler.pods()))


def unreferenced(claims: Sequence[str], *, has_pods: bool) -> tuple[Note, ...]:
    """A note about unallocated claims, by ``namespace/name``, that no pod refers to; none without them.

    ``has_pods`` is whether there is any pod at all: otherwise the note also says how claims are allocated.
    """
    if not claims:
        return ()
    one = len(claims) == 1
    more = f" and {len(claims) - _MOST_NAMES} more" if len(claims) > _MOST_NAMES + 1 else ""
    named = ", ".join(claims[:_MOST_NAMES] if more else claims) + more
    counted = "1 claim" if one else f"{len(claims)} claims"
    them = "it" if one else "them"
    if has_pods:
        message = (
            f"{counted} that no pod refers to stay{'s' * one} unallocated: {named}; "
            f"allocate {them} with --allocate-unreferenced"
        )
    else:
        message = (
            f"{counted} stay{'s' * one} unallocated, because claims are allocated for pods and the input "
            f"has none: {named}; add a pod that uses {them}, or allocate {them} with --allocate-unreferenced"
        )
    return (Note(UNREFERENCED, message, claims=tuple(claims)),)


def _claims(scheduler: Scheduler) -> list[Object]:
    used = {
        (pod.namespace, name)
        for pod in scheduler.pods()
        for name in (*placements.claim_names(pod).values(), placements.special_claim_name(pod))
    }
    return [
        claim
        for claim in scheduler.api_objects.of_kind("ResourceClaim")
        if (namespace_of(claim), name_of(claim)) not in used
    ]
