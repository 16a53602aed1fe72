"""Pods one after the other over a cluster, until everything that can happen has happened.

The scheduler's loop with the controllers around it. Mirrors Reserve, PreBind, Unreserve and PostFilter of the
dynamic resources plugin (1.37).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from dractl.api import budgets
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Key, Object, Objects, full_name, key_of
from dractl.cluster.pools import Inventory
from dractl.cluster.uids import uid_of
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import PoolCache
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.result_cache import ResultCache
from dractl.simulation.allocator.taint_rules import TaintRules
from dractl.simulation.controllers import eviction, lifecycle
from dractl.simulation.pods.claims import claims_and_special, claims_by_owner, claims_of
from dractl.simulation.pods.outcome import ERROR, FAILURES, WAITING, Eviction
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import binding
from dractl.simulation.scheduler.node_allocatable import FIELD, demand_of, with_statuses
from dractl.simulation.scheduler.node_classes import NodeClasses
from dractl.simulation.scheduler.node_load import NodeLoads
from dractl.simulation.scheduler.nodes import Node, implied_node, node_of
from dractl.simulation.scheduler.prebind import TIMESTAMP, unreserved, write_claims
from dractl.simulation.scheduler.priorities import Priorities
from dractl.simulation.scheduler.schedule_one import schedule_one
from dractl.simulation.scheduler.schedule_result import Placed, Refused
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.timeouts import LongSearches

_MAX_ROUNDS = budgets.ROUNDS.value

Choose = Callable[[Pod, Sequence[str]], str]
Progress = Callable[[int, int], None]
"""Is told how many pods of how many have had their turn."""


def first_in_order(pod: Pod, nodes: Sequence[str]) -> str:  # noqa: ARG001
    """The choice among equally good nodes: the first; the real scheduler takes any."""
    return nodes[0]


def unheard(done: int, total: int) -> None:
    """The progress that nobody wants to hear of."""


class Settings(NamedTuple):
    """What a simulation is told beside the objects.

    ``node_order`` are nodes to come first where several are equally good; the others follow by name.
    ``knows_all_pods``: a pod that is not among the objects is gone. ``evicts``: pods that use a device with a
    taint of effect NoExecute are asked to end. ``left_out`` has objects that are not there because the caller
    left them out, with the reason.
    """

    features: Features
    environment: Environment
    node_order: tuple[str, ...] = ()
    knows_all_pods: bool = False
    evicts: bool = False
    allowance: Allowance | None = None
    choose: Choose = first_in_order
    left_out: Mapping[Key, str] = MappingProxyType({})
    progress: Progress = unheard


class PodStatus(NamedTuple):
    """Where a pod stands after its last attempt.

    ``node`` is set once one is chosen; with ``refused`` beside it the pod waits for the binding conditions
    ``waiting``. ``before`` is how the attempt before ended; ``has_stepped_back``: its devices could not be
    bound, so that others come first.
    """

    node: str | None = None
    placed: Placed | None = None
    refused: Refused | None = None
    waiting: tuple[str, ...] = ()
    before: Refused | None = None
    has_stepped_back: bool = False


class Scheduler:
    """A cluster in motion. The objects given are never changed, only replaced."""

    def __init__(self, objects: Iterable[Object], settings: Settings) -> None:
        """Take the objects of a cluster; nothing happens before :meth:`settle`."""
        self.api_objects = Objects(objects, settings.left_out)
        self.settings = settings
        self.allowance = settings.allowance or Allowance()
        self._standings: dict[Key, PodStatus] = {}
        self._waiting: set[Key] = set()
        self._matcher = Matcher(settings.environment, settings.features)
        self._pods: dict[Key, Pod] = {}
        self._classes: NodeClasses | None = None
        self._market: PoolCache | None = None
        self._usage: Usage | None = None
        self._recall = ResultCache()
        self.long_searches = LongSearches(has_limit=settings.features.filter_timeout)
        self._crowd: NodeLoads | None = None
        self._changes = 0
        self._tried_at: dict[Key, int] = {}
        self._gone: set[str] = set()
        self._resumed = self._bindings_under_way()
        self.evicted: list[Eviction] = []
        """The pods that taints of devices made end since this list was last emptied."""

    # Looking.

    def pods(self) -> list[Pod]:
        """All pods, in the order in which they came."""
        return [self._read(item) for item in self.api_objects.of_kind("Pod")]

    def _read(self, item: Object) -> Pod:
        key = key_of(item)
        known = self._pods.get(key)
        if known is None or known.data is not item:
            known = self._pods[key] = Pod(item)
        return known

    def _again(self, pod: Pod) -> Pod:
        """The pod as it is by now."""
        return self._read(self.api_objects.get("Pod", pod.namespace, pod.name) or dict(pod.data))

    def forget_attempt(self, pod: Pod) -> None:
        """Let a pod start anew, as if it had never been tried."""
        key = key_of(pod.data)
        self._standings.pop(key, None)
        self._waiting.discard(key)
        self._crowd = None

    def decision(self, pod: Pod) -> PodStatus:
        """Where a pod stands; nothing is known of one that was never tried."""
        return self._standings.get(key_of(pod.data), PodStatus())

    @property
    def nodes(self) -> Sequence[Node]:
        """The nodes in the order in which equally good ones are taken."""
        return self._node_classes().nodes

    def _node_classes(self) -> NodeClasses:
        if self._classes is None:
            found = [node_of(item) for item in self.api_objects.of_kind("Node")]
            if not found:
                found = [implied_node(name) for name in self._inventory().node_names]
            rank = {name: number for number, name in enumerate(self.settings.node_order)}
            found.sort(key=lambda node: (rank.get(node.name, len(rank)), node.name))
            self._classes = NodeClasses(found)
        return self._classes

    # Changing from outside.

    def put(self, item: Object) -> None:
        """Create or replace an object."""
        self.api_objects.put(item)
        self._forget(item.get("kind", ""))

    def remove(self, key: Key) -> None:
        """Make an object go away at once."""
        gone = self.api_objects.find(key)
        self.api_objects.remove(key)
        if gone is not None:
            self._gone.add(uid_of(gone))
        if key.kind == "Pod":
            self._standings.pop(key, None)
            self._waiting.discard(key)
            self._tried_at.pop(key, None)
            self._pods.pop(key, None)
        self._forget(key.kind)

    def _forget(self, kind: str) -> None:
        """Drop what was computed from objects of a kind."""
        self._changes += 1
        if kind in ("ResourceSlice", "DeviceTaintRule", "Node", "DeviceClass"):
            self._market = None
            self._classes = None
            self._recall = ResultCache()
        elif kind == "ResourceClaim":
            self._usage = None
        elif kind == "Pod":
            self._crowd = None

    # Coming to rest.

    def settle(self) -> None:
        """Let everything happen that can, until nothing changes."""
        self.control()
        for _ in range(_MAX_ROUNDS):
            freed = self._try_all(self._queue())
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
        before = self._changes
        for _ in range(_MAX_ROUNDS):
            outdated = [pod for pod in self._queue() if self._tried_at.get(key_of(pod.data)) != self._changes]
            freed = [self._try(pod) for pod in outdated]
            if any(freed):
                self.control()
            if not outdated:
                break
        return self._changes != before

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
            self._usage = None
            self._changes += 1
        return freed

    def evictions(self) -> list[Eviction]:
        """The pods that use a device with a taint that evicts them, at once or after a time."""
        if not self.settings.features.device_taints:
            return []
        found = eviction.evicting_taints(self._slices())
        return (
            eviction.evictions(self.pods(), self.api_objects.of_kind("ResourceClaim"), found) if found else []
        )

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

    def _queue(self) -> list[Pod]:
        """The pods without a node, by priority and age; those that failed with an error are held back."""
        open_pods = [
            pod for pod in self.pods() if pod.node is None and not pod.is_finished and not pod.is_terminating
        ]
        priorities = Priorities(self.api_objects)
        return sorted(open_pods, key=lambda pod: (-priorities.of(pod), self._failed(pod)))

    def _failed(self, pod: Pod) -> bool:
        decision = self.decision(pod)
        refused = decision.refused
        return decision.has_stepped_back or (refused is not None and refused.category in FAILURES)

    def _try(self, pod: Pod) -> bool:
        """Attempt a pod until it stays where it is; whether an old allocation was given up for it."""
        freed = False
        if pod.scheduling_gates:
            message = f"the pod is held back by {', '.join(pod.scheduling_gates)} in its schedulingGates"
            self._stand(pod, PodStatus(refused=Refused(WAITING, message, {}, ())))
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
            self._stand(pod, PodStatus(refused=outcome))
            given_up = _claim_to_give_up(pod, outcome)
            if given_up is None:
                return freed
            self.put(lifecycle.without_allocation(given_up))
            freed = True
            if binding.has_failed(given_up):
                # It has just been tried, so that pods which wait for longer come first now.
                self._stand(pod, PodStatus(refused=outcome, has_stepped_back=True))
                return freed

    def snapshot(self) -> Snapshot:
        """What an attempt sees by now."""
        if self._usage is None:
            self._recall = ResultCache()
            self._usage = Usage(self.api_objects.of_kind("ResourceClaim"), self.settings.features)
        if self._market is None:
            self._market = PoolCache(self._inventory(), self.settings.features)
        return Snapshot(
            api_objects=self.api_objects,
            classes=self._node_classes(),
            usage=self._usage,
            node_devices=self._market.node_devices(self._usage),
            result_cache=self._recall,
            matcher=self._matcher,
            features=self.settings.features,
            loads=self._crowd_now(),
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

    def _inventory(self) -> Inventory:
        return Inventory(self._slices())

    def _slices(self) -> list[Object]:
        """The slices with the taints of rules."""
        features = self.settings.features
        found = self.api_objects.of_kind("DeviceTaintRule") if features.device_taint_rules else []
        rules = TaintRules(found, self._device_class, self._matcher.holds, features.quirks)
        return rules.applied_to(self.api_objects.of_kind("ResourceSlice"))

    def _device_class(self, name: str) -> Object | None:
        return self.api_objects.get("DeviceClass", "", name)

    def _crowd_now(self) -> NodeLoads:
        if self._crowd is None:
            features = self.settings.features
            self._crowd = NodeLoads(demand_of) if features.node_allocatable else NodeLoads()
            for pod in self.pods():
                node = pod.node or self.decision(pod).node
                if node is not None and not pod.is_finished:
                    self._crowd.add(node, pod)
        return self._crowd

    def _in_flight(self) -> frozenset[str]:
        """The claims whose allocation was decided for a pod that still waits."""
        decided = {
            full_name(claim)
            for key in self._waiting
            if (placed := self._standings[key].placed) is not None
            for claim, _ in placed.fit.allocations
        }
        if self._resumed:
            waiting = {
                pod.uid
                for pod in self.pods()
                if pod.node is None
                and (key_of(pod.data) in self._waiting or key_of(pod.data) not in self._standings)
            }
            decided |= {claim for claim, uid in self._resumed.items() if uid in waiting}
        return frozenset(decided)

    def _bindings_under_way(self) -> dict[str, str]:
        """The claims that wait for conditions of their devices from the start, and for which pod."""
        if not self.settings.features.binding_conditions:
            return {}
        open_pods = {pod.uid for pod in self.pods() if pod.node is None and not pod.is_finished}
        return binding.under_way(self.api_objects.of_kind("ResourceClaim"), open_pods)

    # After a decision.

    def _stand(self, pod: Pod, decision: PodStatus) -> None:
        key = key_of(pod.data)
        earlier = self._standings.get(key)
        told = {} if earlier is None or earlier.refused is None else earlier.refused.nodes
        refused = decision.refused
        if refused is not None and (earlier is None or refused is not earlier.refused):
            refused = refused._replace(nodes=self.allowance.kept(refused.nodes, told))
            decision = decision._replace(refused=refused)
        self._standings[key] = decision
        if decision.placed is not None and decision.refused is not None:
            self._waiting.add(key)
        else:
            self._waiting.discard(key)
        self._tried_at[key] = self._changes

    def _reserve(self, pod: Pod, placed: Placed) -> None:
        """Write the claims, then bind the pod or let it wait."""
        fit = placed.fit
        written = write_claims(
            pod, claims_of(pod, self.api_objects), fit, self.api_objects, self.settings.features
        )
        usage = self._usage
        for claim in written.claims:
            before = self.api_objects.get(
                "ResourceClaim", claim["metadata"]["namespace"], claim["metadata"]["name"]
            )
            self.api_objects.put(claim)
            if usage is not None and ((before or {}).get("status") or {}).get("allocation") is None:
                usage.add(claim)
        if written.problem:
            self._stand(pod, PodStatus(refused=Refused(ERROR, written.problem, {}, ())))
            return
        if written.extended_status is not None:
            status = {**pod.status, "extendedResourceClaimStatus": written.extended_status}
            self.api_objects.put({**pod.data, "status": status})
        if fit.node_statuses or FIELD in pod.status:
            self.api_objects.put(with_statuses(self._again(pod).data, fit.node_statuses))
        self._changes += 1
        earlier = self.decision(pod).refused
        self._stand(pod, PodStatus(node=fit.node.name, placed=placed, before=earlier))
        self._crowd_now().add(fit.node.name, self._again(pod))
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
            message = "a driver reported that binding a device of the pod failed"
            self._stand(pod, PodStatus(refused=Refused(ERROR, message, {}, ())))
            self._crowd = None
            return True
        missing = tuple(condition for claim in claims for condition in binding.missing_conditions(claim))
        if missing:
            message = f"devices are allocated on node {decision.node}; waiting for {', '.join(missing)}"
            refused = Refused(WAITING, message, {}, ())
            self._stand(pod, decision._replace(refused=refused, waiting=missing))
            return False
        self._stand(pod, decision._replace(refused=None, waiting=()))
        # What the pod takes is counted already, so nothing computed is dropped.
        self.api_objects.put({**pod.data, "spec": {**pod.spec, "nodeName": decision.node}})
        return False


def _claim_to_give_up(pod: Pod, outcome: Refused) -> Object | None:
    """PostFilter: a claim that stands in the way and that nobody else uses."""
    for claim in outcome.unavailable:
        users = [user.get("uid") for user in (claim.get("status") or {}).get("reservedFor") or ()]
        if not users or users == [pod.uid]:
            return claim
    return None
