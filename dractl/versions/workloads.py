"""Where the pod template stands in each kind of workload."""

from __future__ import annotations

from typing import Any

from dractl.versions.table import Kind

_POD: tuple[str, ...] = ()
_TEMPLATE = ("spec", "template")

_TEMPLATES: dict[tuple[str, str], tuple[str, ...]] = {
    ("", "Pod"): _POD,
    ("", "PodTemplate"): ("template",),
    ("", "ReplicationController"): _TEMPLATE,
    ("apps", "DaemonSet"): _TEMPLATE,
    ("apps", "Deployment"): _TEMPLATE,
    ("apps", "ReplicaSet"): _TEMPLATE,
    ("apps", "StatefulSet"): _TEMPLATE,
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template"),
    ("batch", "Job"): _TEMPLATE,
}


def pod_steps(kind: Kind) -> tuple[str, ...] | None:
    """The steps to the pod, or to the pod template, in an object of ``kind``; None if it holds no pod."""
    return _TEMPLATES.get((kind.group, kind.kind))


def pod_in(kind: Kind, value: dict[str, Any]) -> dict[str, Any] | None:
    """The pod or pod template in a decoded object of ``kind``; None if it holds none."""
    steps = pod_steps(kind)
    if steps is None:
        return None
    found: Any = value
    for step in steps:
        found = found.get(step)
        if found is None:
            return None
    return found if isinstance(found, dict) else None
