"""What orders pods before their age does: their priority.

Mirrors the admission plugin Priority, which writes a class's value into ``spec.priority``. Preemption, which
makes room by ending pods of lower priority, is not simulated.
"""

from __future__ import annotations

from collections.abc import Mapping

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod

BUILT_IN: Mapping[str, int] = {
    "system-cluster-critical": 2_000_000_000,
    "system-node-critical": 2_000_001_000,
}
"""The classes that every cluster has."""


class Priorities:
    """The priority classes of a cluster."""

    def __init__(self, api_objects: Objects) -> None:
        """Look at the classes once; of several global defaults the one with the lowest value counts."""
        classes = api_objects.of_kind("PriorityClass")
        self._values = {**BUILT_IN, **{item["metadata"]["name"]: item.get("value") or 0 for item in classes}}
        self._default: int = min(
            (item.get("value") or 0 for item in classes if item.get("globalDefault") is True), default=0
        )

    def of(self, pod: Pod) -> int:
        """The priority of a pod: its own, that of its class, or the default one."""
        written: int | None = pod.spec.get("priority")
        if written is not None:
            return written
        name = pod.spec.get("priorityClassName")
        return self._values.get(name, 0) if name else self._default
