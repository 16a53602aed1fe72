"""The writes for a placed pod: allocations, reservations and its own status, or why they fail.

Mirrors ``bindClaim`` of the scheduler's dynamic resources plugin (1.37), and the checks of the API server.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api import quantity
from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Key, Objects, full_name, key_of
from dractl.cluster.quota import Ledger
from dractl.cluster.uids import uid_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.pods.claims import FINALIZER
from dractl.simulation.pods.pod_groups import user_of, uses
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim
from dractl.simulation.scheduler.node_allocatable.pod_demand import unwritable
from dractl.simulation.scheduler.schedule_result import Fit

if TYPE_CHECKING:
    from dractl.api.objects import core, resource
    from dractl.api.objects.meta import ObjectMeta

TIMESTAMP = "1970-01-01T00:00:00Z"
"""When a simulated allocation was made: a simulation has no clock."""


class Written(NamedTuple):
    """The claims as they are after the attempt to write them, and what went wrong, if anything.

    ``extended_status`` is for the pod, where a special claim was made.
    """

    claims: tuple[Object, ...]
    problem: str
    extended_status: JsonObject | None


def write_claims(
    pod: Pod, claims: Sequence[Object], fit: Fit, api_objects: Objects, features: Features
) -> Written:
    """Allocate and reserve the claims of a pod, in order, the special one last.

    After a failure the reservations are taken back (Unreserve), while allocations that were written stay.
    """
    decided: dict[str, resource.AllocationResult] = {}
    for claim, allocation in fit.allocations:
        decided.setdefault(full_name(claim), allocation)
    written: dict[Key, Object] = {}
    problem = ""
    for claim in claims:
        if key_of(claim) in written and not uses(pod, claim):
            problem = f"the pod names ResourceClaim {full_name(claim)} twice, but can reserve it only once"
            break
        after = _bound(pod, claim, decided.get(full_name(claim)), features, user_of(pod, claim, api_objects))
        if isinstance(after, str):
            problem = f"ResourceClaim {full_name(claim)}: {after}"
            break
        written[key_of(claim)] = after
    special = fit.special
    if not problem and special is not None and not special.mappings:
        problem = _fraction(pod, special) or (
            "a device plugin serves the extended resources on the node, and the scheduler fails to bind the "
            "other claims of the pod"
        )
    if not problem:
        special_name = None if special is None else special.claim["metadata"]["name"]
        problem = unwritable(fit.node_statuses, special_name, features.quirks)
    if problem:
        return Written(tuple(unreserved(claim, pod) for claim in written.values()), problem, None)
    if special is None:
        return Written(tuple(written.values()), "", None)
    named = _named(special, api_objects)
    made = _bound(pod, named, decided[full_name(special.claim)], features, user_of(pod, named, api_objects))
    if not isinstance(made, str) and api_objects.of_kind("ResourceQuota"):
        excess = Ledger(api_objects, extended=features.quota_of_extended).excess(named)
        made = made if excess is None else f"the claim for its extended resources is rejected: {excess}"
    if isinstance(made, str):
        return Written(tuple(unreserved(claim, pod) for claim in written.values()), made, None)
    return Written((*written.values(), made), "", _extended_status(special, made))


def _fraction(pod: Pod, special: SpecialClaim) -> str:
    """That the pod asks for a part of a device, for which no request can be made; empty if it does not."""
    for container in pod.containers:
        for resource in sorted(special.served):
            text = container.requests.get(resource)
            if text is not None and quantity.parse(str(quantity.parse(text).value)) != quantity.parse(text):
                return (
                    f"container {container.name} requests {text} of {resource}, which the API server "
                    "rejects: extended resources must be whole numbers"
                )
    return ""


def unreserved(claim: Object, pod: Pod) -> Object:
    """The claim without the pod among its users."""
    status: resource.ResourceClaimStatus = claim.get("status") or {}
    users = [user for user in status.get("reservedFor") or () if user.get("uid") != pod.uid]
    return with_status(claim, {**status, "reservedFor": users})


def with_status(claim: Object, status: JsonObject) -> Object:
    """The claim with another status; empty parts are left out."""
    kept = {name: value for name, value in status.items() if value not in ([], None)}
    without = {name: value for name, value in claim.items() if name != "status"}
    return {**without, "status": kept} if kept else without


def with_allocation(claim: Object, allocation: resource.AllocationResult, features: Features) -> Object:
    """The claim with an allocation, and with the finalizer that lets the controller free it later."""
    if features.binding_conditions:
        allocation = {"allocationTimestamp": TIMESTAMP, **allocation}
    metadata = cast("ObjectMeta", dict(claim["metadata"]))
    finalizers: Sequence[str] = metadata.get("finalizers") or ()
    if FINALIZER not in finalizers:
        metadata["finalizers"] = [*finalizers, FINALIZER]
    status = {**(claim.get("status") or {}), "allocation": dict(allocation)}
    return with_status({**claim, "metadata": metadata}, status)


def _bound(
    pod: Pod,
    claim: Object,
    allocation: resource.AllocationResult | None,
    features: Features,
    user: Mapping[str, str],
) -> Object | str:
    """The claim, allocated and reserved for the pod, or the error of the server."""
    status: resource.ResourceClaimStatus = claim.get("status") or {}
    users = list(status.get("reservedFor") or ())
    has_allocation = status.get("allocation") is not None
    if uses(pod, claim):
        return claim
    if len(users) >= features.most_consumers:
        return f"it has {len(users)} consumers; the maximum is {features.most_consumers}"
    if has_allocation and features.binding_conditions and "allocationTimestamp" not in status["allocation"]:
        return (
            "its allocation has no allocationTimestamp, which the scheduler tries to add and the API server "
            "rejects; set status.allocation.allocationTimestamp"
        )
    if allocation is not None:
        claim = with_allocation(claim, allocation, features)
    return reserved(claim, user)


def reserved(claim: Object, user: Mapping[str, str]) -> Object:
    """The claim with one more user."""
    status: resource.ResourceClaimStatus = claim.get("status") or {}
    return with_status(claim, {**status, "reservedFor": [*(status.get("reservedFor") or ()), user]})


def _named(special: SpecialClaim, api_objects: Objects) -> Object:
    """The special claim under a name that no other claim has."""
    metadata = cast("ObjectMeta", dict(special.claim["metadata"]))
    base = metadata["name"]
    number = 1
    while Key("ResourceClaim", metadata["namespace"], metadata["name"]) in api_objects:
        number += 1
        metadata["name"] = f"{base}-{number}"
    claim = {**special.claim, "metadata": metadata}
    metadata["uid"] = uid_of(claim)
    return claim


def _extended_status(special: SpecialClaim, claim: Object) -> core.PodExtendedResourceClaimStatus:
    return {
        "requestMappings": [
            {"containerName": entry.container, "resourceName": entry.resource, "requestName": entry.request}
            for entry in special.mappings
        ],
        "resourceClaimName": claim["metadata"]["name"],
    }
