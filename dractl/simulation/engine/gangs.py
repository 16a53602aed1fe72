"""Gangs: the pods of a PodGroup with ``minCount`` get nodes together or not at all.

Mirrors the gang scheduling plugin and the pod group cycle of the scheduler (1.36 and 1.37), without composite
groups, placement constraints and preemption.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dractl.cluster.objects import full_name
from dractl.records import NamedTuple
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.engine.scheduling_queue import PodStatus
from dractl.simulation.pods import pod_groups
from dractl.simulation.pods.outcome import ERROR, FAILURES, GANG, WAITING
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.schedule_result import Refused


class Gang(NamedTuple):
    """A PodGroup that needs several pods at once, as ``namespace/name``."""

    name: str
    min_count: int


class Gangs:
    """The gangs of a cluster, and their attempts."""

    def __init__(self, state: ClusterState) -> None:
        """Read no group yet."""
        self._state = state

    def of(self, pod: Pod) -> Gang | None:
        """The gang that a pod belongs to."""
        if pod.group is None or not self._state.settings.features.gangs:
            return None
        group = pod_groups.group_of(pod, self._state.api_objects)
        count = None if group is None else pod_groups.min_count(group)
        return None if group is None or count is None else Gang(full_name(group), count)

    def is_group_missing(self, pod: Pod) -> bool:
        """Whether a pod waits for its group, gang or not."""
        state = self._state
        return (
            pod.group is not None
            and state.settings.features.gangs
            and pod_groups.group_of(pod, state.api_objects) is None
        )

    def schedule(self, gang: Gang, pods: Sequence[Pod], attempt: Callable[[Pod], bool]) -> bool:
        """Try the pods of a gang that have no node; return whether an old allocation was released.

        What was placed is taken back if it is too little, or if one of the pods fails with an error.
        """
        state = self._state
        members = [pod for pod in state.pods() if self.of(pod) == gang and not pod.is_finished]
        if len(members) < gang.min_count:
            message = f"PodGroup {gang.name} needs {gang.min_count} pods and has {len(members)}"
            self._refuse(pods, message, WAITING)
            return False
        saved = state.checkpoint()
        has_freed = [attempt(pod) for pod in pods]
        placed = [pod for pod in members if self._has_node(pod)]
        failure = next((pod for pod in pods if self._has_failed(pod)), None)
        if failure is None and len(placed) >= gang.min_count:
            return any(has_freed)
        tried = [pod for pod in pods if self._has_node(pod)]
        outcomes = [(pod, state.queue.status(pod)) for pod in pods if pod not in tried]
        state.rollback(saved, tried)
        for pod, status in outcomes:
            state.queue.set_status(pod, status)
        if failure is None:
            message = f"only {len(placed)} of the {gang.min_count} pods that PodGroup {gang.name} needs fit"
            self._refuse(tried, message)
        else:
            self._refuse(tried, f"pod {failure.full_name} of PodGroup {gang.name} fails", ERROR)
        return False

    def _refuse(self, pods: Sequence[Pod], message: str, category: str = GANG) -> None:
        for pod in pods:
            self._state.queue.set_status(pod, PodStatus(refused=Refused(category, message, {}, ())))

    def _has_node(self, pod: Pod) -> bool:
        return pod.node is not None or self._state.queue.status(pod).node is not None

    def _has_failed(self, pod: Pod) -> bool:
        refused = self._state.queue.status(pod).refused
        return refused is not None and refused.category in FAILURES
