"""What there is: devices in use, and the devices that a node offers, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from dractl.api import quantity
from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device, DeviceID, NodeRef, PoolID
from dractl.cluster.objects import full_name
from dractl.cluster.pools import Inventory, Pool, PoolError, PoolRules, PoolState
from dractl.simulation.features import Features
from dractl.simulation.reasons import Fatal

Counters = Mapping[str, Mapping[str, Quantity]]


class Usage:
    """What all allocated claims hold, whoever uses them; computed once per attempt, the same for all nodes.

    ``dedicated`` tells which claim has a device as a whole; ``shared`` which claims have shares of it, and
    ``consumed`` how much of its capacities these take together. Results with admin access hold nothing.
    """

    __slots__ = ("_changes", "_features", "consumed", "dedicated", "shared")

    def __init__(self, claims: Iterable[Mapping[str, Any]], features: Features) -> None:
        """Read ``status.allocation`` of every claim that has one; as ``GatherAllocatedState``."""
        self.dedicated: dict[DeviceID, str] = {}
        self.shared: dict[DeviceID, list[str]] = {}
        self.consumed: dict[DeviceID, dict[str, Quantity]] = {}
        self._features = features
        self._changes: dict[PoolID, int] = {}
        for claim in claims:
            self.add(claim)

    def add(self, claim: Mapping[str, Any]) -> None:
        """Count one more claim, if it is allocated."""
        allocation = (claim.get("status") or {}).get("allocation") or {}
        for result in (allocation.get("devices") or {}).get("results") or ():
            if result.get("adminAccess") is not True:
                self._count(full_name(claim), result)

    def _count(self, claim: str, result: Mapping[str, Any]) -> None:
        device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
        pool = PoolID(device.driver, device.pool)
        self._changes[pool] = self.changes(pool) + 1
        if not self._features.consumable_capacity or result.get("shareID") is None:
            self.dedicated.setdefault(device, claim)
            return
        self.shared.setdefault(device, []).append(claim)
        taken: Mapping[str, str] | None = result.get("consumedCapacity")
        if taken is not None:
            sums = self.consumed.setdefault(device, {})
            for name, text in taken.items():
                amount = quantity.parse(text)
                sums[name] = sums[name].add(amount) if name in sums else amount

    def changes(self, pool: PoolID) -> int:
        """How often something of the pool was taken so far."""
        return self._changes.get(pool, 0)

    def holds(self, device: DeviceID) -> bool:
        """Whether anything of the device is allocated; ``IsDeviceAllocated``."""
        return device in self.dedicated or device in self.shared


class Candidate(NamedTuple):
    """A device that may be chosen, and its pool."""

    device: Device
    pool: Pool


class Supply(NamedTuple):
    """What one node offers to one attempt."""

    node: NodeRef
    pools: tuple[Pool, ...]
    candidates: tuple[Candidate, ...]
    usage: Usage
    available: CounterCache


class CounterCache:
    """Counters left per pool, computed when first asked for and then kept for the attempt.

    Upstream keeps them for all nodes of an attempt, although nodes may see different slices of a pool.
    """

    __slots__ = ("_pools", "_usage")

    def __init__(self, usage: Usage) -> None:
        """Start empty."""
        self._usage = usage
        self._pools: dict[PoolID, Counters | Fatal] = {}

    def of(self, pool: Pool) -> Counters | Fatal:
        """What devices in use leave of the pool's counters; may be negative. ``checkAvailableCounters``."""
        found = self._pools.get(pool.id)
        if found is None:
            try:
                found = self._left(pool)
            except ValueError as error:
                found = Fatal(f"pool {pool.id}: {error}")
            self._pools[pool.id] = found
        return found

    def _left(self, pool: Pool) -> Counters:
        left = {name: dict(counters) for name, counters in pool.counters.items()}
        for device in (*pool.devices, *pool.background):
            if self._usage.holds(device.id):
                for consumption in device.consumes:
                    counters = left[consumption.counter_set]
                    for name, amount in consumption.counters.items():
                        counters[name] = counters[name].subtract(amount)
        return left


class Market:
    """The pools that every node sees. Slices do not change, so they are gathered once per node."""

    def __init__(self, inventory: Inventory, features: Features) -> None:
        """Nothing is gathered before a node is asked for."""
        self._inventory = inventory
        self._rules = PoolRules(
            partitionable_devices=features.partitionable_devices,
            compatibility_groups=features.compatibility_groups,
            counters_from_anywhere=features.counters_from_anywhere,
        )
        self._shelves: dict[str, _Shelf | Fatal] = {}

    def offers(self, usage: Usage) -> Offers:
        """What there is for one scheduling attempt, given what is in use."""
        return Offers(self, usage)

    def shelf(self, node: NodeRef) -> _Shelf | Fatal:
        """The pools and candidates of a node, or why no node can be looked at."""
        found = self._shelves.get(node.name)
        if found is None:
            pools = self._inventory.pools_on(node, self._rules)
            if isinstance(pools, PoolError):
                found = Fatal(pools.message)
            else:
                found = _Shelf(pools, candidates_of(pools))
            self._shelves[node.name] = found
        return found


class _Shelf(NamedTuple):
    pools: tuple[Pool, ...]
    candidates: tuple[Candidate, ...]


class Offers:
    """The supply of every node for one scheduling attempt."""

    __slots__ = ("_available", "_market", "_usage")

    def __init__(self, market: Market, usage: Usage) -> None:
        """Start an attempt."""
        self._market = market
        self._usage = usage
        self._available = CounterCache(usage)

    def on(self, node: NodeRef) -> Supply | Fatal:
        """What the node offers, or why no node can be looked at."""
        shelf = self._market.shelf(node)
        if isinstance(shelf, Fatal):
            return shelf
        return Supply(node, shelf.pools, shelf.candidates, self._usage, self._available)


def candidates_of(pools: Iterable[Pool]) -> tuple[Candidate, ...]:
    """The devices of usable pools, one after the other."""
    return tuple(
        Candidate(device, pool) for pool in pools if pool.state is PoolState.USABLE for device in pool.devices
    )
