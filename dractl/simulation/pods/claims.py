"""From a pod to its claims: which exist, which are generated from templates, and what is in the way.

Mirrors the resource claim controller (``handleClaim``) and the checks of the scheduler's PreEnqueue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Key, Objects, free_names, metadata_of
from dractl.cluster.quota import Ledger
from dractl.cluster.uids import uid_of
from dractl.records import NamedTuple
from dractl.simulation.pods import pod_groups
from dractl.simulation.pods.outcome import CLAIM_DELETING, CLAIM_MISSING, NOT_OWNER
from dractl.simulation.pods.pods import ClaimEntry, Pod

if TYPE_CHECKING:
    from dractl.api.objects.meta import ObjectMeta, OwnerReference
    from dractl.api.objects.resource import ResourceClaimTemplateSpec

POD_CLAIM_NAME = "resource.kubernetes.io/pod-claim-name"
FINALIZER = "resource.kubernetes.io/delete-protection"

_MAX_BASE = 57
"""Longest generated base name that is not cut; five random characters and a dash follow it upstream."""


class Problem(NamedTuple):
    """Why a pod cannot be scheduled yet."""

    category: str
    message: str


class PodClaim(NamedTuple):
    """An entry of a pod and the claim behind it; None if the status needs none."""

    entry: ClaimEntry
    claim: Object | None


def claims_by_owner(api_objects: Objects) -> dict[str, list[Object]]:
    """The claims that pods control, by the uid of the pod."""
    found: dict[str, list[Object]] = {}
    for claim in api_objects.of_kind("ResourceClaim"):
        owner = owner_of(claim)
        if owner is not None:
            found.setdefault(owner, []).append(claim)
    return found


def owner_of(claim: JsonObject) -> str | None:
    """The uid of the pod that controls a claim."""
    for owner in metadata_of(claim).get("ownerReferences") or ():
        if owner.get("controller") is True and owner.get("kind") == "Pod":
            return owner.get("uid")
    return None


def instantiate(
    pod: Pod,
    api_objects: Objects,
    owned: Iterable[Object],
    *,
    needs_group: bool = False,
    ledger: Ledger | None = None,
) -> tuple[list[Object], dict[str, str | None] | None]:
    """The claims that are to be generated for a pod, and the claim per template entry for its status.

    ``owned`` are the claims that the pod controls. With ``needs_group`` nothing is made before the group is
    there that the pod names. What an entry shares with the group is the group's claim. Entries are worked
    through in order, and the first template that is missing ends the pass: what was made before it stays, but
    the status then names nothing (None). So does the first claim that exceeds a quota of the ``ledger``.
    """
    made: list[Object] = []
    statuses: dict[str, str | None] = dict(pod.claim_statuses)
    group = pod_groups.group_of(pod, api_objects)
    if needs_group and pod.group is not None and group is None:
        return made, None
    for entry in pod.claims:
        if entry.template is None or (entry.name in statuses and statuses[entry.name] is None):
            continue
        if group is not None and pod_groups.is_shared(entry, group):
            shared = pod_groups.statuses_of(group).get(entry.name)
            if shared is not None:
                statuses[entry.name] = shared
            continue
        claim = _generated(pod, entry, owned)
        if claim is None:
            template = api_objects.get("ResourceClaimTemplate", pod.namespace, entry.template)
            if template is None:
                return made, None
            claim = from_template(_pod_as_owner(pod), entry, template, api_objects, made)
            if ledger is not None:
                excess = ledger.excess(claim)
                key = pending_key(pod.namespace, pod.name, entry)
                api_objects.leave_out(key, None if excess is None else str(excess))
                if excess is not None:
                    return made, None
                ledger.add(claim)
            made.append(claim)
        statuses[entry.name] = claim["metadata"]["name"]
    return made, statuses


def pending_key(namespace: str, owner: str, entry: ClaimEntry) -> Key:
    """What stands for the claim of an entry of a pod or group before it has a name."""
    return Key("ResourceClaim", namespace, generated_base(owner, entry.name))


def _generated(pod: Pod, entry: ClaimEntry, owned: Iterable[Object]) -> Object | None:
    """The claim generated earlier for an entry, by the status of the pod or the annotation of the claim."""
    named = pod.claim_statuses.get(entry.name)
    mine = [claim for claim in owned if is_owned_by(claim, pod)]
    for claim in mine:
        if metadata_of(claim).get("name") == named:
            return claim
    for claim in mine:
        annotations = metadata_of(claim).get("annotations") or {}
        if annotations.get(POD_CLAIM_NAME) == entry.name:
            return claim
    return None


def is_owned_by(claim: JsonObject, pod: Pod) -> bool:
    """Whether the pod is the claim's controlling owner."""
    metadata = metadata_of(claim)
    if (metadata.get("namespace") or pod.namespace) != pod.namespace:
        return False
    return any(
        owner.get("controller") is True and owner.get("kind") == "Pod" and owner.get("uid") == pod.uid
        for owner in metadata.get("ownerReferences") or ()
    )


