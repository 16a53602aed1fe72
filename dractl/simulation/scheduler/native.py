"""The scheduler's own words about a pod that it cannot place, as in its event and in ``PodScheduled``.

A table has the words of each minor, as its sources have them and as running schedulers write them. Errors of
the allocator are not among them: they are dractl's own here, so an event with one ends in an ellipsis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dractl.api import release
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.taints import BLOCKING_EFFECTS
from dractl.simulation.pods.outcome import (
    CLAIM_ELSEWHERE,
    CLAIM_IN_FLIGHT,
    CLAIM_IN_USE,
    CLASS_MISSING,
    ERROR,
    INVALID_POOLS,
    NO_DEVICES,
    NODE_AFFINITY,
    NODE_TAINT,
    NODE_UNSCHEDULABLE,
    TIMEOUT,
    TOO_MANY_PODS,
    WAITING,
)
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import Node, is_tolerated
from dractl.simulation.scheduler.resources import NO_LOAD, PODS, Demand, Load, demand_of, shortages

_INSUFFICIENT = "insufficient:"


class Text(NamedTuple):
    """The words for a category in some minors (None: open)."""

    category: str
    text: str
    since: str | None = None
    until: str | None = None


NODE_TEXTS: tuple[Text, ...] = (
    Text(NODE_UNSCHEDULABLE, "node(s) were unschedulable"),
    Text(NODE_AFFINITY, "node(s) didn't match Pod's node affinity/selector"),
    Text(NODE_TAINT, "node(s) had untolerated taint {{{key}: {value}}}", until="1.33"),
    Text(NODE_TAINT, "node(s) had untolerated taint(s)", since="1.34"),
    Text(NO_DEVICES, "cannot allocate all claims"),
    Text(INVALID_POOLS, "cannot allocate all claims", until="1.34"),
    Text(INVALID_POOLS, "invalid resource pools were encountered", since="1.35"),
    Text(CLAIM_ELSEWHERE, "resourceclaim not available on the node"),
    Text(TIMEOUT, "timed out trying to allocate devices", until="1.35"),
)
"""What the event says of a node; resources that are too little are counted for themselves."""

POD_TEXTS: tuple[Text, ...] = (
    Text(CLASS_MISSING, "request {request}: device class {name} does not exist"),
    Text(CLAIM_IN_USE, "resourceclaim in use"),
    Text(CLAIM_IN_FLIGHT, "resource claim {claim} is in the process of being allocated"),
)
"""What the event says of a pod that no node is looked at for."""

_NO_NODES = "no nodes available to schedule pods"
_GATED = "Scheduling is blocked due to non-empty scheduling gates"
_FAILED = 'running "DynamicResources" filter plugin: …'
_NOT_HELPFUL = "Preemption is not helpful for scheduling"
_NO_VICTIMS = "No preemption victims found for incoming pod"
_STILL_NOT = "still not schedulable"
_NOTHING_NEW = "no new claims to deallocate"


class Cluster(NamedTuple):
    """What an event looks at along with the reason: the nodes, and what the pods on them take."""

    minor: Minor
    nodes: Mapping[str, Node]
    loads: Mapping[str, Load]


class Missing(NamedTuple):
    """What a message names: a request and its class, or a claim (``namespace/name``)."""

    request: str = ""
    name: str = ""
    claim: str = ""


def event_line(
    pod: Pod, category: str, refusals: Mapping[str, str], cluster: Cluster, missing: Missing
) -> str | None:
    """The event of the scheduler for a Pending pod; None where it writes none, or it is not known.

    ``refusals`` has the category of each node, ``missing`` what the category of the pod is about.
    """
    number = len(cluster.nodes)
    if category == WAITING:
        return _GATED if pod.scheduling_gates else None
    if category == ERROR or (category == TIMEOUT and _text(NODE_TEXTS, TIMEOUT, cluster.minor) is None):
        return _FAILED if refusals else None
    of_pod = _text(POD_TEXTS, category, cluster.minor)
    if of_pod is not None:
        said = of_pod.format(**missing._asdict())
        return _line(number, said, [_NOT_HELPFUL] * number, _after_filter(_NOTHING_NEW, cluster.minor))
    if not number:
        return _NO_NODES if category == NO_DEVICES else None
    if len(refusals) < number:
        return None
    demand = demand_of(pod)
    reasons: Counter[str] = Counter()
    ends: list[str] = []
    for name, refusal in refusals.items():
        found = _of_node(pod, demand, refusal, cluster.nodes[name], cluster)
        if not found:
            return None
        reasons.update(found)
        ends.append(_preempted(demand, refusal, cluster.nodes[name], cluster.minor))
    histogram = ", ".join(sorted(f"{count} {reason}" for reason, count in reasons.items()))
    return _line(number, histogram, ends, _after_filter(_STILL_NOT, cluster.minor))


def _line(number: int, said: str, ends: Sequence[str], before: str) -> str:
    histogram = ", ".join(sorted(f"{count} {reason}" for reason, count in Counter(ends).items()))
    preemption = f"preemption: 0/{number} nodes are available: {histogram}."
    return f"0/{number} nodes are available: {said}. {before}{preemption}"


def _after_filter(said: str, minor: Minor) -> str:
    """What the dynamic resources plugin adds up to 1.36."""
    return f"{said}, " if minor.within(None, release.at("1.36")) else ""


def _of_node(pod: Pod, demand: Demand, refusal: str, node: Node, cluster: Cluster) -> list[str]:
    """Why one node does not take the pod; none if that is not known."""
    if refusal == TOO_MANY_PODS or refusal.startswith(_INSUFFICIENT):
        load, allocatable = cluster.loads.get(node.name, NO_LOAD), node.allocatable or {}
        # Of the extended resources those that DRA does not serve here are known by the refusal only.
        served = frozenset(
            name for name in demand.requests if "/" in name and not refusal.endswith(f":{name}")
        )
        short = shortages(demand, load, allocatable, served)
        return ["Too many pods" if name == PODS else f"Insufficient {name}" for name in short]
    text = _text(NODE_TEXTS, refusal, cluster.minor)
    if text is None:
        return []
    blocking = (
        taint
        for taint in node.taints
        if taint.get("effect") in BLOCKING_EFFECTS and not is_tolerated(taint, pod)
    )
    taint = next(blocking, {})
    return [text.format(key=taint.get("key", ""), value=taint.get("value", ""))]


def _text(texts: Iterable[Text], category: str, minor: Minor) -> str | None:
    return next(
        (
            row.text
            for row in texts
            if row.category == category
            and minor.within(
                release.at(row.since) if row.since else None, release.at(row.until) if row.until else None
            )
        ),
        None,
    )


def _preempted(demand: Demand, refusal: str, node: Node, minor: Minor) -> str:
    """Why preemption does not help on a node; for resources it looks for victims, and finds none."""
    if refusal != TOO_MANY_PODS and not refusal.startswith(_INSUFFICIENT):
        return _NOT_HELPFUL
    allocatable = node.allocatable or {}
    exceeds = any(wanted > allocatable.get(name, 0) for name, wanted in demand.requests.items())
    return _NOT_HELPFUL if exceeds and minor.within(release.at("1.34"), None) else _NO_VICTIMS
