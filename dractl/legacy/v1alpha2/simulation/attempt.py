"""One pod over the nodes of a 1.30 cluster: which of them has everything for its claims.

Mirrors PreFilter, Filter and Reserve of the scheduler's dynamic resources plugin (1.30).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dractl.api.json_types import JsonObject, Object
from dractl.api.selectors import node_selector
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.legacy.v1alpha2.simulation.allocation import Failure, allocate
from dractl.legacy.v1alpha2.simulation.instances import Held, Instances
from dractl.legacy.v1alpha2.simulation.parameters import Problem, Wanted, wanted_by
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.allowance import SPENT, Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.pods.claims import Problem as ClaimProblem
from dractl.simulation.pods.claims import resolve
from dractl.simulation.pods.outcome import (
    CLAIM_DELETING,
    CLAIM_ELSEWHERE,
    CLAIM_IN_USE,
    NO_DEVICES,
    NOT_EVALUATED,
    TIMEOUT,
    Refusal,
)
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.filter import first_refusal
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.node_load import PodsOfNode
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins.registry import score_plugins
from dractl.simulation.scheduler.resources import NO_LOAD, Load, demand_of
from dractl.simulation.scheduler.score import select_host
from dractl.simulation.scheduler.unschedulable import summed_up

if TYPE_CHECKING:
    from dractl.api.objects.core import NodeSelector

__all__ = ["Fit", "Refused", "Snapshot", "attempt", "attempt_claim"]

Allocations = tuple[tuple[Object, JsonObject], ...]


class Snapshot(NamedTuple):
    """What an attempt looks at."""

    api_objects: Objects
    nodes: Sequence[Node]
    instances: Instances
    environment: Environment
    loads: Mapping[str, Load]
    placed: Mapping[str, PodsOfNode]
    held: Held
    allowance: Allowance
    choose: Callable[[Pod, Sequence[str]], str]


class Fit(NamedTuple):
    """The node of a pod, the allocations of the claims that had none, and the nodes that were as good."""

    node: str
    allocations: Allocations
    tied: tuple[str, ...] = ()
    scores: Mapping[str, Mapping[str, int]] = {}


class Refused(NamedTuple):
    """A pod gets no node; ``unavailable`` are claims whose allocation was in the way."""

    category: str
    message: str
    nodes: Mapping[str, Refusal] = {}
    unavailable: tuple[Object, ...] = ()


def attempt(pod: Pod, snapshot: Snapshot) -> Fit | Refused:
    """Find a node for a pod, and instances for its claims."""
    found = resolve(pod, snapshot.api_objects)
    if isinstance(found, ClaimProblem):
        return Refused(found.category, found.message)
    return _tried(pod, [entry.claim for entry in found if entry.claim is not None], snapshot)


def attempt_claim(claim: Object, snapshot: Snapshot) -> Fit | Refused:
    """Find instances for a claim that no pod refers to, as if a pod without other wishes came for it."""
    return _tried(Pod({"kind": "Pod", "metadata": claim.get("metadata") or {}}), [claim], snapshot)


def _tried(pod: Pod, claims: Sequence[Object], snapshot: Snapshot) -> Fit | Refused:
    if not snapshot.allowance.begin_attempt(len(snapshot.nodes)):
        return Refused(TIMEOUT, SPENT.message)
    wanted: dict[str, Wanted] = {}
    for claim in claims:
        problem = _problem(pod, claim, snapshot, wanted)
        if problem is not None:
            return Refused(problem.category, f"claim {full_name(claim)}: {problem.message}")
    refusals: dict[str, Refusal] = {}
    unavailable: dict[str, Object] = {}
    fits: list[tuple[FeasibleNode, Allocations]] = []
    quirks = features_of(snapshot.environment.gates).quirks
    api_objects, nodes, placed = snapshot.api_objects, snapshot.nodes, snapshot.placed
    state = CycleState(pod, demand_of(pod), api_objects, nodes, placed, quirks=quirks)
    for node in snapshot.nodes:
        info = NodeInfo(node, snapshot.loads.get(node.name, NO_LOAD))
        refusal = first_refusal(state, node, info)
        outcome = refusal or _allocations(claims, wanted, node, snapshot, unavailable)
        if isinstance(outcome, Refusal):
            refusals[node.name] = outcome
        else:
            fits.append((FeasibleNode(node, info, ()), outcome))
    if fits:
        return _best(state, fits, snapshot)
    category, message = summed_up(refusals)
    return Refused(category, message, refusals, tuple(unavailable.values()))


def _problem(pod: Pod, claim: Object, snapshot: Snapshot, wanted: dict[str, Wanted]) -> Problem | None:
    """What keeps the pod from any node because of one claim; notes what the claim asks for."""
    status: Mapping[str, Any] = claim.get("status") or {}
    if status.get("deallocationRequested") is True:
        return Problem(CLAIM_DELETING, "its driver was requested to deallocate it")
    allocation = status.get("allocation")
    if allocation is not None:
        users = [user.get("uid") for user in status.get("reservedFor") or ()]
        if users and allocation.get("shareable") is not True and pod.uid not in users:
            return Problem(CLAIM_IN_USE, "another pod uses it, and it is not shareable")
        return None
    found = wanted_by(claim, snapshot.api_objects, snapshot.environment)
    if isinstance(found, Problem):
        return found
    wanted[full_name(claim)] = found
    return None


def _allocations(
    claims: Sequence[Object],
    wanted: Mapping[str, Wanted],
    node: Node,
    snapshot: Snapshot,
    away: dict[str, Object],
) -> Allocations | Refusal:
    """The allocations of all claims on a node.

    Each claim is looked at alone, as upstream does: what it takes is not yet taken for the next one.
    """
    made: list[tuple[Object, Mapping[str, Any]]] = []
    mismatched: list[Object] = []
    for claim in claims:
        asked = wanted.get(full_name(claim))
        selector = _selector(claim, asked)
        matches = selector is None or node_selector(selector).matches(node.name, node.ref.labels)
        if asked is None:
            mismatched += [] if matches else [claim]
            continue
        if not matches:
            name = asked.device_class["metadata"].get("name", "")
            return Refusal(NO_DEVICES, f"ResourceClass {name} does not select this node (suitableNodes)")
        snapshot.allowance.spend(_looks(asked, node.name, snapshot.instances))
        allocation = allocate(asked, node.name, snapshot.instances, snapshot.held)
        if isinstance(allocation, Failure):
            category = NOT_EVALUATED if allocation.is_unevaluated else NO_DEVICES
            return Refusal(category, f"claim {full_name(claim)}: {allocation.message}")
        made.append((claim, allocation))
    if mismatched:
        away.update((full_name(claim), claim) for claim in mismatched)
        return Refusal(
            CLAIM_ELSEWHERE,
            f"ResourceClaim {full_name(mismatched[0])} is already allocated, but not for this node",
        )
    return tuple(made)


def _looks(asked: Wanted, node: str, instances: Instances) -> int:
    """How often an instance is looked at for a claim at most."""
    return sum(len(wanted.selectors) * instances.number(node, wanted.driver) for wanted in asked.requests)


def _selector(claim: Object, asked: Wanted | None) -> NodeSelector | None:
    """The nodes on which a claim can be: those of its allocation, or those of its class."""
    if asked is not None:
        found: NodeSelector | None = asked.device_class.get("suitableNodes")
        return found
    allocation: Mapping[str, Any] = allocation_of(claim) or {}
    return allocation.get("availableOnNodes")


def _best(state: CycleState, fits: Sequence[tuple[FeasibleNode, Allocations]], snapshot: Snapshot) -> Fit:
    plugins = score_plugins(features_of(snapshot.environment.gates))
    host = select_host(state, [entry for entry, _ in fits], plugins, snapshot.choose)
    name = host.chosen.node.name
    allocations = next(made for entry, made in fits if entry.node.name == name)
    return Fit(name, allocations, host.tied, host.scores)
