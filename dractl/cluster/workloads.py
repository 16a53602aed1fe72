"""The pods that workloads would make, where they are not among the objects already.

Names are fixed: ``web-0``, ``web-1`` … (a DaemonSet's end in the node's name), whatever the real controllers
would add. Pods that have ended, or were asked to, are made again as the controllers do: a Job stops at its
completions, or at its ``backoffLimit``; it counts pods that are gone in its status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from dractl.api import budgets
from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Key, Objects, full_name, key_of, metadata_of, name_of, namespace_of
from dractl.cluster.uids import uid_of
from dractl.versions.workloads import template_steps

if TYPE_CHECKING:
    from dractl.api.objects.apps import StatefulSetSpec
    from dractl.api.objects.batch import CronJobSpec, JobSpec, JobStatus
    from dractl.api.objects.core import PodSpec, PodStatus, PodTemplateSpec, Toleration
    from dractl.api.objects.meta import OwnerReference

_DAEMON_TOLERATIONS: tuple[Toleration, ...] = tuple(
    {"key": f"node.kubernetes.io/{trouble}", "operator": "Exists", "effect": effect}
    for trouble, effect in (
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
    )
)
"""What the DaemonSet controller lets its pods tolerate."""


class Expanded(NamedTuple):
    """Objects with the pods of their workloads, and what was left out of which workload."""

    objects: list[Object]
    left_out: list[tuple[Object, str]]


RunsOn = Callable[[Object, str], bool]
"""Whether a pod of a DaemonSet is meant to run on the node of that name."""


Room = Callable[[int, int], int]
"""How many further pods may be made of so many, each with a number of claims."""


def unlimited(pods: int, claims: int) -> int:  # noqa: ARG001
    """There is room for all of them."""
    return pods


def with_pods(
    objects: Objects, node_names: Sequence[str], runs_on: RunsOn, room: Room = unlimited
) -> Expanded:
    """The objects, each workload followed by the pods that it lacks, and without those that it replaces."""
    replaced = outlived(objects)
    if replaced:
        objects = objects.copy()
        for pod in replaced:
            objects.remove(key_of(pod))
    owned = _owned(objects)
    parents = _parents(objects)
    expanded: list[Object] = []
    left_out: list[tuple[Object, str]] = []
    for item in objects:
        expanded.append(item)
        shape = WORKLOADS.get(item.get("kind", ""))
        # A workload whose ReplicaSet or Job is there leaves the pods to it.
        if shape is None or _reference(item) in parents:
            continue
        negative = _negative(item, shape)
        if negative:
            left_out.append((item, f"{negative} is negative, which the API server rejects"))
            continue
        pods = _PodsOf(item, shape, _counted(item, owned.get(_reference(item), _NO_PODS)), objects)
        if shape.is_per_node:
            expanded.extend(pod for pod in pods.per_node(node_names, runs_on) if room(1, pods.claims))
            continue
        wanted = _wanted(item, shape, pods.owned)
        there = len(pods.owned.active)
        most = max(budgets.PODS_PER_WORKLOAD.value - there, 0)
        if wanted - there > most:
            told = budgets.PODS_PER_WORKLOAD.message(wanted=f"{wanted:,}", made=f"{there + most:,}")
            left_out.append((item, told))
        expanded.extend(islice(pods.missing(wanted), room(min(max(wanted - there, 0), most), pods.claims)))
    return Expanded(expanded, left_out)


def _negative(workload: Object, shape: _Shape) -> str:
    """The field that gives a number of pods below zero; empty if none does."""
    steps = shape.template[:-1]
    spec: Object = workload
    for step in steps:
        spec = spec.get(step) or {}
    found = (field for field in ("replicas", "parallelism", "completions") if (spec.get(field) or 0) < 0)
    return next((".".join((*steps, field)) for field in found), "")


def outlived(objects: Objects) -> list[Object]:
    """The pods that have ended and whose workload deletes them for that, to make them again where they lack.

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


_REPLACING = frozenset({"StatefulSet", "DaemonSet"})


def surplus(objects: Objects) -> list[Object]:
    """The pods of which workloads have more than they want: those without a node first, then the youngest.

    Mirrors the order in which the ReplicaSet controller deletes pods, as far as manifests tell it; a
    StatefulSet gives up its highest ordinals.
    """
    owned = _owned(objects)
    found: list[Object] = []
    for item in objects:
        shape = WORKLOADS.get(item.get("kind", ""))
        if shape is None or shape.is_per_node:
            continue
        pods = _counted(item, owned.get(_reference(item), _NO_PODS))
        extra = len(pods.active) - _wanted(item, shape, pods)
        if extra > 0:
            found += _youngest(pods.active, is_ordinal=shape.has_ordinals)[:extra]
    return found


def _youngest(pods: Sequence[Object], *, is_ordinal: bool) -> list[Object]:
    ordered = list(reversed(pods))
    if is_ordinal:
        return sorted(ordered, key=_ordinal, reverse=True)
    return sorted(ordered, key=_has_node)


