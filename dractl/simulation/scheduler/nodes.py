"""Nodes and their taints, as the scheduler and the taint eviction controller read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.devices import NodeRef
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.resources import Amounts, allocatable_of

if TYPE_CHECKING:
    from dractl.api.objects import core

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
"""The part of a node affinity that must be met."""
PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"
"""The part of a node affinity that counts for scores."""


class Node(NamedTuple):
    """A node as the scheduler sees it; ``allocatable`` is None if the node does not report it."""

    ref: NodeRef
    taints: tuple[JsonObject, ...]
    is_unschedulable: bool
    allocatable: Amounts | None

    @property
    def name(self) -> str:
        """The node's name."""
        return self.ref.name


def node_of(data: Object) -> Node:
    """Read a v1 Node."""
    metadata: Object = data.get("metadata") or {}
    spec: core.NodeSpec = data.get("spec") or {}
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


def evicting_taint(pod: Pod, node: Node) -> JsonObject | None:
    """The first taint of the node that evicts the pod, as the taint eviction controller has it.

    A toleration with ``tolerationSeconds`` counts as if it never ended: a simulation has no clock.
    """
    return next((t for t in node.taints if t.get("effect") == "NoExecute" and not is_tolerated(t, pod)), None)


def describe_taint(taint: JsonObject) -> str:
    """``key=value:effect``, as kubectl writes a taint."""
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint.get('key', '')}{value}:{taint.get('effect', '')}"


def is_tolerated(taint: JsonObject, pod: Pod) -> bool:
    """Whether a pod tolerates a taint of a node."""
    return any(tolerates(toleration, taint) for toleration in pod.tolerations)
