"""Slices to the pools that a node sees: newest generation, completeness, contradictions, order.

Mirrors ``GatherPools`` of the structured allocators. Without any rule set it is that of 1.37 incubating.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from operator import attrgetter

from dractl.api.json_types import JsonObject
from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device, NodeRef, PoolID, Slice
from dractl.records import NamedTuple


class PoolState(Enum):
    """Whether a pool gives devices."""

    USABLE = "usable"
    INCOMPLETE = "incomplete"
    INVALID = "invalid"


class Pool(NamedTuple):
    """A pool as one node sees it.

    ``devices`` are the candidates in the order in which they are tried; a pool that is not usable has none,
    unless the rules let them be. ``background`` are the devices for other nodes, which count for counters
    only. ``problem`` says why a pool is not usable.
    """

    id: PoolID
    state: PoolState
    devices: tuple[Device, ...] = ()
    background: tuple[Device, ...] = ()
    counters: Mapping[str, Mapping[str, Quantity]] = {}
    problem: str = ""


class PoolRules(NamedTuple):
    """What the implementation of the allocator makes of slices.

    The rules after the first two are those of older allocators, which
    ``dractl.simulation.allocator.model.quirks`` explains.
    """

    partitionable_devices: bool
    compatibility_groups: bool
    counters_from_anywhere: bool = False
    counters_per_slice: bool = False
    keeps_counter_slices: bool = False
    checks_counter_slices: bool = False
    counts_own_slices_only: bool = False
    uses_incomplete_pools: bool = False
    trusts_device_names: bool = False
    repeats_first_slice: bool = False
    keeps_order: bool = False
    delays_binding_slices: bool = False


class PoolError(NamedTuple):
    """A slice that cannot be read at all; the scheduler's attempt ends with an error."""

    message: str


