"""How scheduling one pod ends: a node with its allocations, or the reasons why no node fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dractl.cluster.objects import Object
from dractl.simulation.allocator.result import Allocation
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.scheduler.extended import SpecialClaim
from dractl.simulation.scheduler.nodes import Node


class Fit(NamedTuple):
    """A pod fits on a node: the allocations of the claims that had none, the special claim among them.

    ``node_statuses`` list the node resources of its devices.
    """

    node: Node
    allocations: tuple[tuple[Object, Allocation], ...]
    special: SpecialClaim | None
    node_statuses: tuple[Object, ...] = ()


class Placed(NamedTuple):
    """A pod gets a node. ``tied`` has all nodes with the best score if there are several."""

    fit: Fit
    tied: tuple[str, ...]
    scores: Mapping[str, Mapping[str, int]]


class Refused(NamedTuple):
    """A pod gets no node. ``unavailable`` are claims whose allocation stood in the way on some node."""

    category: str
    message: str
    nodes: Mapping[str, Refusal]
    unavailable: tuple[Object, ...]
