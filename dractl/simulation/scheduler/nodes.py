"""Nodes, and the filters around DRA that a pod meets on them before its claims are looked at.

Mirrors the scheduler's plugins for unschedulable nodes, taints, node affinity and resources, in their order:
the first that refuses a node ends the checks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from dractl.api.selectors import matches_set, node_selector
from dractl.cluster.devices import NodeRef
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.pods.outcome import (
    NODE_AFFINITY,
    NODE_TAINT,
    NODE_UNSCHEDULABLE,
    TOO_MANY_PODS,
    Refusal,
)
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.resources import PODS, Amounts, Demand, Load, allocatable_of, shortages

_UNSCHEDULABLE: Mapping[str, str] = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
_BLOCKING_EFFECTS = frozenset({"NoSchedule", "NoExecute"})
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
"""The part of a node affinity that must be met."""
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
"""The part of a node affinity that counts for scores."""


class Node(NamedTuple):
    """A node as the scheduler sees it; ``allocatable`` is None where the node does not say what it has."""

    ref: NodeRef
    taints: tuple[Mapping[str, Any], ...]
    is_unschedulable: bool
    allocatable: Amounts | None

    @property
    def name(self) -> str:
        """The node's name."""
        return self.ref.name


def node_of(data: Mapping[str, Any]) -> Node:
    """Read a v1 Node."""
    metadata: Mapping[str, Any] = data.get("metadata") or {}
    spec: Mapping[str, Any] = data.get("spec") or {}
    features = (data.get("status") or {}).get("declaredFeatures") or ()
    return Node(
        NodeRef(metadata.get("name", ""), metadata.get("labels") or {}, frozenset(features)),
        tuple(spec.get("taints") or ()),
        spec.get("unschedulable") is True,
        allocatable_of(data),
    )


def implied_node(name: str) -> Node:
    """A node of which only the name is known, because a slice names it."""
    return Node(NodeRef(name, {"kubernetes.io/hostname": name}), (), is_unschedulable=False, allocatable=None)


def refusal(
    pod: Pod, node: Node, demand: Demand, load: Load, served: frozenset[str] = frozenset()
) -> Refusal | None:
    """Why the node does not take the pod, whatever its claims, or None.

    ``served`` are extended resources that DRA gives the pod on this node.
    """
    return mismatch(pod, node) or shortage(node, demand, load, served)


def shortage(node: Node, demand: Demand, load: Load, served: frozenset[str]) -> Refusal | None:
    """What a node has too little of for a pod, or None."""
    if node.allocatable is None:
        return None
    short = shortages(demand, load, node.allocatable, served)
    if not short:
        return None
    category = TOO_MANY_PODS if short[0] == PODS else f"insufficient:{short[0]}"
    texts = [_shortage_text(name, demand, load, node.allocatable) for name in short]
    return Refusal(category, "; ".join(texts))


def is_meant_for(pod: Pod, node: Node) -> bool:
    """Whether a pod may run on a node if that has room: what the DaemonSet controller asks."""
    return mismatch(pod, node) is None


def mismatch(pod: Pod, node: Node) -> Refusal | None:
    """Why a pod may not run on a node, however much room that has, or None."""
    named = _named_nodes(pod)
    if named is not None and node.name not in named:
        return Refusal(NODE_AFFINITY, "the pod's required node affinity names other nodes")
    if node.is_unschedulable and not _is_tolerated(_UNSCHEDULABLE, pod):
        return Refusal(NODE_UNSCHEDULABLE, "the node is marked unschedulable")
    for taint in node.taints:
        if taint.get("effect") in _BLOCKING_EFFECTS and not _is_tolerated(taint, pod):
            text = f"the pod does not tolerate the node's taint {describe_taint(taint)}"
            return Refusal(NODE_TAINT, text)
    unmet = _unmet_affinity(pod, node.ref)
    return Refusal(NODE_AFFINITY, unmet) if unmet else None


def evicting_taint(pod: Pod, node: Node) -> Mapping[str, Any] | None:
    """The first taint of the node that evicts the pod, as the taint eviction controller has it.

    A toleration with ``tolerationSeconds`` counts as if it never ended: a simulation has no clock.
    """
    return next(
        (t for t in node.taints if t.get("effect") == "NoExecute" and not _is_tolerated(t, pod)), None
    )


def describe_taint(taint: Mapping[str, Any]) -> str:
    """``key=value:effect``, as kubectl writes a taint."""
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key', '')}{value}:{taint.get('effect', '')}"


def meets_affinity(pod: Pod, node: NodeRef) -> bool:
    """Whether the pod's node selector and required node affinity match, as ``RequiredNodeAffinity.Match``."""
    return not _unmet_affinity(pod, node)


def _named_nodes(pod: Pod) -> set[str] | None:
    """The nodes that a required affinity names, if every term of it does; looked at before anything else.

    Mirrors PreFilter of the node affinity plugin.
    """
    required = pod.node_affinity.get(REQUIRED) or {}
    found: set[str] | None = None
    for term in required.get("nodeSelectorTerms") or ():
        lists = [
            set(field.get("values") or ())
            for field in term.get("matchFields") or ()
            if field.get("key") == "metadata.name" and field.get("operator") == "In"
        ]
        if not lists:
            return None
        found = (found or set()) | set.intersection(*lists)
    return found


def _is_tolerated(taint: Mapping[str, Any], pod: Pod) -> bool:
    return any(tolerates(toleration, taint) for toleration in pod.tolerations)


def _unmet_affinity(pod: Pod, node: NodeRef) -> str:
    """What of the pod's node selector and required affinity does not match, or nothing."""
    wanted: Mapping[str, str] = pod.spec.get("nodeSelector") or {}
    if not matches_set(wanted, node.labels):
        missing = [f"{key}={value}" for key, value in wanted.items() if node.labels.get(key) != value]
        return f"the pod's nodeSelector wants {', '.join(missing)}"
    required = pod.node_affinity.get(REQUIRED)
    if required is not None and not node_selector(required).matches(node.name, node.labels):
        return "no term of the pod's required node affinity matches the node"
    return ""


def _shortage_text(name: str, demand: Demand, load: Load, allocatable: Mapping[str, int]) -> str:
    if name == PODS:
        return f"the node allows {allocatable.get(PODS, 0)} pods and has {load.pods}"
    left = allocatable.get(name, 0) - load.requests.get(name, 0)
    unit = " (in thousandths)" if name == "cpu" else ""
    return f"{demand.requests[name]} {name} wanted, {left} left{unit}"
