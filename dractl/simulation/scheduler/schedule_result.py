"""How scheduling one pod ends: a node with its allocations, or the reasons why no node fits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim
from dractl.simulation.scheduler.nodes import Node

if TYPE_CHECKING:
    from dractl.api.objects import core, resource


class Fit(NamedTuple):
    """A pod fits on a node: the allocations of the claims that had none, the special claim among them.

    ``node_statuses`` list the node resources of its devices.
    """

    node: Node
    allocations: tuple[tuple[Object, resource.AllocationResult], ...]
    special: SpecialClaim | None
    node_statuses: tuple[core.NodeAllocatableResourceClaimStatus, ...] = ()


class Placed(NamedTuple):
    """A pod gets a node. ``tied`` has all nodes with the best score if several."""

    fit: Fit
    tied: tuple[str, ...]
    scores: Mapping[str, Mapping[str, int]]


class Refused(NamedTuple):
    """A pod gets no node. ``unavailable`` are claims whose allocation stood in the way on some node."""

    category: str
    message: str
    nodes: Mapping[str, Refusal]
    unavailable: tuple[Object, ...]
