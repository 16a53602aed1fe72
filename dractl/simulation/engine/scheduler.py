"""The scheduler's loop: try the pods in the queue one by one, and repeat until the cluster settles.

Mirrors the scheduling cycle with PostFilter of the dynamic resources plugin (1.37). The controllers run
between the rounds; a placed pod goes through the binding cycle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api import budgets
from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Key, Objects, key_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.controllers import lifecycle
from dractl.simulation.engine.binding_cycle import BindingCycle
from dractl.simulation.engine.caches import Event
from dractl.simulation.engine.cluster_state import ClusterState
from dractl.simulation.engine.controller_manager import ControllerManager
from dractl.simulation.engine.gangs import Gang, Gangs
from dractl.simulation.engine.scheduling_queue import PodStatus
from dractl.simulation.engine.settings import Progress, Settings, no_progress
from dractl.simulation.pods import pod_groups
from dractl.simulation.pods.outcome import OTHER_SCHEDULER, WAITING, Eviction
from dractl.simulation.pods.pods import DEFAULT_SCHEDULER, Pod
from dractl.simulation.scheduler import binding
from dractl.simulation.scheduler.node_classes import NodeClasses
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.schedule_one import schedule_one
from dractl.simulation.scheduler.schedule_result import Placed, Refused
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.timeouts import LongSearches

_MAX_ROUNDS = budgets.ROUNDS.value


class Freed(NamedTuple):
    """A claim, as it was when the scheduler freed it for a pod (``namespace/name``)."""

    claim: JsonObject
    pod: str


class Scheduler:
    """Schedules the pods of a cluster. The given objects are never modified, only replaced."""

    def __init__(self, objects: Iterable[Object], settings: Settings) -> None:
        """Load the objects of a cluster; nothing is scheduled before :meth:`settle`."""
        self._state = ClusterState(Objects(objects, settings.left_out), settings)
        # What changes the cluster from outside; the scheduler adds nothing to it.
        self.put = self._state.put
        self.remove = self._state.remove
        self._controllers = ControllerManager(self._state)
        self._binding = BindingCycle(self._state)
        self._gangs = Gangs(self._state)
        self.long_searches = LongSearches(has_limit=settings.features.filter_timeout)
        self._freed: dict[Key, Freed] = {}

    # Reading.

    @property
    def api_objects(self) -> Objects:
        """The objects as they are now."""
        return self._state.api_objects

    @property
    def settings(self) -> Settings:
        """The settings of the simulation."""
        return self._state.settings

    @property
    def allowance(self) -> Allowance:
        """The limits on what the run may compute and list."""
        return self._state.allowance

    @property
    def evicted(self) -> list[Eviction]:
        """The pods evicted by device taints since this list was last emptied."""
        return self._controllers.evicted

    @property
    def nodes(self) -> Sequence[Node]:
        """The nodes, in the order in which equally good ones are chosen."""
        return self._state.caches.node_classes.nodes

    def pods(self) -> list[Pod]:
        """All pods, in the order in which they were created."""
        return self._state.pods()

    def decision(self, pod: Pod) -> PodStatus:
        """The status of a pod; empty if it was never tried."""
        return self._state.queue.status(pod)

    def evictions(self, quirks: Quirks | None = None) -> list[Eviction]:
        """The pods that use a device with a NoExecute taint, evicted at once or after a time.

        ``quirks`` are those of another controller, by which the same cluster is judged.
        """
        return self._controllers.evictions(quirks)

    def take_freed(self) -> list[Freed]:
        """The claims that were freed for pods since this was last asked."""
        freed = [*self._freed.values()]
        self._freed.clear()
        return freed

    def forget_attempt(self, pod: Pod) -> None:
        """Reset a pod, as if it had never been tried."""
        self._state.queue.forget(key_of(pod.data))
        self._state.caches.invalidate(Event.UNRESERVED)

    # One pod at a time.

    def add(self, pod: Pod) -> Pod:
        """Create a pod without a node, and generate its claims; nothing is tried yet.

        Unlike :meth:`put` it leaves all caches as they are, so that the next of many copies costs no more
        than the first.
        """
        state = self._state
        state.api_objects.put(dict(pod.data))
        state.queue.changes += 1
        self._controllers.make_claims_of(pod)
        return state.current(pod)

    def attempt(self, pod: Pod, nodes: NodeClasses | None = None) -> PodStatus:
        """Try one pod, with its gang if it has one, and return its status; ``nodes``: on these only."""
        if nodes is None or self._gangs.of(pod) is not None:
            self._try_each([pod])
        else:
            self._try(pod, nodes)
        return self.decision(pod)

    # Settling.

    def settle(self) -> None:
        """Schedule pods and run controllers until nothing changes."""
        self._controllers.sync_claims()
        for _ in range(_MAX_ROUNDS):
            freed = self._try_all(self._pending())
            # All three run in every round: each may change what the others see.
            if not any((*freed, self._controllers.evict(), self._controllers.sync_claims())):
                return
        self.allowance.reach(budgets.ROUNDS)

    def review(self) -> bool:
        """Retry the pods whose last attempt saw an older state; return whether the cluster changed.

        Afterwards every reason describes the cluster as it is now, not as it was between two changes.
        """
        queue = self._state.queue
        before = queue.changes
        for _ in range(_MAX_ROUNDS):
            outdated = queue.outdated(self._pending())
            freed = self._try_each(outdated)
            if any(freed):
                self._controllers.sync_claims()
            if not outdated:
                break
        return queue.changes != before

    def snapshot(self, pod: Pod | None = None) -> Snapshot:
        """The state that an attempt sees, with ``pod`` that of this pod."""
        state, caches = self._state, self._state.caches
        return Snapshot(
            api_objects=state.api_objects,
            classes=caches.node_classes,
            usage=caches.usage,
            node_devices=caches.pools.node_devices(caches.usage),
            result_cache=caches.results,
            matcher=caches.matcher,
            features=state.settings.features,
            loads=caches.node_loads,
            in_flight=self._binding.in_flight(pod),
            allowance=state.allowance,
            choose=state.settings.choose,
            long_searches=self.long_searches,
            lost_resources=state.lost_resources,
        )

    def _pending(self) -> list[Pod]:
        """The pods without a node, in the order in which they are tried."""
        return self._state.queue.ordered(self.pods(), self.api_objects)

    def _try_all(self, pods: Sequence[Pod]) -> list[bool]:
        return self._try_each(pods, self.settings.progress)

    def _try_each(self, pods: Sequence[Pod], progress: Progress = no_progress) -> list[bool]:
        """Try pods in order, the pods of a gang with the first of them."""
        freed = []
        tried: set[Gang] = set()
        for number, pod in enumerate(pods):
            progress(number, len(pods))
            gang = self._gangs.of(pod)
            if gang is None:
                freed.append(self._try(pod))
            elif gang not in tried:
                tried.add(gang)
                members = [other for other in self._pending() if self._gangs.of(other) == gang]
                freed.append(self._gangs.schedule(gang, members, self._try))
        return freed

    def _try(self, pod: Pod, nodes: NodeClasses | None = None) -> bool:
        """Try a pod until its status is stable; return whether an old allocation was released for it.

        ``nodes``: on these only.
        """
        queue = self._state.queue
        freed = False
        untried = self._why_untried(pod)
        if untried is not None:
            queue.set_status(pod, PodStatus(refused=untried))
            return False
        if self.decision(pod).node is not None:
            if not self._binding.fails_to_bind(pod):
                return False
            freed = True
        while True:
            snapshot = self.snapshot(pod)
            outcome = schedule_one(pod, snapshot if nodes is None else snapshot._replace(classes=nodes))
            if isinstance(outcome, Placed):
                self._binding.reserve(pod, outcome)
                return freed
            queue.set_status(pod, PodStatus(refused=outcome))
            blocking = _claim_to_deallocate(pod, outcome)
            if blocking is None:
                return freed
            self.put(lifecycle.without_allocation(blocking))
            freed = True
            if binding.has_failed(blocking):
                # The pod was just tried, so pods that have waited longer go first.
                queue.set_status(pod, PodStatus(refused=outcome, has_stepped_back=True))
                return freed
            self._freed.setdefault(key_of(blocking), Freed(blocking, pod.full_name))

    def _why_untried(self, pod: Pod) -> Refused | None:
        """Why the scheduler does not even try a pod, or None."""
        if pod.other_scheduler is not None:
            message = (
                f"the pod is for the scheduler {pod.other_scheduler}; only {DEFAULT_SCHEDULER} is simulated"
            )
            return Refused(OTHER_SCHEDULER, message, {}, ())
        if pod.scheduling_gates:
            message = f"the pod has scheduling gates: {', '.join(pod.scheduling_gates)}"
            return Refused(WAITING, message, {}, ())
        if self._gangs.is_group_missing(pod):
            absence = self.api_objects.absence(pod_groups.KIND, pod.namespace, pod.group or "")
            return Refused(WAITING, f"PodGroup {pod.namespace}/{pod.group} {absence}", {}, ())
        return None


def _claim_to_deallocate(pod: Pod, outcome: Refused) -> Object | None:
    """PostFilter: a claim that keeps the pod from every node and that no other pod uses."""
    for claim in outcome.unavailable:
        users = [user.get("uid") for user in (claim.get("status") or {}).get("reservedFor") or ()]
        if not users or users == [pod.uid]:
            return claim
    return None
