"""Cluster state that changes step by step and settles after each step.

Scenarios of users and scenarios recorded on a real control plane use the same cluster. It may be tended: then
kubelets terminate evicted pods, controllers create the missing pods of workloads, and dependents of deleted
objects are deleted too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from dractl.api import budgets
from dractl.api.json_types import Object
from dractl.cluster.objects import Key, full_name, identity, key_of, namespace_of
from dractl.cluster.owned_pods import ended_pods, outlived, tallied
from dractl.cluster.workloads import WORKLOADS, surplus
from dractl.records import NamedTuple
from dractl.simulation.engine.events import EVENTS, end
from dractl.simulation.engine.run import outcome_of, with_workload_pods
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import describe_taint, evicting_taint

if TYPE_CHECKING:
    from dractl.api.objects.meta import OwnerReference

_REASONS: Mapping[str, str] = {"drain": "its node was drained", "delete": "it was deleted"}
"""The reasons for removed pods, by step word."""


class Removal(NamedTuple):
    """A pod that was asked to terminate, as ``namespace/name``, and why."""

    pod: str
    reason: str


class Cluster:
    """Cluster state that advances until stable."""

    def __init__(self, objects: Iterable[Object], settings: Settings, *, is_tended: bool = False) -> None:
        """Start with the initial objects, and let the cluster settle."""
        self.scheduler = Scheduler(objects, settings)
        self.removals: list[Removal] = []
        """The pods that were terminated since this list was last emptied."""
        self.too_many: list[LeftOut] = []
        """The workloads whose pods are only partly simulated."""
        self._is_tended = is_tended
        self._lingering = {pod.uid for pod in self.scheduler.pods() if pod.is_terminating}
        self._astray = {pod.uid for pod in self._on_no_node()}
        self._parents = self._possible_parents()
        self._tallied = self._ended_of_jobs()
        self.rest()

    def do(self, word: str, subject: object) -> str | None:
        """Apply a step by its word in ``EVENTS``; return why it is impossible, or None."""
        before = self._running()
        problem = EVENTS[word](self.scheduler, subject)
        reason = _REASONS.get(word, "")
        if reason:
            after = self._running()
            self.removals += [Removal(pod, reason) for pod in before if pod not in after]
        return problem

    def _running(self) -> dict[str, None]:
        """The pods that are not terminating."""
        return {pod.full_name: None for pod in self.scheduler.pods() if not pod.is_terminating}

    def rest(self) -> None:
        """Run scheduler, controllers and kubelets until nothing changes."""
        self.scheduler.settle()
        if not self._is_tended:
            return
        for _ in range(budgets.ROUNDS_OF_STEP.value):
            self._tally()
            self._note_evictions()
            # Each of them is asked, whatever the others did. New pods come when the old ones have left, since
            # in files they may have the same name and uid.
            if not any(self._clean_up()) and not self._balance():
                return
            self.scheduler.settle()
        self.scheduler.allowance.reach(budgets.ROUNDS_OF_STEP)

    def _clean_up(self) -> list[bool]:
        return [self._collect(), self._collect_stray(), self._evict(), self._end_pods()]

    def outcome(self) -> Outcome:
        """The current outcome; claims without pods stay unallocated unless the settings say otherwise."""
        return outcome_of(self.scheduler, self.too_many)

    # What kubelets and controllers do.

    def _note_evictions(self) -> None:
        for eviction in self.scheduler.evicted:
            device = f"{eviction.driver}/{eviction.pool}/{eviction.device}"
            taint = describe_taint(eviction.taint)
            self.removals.append(Removal(eviction.pod, f"its device {device} has the taint {taint}"))
        self.scheduler.evicted.clear()

    def _ended_of_jobs(self) -> set[Key]:
        return {key_of(pod) for _, pods in ended_pods(self.scheduler.api_objects) for pod in pods}

    def _tally(self) -> None:
        """Update the pod counts of Jobs, as their controller does before an ended pod is deleted."""
        for job, pods in ended_pods(self.scheduler.api_objects):
            fresh = [pod for pod in pods if key_of(pod) not in self._tallied]
            counted = tallied(job, [pod for pod in pods if key_of(pod) in self._tallied], fresh)
            if counted is not job:
                self.scheduler.put(counted)
        self._tallied = self._ended_of_jobs()

    def _possible_parents(self) -> set[Key]:
        api_objects = self.scheduler.api_objects
        return {key_of(item) for kind in (*WORKLOADS, "Node") for item in api_objects.of_kind(kind)}

    def _collect(self) -> bool:
        """Garbage collection: remove the dependents of deleted workloads and nodes."""
        before, self._parents = self._parents, self._possible_parents()
        orphans = list(self._orphans_of(before - self._parents))
        for item, reason in orphans:
            if item["kind"] == "Pod":
                self.removals.append(Removal(full_name(item), reason))
            self.scheduler.remove(key_of(item))
        return bool(orphans)

    def _orphans_of(self, gone: set[Key]) -> Iterator[tuple[Object, str]]:
        if not gone:
            return
        nodes = {key.name for key in gone if key.kind == "Node"}
        for kind in ("ReplicaSet", "Job", "Pod", "ResourceSlice"):
            for item in self.scheduler.api_objects.of_kind(kind):
                owner = next((owner for owner in _owners(item) if owner in gone), None)
                node = (item.get("spec") or {}).get("nodeName")
                if owner is not None:
                    yield item, f"its {owner.kind} {owner.name} was deleted"
                elif kind == "Pod" and node in nodes:
                    yield item, f"its node {node} was deleted"

    def _on_no_node(self) -> Iterator[Pod]:
        """The pods on nodes that do not exist; none if the input has no nodes."""
        names = {node.name for node in self.scheduler.nodes}
        return (pod for pod in self.scheduler.pods() if names and pod.node and pod.node not in names)

    def _collect_stray(self) -> bool:
        """Remove pods of missing nodes, as pod GC does, except for initial pods.

        Files may tell of fewer nodes than of pods.
        """
        stray = [pod for pod in self._on_no_node() if pod.uid not in self._astray]
        for pod in stray:
            self.removals.append(Removal(pod.full_name, f"Node {pod.node} does not exist"))
            self.scheduler.remove(key_of(pod.data))
        return bool(stray)

    def _evict(self) -> bool:
        """Terminate the pods that do not tolerate a NoExecute taint of their node."""
        nodes = {node.name: node for node in self.scheduler.nodes}
        found = False
        for pod in self.scheduler.pods():
            node = nodes.get(pod.node or "")
            if node is None or pod.is_finished or pod.is_terminating:
                continue
            taint = evicting_taint(pod, node)
            if taint is not None:
                reason = f"its node {node.name} has the taint {describe_taint(taint)}"
                self.removals.append(Removal(pod.full_name, reason))
                end(self.scheduler, pod)
                found = True
        return found

    def _end_pods(self) -> bool:
        """Let the kubelets end terminating pods, except for those that were terminating initially."""
        ending = [
            pod for pod in self.scheduler.pods() if pod.is_terminating and pod.uid not in self._lingering
        ]
        for pod in ending:
            self.scheduler.remove(key_of(pod.data))
        return bool(ending)

    def _balance(self) -> bool:
        """Create the pods that workloads lack, and terminate surplus pods."""
        api_objects = self.scheduler.api_objects
        if not any(api_objects.of_kind(kind) for kind in WORKLOADS):
            return False
        ended = outlived(api_objects)
        for item in ended:
            self.removals.append(Removal(full_name(item), "its workload replaces pods that have ended"))
            self.scheduler.remove(key_of(item))
        extra = surplus(api_objects)
        for item in extra:
            self.removals.append(Removal(full_name(item), "its workload needs fewer pods"))
            end(self.scheduler, Pod(item))
        expanded = with_workload_pods(
            api_objects,
            self.scheduler.nodes,
            self.scheduler.allowance.room,
            counts_claims=self.scheduler.settings.features.quota_of_extended,
        )
        made = [item for item in expanded.objects if key_of(item) not in api_objects]
        for item in made:
            self.scheduler.put(item)
        self.too_many = [LeftOut(identity(item), reason) for item, reason in expanded.left_out]
        return bool(ended or extra or made)


def _owners(item: Object) -> Iterator[Key]:
    owners: Iterable[OwnerReference] = (item.get("metadata") or {}).get("ownerReferences") or ()
    for owner in owners:
        kind = owner.get("kind", "")
        namespace = "" if kind == "Node" else namespace_of(item)
        yield Key(kind, namespace, owner.get("name", ""))