def _has_node(pod: Object) -> bool:
    spec: PodSpec | None = pod.get("spec")
    return bool((spec or {}).get("nodeName"))


def _ordinal(pod: Object) -> int:
    end = name_of(pod).rpartition("-")[2]
    return int(end) if end.isdecimal() else -1


class _Owned(NamedTuple):
    """The pods of a workload: those that run or will, in order, and how many have ended in which way.

    ``vanished`` are those that succeeded and are no longer among the objects.
    """

    active: tuple[Object, ...]
    succeeded: int
    failed: int
    vanished: int = 0


_NO_PODS = _Owned((), 0, 0)

_Reference = tuple[str, str]
"""The kind and full name of a workload, as owner references give them."""


def _reference(item: Object) -> _Reference:
    return item.get("kind", ""), full_name(item)


def _owned(objects: Objects) -> dict[_Reference, _Owned]:
    """The pods per controlling workload."""
    found: dict[_Reference, list[Object]] = {}
    for pod in objects.of_kind("Pod"):
        owner = _controller(pod)
        if owner:
            found.setdefault(_owner_of(pod, owner), []).append(pod)
    return {reference: _sorted_out(pods) for reference, pods in found.items()}


def _counted(workload: Object, owned: _Owned) -> _Owned:
    """The pods of a Job with those that its status counts, of which not all need be there any more."""
    if workload.get("kind") != "Job":
        return owned
    status = cast("JobStatus | None", workload.get("status"))
    status = status or {}
    succeeded = max(status.get("succeeded") or 0, owned.succeeded)
    failed = max(status.get("failed") or 0, owned.failed)
    return _Owned(owned.active, succeeded, failed, succeeded - owned.succeeded)


def _is_finished(workload: Object) -> bool:
    """Whether the controller has put a Job to rest, as ``IsJobFinished``."""
    if workload.get("kind") != "Job":
        return False
    status = cast("JobStatus | None", workload.get("status"))
    return any(
        entry.get("type") in ("Complete", "Failed") and entry.get("status") == "True"
        for entry in (status or {}).get("conditions") or ()
    )


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
    found: dict[_Reference, list[Object]] = {}
    for pod in objects.of_kind("Pod"):
        owner = _controller(pod)
        if owner.get("kind") == "Job" and _phase(pod) in _ENDED:
            found.setdefault(_owner_of(pod, owner), []).append(pod)
    return [(job, found.get(_reference(job), [])) for job in objects.of_kind("Job")]


def _phase(pod: Object) -> str:
    status: PodStatus | None = pod.get("status")
    return (status or {}).get("phase", "")


def _owner_of(item: Object, owner: OwnerReference) -> _Reference:
    return owner.get("kind", ""), f"{namespace_of(item)}/{owner.get('name', '')}"


def _sorted_out(pods: Iterable[Object]) -> _Owned:
    active = []
    phases: list[str] = []
    for pod in pods:
        phase = _phase(pod)
        phases.append(phase)
        if phase not in _ENDED and not metadata_of(pod).get("deletionTimestamp"):
            active.append(pod)
    return _Owned(tuple(active), phases.count("Succeeded"), phases.count("Failed"))


_ENDED = frozenset({"Succeeded", "Failed"})


def _parents(objects: Objects) -> frozenset[_Reference]:
    """The workloads that other workloads among the objects belong to."""
    return frozenset(
        _owner_of(item, owner)
        for kind in ("ReplicaSet", "Job")
        for item in objects.of_kind(kind)
        for owner in (_controller(item),)
        if owner
    )


def _controller(item: Object) -> OwnerReference:
    owners = metadata_of(item).get("ownerReferences") or ()
    nobody: OwnerReference = {}
    return next((owner for owner in owners if owner.get("controller") is True), nobody)


class _Shape(NamedTuple):
    """Where a kind keeps its pod template, and how many pods it wants at a time."""

    template: tuple[str, ...]
    wanted: Callable[..., int]
    is_per_node: bool = False
    has_ordinals: bool = False


def _wanted(workload: Object, shape: _Shape, owned: _Owned) -> int:
    return 0 if _is_finished(workload) else shape.wanted(workload.get("spec") or {}, owned)


def _replicas(spec: Object, _: _Owned) -> int:
    return max(_number(spec, "replicas"), 0)


def _job_pods(spec: JobSpec, owned: _Owned) -> int:
    if spec.get("suspend") is True or owned.failed > _number(spec, "backoffLimit", 6):
        return 0
    parallel = _number(spec, "parallelism")
    completions = spec.get("completions")
    if completions is None:
        # A Job that works off a queue: once a pod has found it empty no further one starts.
        return len(owned.active) if owned.succeeded else max(parallel, 0)
    return max(min(parallel, completions - owned.succeeded), 0)


def _one_run(spec: CronJobSpec, owned: _Owned) -> int:
    if spec.get("suspend") is True:
        return 0
    return _job_pods((spec.get("jobTemplate") or {}).get("spec") or {}, owned)


