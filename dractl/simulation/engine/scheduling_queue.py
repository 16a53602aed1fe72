"""The pods without a node: the order of their attempts, and the result of each last attempt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, key_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.pods.outcome import FAILURES
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.priorities import Priorities
from dractl.simulation.scheduler.schedule_result import Placed, Refused


class PodStatus(NamedTuple):
    """The status of a pod after its last attempt.

    ``node`` is set once one is chosen; with ``refused`` the pod waits for the binding conditions ``waiting``.
    ``before`` is the result of the previous attempt. ``has_stepped_back``: its devices could not be bound, so
    other pods come first.
    """

    node: str | None = None
    placed: Placed | None = None
    refused: Refused | None = None
    waiting: tuple[str, ...] = ()
    before: Refused | None = None
    has_stepped_back: bool = False


class SchedulingQueue:
    """Orders the pods without a node, and keeps their status.

    Counts the changes of the cluster, to detect attempts that saw an older state.
    """

    def __init__(self, allowance: Allowance) -> None:
        """Start without attempts; ``allowance`` limits the per-node reasons."""
        self.changes = 0
        self._allowance = allowance
        self._statuses: dict[Key, PodStatus] = {}
        self._waiting: set[Key] = set()
        self._tried_at: dict[Key, int] = {}

    def status(self, pod: Pod) -> PodStatus:
        """The status of a pod; empty if it was never tried."""
        return self._statuses.get(key_of(pod.data), PodStatus())

    def set_status(self, pod: Pod, status: PodStatus) -> None:
        """Record the result of an attempt, with the per-node reasons that the limits allow."""
        key = key_of(pod.data)
        earlier = self._statuses.get(key)
        earlier_reasons = {} if earlier is None or earlier.refused is None else earlier.refused.nodes
        refused = status.refused
        if refused is not None and (earlier is None or refused is not earlier.refused):
            refused = refused._replace(nodes=self._allowance.kept(refused.nodes, earlier_reasons))
            status = status._replace(refused=refused)
        self._statuses[key] = status
        if status.placed is not None and status.refused is not None:
            self._waiting.add(key)
        else:
            self._waiting.discard(key)
        self._tried_at[key] = self.changes

    def forget(self, key: Key) -> None:
        """Reset a pod, as if it had never been tried."""
        self._statuses.pop(key, None)
        self._waiting.discard(key)

    def remove(self, key: Key) -> None:
        """Drop a deleted pod."""
        self.forget(key)
        self._tried_at.pop(key, None)

    def ordered(self, pods: Iterable[Pod], api_objects: Objects) -> list[Pod]:
        """The pods without a node, by priority and age; pods that failed with an error come last."""
        open_pods = [
            pod for pod in pods if pod.node is None and not pod.is_finished and not pod.is_terminating
        ]
        priorities = Priorities(api_objects)
        return sorted(open_pods, key=lambda pod: (-priorities.of(pod), self._has_failed(pod)))

    def outdated(self, pods: Iterable[Pod]) -> list[Pod]:
        """The pods whose last attempt preceded the last change of the cluster."""
        return [pod for pod in pods if self._tried_at.get(key_of(pod.data)) != self.changes]

    def is_waiting(self, pod: Pod) -> bool:
        """Whether a pod waits for its devices; also True for an untried pod, which may wait already."""
        key = key_of(pod.data)
        return key in self._waiting or key not in self._statuses

    def reserved_claims(self) -> Iterator[Object]:
        """The claims that are allocated for a pod that still waits."""
        for key in self._waiting:
            placed: Placed | None = self._statuses[key].placed
            allocations: Sequence[tuple[Object, object]] = () if placed is None else placed.fit.allocations
            for claim, _ in allocations:
                yield claim

    def _has_failed(self, pod: Pod) -> bool:
        status = self.status(pod)
        refused = status.refused
        return status.has_stepped_back or (refused is not None and refused.category in FAILURES)
