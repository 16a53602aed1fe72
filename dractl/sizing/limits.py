"""What keeps one more copy off each node: resources, devices, counters, capacities, or the node itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from dractl.api import quantity
from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device, PoolID
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.explain import Level, ReasonCollector
from dractl.simulation.allocator.model.demand import ClaimDemand, Request
from dractl.simulation.allocator.model.reasons import (
    CapacityShort,
    Chosen,
    CounterShort,
    Fatal,
    InUse,
    OtherNode,
    Reason,
    SelectorFalse,
)
from dractl.simulation.allocator.search import search
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.pods.outcome import INVALID_POOLS, NO_DEVICES, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, NodeInfo, Scope
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins import dynamic_resources
from dractl.simulation.scheduler.plugins.registry import FILTER_PLUGINS
from dractl.simulation.scheduler.prefilter import SchedulingCycle, pre_filter
from dractl.simulation.scheduler.resources import PODS as POD_COUNT
from dractl.simulation.scheduler.resources import Load, shortages, shown
from dractl.simulation.scheduler.schedule_result import Refused
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.sizing.model import (
    CAPACITY,
    COUNTER,
    DEVICES,
    NODE,
    OTHER,
    PODS,
    RESOURCE,
    Amounts,
    Limit,
    Shortage,
)

__all__ = ["limits_by_node", "overall"]

_ONE = quantity.of_int(1)


def limits_by_node(scheduler: Scheduler, pod: Pod, name: str) -> dict[str, tuple[Limit, ...]]:
    """What keeps ``pod``, a copy of ``name`` that stays Pending, off each node."""
    snapshot = scheduler.snapshot(pod)
    cycle = pre_filter(pod, snapshot)
    if isinstance(cycle, Refused):
        refused = (Limit(OTHER, cycle.category, name, message=cycle.message),)
        return {node.name: refused for node in snapshot.nodes}
    limits = _Limits(cycle, name)
    numbers = snapshot.loads.numbers(snapshot.classes.names)
    return {
        node.name: tuple(limits.of(node, snapshot.loads.load(number)))
        for node, number in zip(snapshot.nodes, numbers, strict=True)
    }


def overall(by_node: Iterable[tuple[str, Sequence[Limit]]]) -> tuple[Shortage, ...]:
    """The limits of all nodes, each once with all nodes that have it; those of most nodes first."""
    found: dict[tuple[Limit, bool], Shortage] = {}
    for node, limits in by_node:
        for limit in limits:
            # What is left differs from node to node, what is needed does not. Where nothing matches nothing
            # runs out.
            bare = limit._replace(amounts=None, message="" if limit.amounts else limit.message)
            key = bare, limit.amounts is not None and not limit.amounts.total.sign
            known = found.get(key)
            if known is None:
                found[key] = Shortage(limit, (node,))
            else:
                found[key] = Shortage(_together(known.limit, limit), (*known.nodes, node))
    return tuple(sorted(found.values(), key=lambda shortage: -len(shortage.nodes)))


def _together(one: Limit, other: Limit) -> Limit:
    if one.amounts is None or other.amounts is None:
        return one
    return one._replace(amounts=one.amounts.plus(other.amounts))


class _Limits:
    """The limits of a cluster for one pod."""

    def __init__(self, cycle: SchedulingCycle, pod: str) -> None:
        self._state: CycleState = cycle.state
        self._allocator = cycle.allocator
        self._snapshot: Snapshot = cycle.snapshot
        self._pod = pod

    def of(self, node: Node, load: Load) -> Iterator[Limit]:
        """What keeps the pod off a node; where the node itself is unfit nothing else is looked at."""
        served = self._allocator.claims.served_on(node)
        elsewhere = self._allocator.claims.on_other_nodes(node)
        info = NodeInfo(node, load, served, elsewhere)
        for plugin in FILTER_PLUGINS:
            refusal = plugin.filter(self._state, node, info) if plugin.scope is Scope.NODE_CLASS else None
            if refusal is not None:
                yield Limit(NODE, refusal.category, self._pod, message=refusal.message)
                return
        yield from self._devices(node, info)
        yield from self._resources(node, load, served)

    def _resources(self, node: Node, load: Load, served: frozenset[str]) -> Iterator[Limit]:
        if node.allocatable is None:
            return
        demand = self._state.demand
        for name in shortages(demand, load, node.allocatable, served):
            size = node.allocatable.get(name, 0)
            if name == POD_COUNT:
                total = quantity.of_int(size)
                yield Limit(
                    PODS, name, self._pod, amounts=Amounts(_ONE, _amount(name, size - load.pods), total)
                )
                continue
            free = size - load.requests.get(name, 0)
            amounts = Amounts(_amount(name, demand.requests[name]), _amount(name, free), _amount(name, size))
            yield Limit(RESOURCE, name, self._pod, amounts=amounts)

    def _devices(self, node: Node, info: NodeInfo) -> Iterator[Limit]:
        refusal = dynamic_resources.filter_node(self._state, node, info)
        if refusal is None:
            return
        demands = self._allocator.claims.pending_claims(info.served).demands
        supply = self._snapshot.node_devices.on(node.ref)
        if (
            refusal.category not in (NO_DEVICES, INVALID_POOLS)
            or isinstance(demands, Fatal)
            or isinstance(supply, Fatal)
        ):
            yield self._other(refusal)
            return
        limits = list(self._shortages(demands, supply))
        yield from limits or [self._other(refusal)]

    def _other(self, refusal: Refusal) -> Limit:
        return Limit(OTHER, refusal.category, self._pod, message=refusal.message)

    def _shortages(self, demands: Sequence[ClaimDemand], supply: Supply) -> Iterator[Limit]:
        """What is short for the request at which the search for devices got furthest."""
        listener = ReasonCollector()
        snapshot = self._snapshot
        search(
            demands,
            supply,
            snapshot.matcher,
            snapshot.features,
            observer=listener,
            budget=snapshot.allowance.search,
            allowance=snapshot.allowance,
        )
        stuck = [
            Level(slot.claim, slot.ask, slot.alternative) for slot in (*listener.stuck, *listener.missed)
        ]
        deepest = max(((level.claim, level.ask) for level in stuck), default=None)
        for level in dict.fromkeys(stuck):
            if (level.claim, level.ask) == deepest:
                request = demands[level.claim].asks[level.ask].alternatives[level.alternative]
                reasons = listener.reasons.get(level, {})
                fitting = listener.given_back.get(level, set())
                yield from self._of_request(request, reasons, fitting, supply)

    def _of_request(
        self, request: Request, reasons: dict[Device, Reason], fitting: set[Device], supply: Supply
    ) -> Iterator[Limit]:
        matching = {
            device: reason
            for device, reason in reasons.items()
            if not isinstance(self._deeper(request, device, reason, supply), SelectorFalse | OtherNode)
        }
        total, free = len(matching.keys() | fitting), len(fitting)
        needed = max(1, total if request.is_all else request.count)
        short = Counter(
            limit
            for device, reason in matching.items()
            if (limit := self._amount_limit(device, reason, request, supply)) is not None
        )
        if not short or any(isinstance(reason, InUse | Chosen) for reason in matching.values()):
            message = "the free devices do not meet the claim together" if free >= needed else ""
            amounts = Amounts(*map(quantity.of_int, (needed, free, total)))
            yield Limit(DEVICES, request.class_name, self._pod, request.full_name, amounts, message)
        yield from _most_left(short)

    def _deeper(self, request: Request, device: Device, reason: Reason, supply: Supply) -> Reason | Fatal:
        """Why a device is of no use, be it taken or free."""
        if not isinstance(reason, InUse | Chosen):
            return reason
        return self._snapshot.matcher.mismatch(request, device, supply.node) or reason

    def _amount_limit(self, device: Device, reason: Reason, request: Request, supply: Supply) -> Limit | None:
        """The counter or capacity of which a device lacks some."""
        if isinstance(reason, CounterShort):
            size = _size_of(device, reason, supply)
            amounts = Amounts(reason.wanted, reason.available, size or reason.available)
            return Limit(COUNTER, reason.counter, self._pod, request.full_name, amounts)
        if isinstance(reason, CapacityShort):
            amounts = Amounts(reason.wanted, reason.size.subtract(reason.taken), reason.size)
            return Limit(CAPACITY, reason.name, self._pod, request.full_name, amounts)
        return None


def _size_of(device: Device, reason: CounterShort, supply: Supply) -> Quantity | None:
    """What the counter has while nothing is taken of it."""
    pool = next((pool for pool in supply.pools if pool.id == PoolID(device.id.driver, device.id.pool)), None)
    sets = {**({} if pool is None else pool.counters), **dict(device.slice.counter_sets())}
    return sets.get(reason.counter_set, {}).get(reason.counter)


def _most_left(limits: Counter[Limit]) -> list[Limit]:
    """Of limits of one counter or capacity the one that has most left; the most frequent first."""
    best: dict[tuple[str, str], Limit] = {}
    counts: Counter[tuple[str, str]] = Counter()
    for limit, count in limits.items():
        key = (limit.kind, limit.name)
        counts[key] += count
        known = best.get(key)
        if known is None or (
            limit.amounts is not None
            and known.amounts is not None
            and limit.amounts.free > known.amounts.free
        ):
            best[key] = limit
    return [best[key] for key, _ in counts.most_common()]


def _amount(name: str, value: int) -> Quantity:
    return quantity.parse(shown(name, value))
