"""How scheduling one pod ends: a node with its allocations, or the reasons why no node fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.records import NamedTuple
from dractl.simulation.allocator.result_cache import NoDevices, with_names
from dractl.simulation.pods.outcome import INVALID_POOLS, NO_DEVICES, Refusal
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


class NodeRefusals(Mapping[str, Refusal]):
    """Why nodes do not take a pod, by name; sentences about devices are made when somebody reads one.

    ``found`` has the reasons, those about devices without the ``names`` of the pod's claims.
    """

    __slots__ = ("_table", "found", "names")

    def __init__(self, found: Mapping[str, Refusal | NoDevices], names: Sequence[str]) -> None:
        """Keep the reasons."""
        self.found = found
        self.names = names
        self._table: dict[str, Refusal] | None = None

    def _made(self) -> dict[str, Refusal]:
        if self._table is None:
            self._table = {name: self._refusal(entry) for name, entry in self.found.items()}
        return self._table

    def _refusal(self, entry: Refusal | NoDevices) -> Refusal:
        if isinstance(entry, Refusal):
            return entry
        return Refusal(category_of(entry), with_names(entry.text, self.names))

    def __getitem__(self, name: str) -> Refusal:
        """Why a node does not take the pod."""
        return self._refusal(self.found[name]) if self._table is None else self._table[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the nodes, in order."""
        return iter(self._made())

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.found)


def category_of(entry: Refusal | NoDevices) -> str:
    """The category of a reason."""
    if isinstance(entry, Refusal):
        return entry.category
    return INVALID_POOLS if entry.is_invalid else NO_DEVICES


class Refused(NamedTuple):
    """A pod gets no node. ``unavailable`` are claims whose allocation stood in the way on some node."""

    category: str
    message: str
    nodes: Mapping[str, Refusal]
    unavailable: tuple[Object, ...]
