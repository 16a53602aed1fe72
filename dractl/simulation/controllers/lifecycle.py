"""What the controllers around the scheduler do to claims: make them for pods, and free them after pods.

Mirrors the resource claim controller and, for claims of pods that are gone, the garbage collector.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.cluster.objects import Objects, key_of, name_of, namespace_of
from dractl.cluster.quota import Ledger
from dractl.cluster.uids import uid_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.pods import pod_groups
from dractl.simulation.pods.claims import (
    FINALIZER,
    Owner,
    Problem,
    from_template,
    instantiate,
    is_owned_by,
    owner_of,
    pending_key,
    resolve,
)
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.special_claim import is_special
from dractl.simulation.scheduler.prebind import TIMESTAMP, reserved, with_status

if TYPE_CHECKING:
    from dractl.api.objects import resource
    from dractl.api.objects.meta import OwnerReference


def make_group_claims(group: Object, api_objects: Objects, ledger: Ledger | None = None) -> Object | None:
    """Generate the claims that a PodGroup needs, and return it with its new status; None: nothing is new.

    As for pods the first template that is missing, or claim that exceeds a quota, ends the pass.
    """
    known = pod_groups.statuses_of(group)
    statuses = dict(known)
    owner = _group_as_owner(group)
    for entry in pod_groups.entries_of(group):
        named = statuses.get(entry.name)
        if entry.template is None or (
            named and api_objects.get("ResourceClaim", owner.namespace, named) is not None
        ):
            continue
        template = api_objects.get("ResourceClaimTemplate", owner.namespace, entry.template)
        if template is None:
            break
        claim = from_template(owner, entry, template, api_objects, ())
        if ledger is not None:
            excess = ledger.excess(claim)
            key = pending_key(owner.namespace, owner.name, entry)
            api_objects.leave_out(key, None if excess is None else str(excess))
            if excess is not None:
                break
            ledger.add(claim)
        api_objects.put(claim)
        statuses[entry.name] = claim["metadata"]["name"]
    if statuses == known:
        return None
    entries = [{"name": name, "resourceClaimName": claim} for name, claim in sorted(statuses.items())]
    return {**group, "status": {**(group.get("status") or {}), "resourceClaimStatuses": entries}}


def _group_as_owner(group: Object) -> Owner:
    reference: OwnerReference = {
        "apiVersion": group.get("apiVersion", ""),
        "kind": pod_groups.KIND,
        "name": name_of(group),
        "uid": uid_of(group),
        "controller": True,
    }
    return Owner(namespace_of(group), name_of(group), reference)


def make_claims(
    pod: Pod,
    api_objects: Objects,
    owned: Iterable[Object],
    features: Features,
    ledger: Ledger | None = None,
) -> Object | None:
    """Generate the claims that a pod needs, and return the pod with its new status; None: nothing is new.

    ``owned`` are the claims that the pod controls already. Where there are pod groups, a pod that names one
    waits for it. Claims that exceed a quota of the ``ledger`` are not generated.
    """
    if pod.is_finished or pod.is_terminating or not any(entry.template for entry in pod.claims):
        return None
    if features.quirks.first_missing_claim_stops and _is_stopped(pod, api_objects):
        return None
    made, statuses = instantiate(pod, api_objects, owned, needs_group=features.pod_groups, ledger=ledger)
    is_dropped = features.knows_controllers and not features.control_plane_controllers
    for claim in made:
        if is_dropped and "controller" in claim["spec"]:
            # The server drops a field without its gate from the claim, and keeps it in the template.
            spec = {name: value for name, value in claim["spec"].items() if name != "controller"}
            api_objects.put({**claim, "spec": spec})
        else:
            api_objects.put(claim)
    if statuses is None or statuses == pod.claim_statuses:
        return None
    entries = [
        {"name": name, "resourceClaimName": claim} if claim is not None else {"name": name}
        for name, claim in sorted(statuses.items())
    ]
    return {**pod.data, "status": {**pod.status, "resourceClaimStatuses": entries}}


def _is_stopped(pod: Pod, api_objects: Objects) -> bool:
    """Whether an entry keeps the controller from the ones behind it (``podNeedsWork`` up to 1.35)."""
    for entry in pod.claims:
        if entry.template is not None and entry.name not in pod.claim_statuses:
            return False
        name = entry.claim or pod.claim_statuses.get(entry.name)
        claim = None if name is None else api_objects.get("ResourceClaim", pod.namespace, name)
        if claim is None:
            return name is None or entry.template is None
        if entry.template is not None and not is_owned_by(claim, pod):
            return True
    return False


def reserve_for_bound(pod: Pod, api_objects: Objects, most_consumers: int) -> Iterator[Object]:
    """The claims of a pod on a node that are allocated and not reserved for it yet, reserved.

    The controller does so for pods that no scheduler has tried, up to ``most`` for a claim.
    """
    if pod.node is None or pod.is_finished or pod.is_terminating or not pod.claims:
        return
    found = resolve(pod, api_objects)
    for entry in () if isinstance(found, Problem) else found:
        status: resource.ResourceClaimStatus = ((entry.claim or {}).get("status")) or {}
        users = status.get("reservedFor") or ()
        if entry.claim is None or status.get("allocation") is None or len(users) >= most_consumers:
            continue
        if not pod_groups.uses(pod, entry.claim):
            yield reserved(entry.claim, pod_groups.user_of(pod, entry.claim, api_objects))


class PodStore(NamedTuple):
    """The existing pods, by uid, and which of the others are gone.

    ``knows_all``: all others; else those in ``gone``, while the rest may just not be in the input.
    ``keeps_extended``: finished pods keep their special claims. ``stops_at_others``: claims with a user that
    is no pod are left alone.
    """

    pods: Mapping[str, Pod]
    gone: AbstractSet[str] = frozenset()
    knows_all: bool = False
    keeps_extended: bool = False
    stops_at_others: bool = False

    def lacks(self, uid: str) -> bool:
        """Whether the pod no longer exists."""
        return uid not in self.pods and (self.knows_all or uid in self.gone)


def free_claims(api_objects: Objects, population: PodStore) -> bool:
    """Take users that are done out of all claims, and free claims without users; whether anything changed.

    A claim that becomes free can be allocated elsewhere.
    """
    changed = False
    for claim in api_objects.of_kind("ResourceClaim"):
        after = _settled(claim, population)
        if after is None:
            api_objects.remove(key_of(claim))
            changed = True
        elif after is not claim:
            api_objects.put(after)
            changed = True
    return changed


def _settled(claim: Object, population: PodStore) -> Object | None:
    """The claim after the controllers have processed it; None if it is deleted."""
    status: resource.ResourceClaimStatus = claim.get("status") or {}
    users = status.get("reservedFor") or ()
    keeps = population.keeps_extended and is_special(claim)
    left = [user for user in users if _still_uses(user, population, keeps=keeps)]
    is_deleted = claim["metadata"].get("deletionTimestamp") is not None
    owner = owner_of(claim)
    owner_pod = population.pods.get(owner) if owner is not None else None
    group = pod_groups.owner_in_group(claim)
    is_orphan = (owner is not None and population.lacks(owner)) or (
        group is not None and group.get("uid") in population.gone
    )
    if population.stops_at_others and not all(map(_is_pod, users)):
        return _deleted(claim) if is_orphan else claim
    is_done = owner_pod is not None and owner_pod.is_finished
    if left:
        return claim if len(left) == len(users) else with_status(claim, {**status, "reservedFor": left})
    if is_deleted or is_orphan or is_done:
        return _ended(claim)
    if not users:
        return claim
    if FINALIZER not in (claim["metadata"].get("finalizers") or ()):
        # Nobody but the scheduler sets it: an allocation that was made by hand stays.
        return with_status(claim, {**status, "reservedFor": []})
    return deallocated(claim)


def _ended(claim: Object) -> Object | None:
    """A claim that is no longer needed: deleted, unless another finalizer holds it."""
    after = _deleted(deallocated(claim))
    return claim if after == claim else after


def _deleted(claim: Object) -> Object | None:
    """The claim after its deletion: gone, or marked if a finalizer holds it."""
    if not claim["metadata"].get("finalizers"):
        return None
    if claim["metadata"].get("deletionTimestamp") is not None:
        return claim
    return {**claim, "metadata": {**claim["metadata"], "deletionTimestamp": TIMESTAMP}}


def deallocated(claim: Object) -> Object:
    """The claim without allocation, users, device statuses and finalizer."""
    metadata = dict(claim["metadata"])
    finalizers = [entry for entry in metadata.pop("finalizers", None) or () if entry != FINALIZER]
    if finalizers:
        metadata["finalizers"] = finalizers
    return without_allocation({**claim, "metadata": metadata})


def without_allocation(claim: Object) -> Object:
    """The claim without allocation, users and device statuses; the scheduler leaves the finalizer."""
    gone = ("allocation", "reservedFor", "devices")
    status = {name: value for name, value in (claim.get("status") or {}).items() if name not in gone}
    return with_status(claim, status)


def _still_uses(user: resource.ResourceClaimConsumerReference, population: PodStore, *, keeps: bool) -> bool:
    uid = user.get("uid", "")
    if not _is_pod(user):
        # A group reserves until it is gone, whatever becomes of its pods.
        return uid not in population.gone
    pod = population.pods.get(uid)
    if pod is None:
        return not population.lacks(uid)
    return (keeps or not pod.is_finished) and (pod.node is not None or not pod.is_terminating)


def _is_pod(user: resource.ResourceClaimConsumerReference) -> bool:
    return user.get("resource") == "pods" and not user.get("apiGroup")
