"""Adds the scheduler's own events to the Pending pods of a simulation."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api import release
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.simulation.engine.report import Simulation, with_outcome
from dractl.simulation.pods.claims import Problem, resolve
from dractl.simulation.pods.outcome import CLAIM_IN_FLIGHT, CLASS_MISSING, Pending
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.native import Cluster, Missing, event_line
from dractl.simulation.scheduler.nodes import implied_node, node_of
from dractl.simulation.scheduler.resources import NO_LOAD, Load, demand_of


def with_events(simulation: Simulation) -> Simulation:
    """The same simulation with the event that the scheduler writes for each Pending pod, if known."""
    outcome = simulation.outcome
    events = native_events(simulation)
    pending = tuple(row._replace(event=events.get(row.pod or "")) for row in outcome.pending)
    return with_outcome(simulation, outcome._replace(pending=pending))


def native_events(simulation: Simulation) -> dict[str, str]:
    """The event of each Pending pod, by ``namespace/name``; none where the scheduler writes none."""
    outcome = simulation.outcome
    objects = Objects(outcome.objects)
    pods = {pod.full_name: pod for pod in map(Pod, objects.of_kind("Pod"))}
    cluster = _cluster(simulation, objects, pods)
    found = {}
    for row in outcome.pending:
        pod = pods.get(row.pod or "")
        if pod is None:
            continue
        refusals = {name: refusal.category for name, refusal in row.nodes.items()}
        event = event_line(pod, row.category, refusals, cluster, _missing(row, pod, objects))
        if event is not None:
            found[pod.full_name] = event
    return found


def _cluster(simulation: Simulation, objects: Objects, pods: dict[str, Pod]) -> Cluster:
    nodes = {node.name: node for node in map(node_of, objects.of_kind("Node"))}
    named = {name: nodes.get(name) or implied_node(name) for name in simulation.outcome.nodes}
    loads: dict[str, Load] = {}
    for pod in pods.values():
        if pod.node and not pod.is_finished:
            loads[pod.node] = loads.get(pod.node, NO_LOAD).plus(demand_of(pod))
    return Cluster(release.parse(simulation.kube_version), named, loads)


def _missing(row: Pending, pod: Pod, objects: Objects) -> Missing:
    """What the scheduler's message names: the first request without a class, or the first open claim."""
    if row.category not in (CLASS_MISSING, CLAIM_IN_FLIGHT):
        return Missing()
    found = resolve(pod, objects)
    claims = [] if isinstance(found, Problem) else [entry.claim for entry in found if entry.claim is not None]
    waiting = [claim for claim in claims if allocation_of(claim) is None]
    if row.category == CLAIM_IN_FLIGHT:
        return Missing(claim=full_name(waiting[0]) if waiting else "")
    for claim in waiting:
        for request, name in _classes((claim.get("spec") or {}).get("devices") or {}):
            if objects.get("DeviceClass", "", name) is None:
                return Missing(request, name)
    return Missing()


def _classes(devices: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The requests and subrequests of a claim with their classes."""
    requests = devices.get("requests")
    for request in requests if isinstance(requests, list) else ():
        if "exactly" in request:
            yield request.get("name", ""), request["exactly"].get("deviceClassName", "")
        for part in request.get("firstAvailable") or ():
            yield f"{request.get('name', '')}/{part.get('name', '')}", part.get("deviceClassName", "")