def resolve(pod: Pod, api_objects: Objects) -> list[PodClaim] | Problem:
    """The claims of a pod in the order of its entries, or what the pod waits for."""
    found = []
    statuses = pod.claim_statuses
    for entry in pod.claims:
        if entry.template is None:
            name: str | None = entry.claim
        elif entry.name not in statuses:
            return Problem(CLAIM_MISSING, _not_generated(pod, entry, api_objects))
        else:
            name = statuses[entry.name]
        if name is None:
            found.append(PodClaim(entry, None))
            continue
        claim = api_objects.get("ResourceClaim", pod.namespace, name)
        if claim is None:
            absence = api_objects.absence("ResourceClaim", pod.namespace, name)
            named = f"ResourceClaim {pod.namespace}/{name} (entry {entry.name})"
            return Problem(CLAIM_MISSING, f"{named} {absence}")
        problem = _problem(pod, entry, name, claim)
        if problem is not None:
            return problem
        found.append(PodClaim(entry, claim))
    return found


def claims_of(pod: Pod, api_objects: Objects) -> list[Object]:
    """The claims of a pod that it can be tried with; none while something is in the way."""
    found = resolve(pod, api_objects)
    if isinstance(found, Problem):
        return []
    return [entry.claim for entry in found if entry.claim is not None]


def claims_and_special(pod: Pod, api_objects: Objects) -> list[Object]:
    """The claims of a pod, and the special one for its extended resources, if it has one."""
    status = pod.status.get("extendedResourceClaimStatus") or {}
    special = api_objects.get("ResourceClaim", pod.namespace, status.get("resourceClaimName") or "")
    return [*claims_of(pod, api_objects), *([special] if special is not None else [])]


def _not_generated(pod: Pod, entry: ClaimEntry, api_objects: Objects) -> str:
    """Why an entry has no claim: the first template that is missing keeps the status from being written."""
    for other in pod.claims:
        if (
            other.template is not None
            and api_objects.get("ResourceClaimTemplate", pod.namespace, other.template) is None
        ):
            absence = api_objects.absence("ResourceClaimTemplate", pod.namespace, other.template)
            return (
                f"ResourceClaimTemplate {pod.namespace}/{other.template} {absence}, so no claim is "
                f"generated for the pod's entry {entry.name}"
            )
    if pod.group is not None and pod_groups.group_of(pod, api_objects) is None:
        return f"the pod's PodGroup {pod.namespace}/{pod.group} does not exist"
    for owner in filter(None, (pod.name, pod.group)):
        for other in pod.claims:
            reason = api_objects.reason(pending_key(pod.namespace, owner, other))
            if reason is not None:
                return f"the claim for the pod's entry {other.name} is rejected: {reason}"
    return f"no claim has been generated yet for the pod's entry {entry.name}"


def _problem(pod: Pod, entry: ClaimEntry, name: str, claim: Object) -> Problem | None:
    full = f"{pod.namespace}/{name}"
    if metadata_of(claim).get("deletionTimestamp") is not None:
        return Problem(CLAIM_DELETING, f"ResourceClaim {full} is being deleted")
    if entry.template is not None and not is_owned_by(claim, pod) and not pod_groups.is_of_group(claim, pod):
        return Problem(
            NOT_OWNER,
            f"ResourceClaim {full} was not created for the pod: the pod is not its controlling owner",
        )
    return None


class Owner(NamedTuple):
    """For whom a claim is generated."""

    namespace: str
    name: str
    reference: OwnerReference


def _pod_as_owner(pod: Pod) -> Owner:
    return Owner(pod.namespace, pod.name, owner_reference(pod))


def from_template(
    owner: Owner, entry: ClaimEntry, template: Object, api_objects: Objects, made: Iterable[Object]
) -> Object:
    """The claim that the controller generates of a template; ``made`` are others that are new."""
    body: ResourceClaimTemplateSpec | None = template.get("spec")
    body = body or {}
    given = body.get("metadata") or {}
    base = generated_base(owner.name, entry.name)
    metadata: ObjectMeta = {
        "generateName": base,
        "name": _free_name(base.removesuffix("-"), owner.namespace, api_objects, made),
        "namespace": owner.namespace,
        "annotations": {**(given.get("annotations") or {}), POD_CLAIM_NAME: entry.name},
        "ownerReferences": [owner.reference],
    }
    if given.get("labels"):
        metadata["labels"] = dict(given["labels"])
    claim: Object = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": body.get("spec") or {},
    }
    metadata["uid"] = uid_of(claim)
    return claim


def owner_reference(pod: Pod) -> OwnerReference:
    """What makes a claim belong to a pod."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "name": pod.name,
        "uid": pod.uid,
        "controller": True,
    }


def generated_base(pod_name: str, entry_name: str) -> str:
    """The ``generateName`` of a claim; of a long one both parts are cut, and no dash ends it."""
    full = f"{pod_name}-{entry_name}-"
    if len(full) <= _MAX_BASE:
        return full
    parts = (part[: len(part) * _MAX_BASE // len(full)] for part in (pod_name, entry_name))
    return "-".join(parts)


def _free_name(base: str, namespace: str, api_objects: Objects, made: Iterable[Object]) -> str:
    """The base, or the base with the first number that makes it new; upstream adds random characters."""
    taken = {claim["metadata"]["name"] for claim in made}

    def is_taken(name: str) -> bool:
        return name in taken or Key("ResourceClaim", namespace, name) in api_objects

    return next(free_names(base, is_taken))
