"""Pods one after the other over a cluster, until everything that can happen has happened.

The scheduler's loop with the controllers around it. Mirrors Reserve, PreBind, Unreserve and PostFilter of the
dynamic resources plugin (1.37).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dractl.api import budgets
from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, full_name, key_of
from dractl.cluster.uids import uid_of
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.controllers import eviction, lifecycle
from dractl.simulation.engine.caches import Caches, Event
from dractl.simulation.engine.scheduling_queue import PodStatus, SchedulingQueue
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.claims import claims_and_special, claims_by_owner, claims_of
from dractl.simulation.pods.outcome import ERROR, WAITING, Eviction
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import binding
from dractl.simulation.scheduler.node_allocatable import FIELD, with_statuses
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.prebind import TIMESTAMP, unreserved, write_claims
from dractl.simulation.scheduler.schedule_one import schedule_one
from dractl.simulation.scheduler.schedule_result import Placed, Refused
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.timeouts import LongSearches

_MAX_ROUNDS = budgets.ROUNDS.value


class Scheduler:
    """A cluster in motion. The objects given are never changed, only replaced."""

    def __init__(self, objects: Iterable[Object], settings: Settings) -> None:
        """Take the objects of a cluster; nothing happens before :meth:`settle`."""
        self.api_objects = Objects(objects, settings.left_out)
        self.settings = settings
        self.allowance = settings.allowance or Allowance()
        self.long_searches = LongSearches(has_limit=settings.features.filter_timeout)
        self._caches = Caches(self.api_objects, settings, self._placed_pods, self.allowance)
        self._queue = SchedulingQueue(self.allowance)
        self._gone: set[str] = set()
        self._resumed = self._bindings_under_way()
        self.evicted: list[Eviction] = []
        """The pods that taints of devices made end since this list was last emptied."""

    # Looking.

    def pods(self) -> list[Pod]:
        """All pods, in the order in which they came."""
        return [self._caches.pod(item) for item in self.api_objects.of_kind("Pod")]

    def _again(self, pod: Pod) -> Pod:
        """The pod as it is by now."""
        return self._caches.pod(self.api_objects.get("Pod", pod.namespace, pod.name) or dict(pod.data))

    def forget_attempt(self, pod: Pod) -> None:
        """Reset a pod, as if it had never been tried."""
        self._queue.forget(key_of(pod.data))
        self._caches.invalidate(Event.UNRESERVED)

    def decision(self, pod: Pod) -> PodStatus:
        """The status of a pod; empty if it was never tried."""
        return self._queue.status(pod)

    @property
    def nodes(self) -> Sequence[Node]:
        """The nodes in the order in which equally good ones are taken."""
        return self._caches.node_classes.nodes

    # Changing from outside.

    def put(self, item: Object) -> None:
        """Create or replace an object."""
        self.api_objects.put(item)
        self._changed(item.get("kind", ""))

    def remove(self, key: Key) -> None:
        """Make an object go away at once."""
        gone = self.api_objects.find(key)
        self.api_objects.remove(key)
        if gone is not None:
            self._gone.add(uid_of(gone))
        if key.kind == "Pod":
            self._queue.remove(key)
            self._caches.forget_pod(key)
        self._changed(key.kind)

    def _changed(self, kind: str) -> None:
        self._queue.changes += 1
        self._caches.object_changed(kind)

    # Coming to rest.

    def settle(self) -> None:
        """Let everything happen that can, until nothing changes."""
        self.control()
        for _ in range(_MAX_ROUNDS):
            freed = self._try_all(self._pending())
            if not any((*freed, self._evict(), self.control())):
                return
        self.allowance.reach(budgets.ROUNDS)

    def _try_all(self, pods: Sequence[Pod]) -> list[bool]:
        freed = []
        for number, pod in enumerate(pods):
            self.settings.progress(number, len(pods))
            freed.append(self._try(pod))
        return freed

    def review(self) -> bool:
        """Try once more what is pending since before the last change; whether anything came of it.

        After that every reason is about the cluster as it is by now, and not as it was in between.
        """
        before = self._queue.changes
        for _ in range(_MAX_ROUNDS):
            outdated = self._queue.outdated(self._pending())
            freed = [self._try(pod) for pod in outdated]
            if any(freed):
                self.control()
            if not outdated:
                break
        return self._queue.changes != before

    def control(self) -> bool:
        """One pass of the controllers: claims are made and freed. Returns whether claims became free."""
        for group in self.api_objects.of_kind("PodGroup"):
            served = lifecycle.make_group_claims(group, self.api_objects)
            if served is not None:
                self.put(served)
        owned = claims_by_owner(self.api_objects)
        for pod in self.pods():
            after = lifecycle.make_claims(
                pod, self.api_objects, owned.get(pod.uid, ()), needs_group=self.settings.features.pod_groups
            )
            if after is not None:
                self.put(after)
            for claim in lifecycle.reserve_for_bound(self._again(pod), self.api_objects):
                self.put(claim)
        by_uid = {pod.uid: pod for pod in self.pods()}
        population = lifecycle.PodStore(by_uid, self._gone, self.settings.knows_all_pods)
        freed = lifecycle.free_claims(self.api_objects, population)
        if freed:
            self._changed("ResourceClaim")
        return freed

    def evictions(self) -> list[Eviction]:
        """The pods that use a device with a taint that evicts them, at once or after a time."""
        if not self.settings.features.device_taints:
            return []
        found = eviction.evicting_taints(self._caches.slices())
        if not found:
            return []
        needs_effect = self.settings.features.quirks.eviction_needs_effect
        claims = self.api_objects.of_kind("ResourceClaim")
        return eviction.evictions(self.pods(), claims, found, needs_effect=needs_effect)

    def _evict(self) -> bool:
        """Ask pods on nodes to end that use a device with a taint that evicts; whether there were any."""
        if not self.settings.evicts:
            return False
        evicted = [entry for entry in self.evictions() if entry.after is None]
        for entry in evicted:
            namespace, _, name = entry.pod.partition("/")
            item = self.api_objects.get("Pod", namespace, name)
            if item is not None:
                self.put({**item, "metadata": {**item["metadata"], "deletionTimestamp": TIMESTAMP}})
        self.evicted += evicted
        return bool(evicted)

    def _pending(self) -> list[Pod]:
        """The pods without a node, in the order in which they are tried."""
        return self._queue.ordered(self.pods(), self.api_objects)

    def _try(self, pod: Pod) -> bool:
        """Try a pod until its status is stable; return whether an old allocation was released for it."""
        freed = False
        if pod.scheduling_gates:
            message = f"the pod has scheduling gates: {', '.join(pod.scheduling_gates)}"
            self._queue.set_status(pod, PodStatus(refused=Refused(WAITING, message, {}, ())))
            return False
        if self.decision(pod).node is not None:
            if not self._fails_to_bind(pod):
                return False
            freed = True
        while True:
            outcome = schedule_one(pod, self._view_of(pod))
            if isinstance(outcome, Placed):
                self._reserve(pod, outcome)
                return freed
            self._queue.set_status(pod, PodStatus(refused=outcome))
            given_up = _claim_to_give_up(pod, outcome)
            if given_up is None:
                return freed
            self.put(lifecycle.without_allocation(given_up))
            freed = True
            if binding.has_failed(given_up):
                # It has just been tried, so that pods which wait for longer come first now.
                self._queue.set_status(pod, PodStatus(refused=outcome, has_stepped_back=True))
                return freed

    def snapshot(self) -> Snapshot:
        """What an attempt sees by now."""
        caches = self._caches
        return Snapshot(
            api_objects=self.api_objects,
            classes=caches.node_classes,
            usage=caches.usage,
            node_devices=caches.pools.node_devices(caches.usage),
            result_cache=caches.results,
            matcher=caches.matcher,
            features=self.settings.features,
            loads=caches.node_loads,
            in_flight=self._in_flight(),
            allowance=self.allowance,
            choose=self.settings.choose,
            long_searches=self.long_searches,
        )

    def _view_of(self, pod: Pod) -> Snapshot:
        """What the attempt of a pod sees: a binding of its own that is under way does not stop it."""
        snapshot = self.snapshot()
        own = {claim for claim, uid in self._resumed.items() if uid == pod.uid}
        return snapshot._replace(in_flight=snapshot.in_flight - own) if own else snapshot

    def _placed_pods(self) -> Iterator[tuple[str, Pod]]:
        for pod in self.pods():
            node = pod.node or self.decision(pod).node
            if node is not None and not pod.is_finished:
                yield node, pod

    def _in_flight(self) -> frozenset[str]:
        """The claims whose allocation was decided for a pod that still waits."""
        decided = {full_name(claim) for claim in self._queue.reserved_claims()}
        if self._resumed:
            waiting = {pod.uid for pod in self.pods() if pod.node is None and self._queue.is_waiting(pod)}
            decided |= {claim for claim, uid in self._resumed.items() if uid in waiting}
        return frozenset(decided)

    def _bindings_under_way(self) -> dict[str, str]:
        """The claims that wait for conditions of their devices from the start, and for which pod."""
        if not self.settings.features.binding_conditions:
            return {}
        open_pods = {pod.uid for pod in self.pods() if pod.node is None and not pod.is_finished}
        return binding.under_way(self.api_objects.of_kind("ResourceClaim"), open_pods)

    # After a decision.

    def _reserve(self, pod: Pod, placed: Placed) -> None:
        """Write the claims, then bind the pod or let it wait."""
        fit = placed.fit
        # The usage and the loads that the attempt has seen: what the pod takes is added to them.
        usage, loads = self._caches.usage, self._caches.node_loads
        written = write_claims(
            pod, claims_of(pod, self.api_objects), fit, self.api_objects, self.settings.features
        )
        has_written = False
        for claim in written.claims:
            before = self.api_objects.get(
                "ResourceClaim", claim["metadata"]["namespace"], claim["metadata"]["name"]
            )
            self.api_objects.put(claim)
            # A failed attempt has changed the cluster too, unless it wrote the same claim again.
            has_written = has_written or claim != before
            if ((before or {}).get("status") or {}).get("allocation") is None:
                usage.add(claim)
        if written.problem:
            self._queue.changes += has_written
            self._queue.set_status(pod, PodStatus(refused=Refused(ERROR, written.problem, {}, ())))
            return
        if written.extended_status is not None:
            status = {**pod.status, "extendedResourceClaimStatus": written.extended_status}
            self.api_objects.put({**pod.data, "status": status})
        if fit.node_statuses or FIELD in pod.status:
            self.api_objects.put(with_statuses(self._again(pod).data, fit.node_statuses))
        self._queue.changes += 1
        earlier = self.decision(pod).refused
        self._queue.set_status(pod, PodStatus(node=fit.node.name, placed=placed, before=earlier))
        loads.add(fit.node.name, self._again(pod))
        self._fails_to_bind(self._again(pod))

    def _fails_to_bind(self, pod: Pod) -> bool:
        """Bind a reserved pod if its devices are ready, else let it wait; True: binding failed for good."""
        decision = self.decision(pod)
        claims = (
            claims_and_special(pod, self.api_objects) if self.settings.features.binding_conditions else []
        )
        if any(binding.has_failed(claim) for claim in claims):
            for claim in claims:
                self.put(unreserved(claim, pod))
            if FIELD in pod.status:
                self.api_objects.put(with_statuses(pod.data, ()))
            message = "a driver reported a binding failure for a device of the pod"
            self._queue.set_status(pod, PodStatus(refused=Refused(ERROR, message, {}, ())))
            self._caches.invalidate(Event.UNRESERVED)
            return True
        missing = tuple(condition for claim in claims for condition in binding.missing_conditions(claim))
        if missing:
            message = f"devices are allocated on node {decision.node}; waiting for {', '.join(missing)}"
            refused = Refused(WAITING, message, {}, ())
            self._queue.set_status(pod, decision._replace(refused=refused, waiting=missing))
            return False
        self._queue.set_status(pod, decision._replace(refused=None, waiting=()))
        # What the pod takes is counted already, so nothing computed is dropped.
        self.api_objects.put({**pod.data, "spec": {**pod.spec, "nodeName": decision.node}})
        return False


def _claim_to_give_up(pod: Pod, outcome: Refused) -> Object | None:
    """PostFilter: a blocking claim that no other pod uses."""
    for claim in outcome.unavailable:
        users = [user.get("uid") for user in (claim.get("status") or {}).get("reservedFor") or ()]
        if not users or users == [pod.uid]:
            return claim
    return None
