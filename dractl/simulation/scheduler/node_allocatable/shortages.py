"""Why a node or the pod's own limits do not cover what a pod requests including its devices.

Mirrors ``calculateAndCheckNodeAllocatableResources`` of the dynamic resources plugin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.node_allocatable.pod_demand import HUGE_PAGES, pod_level, taken_by_container
from dractl.simulation.scheduler.resources import CPU, MEMORY, Load, shown

if TYPE_CHECKING:
    from dractl.api.objects import core

    Status = core.NodeAllocatableResourceClaimStatus

_COMPARED = (CPU, MEMORY, "ephemeral-storage")


def too_small_requests(pod: Pod, taken: Mapping[str, int]) -> Refusal | None:
    """Whether requests of the pod as a whole are less than what its containers and devices need."""
    spec = {name: value for name, value in pod.spec.items() if name not in ("resources", "overhead")}
    own = resources.demand_of(Pod({**pod.data, "spec": spec})).requests
    for name, most in pod_level(pod, "requests").items():
        needed = own.get(name, 0) + taken.get(name, 0)
        if needed > most:
            return _too_small(name, "requests of", needed, most)
    return None


def too_small_limits(pod: Pod, statuses: Sequence[Status]) -> Refusal | None:
    """Whether limits of the pod as a whole are less than those of a container with its devices."""
    limits = pod_level(pod, "limits")
    for container in pod.spec.get("containers") or ():
        taken = taken_by_container(statuses, container.get("name", ""))
        own = resources.amounts((container.get("resources") or {}).get("limits") or {})
        for name, amount in own.items():
            needed = amount + taken.get(name, 0)
            if name in limits and not name.startswith(HUGE_PAGES) and needed > limits[name]:
                return _too_small(
                    name, f"limits of container {container.get('name')} within", needed, limits[name]
                )
    return None


def _too_small(name: str, what: str, needed: int, most: int) -> Refusal:
    needs = f"needs {shown(name, needed)} {name} including devices"
    text = f"{what} the pod as a whole: {needs}; {shown(name, most)} set"
    return Refusal(f"insufficient:{name}", text)


def shortage_of(wanted: Mapping[str, int], load: Load, allocatable: Mapping[str, int]) -> Refusal | None:
    """Of what a node has too little for a pod with its devices, or None; ``nodeFitsResources``."""
    texts = {}
    for name in (*_COMPARED, *sorted(key for key in wanted if key.startswith(HUGE_PAGES))):
        amount, has = wanted.get(name, 0), allocatable.get(name, 0)
        left = has - load.requests.get(name, 0)
        if amount > 0 and amount > left:
            room = f"the node has {shown(name, has)}" if amount > has else f"{shown(name, left)} left"
            texts[name] = f"needs {shown(name, amount)} {name} including devices; {room}"
    return Refusal(f"insufficient:{next(iter(texts))}", "; ".join(texts.values())) if texts else None
