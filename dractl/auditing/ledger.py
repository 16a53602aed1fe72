"""What is allocated, side by side with what was asked for and with the devices that are published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.api.selectors import node_selector
from dractl.auditing.model import Breach
from dractl.cel.common.environment import Environment
from dractl.cluster.devices import Device, DeviceID, NodeRef
from dractl.cluster.objects import Objects, allocation_of
from dractl.cluster.pools import Inventory, Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import NodeDevices, PoolCache, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand, Request, unchecked_demand
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.taint_rules import tainted_slices
from dractl.simulation.scheduler.nodes import Node, implied_node, node_of

if TYPE_CHECKING:
    from dractl.api.objects import core, resource
    from dractl.api.objects.resource import DeviceRequestAllocationResult


_MOST_NODES = 16
"""The most nodes that are looked at to tell for which one an allocation was made."""


class Entry(NamedTuple):
    """One allocated device: the result as it is stored, and what it is found to be.

    ``request`` is None where the claim has no such request. ``device`` is None where the node of the
    allocation does not see the device; ``pool`` is then the pool of that name, if the node sees it.
    ``is_admin``: the claim holds nothing of the device.
    """

    claim: str
    result: DeviceRequestAllocationResult
    id: DeviceID
    request: Request | None
    device: Device | None
    pool: Pool | None
    is_admin: bool

    def breach(self, message: str) -> Breach:
        """What is wrong with this device of this claim."""
        return Breach((self.claim,), str(self.id), message)

    @property
    def is_share(self) -> bool:
        """Whether it is one share of a device that several claims may use."""
        return self.result.get("shareID") is not None


class Account(NamedTuple):
    """An allocated claim: what it asks for, what it has, and the nodes on which it can be used.

    ``supply`` is what the node offers that sees most of its devices, the first of several; None if no node
    can use the allocation. ``others`` are what the remaining nodes offer.
    """

    claim: Object
    demand: ClaimDemand
    nodes: Sequence[Node]
    supply: Supply | None
    others: tuple[Supply, ...]
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """``namespace/name``."""
        return self.demand.name


class Ledger:
    """All allocations of a cluster. The devices are those that the scheduler of the minor sees."""

    def __init__(self, objects: Iterable[Object], features: Features, environment: Environment) -> None:
        """Read ``objects``: decoded, in v1 shape with defaults."""
        self.features = features
        self.objects = Objects(objects)
        self.matcher = Matcher(environment, features)
        slices = tainted_slices(self.objects, self.matcher.holds, features)
        self.matcher.know_slices(slices)
        self.inventory = Inventory(slices)
        self._pools = PoolCache(self.inventory, features)
        self.usage = Usage(self.objects.of_kind("ResourceClaim"), features)
        self._devices: NodeDevices = self._pools.node_devices(self.usage)
        self._supplies: dict[str, Supply | None] = {}
        self._by_id: dict[str, dict[DeviceID, tuple[Device, Pool]]] = {}

    @cached_property
    def nodes(self) -> Sequence[Node]:
        """The nodes; without any Node object, those that slices name."""
        found = [node_of(item) for item in self.objects.of_kind("Node")]
        return found or [implied_node(name) for name in self.inventory.node_names]

    @cached_property
    def accounts(self) -> Sequence[Account]:
        """The allocated claims, in the order of the input."""
        claims = self.objects.of_kind("ResourceClaim")
        return [self._account(claim) for claim in claims if allocation_of(claim) is not None]

    def entries(self) -> Iterator[Entry]:
        """All allocated devices."""
        for account in self.accounts:
            yield from account.entries

    @cached_property
    def holders(self) -> Mapping[DeviceID, Sequence[Entry]]:
        """The entries that hold something of each device."""
        found: dict[DeviceID, list[Entry]] = {}
        for entry in self.entries():
            if not entry.is_admin:
                found.setdefault(entry.id, []).append(entry)
        return found

    def _account(self, claim: Object) -> Account:
        demand = unchecked_demand(claim, self._device_class)
        allocation: resource.AllocationResult = allocation_of(claim)
        results = (allocation.get("devices") or {}).get("results") or ()
        ids = [_device_id(result) for result in results]
        nodes, refs = self._reach(allocation)
        supplies = [offer for ref in refs if (offer := self._supply(ref)) is not None]
        supplies.sort(key=lambda offer: -sum(name in self._seen(offer) for name in ids))
        supply = supplies[0] if supplies else None
        requests = {request.full_name: request for ask in demand.asks for request in ask.alternatives}
        seen = {} if supply is None else self._seen(supply)
        pools = {} if supply is None else {pool.id: pool for pool in supply.pools}
        entries = []
        for result, device in zip(results, ids, strict=True):
            found, pool = seen.get(device, (None, None))
            if pool is None:
                pool = next((pools[name] for name in pools if name == device[:2]), None)
            request = requests.get(result.get("request", ""))
            is_admin = result.get("adminAccess") is True or (
                self.features.quirks.hides_admin_access and request is not None and request.admin_access
            )
            entries.append(Entry(demand.name, result, device, request, found, pool, is_admin))
        return Account(claim, demand, nodes, supply, tuple(supplies[1:]), tuple(entries))

    def _device_class(self, name: str) -> Object | None:
        return self.objects.get("DeviceClass", "", name)

    def _reach(self, allocation: resource.AllocationResult) -> tuple[Sequence[Node], Sequence[NodeRef]]:
        """The known nodes on which an allocation can be used, and those for which it may have been made."""
        written = allocation.get("nodeSelector")
        if written is None:
            return self.nodes, [node.ref for node in self.nodes[:_MOST_NODES]]
        name = _pinned_to(written)
        # Nearly every allocation is for one node: to match 8,000 with 1,000 nodes each takes 24 s.
        candidates = self.nodes if not name else [node for node in (self._by_name.get(name),) if node]
        selector = node_selector(written)
        nodes = [node for node in candidates if selector.matches(node.name, node.ref.labels)]
        if nodes:
            return nodes, [node.ref for node in nodes[:_MOST_NODES]]
        return (), ([NodeRef(name, {})] if name and not self.objects.of_kind("Node") else [])

    @cached_property
    def _by_name(self) -> Mapping[str, Node]:
        return {node.name: node for node in self.nodes}

    def _supply(self, node: NodeRef) -> Supply | None:
        if node.name not in self._supplies:
            supply = self._devices.on(node)
            self._supplies[node.name] = None if isinstance(supply, Fatal) else supply
        return self._supplies[node.name]

    def _seen(self, supply: Supply) -> Mapping[DeviceID, tuple[Device, Pool]]:
        name = supply.node.name
        if name not in self._by_id:
            self._by_id[name] = {
                candidate.device.id: (candidate.device, candidate.pool) for candidate in supply.candidates
            }
        return self._by_id[name]


def _device_id(result: DeviceRequestAllocationResult) -> DeviceID:
    return DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))


def _pinned_to(selector: core.NodeSelector) -> str:
    """The only node that a selector can match, if it has one term that names it; else nothing."""
    terms = selector.get("nodeSelectorTerms") or ()
    names = [
        value
        for term in terms
        for field in term.get("matchFields") or ()
        if field.get("key") == "metadata.name" and field.get("operator") == "In"
        for value in field.get("values") or ()
    ]
    return names[0] if len(terms) == len(names) == 1 else ""
