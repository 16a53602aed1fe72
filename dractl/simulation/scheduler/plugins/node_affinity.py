"""``NodeAffinity``: node selectors and node affinity, required and preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api.selectors import matches_set, node_selector, node_term
from dractl.cluster.devices import NodeRef
from dractl.simulation.pods.outcome import NODE_AFFINITY, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode, NodeInfo
from dractl.simulation.scheduler.nodes import PREFERRED, REQUIRED, Node

if TYPE_CHECKING:
    from dractl.api.objects import core

NAME = "NodeAffinity"


def pre_filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:  # noqa: ARG001
    """Refuse other nodes than those that every term of the required affinity names.

    Mirrors the node names that PreFilter returns.
    """
    named = _named_nodes(state.pod)
    if named is not None and node.name not in named:
        return Refusal(NODE_AFFINITY, "the pod's required node affinity names other nodes")
    return None


def filter_node(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:  # noqa: ARG001
    """The node selector and one term of the required affinity must match."""
    unmet = _unmet_affinity(state.pod, node.ref)
    return Refusal(NODE_AFFINITY, unmet) if unmet else None


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """The more weight the preferred terms that match have together, the better."""
    preferred: Sequence[core.PreferredSchedulingTerm] = state.pod.node_affinity.get(PREFERRED) or ()
    if not preferred:
        return None
    terms = [
        (entry.get("weight", 0), node_term(entry.get("preference") or {}, "preference"))
        for entry in preferred
    ]
    raw = [
        sum(
            weight
            for weight, term in terms
            if (term.expressions or term.fields) and term.matches(entry.node.name, entry.node.ref.labels)
        )
        for entry in nodes
    ]
    most = max(raw)
    return [MAX_SCORE * value // most if most else 0 for value in raw]


def meets_affinity(pod: Pod, node: NodeRef) -> bool:
    """Whether the pod's node selector and required node affinity match, as ``RequiredNodeAffinity.Match``."""
    return not _unmet_affinity(pod, node)


def _named_nodes(pod: Pod) -> set[str] | None:
    """The nodes that a required affinity names, if every term of it does."""
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


def _unmet_affinity(pod: Pod, node: NodeRef) -> str:
    """What of the pod's node selector and required affinity does not match, or nothing."""
    wanted: Mapping[str, str] = pod.spec.get("nodeSelector") or {}
    if not matches_set(wanted, node.labels):
        missing = [f"{key}={value}" for key, value in wanted.items() if node.labels.get(key) != value]
        return f"the pod's nodeSelector requires {', '.join(missing)}"
    required = pod.node_affinity.get(REQUIRED)
    if required is not None and not node_selector(required).matches(node.name, node.labels):
        return "no term of the pod's required node affinity matches the node"
    return ""
