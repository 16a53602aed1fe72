"""The kinds of workloads: where each keeps its pod template, and how many pods it wants at a time.

Mirrors the controllers: a Job stops at its completions or at its ``backoffLimit``, and a workload with more
pods than it wants gives some up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Objects, name_of
from dractl.cluster.owned_pods import NO_PODS, OwnedPods, owned_pods, reference, with_counted
from dractl.records import NamedTuple
from dractl.versions.workloads import template_steps

if TYPE_CHECKING:
    from dractl.api.objects.batch import CronJobSpec, JobSpec, JobStatus
    from dractl.api.objects.core import PodSpec


class WorkloadShape(NamedTuple):
    """Where a kind keeps its pod template, and how many pods it wants at a time."""

    template: tuple[str, ...]
    wanted: Callable[..., int]
    is_per_node: bool = False
    has_ordinals: bool = False


def wanted_pods(workload: Object, shape: WorkloadShape, owned: OwnedPods) -> int:
    """How many active pods a workload wants; none once a Job is finished."""
    return 0 if _is_finished(workload) else shape.wanted(workload.get("spec") or {}, owned)


def _replicas(spec: Object, _: OwnedPods) -> int:
    return max(_number(spec, "replicas"), 0)


def _job_pods(spec: JobSpec, owned: OwnedPods) -> int:
    if spec.get("suspend") is True or owned.failed > _number(spec, "backoffLimit", 6):
        return 0
    parallel = _number(spec, "parallelism")
    completions = spec.get("completions")
    if completions is None:
        # A Job that works off a queue: once a pod has found it empty no further one starts.
        return len(owned.active) if owned.succeeded else max(parallel, 0)
    return max(min(parallel, completions - owned.succeeded), 0)


def _one_run(spec: CronJobSpec, owned: OwnedPods) -> int:
    if spec.get("suspend") is True:
        return 0
    return _job_pods((spec.get("jobTemplate") or {}).get("spec") or {}, owned)


def _per_node(_: JsonObject, owned: OwnedPods) -> int:
    return len(owned.active)


def _number(spec: JsonObject, field: str, default: int = 1) -> int:
    value = cast("int | None", spec.get(field))
    return default if value is None else value


WORKLOADS: Mapping[str, WorkloadShape] = {
    kind: WorkloadShape(
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


def negative_field(workload: Object, shape: WorkloadShape) -> str:
    """The field that gives a number of pods below zero; empty if none does."""
    steps = shape.template[:-1]
    spec: Object = workload
    for step in steps:
        spec = spec.get(step) or {}
    found = (field for field in ("replicas", "parallelism", "completions") if (spec.get(field) or 0) < 0)
    return next((".".join((*steps, field)) for field in found), "")


def _is_finished(workload: Object) -> bool:
    """Whether the controller has put a Job to rest, as ``IsJobFinished``."""
    if workload.get("kind") != "Job":
        return False
    status = cast("JobStatus | None", workload.get("status"))
    return any(
        entry.get("type") in ("Complete", "Failed") and entry.get("status") == "True"
        for entry in (status or {}).get("conditions") or ()
    )


def surplus(objects: Objects) -> list[Object]:
    """The pods of which workloads have more than they want: those without a node first, then the youngest.

    Mirrors the order in which the ReplicaSet controller deletes pods, as far as manifests tell it; a
    StatefulSet gives up its highest ordinals.
    """
    owned = owned_pods(objects)
    found: list[Object] = []
    for item in objects:
        shape = WORKLOADS.get(item.get("kind", ""))
        if shape is None or shape.is_per_node:
            continue
        pods = with_counted(item, owned.get(reference(item), NO_PODS))
        extra = len(pods.active) - wanted_pods(item, shape, pods)
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
