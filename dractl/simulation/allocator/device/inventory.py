"""The devices that a node offers, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.cluster.devices import Device, NodeRef
from dractl.cluster.pools import Inventory, Pool, PoolError, PoolRules, PoolState
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.counters import CounterCache, Plans
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.model.usage import Usage


class Candidate(NamedTuple):
    """A device that may be chosen, and its pool."""

    device: Device
    pool: Pool


class PoolDevices(NamedTuple):
    """A pool, and what can be chosen of it."""

    pool: Pool
    candidates: tuple[Candidate, ...]


class ScanEnd(NamedTuple):
    """The number of candidates up to where going through devices ends; at a pool where that is an error."""

    position: int
    pool: Pool | None


class Supply(NamedTuple):
    """What one node offers to one attempt."""

    node: NodeRef
    stands: tuple[PoolDevices, ...]
    usage: Usage
    counters: CounterCache

    @property
    def pools(self) -> Iterator[Pool]:
        """The pools, also those that offer nothing."""
        return (pool_devices.pool for pool_devices in self.stands)

    @property
    def candidates(self) -> Iterator[Candidate]:
        """What can be chosen, in order."""
        return (candidate for pool_devices in self.stands for candidate in pool_devices.candidates)

    def scan_end(self, *, ends_at_invalid: bool) -> ScanEnd:
        """Where going through the candidates ends: with the last one, or at the first invalid pool."""
        position = 0
        for pool, candidates in self.stands:
            if ends_at_invalid and pool.state is PoolState.INVALID:
                return ScanEnd(position, pool)
            position += len(candidates)
        return ScanEnd(position, None)


def pool_rules(features: Features) -> PoolRules:
    """What an allocator with ``features`` makes of slices."""
    quirks = features.quirks
    return PoolRules(
        partitionable_devices=features.partitionable_devices,
        compatibility_groups=features.compatibility_groups,
        **{name: getattr(quirks, name) for name in PoolRules._fields if name in type(quirks)._fields},
    )


class PoolCache:
    """The pools that every node sees. Slices do not change, so they are gathered once per node."""

    def __init__(self, inventory: Inventory, features: Features, problem: str | None = None) -> None:
        """Nothing is gathered before a node is asked for; with a ``problem`` no node has any pools."""
        quirks = features.quirks
        self._problem = problem
        self._inventory = inventory
        self._rules = pool_rules(features)
        self._plans = Plans(quirks)
        self._shelves: dict[str, tuple[PoolDevices, ...] | Fatal] = {}

    def node_devices(self, usage: Usage) -> NodeDevices:
        """The supply for one scheduling attempt, given what is in use."""
        return NodeDevices(self, usage, CounterCache(usage, self._plans))

    def pools_of(self, node: NodeRef) -> tuple[PoolDevices, ...] | Fatal:
        """The pools and candidates of a node, or an error that holds for all nodes."""
        # One gathering per node for all pods of a run; 100 pods on 5,000 nodes would be 500,000 otherwise.
        if self._problem is not None:
            return Fatal(self._problem)
        found = self._shelves.get(node.name)
        if found is None:
            pools = self._inventory.pools_on(node, self._rules)
            if isinstance(pools, PoolError):
                found = Fatal(pools.message)
            else:
                found = tuple(self._stand(pool) for pool in pools)
            self._shelves[node.name] = found
        return found

    def _stand(self, pool: Pool) -> PoolDevices:
        return PoolDevices(pool, tuple(Candidate(device, pool) for device in pool.devices))


class NodeDevices:
    """The supply of every node for one scheduling attempt."""

    __slots__ = ("_counters", "_market", "_usage")

    def __init__(self, pool_cache: PoolCache, usage: Usage, counters: CounterCache) -> None:
        """Start an attempt."""
        self._market = pool_cache
        self._usage = usage
        self._counters = counters

    def on(self, node: NodeRef) -> Supply | Fatal:
        """The inventory of the node, or an error that holds for all nodes."""
        pools_of = self._market.pools_of(node)
        if isinstance(pools_of, Fatal):
            return pools_of
        return Supply(node, pools_of, self._usage, self._counters)

    def unused(self, features: Features) -> NodeDevices:
        """The same supply if no claim were allocated."""
        return self._market.node_devices(Usage((), features))
