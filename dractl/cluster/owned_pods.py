"""The pods that workloads own: which run, which have ended, and how Jobs count them.

Mirrors how the controllers adopt pods by their owner references (``GetControllerOf``), and the pod counts of
the Job controller.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, full_name, metadata_of, namespace_of
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.batch import JobStatus
    from dractl.api.objects.core import PodStatus
    from dractl.api.objects.meta import OwnerReference

_ENDED = frozenset({"Succeeded", "Failed"})
_REPLACING = frozenset({"StatefulSet", "DaemonSet"})


class OwnedPods(NamedTuple):
    """The pods of a workload: those that run or will, in order, and how many have ended in which way.

    ``vanished`` are those that succeeded and that the objects no longer include.
    """

    active: tuple[Object, ...]
    succeeded: int
    failed: int
    vanished: int = 0


NO_PODS = OwnedPods((), 0, 0)

Reference = tuple[str, str]
"""The kind and full name of a workload, as owner references give them."""


def reference(item: Object) -> Reference:
    """The reference that the pods of a workload have to it."""
    return item.get("kind", ""), full_name(item)


def owned_pods(objects: Objects) -> dict[Reference, OwnedPods]:
    """The pods per controlling workload."""
    found: dict[Reference, list[Object]] = {}
    for pod in objects.of_kind("Pod"):
        controller = _controller(pod)
        if controller:
            found.setdefault(_owner_of(pod, controller), []).append(pod)
    return {owner: _sorted_out(pods) for owner, pods in found.items()}


def with_counted(workload: Object, owned: OwnedPods) -> OwnedPods:
    """The pods of a Job, including those that only its status still counts."""
    if workload.get("kind") != "Job":
        return owned
    status = cast("JobStatus | None", workload.get("status"))
    status = status or {}
    succeeded = max(status.get("succeeded") or 0, owned.succeeded)
    failed = max(status.get("failed") or 0, owned.failed)
    return OwnedPods(owned.active, succeeded, failed, succeeded - owned.succeeded)


def controlling_workloads(objects: Objects) -> frozenset[Reference]:
    """The workloads that other workloads among the objects belong to."""
    return frozenset(
        _owner_of(item, owner)
        for kind in ("ReplicaSet", "Job")
        for item in objects.of_kind(kind)
        for owner in (_controller(item),)
        if owner
    )


def outlived(objects: Objects) -> list[Object]:
    """The ended pods that their workload deletes and creates again.

    Mirrors the controllers of StatefulSets, whose pods keep their names, and of DaemonSets.
    """
    return [
        pod
        for pod in objects.of_kind("Pod")
        if _phase(pod) in _ENDED
        and not metadata_of(pod).get("deletionTimestamp")
        and (owner := _controller(pod))
        and owner.get("kind") in _REPLACING
        and Key(owner["kind"], namespace_of(pod), owner.get("name", "")) in objects
    ]


def tallied(job: Object, known: Iterable[Object], fresh: Iterable[Object] = ()) -> Object:
    """The Job with a status that counts its pods that have ended: those ``known`` before, and ``fresh`` ones.

    A pod that is counted may go without being forgotten. The status may count more than the known ones.
    """
    before, since = list(map(_phase, known)), list(map(_phase, fresh))
    status: Object = dict(job.get("status") or {})
    for field, phase in (("succeeded", "Succeeded"), ("failed", "Failed")):
        total = max(status.get(field) or 0, before.count(phase)) + since.count(phase)
        if total:
            status[field] = total
    return {**job, "status": status} if status != (job.get("status") or {}) else job


def ended_pods(objects: Objects) -> list[tuple[Object, list[Object]]]:
    """The Jobs with those of their pods that have ended."""
    found: dict[Reference, list[Object]] = {}
    for pod in objects.of_kind("Pod"):
        owner = _controller(pod)
        if owner.get("kind") == "Job" and _phase(pod) in _ENDED:
            found.setdefault(_owner_of(pod, owner), []).append(pod)
    return [(job, found.get(reference(job), [])) for job in objects.of_kind("Job")]


def _phase(pod: Object) -> str:
    status: PodStatus | None = pod.get("status")
    return (status or {}).get("phase", "")


def _owner_of(item: Object, owner: OwnerReference) -> Reference:
    return owner.get("kind", ""), f"{namespace_of(item)}/{owner.get('name', '')}"


def _sorted_out(pods: Iterable[Object]) -> OwnedPods:
    active = []
    phases: list[str] = []
    for pod in pods:
        phase = _phase(pod)
        phases.append(phase)
        if phase not in _ENDED and not metadata_of(pod).get("deletionTimestamp"):
            active.append(pod)
    return OwnedPods(tuple(active), phases.count("Succeeded"), phases.count("Failed"))


def _controller(item: Object) -> OwnerReference:
    owners = metadata_of(item).get("ownerReferences") or ()
    nobody: OwnerReference = {}
    return next((owner for owner in owners if owner.get("controller") is True), nobody)