class Inventory:
    """All resource slices of a cluster, ready to be asked which pools a node sees."""

    def __init__(self, slices: Iterable[JsonObject | Slice]) -> None:
        """Take slices, or v1-shaped ResourceSlice objects, in the order of the list."""
        self.slices: tuple[Slice, ...] = tuple(
            entry if isinstance(entry, Slice) else Slice(entry) for entry in slices
        )
        self._order = {entry: number for number, entry in enumerate(self.slices)}
        self._local: dict[str, list[Slice]] = {}
        self._shared: list[Slice] = []
        self._counting: list[Slice] = []
        self._by_pool: dict[PoolID, list[Slice]] = {}
        for entry in self.slices:
            name = entry.target.node_name
            if name:
                self._local.setdefault(name, []).append(entry)
                if entry.shared_counters:
                    self._counting.append(entry)
            else:
                self._shared.append(entry)
            self._by_pool.setdefault(entry.pool_id, []).append(entry)

    @property
    def node_names(self) -> tuple[str, ...]:
        """The nodes that slices name, also per device, in the order in which they come."""
        names: dict[str, None] = {}
        for entry in self.slices:
            if entry.target.node_name:
                names.setdefault(entry.target.node_name)
            if entry.is_per_device:
                for device in entry.devices:
                    if device.target.node_name:
                        names.setdefault(device.target.node_name)
        return tuple(names)

    def in_pool(self, pool: PoolID) -> Sequence[Slice]:
        """All slices of a pool, of whatever generation and node."""
        return self._by_pool.get(pool, ())

    def whole_pools(self, rules: PoolRules) -> tuple[Pool, ...]:
        """The pools as a node would see them that all slices are for, in the order of the list."""
        pools = []
        for identity, slices in self._by_pool.items():
            kept: dict[PoolID, list[Slice]] = {}
            for entry in slices:
                if not _is_ignored(entry, rules):
                    _keep_newest(kept, entry, rules)
            if kept and (pool := self._classified(identity, kept[identity], rules)) is not None:
                pools.append(pool)
        return tuple(pools)

    def pools_on(self, node: NodeRef, rules: PoolRules) -> tuple[Pool, ...] | PoolError:
        """The pools that a node sees, in the order in which their devices are tried."""
        kept = self._relevant(node, rules)
        if isinstance(kept, PoolError):
            return kept
        pools = []
        for identity, slices in kept.items():
            pool = self._classified(identity, slices, rules)
            if pool is not None:
                pools.append(pool)
        if not rules.keeps_order:
            pools.sort(key=_rank)
        elif rules.delays_binding_slices:
            pools.sort(key=lambda pool: _waits(pool.devices))
        return tuple(pools)

    def _nearby(self, node: NodeRef, rules: PoolRules) -> Iterable[Slice]:
        """The slices that may be for the node, in the order in which upstream comes upon them."""
        local: Sequence[Slice] = self._local.get(node.name, ())
        shared: Iterable[Slice] = self._shared
        if rules.counters_from_anywhere and self._counting:
            local = [entry for entry in local if not entry.shared_counters]
            shared = heapq.merge(self._shared, self._counting, key=self._order.__getitem__)
        if rules.keeps_order:
            return heapq.merge(local, shared, key=self._order.__getitem__)
        return (*local, *shared)

    def _relevant(self, node: NodeRef, rules: PoolRules) -> dict[PoolID, list[Slice]] | PoolError:
        """The slices for the node, per pool only those of the newest generation among them."""
        kept: dict[PoolID, list[Slice]] = {}
        delayed: list[Slice] = []
        for entry in self._nearby(node, rules):
            if _is_ignored(entry, rules):
                continue
            relevant = _is_relevant(entry, node, rules)
            if isinstance(relevant, PoolError):
                return relevant
            if relevant and rules.delays_binding_slices and _waits(entry.devices):
                delayed.append(entry)
            elif relevant:
                _keep_newest(kept, entry, rules)
        for entry in delayed:
            _keep_newest(kept, entry, rules)
        return kept

    def _classified(self, identity: PoolID, kept: list[Slice], rules: PoolRules) -> Pool | None:
        """The pool of the kept slices; None if slices for other nodes show that it is obsolete."""
        wanted = kept[0].slice_count
        if len(kept) == wanted:
            return _built(identity, kept, (), rules)
        same = kept if rules.counts_own_slices_only else self._same_generation(kept[0], rules)
        if same is None:
            return None
        if len(same) != wanted:
            problem = f"{len(same)} of {wanted} slices of generation {kept[0].generation} exist"
            if rules.uses_incomplete_pools:
                return _but_incomplete(_built(identity, kept, (), rules), problem)
            return Pool(identity, PoolState.INCOMPLETE, problem=problem)
        names = {entry.name for entry in kept}
        return _built(identity, kept, [entry for entry in same if entry.name not in names], rules)

    def _same_generation(self, kept: Slice, rules: PoolRules) -> list[Slice] | None:
        """All slices of a pool of the generation that was kept; None if a newer one exists."""
        same = []
        for entry in self._by_pool[kept.pool_id]:
            if entry.generation > kept.generation:
                return None
            if entry.generation == kept.generation and (rules.compatibility_groups or not entry.uses_groups):
                same.append(entry)
        return same


def _is_ignored(entry: Slice, rules: PoolRules) -> bool:
    if not rules.partitionable_devices and (
        entry.tells_per_device or (entry.shared_counters and not rules.keeps_counter_slices)
    ):
        return True
    return not rules.compatibility_groups and entry.uses_groups


def _is_relevant(entry: Slice, node: NodeRef, rules: PoolRules) -> bool | PoolError:
    if rules.counters_from_anywhere and entry.shared_counters:
        return True
    if entry.target.is_set:
        if entry.target.problems:
            return PoolError(f"ResourceSlice {entry.name}: nodeSelector: {entry.target.problems[0]}")
        return entry.target.includes(node)
    if not entry.is_per_device:
        return False
    for device in entry.devices:
        if device.target.problems:
            return PoolError(
                f"ResourceSlice {entry.name}, device {device.name}: nodeSelector: {device.target.problems[0]}"
            )
        if device.target.includes(node):
            return True
    return False


