"""Where the pod template is in each kind of workload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import JsonObject
from dractl.records import NamedTuple
from dractl.versions.table import Kind

if TYPE_CHECKING:
    from dractl.api.objects.core import PodTemplateSpec


class _Workload(NamedTuple):
    group: str
    template: tuple[str, ...]


_TEMPLATE = ("spec", "template")

_WORKLOADS: dict[str, _Workload] = {
    "CronJob": _Workload("batch", ("spec", "jobTemplate", "spec", "template")),
    "DaemonSet": _Workload("apps", _TEMPLATE),
    "Deployment": _Workload("apps", _TEMPLATE),
    "Job": _Workload("batch", _TEMPLATE),
    "Pod": _Workload("", ()),
    "PodTemplate": _Workload("", ("template",)),
    "ReplicaSet": _Workload("apps", _TEMPLATE),
    "ReplicationController": _Workload("", _TEMPLATE),
    "StatefulSet": _Workload("apps", _TEMPLATE),
}


def template_steps(kind: str) -> tuple[str, ...]:
    """The steps to the pod template in a workload of ``kind``; raises KeyError if that is not a workload."""
    return _WORKLOADS[kind].template


def pod_steps(kind: Kind) -> tuple[str, ...] | None:
    """The steps to the pod, or to the pod template, in an object of ``kind``; None if it holds no pod."""
    workload = _WORKLOADS.get(kind.kind)
    return workload.template if workload is not None and workload.group == kind.group else None


def workload_steps(api_version: str, kind: str) -> tuple[str, ...] | None:
    """The steps to the pod, or to the pod template, by the kind of a document; None if it holds none."""
    workload = _WORKLOADS.get(kind)
    group = api_version.rpartition("/")[0]
    return workload.template if workload is not None and workload.group == group else None


def pod_in(kind: Kind, value: JsonObject) -> PodTemplateSpec | None:
    """The pod or pod template in a decoded object of ``kind``; None if it holds none."""
    steps = pod_steps(kind)
    if steps is None:
        return None
    found: Any = value
    for step in steps:
        found = found.get(step)
        if found is None:
            return None
    return cast("PodTemplateSpec", found) if isinstance(found, dict) else None
