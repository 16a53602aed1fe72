"""A whole simulation of Kubernetes 1.30: pods in order, each with its claims over named resources.

Pods get their nodes by priority and then in the order of the input. Claims with immediate allocation that no
pod refers to follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dractl.api.json_types import JsonObject, Object
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Key, Objects, allocation_of, full_name, identity, key_of, key_of_identity
from dractl.legacy.v1alpha2.simulation.attempt import Fit, Refused, Snapshot, attempt, attempt_claim
from dractl.legacy.v1alpha2.simulation.instances import Instances, hold, node_names, results_of
from dractl.legacy.v1alpha2.simulation.pods import inlined, sourced
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.controllers import lifecycle
from dractl.simulation.engine.bulk import bulk
from dractl.simulation.engine.notes import freed_note
from dractl.simulation.engine.run import limited, with_workload_pods
from dractl.simulation.engine.settings import first_in_order
from dractl.simulation.engine.unreferenced import unreferenced
from dractl.simulation.pods.claims import Problem as ClaimProblem
from dractl.simulation.pods.claims import claims_by_owner, resolve
from dractl.simulation.pods.outcome import (
    ERROR,
    OTHER_SCHEDULER,
    WAITING,
    LeftOut,
    Outcome,
    Pending,
    Placement,
    PodOutcome,
)
from dractl.simulation.pods.placements import claim_names
from dractl.simulation.pods.pods import DEFAULT_SCHEDULER, Pod
from dractl.simulation.scheduler.node_load import PodsOfNode
from dractl.simulation.scheduler.nodes import Node, implied_node, node_of
from dractl.simulation.scheduler.prebind import with_status
from dractl.simulation.scheduler.priorities import Priorities
from dractl.simulation.scheduler.resources import NO_LOAD, Load, demand_of

__all__ = ["run"]

FINALIZER = "dra.k8s.io/delete-protection"
MAX_CONSUMERS = 32
"""Most users of one claim in 1.30."""


@WORK.run()
def run(
    objects: Iterable[Object],
    *,
    environment: Environment,
    node_order: Sequence[str] = (),
    left_out: Iterable[LeftOut] = (),
    allowance: Allowance | None = None,
    allocate_unreferenced: bool = False,
) -> Outcome:
    """Simulate what a 1.30 scheduler makes of ``objects`` in the shape of v1alpha2.

    The arguments are those of :func:`dractl.simulation.engine.run.run`. Claims of classes without structured
    parameters stay pending: the controller of their driver allocates them.
    """
    refused = tuple(left_out)
    reasons = {key_of_identity(entry.object): entry.reason for entry in refused}
    given = Objects(map(_read, objects), reasons)
    ordered = _nodes(given, node_order)
    if allowance is None:
        allowance = Allowance()
        allowance.begin((key_of(item), bulk(item)) for item in given)
    expanded = with_workload_pods(given, ordered, allowance.room)
    cluster = _Cluster(Objects(map(_read, expanded.objects), reasons), ordered, environment, allowance)
    cluster.settle(allocate_unreferenced=allocate_unreferenced)
    too_many = [LeftOut(identity(item), reason) for item, reason in expanded.left_out]
    return limited(cluster.outcome((*refused, *too_many)), allowance)


def _read(item: Object) -> Object:
    return inlined(item) if item.get("kind") == "Pod" else item


def _nodes(api_objects: Objects, node_order: Sequence[str]) -> list[Node]:
    """The nodes in the order in which equally good ones are taken."""
    found = [node_of(item) for item in api_objects.of_kind("Node")]
    found = found or [implied_node(name) for name in node_names(api_objects.of_kind("ResourceSlice"))]
    rank = {name: number for number, name in enumerate(node_order)}
    return sorted(found, key=lambda node: (rank.get(node.name, len(rank)), node.name))


class _Cluster:
    """A cluster in motion."""

    def __init__(
        self, api_objects: Objects, nodes: Sequence[Node], environment: Environment, allowance: Allowance
    ) -> None:
        self._allowance = allowance
        self._placed: dict[str, PodsOfNode] = {}
        self._loads: dict[str, Load] = {}
        self._held: dict[tuple[str, str], set[str]] = {}
        self._world = api_objects
        self._nodes = nodes
        self._environment = environment
        self._instances = Instances(api_objects.of_kind("ResourceSlice"))
        self._fits: dict[str, Fit] = {}
        self._refused: dict[str, Refused] = {}
        self._alone: list[Pending] = []
        self._unreferenced: list[str] = []
        self._freed: dict[Key, tuple[str, JsonObject]] = {}

    def settle(self, *, allocate_unreferenced: bool) -> None:
        """Make the claims of all pods, free those of pods that are done, and try every pod.

        Claims that no pod refers to follow: those with immediate allocation, or all.
        """
        owned = claims_by_owner(self._world)
        for pod in self._pods():
            after = lifecycle.make_claims(
                pod, self._world, owned.get(pod.uid, ()), features_of(self._environment.gates)
            )
            if after is not None:
                self._world.put(after)
        by_uid = {pod.uid: pod for pod in self._pods()}
        lifecycle.free_claims(self._world, lifecycle.PodStore(by_uid, stops_at_others=True))
        for pod in self._pods():
            if pod.node is not None and not pod.is_finished:
                self._count(pod, pod.node)
        hold(self._world.of_kind("ResourceClaim"), self._held)
        for pod in self._queue():
            self._try(pod)
        for claim in self._claims_alone():
            if not (allocate_unreferenced or _is_immediate(claim)):
                self._unreferenced.append(full_name(claim))
                continue
            outcome = attempt_claim(claim, self._view())
            if isinstance(outcome, Fit):
                self._put(self._allocated(claim, outcome.allocations[0][1]))
            else:
                self._alone.append(
                    Pending(None, full_name(claim), outcome.category, outcome.message, outcome.nodes)
                )

    def _pods(self) -> list[Pod]:
        return [Pod(item) for item in self._world.of_kind("Pod")]

    def _queue(self) -> list[Pod]:
        waiting = [
            pod for pod in self._pods() if pod.node is None and not pod.is_finished and not pod.is_terminating
        ]
        priorities = Priorities(self._world)
        return sorted(waiting, key=lambda pod: -priorities.of(pod))

    def _claims_alone(self) -> list[Object]:
        """The claims without allocation that no pod refers to."""
        used = {(pod.namespace, name) for pod in self._pods() for name in claim_names(pod).values()}
        return [
            claim
            for claim in self._world.of_kind("ResourceClaim")
            if allocation_of(claim) is None and tuple(full_name(claim).split("/", 1)) not in used
        ]

    def _put(self, claim: Object) -> None:
        """Replace a claim, and count what it holds."""
        self._world.put(claim)
        hold([claim], self._held)

    def _count(self, pod: Pod, node: str) -> None:
        """Count a pod on a node."""
        self._placed.setdefault(node, PodsOfNode()).append(pod)
        self._loads[node] = self._loads.get(node, NO_LOAD).plus(demand_of(pod))

    def _view(self) -> Snapshot:
        return Snapshot(
            self._world,
            self._nodes,
            self._instances,
            self._environment,
            self._loads,
            self._placed,
            self._held,
            self._allowance,
            first_in_order,
        )

    def _try(self, pod: Pod) -> None:
        """Attempt a pod, and again without an old allocation that only is in the way."""
        if pod.other_scheduler is not None:
            message = (
                f"the pod is for the scheduler {pod.other_scheduler}; only {DEFAULT_SCHEDULER} is simulated"
            )
            self._refused[pod.full_name] = Refused(OTHER_SCHEDULER, message)
            return
        if pod.scheduling_gates:
            gates = ", ".join(pod.scheduling_gates)
            self._refused[pod.full_name] = Refused(
                WAITING, f"the pod is gated by {gates} in its schedulingGates"
            )
            return
        while True:
            outcome = attempt(pod, self._view())
            if isinstance(outcome, Fit):
                self._bind(pod, outcome)
                return
            nodes = self._allowance.kept(outcome.nodes, {})
            self._refused[pod.full_name] = outcome._replace(nodes=nodes)
            given_up = next((claim for claim in outcome.unavailable if _is_idle(claim, pod)), None)
            if given_up is None:
                return
            self._freed.setdefault(key_of(given_up), (pod.full_name, given_up))
            self._world.put(lifecycle.without_allocation(given_up))
            self._held.clear()
            hold(self._world.of_kind("ResourceClaim"), self._held)

    def _bind(self, pod: Pod, fit: Fit) -> None:
        """Allocate and reserve the claims of a pod, and give it its node."""
        decided = {full_name(claim): allocation for claim, allocation in fit.allocations}
        found = resolve(pod, self._world)
        for entry in () if isinstance(found, ClaimProblem) else found:
            claim = entry.claim
            if claim is None:
                continue
            claim = self._world.get("ResourceClaim", pod.namespace, claim["metadata"]["name"]) or claim
            if allocation_of(claim) is None:
                claim = self._allocated(claim, decided[full_name(claim)])
            status = claim.get("status") or {}
            users = list(status.get("reservedFor") or ())
            if not any(user.get("uid") == pod.uid for user in users):
                if len(users) >= MAX_CONSUMERS:
                    message = (
                        f"ResourceClaim {full_name(claim)} has {len(users)} consumers, the maximum in 1.30"
                    )
                    self._refused[pod.full_name] = Refused(ERROR, message)
                    return
                users.append({"resource": "pods", "name": pod.name, "uid": pod.uid})
            self._put(with_status(claim, {**status, "reservedFor": users}))
        self._fits[pod.full_name] = fit
        bound = {**pod.data, "spec": {**pod.spec, "nodeName": fit.node}}
        self._world.put(bound)
        self._count(Pod(bound), fit.node)

    def _allocated(self, claim: Object, allocation: Mapping[str, Any]) -> Object:
        name = (claim.get("spec") or {}).get("resourceClassName", "")
        found = self._world.get("ResourceClass", "", name) or {}
        metadata = dict(claim["metadata"])
        finalizers = list(metadata.get("finalizers") or ())
        metadata["finalizers"] = finalizers if FINALIZER in finalizers else [*finalizers, FINALIZER]
        status = {
            **(claim.get("status") or {}),
            "driverName": found.get("driverName", ""),
            "allocation": dict(allocation),
        }
        return with_status({**claim, "metadata": metadata}, status)

    # What came of it.

    def outcome(self, left_out: tuple[LeftOut, ...]) -> Outcome:
        """The cluster as it is by now."""
        rows: list[Placement] = []
        pending: list[Pending] = []
        pods: list[PodOutcome] = []
        shown: set[str] = set()
        for pod in self._pods():
            node = pod.node
            refused = self._refused.get(pod.full_name) if node is None else None
            if node is not None and not pod.is_finished:
                rows += _rows(pod, node, self._world, shown)
            if refused is not None and pod.claims:
                pending.append(Pending(pod.full_name, None, *refused[:3]))
            fit = self._fits.get(pod.full_name)
            pods.append(
                PodOutcome(
                    pod=pod.full_name,
                    node=node,
                    claims=claim_names(pod),
                    extended_claim=None,
                    tied=fit.tied if fit is not None else (),
                    scores=fit.scores if fit is not None else {},
                    waiting=(),
                )
            )
        for claim in self._world.of_kind("ResourceClaim"):
            if full_name(claim) not in shown:
                rows += [_row(None, None, None, None, claim, result) for result in results_of(claim)]
        return Outcome(
            nodes=tuple(node.name for node in self._nodes),
            placements=tuple(rows),
            pending=(*pending, *self._alone),
            left_out=left_out,
            objects=tuple(sourced(item) if item.get("kind") == "Pod" else item for item in self._world),
            pods=tuple(pods),
            notes=(
                *(freed_note(pod, claim, self._world.find(key)) for key, (pod, claim) in self._freed.items()),
                *unreferenced(self._unreferenced, has_pods=bool(pods)),
            ),
        )


def _is_immediate(claim: JsonObject) -> bool:
    """Whether a claim is allocated without waiting for a pod."""
    spec = claim.get("spec")
    return isinstance(spec, dict) and spec.get("allocationMode") == "Immediate"


def _is_idle(claim: Mapping[str, Any], pod: Pod) -> bool:
    """Whether nobody but the pod uses a claim."""
    users = (claim.get("status") or {}).get("reservedFor") or ()
    return all(user.get("uid") == pod.uid for user in users)


def _rows(pod: Pod, node: str, api_objects: Objects, shown: set[str]) -> Iterable[Placement]:
    """The instances that the containers of a pod see: a container names a claim as a whole."""
    for name, claim_name in claim_names(pod).items():
        claim = None if claim_name is None else api_objects.get("ResourceClaim", pod.namespace, claim_name)
        if claim is None:
            continue
        shown.add(full_name(claim))
        containers: list[str | None] = [
            container.name
            for container in pod.containers
            if any(wanted.entry == name for wanted in container.claims)
        ]
        for container in containers or [None]:
            for result in results_of(claim):
                yield _row(pod, node, container, name, claim, result)


def _row(
    pod: Pod | None, node: str | None, container: str | None, entry: str | None, claim: Object, result: Any
) -> Placement:
    return Placement(
        pod=pod.full_name if pod is not None else None,
        node=node or result.node,
        container=container,
        pod_claim=entry,
        claim=full_name(claim),
        request="",
        driver=result.driver,
        pool=result.node,
        device=result.name,
        share_id=None,
        consumed_capacity={},
        admin_access=False,
    )