def _keep_newest(kept: dict[PoolID, list[Slice]], entry: Slice, rules: PoolRules) -> None:
    slices = kept.setdefault(entry.pool_id, [])
    if slices and entry.generation < slices[0].generation:
        return
    if slices and entry.generation > slices[0].generation:
        slices.clear()
        if rules.repeats_first_slice:
            slices.append(entry)
    slices.append(entry)


def _built(identity: PoolID, kept: Sequence[Slice], others: Iterable[Slice], rules: PoolRules) -> Pool:
    """A complete pool, or an invalid one. Slices are tried in the byte order of their names."""
    ordered = kept if rules.keeps_order else sorted(kept, key=attrgetter("name"))
    devices, counting = _split(ordered, rules)
    background, counting_elsewhere = _split(others, rules)
    problem = "" if rules.trusts_device_names else _repeated_name(devices)
    if problem or not rules.partitionable_devices or rules.counters_per_slice:
        state = PoolState.INVALID if problem else PoolState.USABLE
        # Older allocators go through the devices of an invalid pool until they see that it is one.
        left = () if problem and not rules.uses_incomplete_pools else devices
        return Pool(identity, state, left, problem=problem)
    counters: dict[str, Mapping[str, Quantity]] = {}
    for entry in (*counting, *counting_elsewhere):
        for name, counter_set in entry.counter_sets():
            if name in counters:
                problem = f"counter set {name} is defined twice"
            counters[name] = counter_set
    checked = [*devices, *background]
    if rules.checks_counter_slices:
        checked.extend(device for entry in counting for device in entry.devices)
    problem = problem or _unknown_counter(checked, counters)
    if problem:
        return Pool(identity, PoolState.INVALID, problem=problem)
    return Pool(identity, PoolState.USABLE, devices, background, counters)


def _but_incomplete(pool: Pool, problem: str) -> Pool:
    """The pool with its devices, which requests for some of them can have; that it is invalid counts more."""
    if pool.state is PoolState.INVALID:
        return pool
    return pool._replace(state=PoolState.INCOMPLETE, problem=problem)


def _split(slices: Iterable[Slice], rules: PoolRules) -> tuple[tuple[Device, ...], list[Slice]]:
    """The devices to choose from, and the slices with counter sets, whose devices do not count."""
    devices: list[Device] = []
    counting: list[Slice] = []
    for entry in slices:
        if rules.partitionable_devices and not rules.counters_per_slice and entry.shared_counters:
            counting.append(entry)
        else:
            devices.extend(entry.devices)
    return tuple(devices), counting


def _repeated_name(devices: Iterable[Device]) -> str:
    seen: dict[str, Device] = {}
    for device in devices:
        other = seen.setdefault(device.name, device)
        if other is not device:
            return f"device {device.name} is in slices {other.slice.name} and {device.slice.name}"
    return ""


def _unknown_counter(devices: Iterable[Device], counters: Mapping[str, Mapping[str, Quantity]]) -> str:
    for device in devices:
        for consumption in device.consumes:
            counter_set = counters.get(consumption.counter_set)
            if counter_set is None:
                return f"device {device.name} consumes from unknown counter set {consumption.counter_set}"
            for name in consumption.counters:
                if name not in counter_set:
                    return (
                        f"device {device.name} consumes unknown counter {name} of counter set "
                        f"{consumption.counter_set}"
                    )
    return ""


def _waits(devices: Iterable[Device]) -> bool:
    return any(device.binding_conditions is not None for device in devices)


def _rank(pool: Pool) -> tuple[bool, str, str]:
    """Pools with binding conditions come last, then driver and pool name decide.

    Texts compare by code points, which is the byte order of their UTF-8.
    """
    return _waits(pool.devices), pool.id.driver, pool.id.pool
