"""The pods that workloads would make, where they are not among the objects already.

Names are fixed: ``web-0``, ``web-1`` … (a DaemonSet's end in the node's name), whatever the real
controllers would add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dractl.cluster.objects import Object, Objects, full_name, name_of, namespace_of
from dractl.cluster.uids import uid_of
from dractl.versions.workloads import template_steps

MAX_PODS = 5000
"""Most pods that are made of one workload; a limit of dractl's own."""

_DAEMON_TOLERATIONS: tuple[Mapping[str, str], ...] = tuple(
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


def with_pods(objects: Objects, node_names: Sequence[str], runs_on: RunsOn) -> Expanded:
    """The objects, each workload followed by the pods that it lacks."""
    owned = _counts_of_owned(objects)
    expanded: list[Object] = []
    left_out: list[tuple[Object, str]] = []
    for item in objects:
        expanded.append(item)
        shape = WORKLOADS.get(item.get("kind", ""))
        if shape is None or _makes_others(item, objects):
            continue
        suffixes = shape.suffixes(item.get("spec") or {}, node_names)
        if shape.is_per_node:
            suffixes = [name for name in suffixes if runs_on(_pod(item, shape, name), name)]
        present = owned.get((item.get("kind", ""), full_name(item)), 0)
        wanted = suffixes[present:] if present < len(suffixes) else []
        if len(wanted) > MAX_PODS:
            left_out.append(
                (item, f"{len(suffixes)} pods are wanted, of which the first {MAX_PODS} are looked at")
            )
            wanted = wanted[:MAX_PODS]
        pods = (_pod(item, shape, suffix) for suffix in wanted)
        if shape.is_per_node:
            pods = (_bound_to(pod, name) for pod, name in zip(pods, wanted, strict=True))
        expanded.extend(pods)
    return Expanded(expanded, left_out)


class _Shape(NamedTuple):
    """Where a kind keeps its pod template, and the ends of its pods' names."""

    template: tuple[str, ...]
    suffixes: Callable[[Mapping[str, Any], Sequence[str]], Sequence[str]]
    is_per_node: bool = False


class _Numbers(Sequence[str]):
    """The texts of consecutive numbers, made when asked for: a workload may want very many pods."""

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, position: Any) -> Any:
        if isinstance(position, slice):
            return _Numbers(self._numbers[position])
        return str(self._numbers[position])


def _replicas(spec: Mapping[str, Any], _: Sequence[str]) -> Sequence[str]:
    start = (spec.get("ordinals") or {}).get("start") or 0
    return _Numbers(range(start, start + max(_number(spec, "replicas"), 0)))


def _job_pods(spec: Mapping[str, Any], _: Sequence[str]) -> Sequence[str]:
    if spec.get("suspend") is True:
        return ()
    parallel = _number(spec, "parallelism")
    completions = spec.get("completions")
    return _Numbers(range(max(parallel if completions is None else min(parallel, completions), 0)))


def _one_run(spec: Mapping[str, Any], names: Sequence[str]) -> Sequence[str]:
    if spec.get("suspend") is True:
        return ()
    return _job_pods((spec.get("jobTemplate") or {}).get("spec") or {}, names)


def _per_node(_: Mapping[str, Any], names: Sequence[str]) -> Sequence[str]:
    return names


def _number(spec: Mapping[str, Any], field: str) -> int:
    value: int | None = spec.get(field)
    return 1 if value is None else value


WORKLOADS: Mapping[str, _Shape] = {
    kind: _Shape(template_steps(kind), suffixes, is_per_node=suffixes is _per_node)
    for kind, suffixes in (
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


def _controller(item: Mapping[str, Any]) -> Mapping[str, Any]:
    owners: Iterable[Mapping[str, Any]] = (item.get("metadata") or {}).get("ownerReferences") or ()
    return next((owner for owner in owners if owner.get("controller") is True), {})


def _counts_of_owned(objects: Objects) -> dict[tuple[str, str], int]:
    """How many pods there are per controlling workload."""
    counts: dict[tuple[str, str], int] = {}
    for pod in objects.of_kind("Pod"):
        owner = _controller(pod)
        key = (owner.get("kind", ""), f"{namespace_of(pod)}/{owner.get('name', '')}")
        counts[key] = counts.get(key, 0) + 1
    return counts


def _makes_others(item: Object, objects: Objects) -> bool:
    """Whether another workload among the objects belongs to this one, and makes its pods."""
    return any(
        owner.get("kind") == item.get("kind")
        and owner.get("name") == name_of(item)
        and namespace_of(other) == namespace_of(item)
        for kind in ("ReplicaSet", "Job")
        for other in objects.of_kind(kind)
        for owner in (_controller(other),)
    )


def _pod(workload: Object, shape: _Shape, suffix: str) -> Object:
    template: Mapping[str, Any] = workload
    for step in shape.template:
        template = template.get(step) or {}
    metadata: dict[str, Any] = {
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
    spec: Mapping[str, Any] = template.get("spec") or {}
    if shape.is_per_node:
        spec = {**spec, "tolerations": [*(spec.get("tolerations") or ()), *_DAEMON_TOLERATIONS]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": dict(spec)}


def _bound_to(pod: Object, node: str) -> Object:
    """The pod of a DaemonSet with the affinity for the one node that it is made for."""
    spec: Mapping[str, Any] = pod["spec"]
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    affinity: dict[str, Any] = dict(spec.get("affinity") or {})
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    # The controller has asked already whether the pod's own affinity matches, and replaces it.
    node_affinity = {
        **(affinity.get("nodeAffinity") or {}),
        required: {"nodeSelectorTerms": [{"matchFields": [field]}]},
    }
    affinity["nodeAffinity"] = node_affinity
    return {**pod, "spec": {**spec, "affinity": affinity}}
