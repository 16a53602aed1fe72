"""One scheduling attempt of a pod: which node, which devices, or why not. Changes nothing.

Mirrors ``schedulePod`` of the scheduler with its dynamic resources plugin (1.37): PreFilter, Filter, Score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.simulation.pods.outcome import ERROR, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.filter import Filtered, find_nodes_that_fit
from dractl.simulation.scheduler.plugins.dynamic_resources import score_error
from dractl.simulation.scheduler.plugins.registry import score_plugins
from dractl.simulation.scheduler.prefilter import pre_filter, pre_filter_claim
from dractl.simulation.scheduler.schedule_result import Placed, Refused
from dractl.simulation.scheduler.score import select_host
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.unschedulable import failed_on, fatal_refusal, unschedulable

if TYPE_CHECKING:
    from dractl.api.objects import resource


def schedule_one(pod: Pod, snapshot: Snapshot) -> Placed | Refused:
    """Find a node and devices for a pod that has none yet, or the reason of each node."""
    cycle = pre_filter(pod, snapshot)
    if isinstance(cycle, Refused):
        return cycle
    filtered = find_nodes_that_fit(cycle)
    if not filtered.feasible or fatal_refusal(filtered, cycle.allocator) is not None:
        return unschedulable(filtered, cycle.allocator)
    error = score_error(cycle.state, filtered.feasible, snapshot.features.quirks)
    if error is not None:
        return Refused(ERROR, error, filtered.refusals, ())
    plugins = score_plugins(snapshot.features)
    host = select_host(cycle.state, filtered.feasible, plugins, snapshot.choose)
    node, info, _ = host.chosen
    return Placed(cycle.allocator.chosen_fit(node, info.load, info.served), host.tied, host.scores)


def allocate_claim(claim: Object, snapshot: Snapshot) -> tuple[str, resource.AllocationResult] | Refused:
    """Allocate one claim for no pod, on the first node that fits: what a claim alone would get."""
    cycle = pre_filter_claim(claim, snapshot)
    if isinstance(cycle, Refused):
        return cycle
    allocator = cycle.allocator
    refusals: dict[str, Refusal] = {}
    pending_claims = allocator.claims.pending_claims()
    for node in snapshot.nodes:
        outcome = allocator.allocate(node, pending_claims)
        if not isinstance(outcome, Refusal):
            return node.name, allocator.fit(node, pending_claims).allocations[0][1]
        refusals[node.name] = outcome
        if allocator.ends_attempt(outcome):
            return failed_on(node.name, outcome, refusals)
    return unschedulable(Filtered((), refusals, refusals), allocator)
