"""Runs a simulation: takes the objects of a cluster, returns placements and reasons.

Pods get their nodes and devices one after the other, by priority and then in the order of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.json_types import Object
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Objects, allocation_of, identity, key_of, key_of_identity
from dractl.cluster.workload_pods import Expanded, Room, unlimited, with_pods
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.engine import unreferenced
from dractl.simulation.engine.bulk import bulk
from dractl.simulation.engine.fault_notes import fault_notes
from dractl.simulation.engine.notes import freed_note
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Progress, Settings, no_progress
from dractl.simulation.pods import placements
from dractl.simulation.pods.outcome import ERROR, NODE_NAME, LeftOut, Outcome, Pending, Placement, PodOutcome
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.served import asked_for
from dractl.simulation.scheduler.filter import is_meant_for
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import demand_of


@WORK.run()
def run(
    objects: Iterable[Object],
    *,
    features: Features,
    environment: Environment,
    node_order: Sequence[str] = (),
    left_out: Iterable[LeftOut] = (),
    allowance: Allowance | None = None,
    progress: Progress = no_progress,
    allocate_unreferenced: bool = False,
) -> Outcome:
    """Simulate the scheduler and the claim controllers for ``objects``.

    ``objects`` are decoded objects in v1 shape with defaults: Nodes (if there are none, the nodes that slices
    name), ResourceSlices, DeviceClasses, DeviceTaintRules, ResourceClaims, ResourceClaimTemplates, Pods and
    workloads; other kinds are kept unchanged. ``environment`` is what the scheduler compiles
    selectors with (``stored`` is True). ``node_order`` are nodes that come first where several are equally
    good; the others follow by name. ``left_out`` is what the caller refused: it is passed on, and told where
    something of it is missed. ``allowance``
    limits the steps of each search, and of all together, before a pod is given up with the category
    ``timeout``. ``progress`` is told how far things are. ``allocate_unreferenced`` also allocates the claims
    that no pod refers to, after the pods; no cluster does that. The objects given are not changed.
    """
    refused = tuple(left_out)
    given = Objects(objects)
    if allowance is None:
        allowance = Allowance()
        allowance.begin((key_of(item), bulk(item)) for item in given)
    settings = Settings(
        features,
        environment,
        tuple(node_order),
        allowance=allowance,
        left_out={key_of_identity(entry.object): entry.reason for entry in refused},
        progress=progress,
        allocates_unreferenced=allocate_unreferenced,
    )
    expanded = with_workload_pods(given, Scheduler(given, settings).nodes, allowance.room)
    scheduler = Scheduler(expanded.objects, settings)
    scheduler.settle()
    pending: list[Pending] = []
    if allocate_unreferenced:
        pending = unreferenced.allocate_unreferenced(scheduler)
    else:
        scheduler.review()
    too_many = [LeftOut(identity(item), reason) for item, reason in expanded.left_out]
    outcome = _outcome(scheduler, pending, (*refused, *too_many))
    notes = () if allocate_unreferenced else unreferenced.unreferenced_notes(scheduler)
    return limited(outcome._replace(notes=(*outcome.notes, *fault_notes(scheduler), *notes)), allowance)


def with_workload_pods(given: Objects, nodes: Sequence[Node], room: Room = unlimited) -> Expanded:
    """The objects with the pods that their workloads create on ``nodes``, within the limits."""
    by_name = {node.name: node for node in nodes}

    def runs_on(pod: Object, name: str) -> bool:
        return is_meant_for(Pod(pod), by_name[name])

    return with_pods(given, list(by_name), runs_on, room)


def outcome_of(scheduler: Scheduler, left_out: Iterable[LeftOut] = ()) -> Outcome:
    """The current outcome of a cluster, including the allocated claims without pods."""
    pending: list[Pending] = []
    if scheduler.settings.allocates_unreferenced:
        pending = unreferenced.allocate_unreferenced(scheduler)
    else:
        scheduler.review()
    return limited(_outcome(scheduler, pending, tuple(left_out)), scheduler.allowance)


def limited(outcome: Outcome, allowance: Allowance) -> Outcome:
    """The outcome with the per-node reasons that the limits allow, and the reached limits."""
    pending = tuple(row._replace(nodes=allowance.within_limits(row.nodes)) for row in outcome.pending)
    return outcome._replace(pending=pending, left_out=(*outcome.left_out, *allowance.reached()))


def _outcome(
    scheduler: Scheduler, pending_claims: Sequence[Pending], left_out: tuple[LeftOut, ...]
) -> Outcome:
    rows: list[Placement] = []
    pending: list[Pending] = []
    pods: list[PodOutcome] = []
    allowance = scheduler.allowance
    for pod in scheduler.pods():
        decision = scheduler.decision(pod)
        node = pod.node or decision.node
        if node is not None and not pod.is_finished and _asks_for_devices(pod) and allowance.lists_more():
            rows.extend(allowance.listed(placements.of_pod(pod, node, scheduler.api_objects)))
        refused = decision.refused
        if refused is not None and _asks_for_devices(pod):
            pending.append(Pending(pod.full_name, None, refused.category, refused.message, refused.nodes))
        stuck = None if refused is not None else _stuck(pod, scheduler)
        if stuck is not None:
            pending.append(stuck)
        placed = decision.placed
        pods.append(
            PodOutcome(
                pod=pod.full_name,
                node=node,
                claims=placements.claim_names(pod),
                extended_claim=placements.special_claim_name(pod),
                tied=placed.tied if placed is not None else (),
                scores=placed.scores if placed is not None else {},
                waiting=decision.waiting,
            )
        )
    return Outcome(
        nodes=tuple(node.name for node in scheduler.nodes),
        placements=(*rows, *unreferenced.placements_of_unreferenced(scheduler)),
        pending=(*pending, *pending_claims),
        left_out=left_out,
        objects=tuple(scheduler.api_objects),
        pods=tuple(pods),
        evictions=tuple(scheduler.evictions()),
        notes=tuple(
            freed_note(freed.pod, freed.claim, scheduler.api_objects.find(key_of(freed.claim)))
            for freed in scheduler.take_freed()
        ),
        long_searches=tuple(scheduler.long_searches),
    )


def _stuck(pod: Pod, scheduler: Scheduler) -> Pending | None:
    """Why a pod with a preset node never starts: nothing allocates its claims."""
    if pod.node is None or pod.is_finished or pod.is_terminating:
        return None
    for name in placements.claim_names(pod).values():
        claim = None if name is None else scheduler.api_objects.get("ResourceClaim", pod.namespace, name)
        if claim is not None and allocation_of(claim) is None:
            message = (
                f"the pod is already bound to node {pod.node}, so no scheduler allocates ResourceClaim "
                f"{pod.namespace}/{name} and the kubelet does not start the pod"
            )
            nodes = [node.name for node in scheduler.nodes]
            if nodes and pod.node not in nodes:
                missing = f"the pod names node {pod.node}, which does not exist"
                return Pending(pod.full_name, None, NODE_NAME, missing, {})
            return Pending(pod.full_name, None, ERROR, message, {})
    return None


def _asks_for_devices(pod: Pod) -> bool:
    """Whether a pod requests devices, so that its result is reported."""
    return bool(pod.claims) or bool(asked_for(demand_of(pod)))
