"""Workloads with another number of pods than their manifests say.

Mirrors ``kubectl scale``, which a DaemonSet does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import (
    Objects,
    created_at,
    full_name,
    key_of,
    metadata_of,
    name_of,
    namespace_of,
)
from dractl.cluster.workloads import surplus

if TYPE_CHECKING:
    from dractl.api.objects.apps import ReplicaSetSpec

_REVISION = "deployment.kubernetes.io/revision"
_HASH = "pod-template-hash"

_REPLICAS = ("spec", "replicas")

COUNTS: Mapping[str, tuple[str, ...]] = {
    "Deployment": _REPLICAS,
    "ReplicaSet": _REPLICAS,
    "ReplicationController": _REPLICAS,
    "StatefulSet": _REPLICAS,
    "Job": ("spec", "parallelism"),
    "CronJob": ("spec", "jobTemplate", "spec", "parallelism"),
}
"""Where the kinds that can be scaled keep their number of pods."""

_SUSPENDED = frozenset({"Job", "CronJob"})
"""The kinds that a field of their spec keeps from making pods."""

_PER_NODE = "DaemonSet"


class ScaleError(ValueError):
    """A workload that cannot be scaled; the message is one line with the reason."""


def scaled(objects: Iterable[Object], replicas: Mapping[str, int]) -> list[Object]:
    """The objects with the number of ``replicas``, and without the pods that are too many then.

    A workload is named by NAME, KIND/NAME, NAMESPACE/NAME or KIND/NAMESPACE/NAME. A Job gets the number as
    its parallelism, and as its completions where they are fewer. Of a Deployment whose ReplicaSets are among
    the objects the newest revision gets the number, too.

    Raises ScaleError for a name that no workload has, or several have, for a DaemonSet, and for pods of what
    is suspended.
    """
    api_objects = Objects(objects)
    if not replicas:
        return list(api_objects)
    for name, number in replicas.items():
        workload = _named(name, api_objects)
        if number and workload["kind"] in _SUSPENDED and (workload.get("spec") or {}).get("suspend") is True:
            raise ScaleError(
                f"{workload['kind']} {full_name(workload)} is suspended and creates no pods; remove suspend "
                "from its spec"
            )
        api_objects.put(_with_number(workload, number))
        for child in _newest_child(workload, api_objects):
            api_objects.put(_with_number(child, number))
    for pod in surplus(api_objects):
        api_objects.remove(key_of(pod))
    return list(api_objects)


def _named(name: str, api_objects: Objects) -> Object:
    found = [item for item in api_objects if _can_be_meant(item) and name in _names(item)]
    if not found:
        known = sorted(full_name(item) for item in api_objects if item.get("kind") in COUNTS)
        there = f"the input has {', '.join(known[:10])}" if known else "the input has no workloads"
        raise ScaleError(f"unknown workload {name}; {there}")
    if len(found) > 1:
        choices = ", ".join(f"{item['kind']}/{full_name(item)}" for item in found)
        raise ScaleError(f"{name} is ambiguous; use {choices}")
    if found[0]["kind"] == _PER_NODE:
        raise ScaleError(
            f"DaemonSet {full_name(found[0])} has one pod per node and no replicas; add nodes instead"
        )
    return found[0]


def _can_be_meant(item: JsonObject) -> bool:
    return item.get("kind") in COUNTS or item.get("kind") == _PER_NODE


def _names(item: JsonObject) -> frozenset[str]:
    short, full, kind = name_of(item), full_name(item), item.get("kind", "")
    return frozenset({short, full, f"{kind}/{short}", f"{kind}/{full}"})


def _with_number(item: Object, number: int) -> Object:
    *holder, field = COUNTS[item["kind"]]
    return _changed(item, holder, field, number)


def _changed(item: Object, holder: list[str], field: str, number: int) -> Object:
    if holder:
        step, *rest = holder
        return {**item, step: _changed(item.get(step) or {}, rest, field, number)}
    changed = {**item, field: number}
    completions = item.get("completions")
    if field == "parallelism" and completions is not None and completions < number:
        changed["completions"] = number
    return changed


def _newest_child(workload: Object, api_objects: Objects) -> list[Object]:
    """The ReplicaSet of a Deployment that it would scale; none if it has none among the objects.

    Mirrors ``FindNewReplicaSet``: the oldest with the Deployment's own pod template. Where no
    template is equal, as in files without the server's defaults, the highest revision, then the youngest.
    Where nothing tells them apart the one with the most replicas is meant.
    """
    children = [
        item
        for item in api_objects.of_kind("ReplicaSet")
        if namespace_of(item) == namespace_of(workload)
        and any(
            owner.get("controller") is True
            and (owner.get("kind"), owner.get("name")) == (workload["kind"], name_of(workload))
            for owner in metadata_of(item).get("ownerReferences") or ()
        )
    ]
    if not children:
        return []
    fitting = [item for item in children if _template(item) == _template(workload)]
    if fitting:
        return [min(fitting, key=lambda item: (created_at(item), -_revision(item), -_replicas(item)))]
    return [max(children, key=lambda item: (_revision(item), created_at(item), _replicas(item)))]


def _template(item: Object) -> Object:
    """The pod template without the label by which the controller tells its ReplicaSets apart."""
    spec: ReplicaSetSpec | None = item.get("spec")
    template = (spec or {}).get("template") or {}
    metadata = template.get("metadata") or {}
    labels = {key: text for key, text in (metadata.get("labels") or {}).items() if key != _HASH}
    others = {key: value for key, value in metadata.items() if key != "labels" and value}
    return {**template, "metadata": {**others, "labels": labels}}


def _replicas(item: Object) -> int:
    spec: ReplicaSetSpec | None = item.get("spec")
    replicas = (spec or {}).get("replicas")
    return 1 if replicas is None else replicas


def _revision(item: JsonObject) -> int:
    text = (metadata_of(item).get("annotations") or {}).get(_REVISION, "")
    return int(text) if text.isdecimal() else 0
