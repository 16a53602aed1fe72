"""Pod groups: how many pods belong together, and the claims that all of them use.

Mirrors the resource claim controller and its helpers in ``dynamic-resource-allocation/resourceclaim`` (1.36
and 1.37, with the gates DRAWorkloadResourceClaims and GenericWorkload). With the gates off no object is a
pod group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Objects, metadata_of, name_of
from dractl.cluster.uids import uid_of
from dractl.simulation.pods.pods import ClaimEntry, Pod

if TYPE_CHECKING:
    from dractl.api.objects.meta import OwnerReference
    from dractl.api.objects.resource import ResourceClaimConsumerReference, ResourceClaimStatus
    from dractl.api.objects.scheduling import PodGroupSpec, PodGroupStatus

API_GROUP = "scheduling.k8s.io"
KIND = "PodGroup"
_RESOURCE = "podgroups"


def group_of(pod: Pod, api_objects: Objects) -> Object | None:
    """The group that a pod names, if it is there."""
    return None if pod.group is None else api_objects.get(KIND, pod.namespace, pod.group)


def min_count(group: JsonObject) -> int | None:
    """How many pods of a group must be placed at once; None without a gang policy."""
    spec = cast("PodGroupSpec | None", group.get("spec"))
    gang = ((spec or {}).get("schedulingPolicy") or {}).get("gang")
    return None if gang is None else gang.get("minCount") or 0


def entries_of(group: JsonObject) -> list[ClaimEntry]:
    """The claims of a group."""
    spec = cast("PodGroupSpec | None", group.get("spec"))
    return [
        ClaimEntry(
            entry.get("name", ""), entry.get("resourceClaimName"), entry.get("resourceClaimTemplateName")
        )
        for entry in (spec or {}).get("resourceClaims") or ()
    ]


def statuses_of(group: JsonObject) -> dict[str, str]:
    """The claims that were generated for a group, by entry."""
    status = cast("PodGroupStatus | None", group.get("status"))
    return {
        entry.get("name", ""): entry["resourceClaimName"]
        for entry in (status or {}).get("resourceClaimStatuses") or ()
        if entry.get("resourceClaimName")
    }


def is_shared(entry: ClaimEntry, group: JsonObject | None) -> bool:
    """Whether the entry of a pod is an entry of its group: all fields must be equal."""
    return group is not None and entry in entries_of(group)


def user_of(pod: Pod, claim: JsonObject, api_objects: Objects) -> dict[str, str]:
    """Who reserves a claim of a pod: the pod, or its group."""
    group = group_of(pod, api_objects)
    name = name_of(claim)
    for entry in pod.claims if group is not None else ():
        named = entry.claim or pod.claim_statuses.get(entry.name)
        if group is not None and named == name and is_shared(entry, group):
            return {
                "apiGroup": API_GROUP,
                "resource": _RESOURCE,
                "name": name_of(group),
                "uid": uid_of(group),
            }
    return {"resource": "pods", "name": pod.name, "uid": pod.uid}


def uses(pod: Pod, claim: JsonObject) -> bool:
    """Whether a claim is reserved for a pod, or for its group, whose uid pods do not know."""
    status = cast("ResourceClaimStatus | None", claim.get("status"))
    users = (status or {}).get("reservedFor") or ()
    return any(user.get("uid") == pod.uid or _is_group(user, pod) for user in users)


def _is_group(user: ResourceClaimConsumerReference, pod: Pod) -> bool:
    return (
        pod.group is not None
        and user.get("apiGroup") == API_GROUP
        and user.get("resource") == _RESOURCE
        and user.get("name") == pod.group
    )


def owner_in_group(claim: JsonObject) -> OwnerReference | None:
    """The group that controls a claim, as its owner reference names it."""
    for owner in metadata_of(claim).get("ownerReferences") or ():
        if owner.get("controller") is True and owner.get("kind") == KIND:
            return owner
    return None


def is_of_group(claim: JsonObject, pod: Pod) -> bool:
    """Whether a claim was made for the group of a pod."""
    owner = owner_in_group(claim)
    return owner is not None and pod.group is not None and owner.get("name") == pod.group
