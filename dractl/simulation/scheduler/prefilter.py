"""PreFilter: what keeps a pod from every node, checked before any node."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import full_name
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import SPENT
from dractl.simulation.allocator.model.demand import missing_class
from dractl.simulation.pods.claims import Problem, resolve
from dractl.simulation.pods.outcome import CLAIM_IN_FLIGHT, CLASS_MISSING, TIMEOUT
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.claim_allocator import ClaimAllocator
from dractl.simulation.scheduler.control_plane import waits_for_controller
from dractl.simulation.scheduler.framework import CycleState
from dractl.simulation.scheduler.pod_claims import PodClaims
from dractl.simulation.scheduler.resources import demand_of
from dractl.simulation.scheduler.schedule_result import Refused
from dractl.simulation.scheduler.snapshot import Snapshot


class SchedulingCycle(NamedTuple):
    """The scheduling cycle of one pod: what its plugins share, and the cluster it looks at."""

    state: CycleState
    allocator: ClaimAllocator
    snapshot: Snapshot


def pre_filter(pod: Pod, snapshot: Snapshot) -> SchedulingCycle | Refused:
    """Begin the scheduling cycle of a pod, unless something about its claims keeps it from every node."""
    claims = resolve(pod, snapshot.api_objects)
    if isinstance(claims, Problem):
        return _refused(claims.category, claims.message)
    if not snapshot.allowance.begin_attempt(len(snapshot.nodes)):
        return _refused(TIMEOUT, SPENT.message)
    return _begin(pod, snapshot, [entry.claim for entry in claims if entry.claim is not None])


def pre_filter_claim(claim: Object, snapshot: Snapshot) -> SchedulingCycle | Refused:
    """Begin a cycle for one claim that no pod refers to, as if a pod without other needs asked for it."""
    # What claims hold is counted again for each claim that no pod refers to.
    if not snapshot.allowance.begin_attempt(len(snapshot.nodes) + len(snapshot.api_objects)):
        return _refused(TIMEOUT, SPENT.message)
    alone = Pod({"kind": "Pod", "metadata": claim.get("metadata") or {}})
    return _begin(alone, snapshot, [claim], is_claim=True)


def _begin(
    pod: Pod, snapshot: Snapshot, claims: Sequence[Object], *, is_claim: bool = False
) -> SchedulingCycle | Refused:
    demand = demand_of(pod)
    pod_claims = PodClaims(pod, demand, snapshot, claims)
    allocator = ClaimAllocator(pod, snapshot, pod_claims, is_claim=is_claim)
    problem = _problem(claims, pod_claims, snapshot)
    if problem is not None:
        return problem
    state = CycleState(
        pod,
        demand,
        snapshot.api_objects,
        snapshot.nodes,
        snapshot.loads.placed,
        allocator,
        snapshot.features.quirks,
    )
    return SchedulingCycle(state, allocator, snapshot)


def _problem(claims: Sequence[JsonObject], pod_claims: PodClaims, snapshot: Snapshot) -> Refused | None:
    for claim in claims:
        if full_name(claim) in snapshot.in_flight:
            return _refused(
                CLAIM_IN_FLIGHT,
                f"ResourceClaim {full_name(claim)} is currently being allocated for another pod",
            )
        missing = missing_class(claim, snapshot.device_class) if claim in pod_claims.pending else None
        if missing is not None:
            request, name = missing
            absence = snapshot.api_objects.absence("DeviceClass", "", name)
            message = f"claim {full_name(claim)}, request {request}: DeviceClass {name} {absence}"
            return _refused(CLASS_MISSING, message)
        if snapshot.features.knows_controllers:
            waiting = waits_for_controller(claim, snapshot.device_class, snapshot.nodes, snapshot.features)
            if waiting is not None:
                return waiting
    return None


def _refused(category: str, message: str) -> Refused:
    return Refused(category, message, {}, ())
