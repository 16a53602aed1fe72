"""What a scheduler plugin is, and what it looks at. Mirrors the scheduler framework's interfaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

from dractl.api.json_types import Object
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.claim_allocator import ClaimAllocator
from dractl.simulation.scheduler.node_load import PodsOfNode
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import Demand, Load

MAX_SCORE = 100
"""``MaxNodeScore``: a plugin's score before its weight."""


class CycleState(NamedTuple):
    """What the plugins share while one pod is scheduled.

    ``nodes`` are all nodes, ``placed`` the pods on each. ``allocator`` is None where no structured
    allocator allocates: then the dynamic resources plugin is skipped. ``quirks`` are those of the minor.
    """

    pod: Pod
    demand: Demand
    api_objects: Objects
    nodes: Sequence[Node]
    placed: Mapping[str, PodsOfNode]
    allocator: ClaimAllocator | None = None
    quirks: Quirks = Quirks()


class NodeInfo:
    """What all nodes of one class have in common for a pod. Compared by identity.

    ``node`` is one of them, ``load`` what the pods on each take. ``served`` are the resources of the pod
    that are left to DRA there, ``on_other_nodes`` its claims that are allocated for other nodes.
    """

    __slots__ = ("load", "node", "on_other_nodes", "served")

    def __init__(
        self,
        node: Node,
        load: Load,
        served: frozenset[str] = frozenset(),
        on_other_nodes: Sequence[Object] = (),
    ) -> None:
        """Keep what was computed for the class."""
        self.node = node
        self.load = load
        self.served = served
        self.on_other_nodes = on_other_nodes


class FeasibleNode(NamedTuple):
    """A node that passed all filters; ``selected`` are the subrequests that the pod's claims get there."""

    node: Node
    info: NodeInfo
    selected: tuple[int, ...]


class Scope(Enum):
    """What a plugin looks at, so that it is asked once for all nodes on which it would answer the same."""

    NODE_CLASS = "node class"
    """Taints, what is allocatable, declared features, and what the pod's selectors and affinity match."""
    LOAD = "load"
    """That, and how many pods the node has and what they take of cpu, memory and what the pod requests."""
    EACH_NODE = "each node"
    """Anything else, such as other labels or single pods on the node."""


class FilterPlugin(NamedTuple):
    """A Filter plugin: why the pod cannot run on a node, or None.

    ``filter`` gets the node and what its class has in common; it looks at no more than ``scope`` allows.
    """

    name: str
    filter: Callable[[CycleState, Node, NodeInfo], Refusal | None]
    scope: Scope


class ScorePlugin(NamedTuple):
    """A Score plugin: 0 to 100 for each feasible node in order, before ``weight``; None: skip the pod.

    ``is_enabled`` tells from the features whether the plugin scores; without it, it always does.
    """

    name: str
    weight: int
    score: Callable[[CycleState, Sequence[FeasibleNode]], list[int] | None]
    scope: Scope = Scope.LOAD
    is_enabled: Callable[[Features], bool] | None = None
