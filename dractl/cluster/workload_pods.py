"""The pods that workloads lack, created as their controllers would.

Names are fixed: ``web-0``, ``web-1`` … (a DaemonSet's end in the node's name), whatever the real controllers
would append. Pods that have ended or are terminating are created again; a Job does not create those that its
status counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

from dractl.api import budgets
from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, key_of, name_of, namespace_of
from dractl.cluster.owned_pods import (
    NO_PODS,
    OwnedPods,
    controlling_workloads,
    outlived,
    owned_pods,
    reference,
    with_counted,
)
from dractl.cluster.quota import Excess, Ledger
from dractl.cluster.uids import uid_of
from dractl.cluster.workloads import WORKLOADS, WorkloadShape, negative_field, wanted_pods
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.apps import StatefulSetSpec
    from dractl.api.objects.core import PodSpec, PodTemplateSpec, Toleration

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
    """Objects with the pods of their workloads, and what each workload left out."""

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
    owned = owned_pods(objects)
    parents = controlling_workloads(objects)
    expanded: list[Object] = []
    left_out: list[tuple[Object, str]] = []
    for item in objects:
        expanded.append(item)
        shape = WORKLOADS.get(item.get("kind", ""))
        # A workload whose ReplicaSet or Job is there leaves the pods to it.
        if shape is None or reference(item) in parents:
            continue
        negative = negative_field(item, shape)
        if negative:
            left_out.append((item, f"{negative} is negative, which the API server rejects"))
            continue
        pods = _PodsOf(item, shape, with_counted(item, owned.get(reference(item), NO_PODS)), objects)
        if shape.is_per_node:
            expanded.extend(pod for pod in pods.per_node(node_names, runs_on) if room(1, pods.claims))
            continue
        wanted = wanted_pods(item, shape, pods.owned)
        there = len(pods.owned.active)
        most = max(budgets.PODS_PER_WORKLOAD.value - there, 0)
        if wanted - there > most:
            reason = budgets.PODS_PER_WORKLOAD.message(wanted=f"{wanted:,}", made=f"{there + most:,}")
            left_out.append((item, reason))
        expanded.extend(islice(pods.missing(wanted), room(min(max(wanted - there, 0), most), pods.claims)))
    return Expanded(expanded, left_out)


def within_quotas(given: Objects, expanded: Expanded, ledger: Ledger) -> Expanded:
    """Without the new pods that exceed a quota of the ``ledger``, which counts the ``given`` objects."""
    kept = []
    rejected: dict[Key, list[Excess]] = {}
    made: Counter[Key] = Counter()
    for item in expanded.objects:
        key = key_of(item)
        if key.kind != "Pod" or key in given:
            kept.append(item)
            continue
        owner = item["metadata"]["ownerReferences"][0]
        workload = Key(owner["kind"], namespace_of(item), owner["name"])
        made[workload] += 1
        excess = ledger.excess(item)
        if excess is None:
            ledger.add(item)
            kept.append(item)
        else:
            rejected.setdefault(workload, []).append(excess)
    by_key = {key_of(item): item for item in kept}
    left_out = [
        (by_key[key], f"{len(found)} of {made[key]} pods are rejected: {found[0]}")
        for key, found in rejected.items()
    ]
    return Expanded(kept, [*expanded.left_out, *left_out])


class _PodsOf:
    """The pods that one workload lacks."""

    def __init__(self, workload: Object, shape: WorkloadShape, owned: OwnedPods, objects: Objects) -> None:
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


def _template_of(workload: Any, shape: WorkloadShape) -> PodTemplateSpec:
    for step in shape.template:
        workload = workload.get(step) or {}
    template: PodTemplateSpec = workload
    return template


def _pod(workload: Object, shape: WorkloadShape, suffix: str) -> Object:
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