def _per_node(_: JsonObject, owned: _Owned) -> int:
    return len(owned.active)


def _number(spec: JsonObject, field: str, default: int = 1) -> int:
    value = cast("int | None", spec.get(field))
    return default if value is None else value


WORKLOADS: Mapping[str, _Shape] = {
    kind: _Shape(
        template_steps(kind), wanted, is_per_node=wanted is _per_node, has_ordinals=kind == "StatefulSet"
    )
    for kind, wanted in (
        ("Deployment", _replicas),
        ("ReplicaSet", _replicas),
        ("ReplicationController", _replicas),
        ("StatefulSet", _replicas),
        ("Job", _job_pods),
        ("CronJob", _one_run),
        ("DaemonSet", _per_node),
    )
}
"""The kinds whose pods are made."""


class _PodsOf:
    """The pods that one workload lacks."""

    def __init__(self, workload: Object, shape: _Shape, owned: _Owned, objects: Objects) -> None:
        self._workload = workload
        self._shape = shape
        self.owned = owned
        self._objects = objects

    @property
    def claims(self) -> int:
        """How many claims each pod names."""
        spec = _template_of(self._workload, self._shape).get("spec") or {}
        return len(spec.get("resourceClaims") or ())

    def missing(self, wanted: int) -> Iterator[Object]:
        """So many pods as are wanted beyond those that are there, one after the other."""
        if self._shape.has_ordinals:
            spec: StatefulSetSpec | None = self._workload.get("spec")
            start = ((spec or {}).get("ordinals") or {}).get("start") or 0
            numbers: Iterable[int] = range(start, start + wanted)
            return (self._pod(str(number)) for number in numbers if not self._is_taken(str(number)))
        # The names of pods that have succeeded and are gone are not given again.
        free = (str(number) for number in count(self.owned.vanished) if not self._is_taken(str(number)))
        return (self._pod(suffix) for suffix in islice(free, max(wanted - len(self.owned.active), 0)))

    def per_node(self, node_names: Sequence[str], runs_on: RunsOn) -> Iterator[Object]:
        """A pod for each node that takes it and has none yet."""
        settled = {_node_of(pod) for pod in self.owned.active}
        for name in node_names:
            pod = self._pod(name)
            if name not in settled and not self._is_taken(name) and runs_on(pod, name):
                yield _bound_to(pod, name)

    def _is_taken(self, suffix: str) -> bool:
        name = f"{name_of(self._workload)}-{suffix}"
        return Key("Pod", namespace_of(self._workload), name) in self._objects

    def _pod(self, suffix: str) -> Object:
        return _pod(self._workload, self._shape, suffix)


def _node_of(pod: Object) -> str | None:
    """The node of a DaemonSet's pod: where it is, or where its affinity wants it."""
    spec: PodSpec | None = pod.get("spec")
    spec = spec or {}
    if spec.get("nodeName"):
        return str(spec["nodeName"])
    affinity = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    for term in (affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ():
        for field in term.get("matchFields") or ():
            if field.get("key") == _NAME_FIELD and len(field.get("values") or ()) == 1:
                return str(field["values"][0])
    return None


_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_NAME_FIELD = "metadata.name"


def _template_of(workload: Any, shape: _Shape) -> PodTemplateSpec:
    for step in shape.template:
        workload = workload.get(step) or {}
    template: PodTemplateSpec = workload
    return template


def _pod(workload: Object, shape: _Shape, suffix: str) -> Object:
    template = _template_of(workload, shape)
    metadata: Object = {
        key: value
        for key, value in (template.get("metadata") or {}).items()
        if key in ("labels", "annotations")
    }
    metadata["name"] = f"{name_of(workload)}-{suffix}"
    metadata["namespace"] = namespace_of(workload)
    metadata["ownerReferences"] = [
        {
            "apiVersion": workload.get("apiVersion", ""),
            "kind": workload.get("kind", ""),
            "name": name_of(workload),
            "uid": uid_of(workload),
            "controller": True,
        }
    ]
    spec = template.get("spec") or {}
    if shape.is_per_node:
        spec = {**spec, "tolerations": [*(spec.get("tolerations") or ()), *_DAEMON_TOLERATIONS]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": dict(spec)}


def _bound_to(pod: Object, node: str) -> Object:
    """The pod of a DaemonSet with the affinity for the one node that it is made for."""
    spec: PodSpec = pod["spec"]
    field = {"key": _NAME_FIELD, "operator": "In", "values": [node]}
    affinity = spec.get("affinity") or {}
    # The controller has asked already whether the pod's own affinity matches, and replaces it.
    node_affinity = {
        **(affinity.get("nodeAffinity") or {}),
        _REQUIRED: {"nodeSelectorTerms": [{"matchFields": [field]}]},
    }
    return {**pod, "spec": {**spec, "affinity": {**affinity, "nodeAffinity": node_affinity}}}
