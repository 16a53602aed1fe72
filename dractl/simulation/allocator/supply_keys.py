"""Keys for what nodes offer to claims: a search ends the same way on two nodes with one key.

The nodes of a cluster are mostly of a few kinds, which differ in serial numbers and names that no selector
reads. Without devices for a pod every node has to be searched: 1,000 nodes with 8 devices and a constraint
take 2 seconds one by one, and some milliseconds as one kind.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from dractl.cel.common.environment import Environment
from dractl.cel.compile import CelError, compile_derived_attribute, compile_selector
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool, PoolState
from dractl.simulation.allocator.device.inventory import PoolDevices, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.reasons import Fatal

__all__ = ["AllKinds", "SupplyKeys", "holders_of", "names_nothing"]

_PLAIN_MEMBERS = frozenset({"string", "int", "bool"})
"""The members of an attribute that can always be read, so that only a reader cares for the value."""

_NOT_REST = frozenset({"attributes", "taints"})


class OfferedKinds:
    """The kinds of what nodes offer, as claims see them that read the same of devices.

    Valid for one inventory. A kind does not include what is in use.
    """

    def __init__(self, reads: frozenset[str] | None) -> None:
        """``reads`` are the qualified names of what is read of a device; None: that may be anything."""
        self._reads = reads
        self._devices: dict[Device, Hashable] = {}
        self._told: dict[Hashable, tuple[str, ...]] = {}
        self._kinds: dict[Hashable, int] = {}
        self._of_stands: dict[int, tuple[tuple[PoolDevices, ...], int | None]] = {}

    def kind(self, stands: tuple[PoolDevices, ...]) -> int | None:
        """The number of what a node offers, or None for what has no equal."""
        known = self._of_stands.get(id(stands))
        if known is None:
            content = self._content(stands)
            number = None if content is None else self._kinds.setdefault(content, len(self._kinds))
            # With what the number is of, so that no other one can come to have its id.
            known = self._of_stands[id(stands)] = stands, number
        return known[1]

    def _content(self, stands: Iterable[PoolDevices]) -> Hashable | None:
        found: list[Hashable] = []
        slices: dict[object, int] = {}
        for pool, candidates in stands:
            if pool.state is not PoolState.USABLE:
                return None
            found.append((pool.id.driver, self._counters(pool)))
            for device, _ in candidates:
                owner = device.slice
                if owner.is_per_device or owner.skip_node_operations:
                    return None
                number = slices.setdefault(owner, len(slices))
                found.append((number, self._known_device(device)))
        return tuple(found)

    def _known_device(self, device: Device) -> Hashable:
        key = self._devices.get(device)
        if key is None:
            key = self._devices[device] = self._device(device)
        return key

    def _device(self, device: Device) -> Hashable:
        given: Mapping[str, Mapping[str, object]] = device.data.get("attributes") or {}
        names, members = tuple(given), tuple(map(tuple, given.values()))
        shape = device.id.driver, names, members
        told = self._told.get(shape)
        if told is None:
            told = self._told[shape] = self._telling(*shape)
        values = tuple([repr(given[name]) for name in told])
        rest = tuple([(name, repr(value)) for name, value in device.data.items() if name not in _NOT_REST])
        return (
            names,
            members,
            values,
            rest,
            device.taints and repr(device.taints),
            device.slice.tells_per_device,
        )

    def _telling(
        self, driver: str, names: Sequence[str], members: Sequence[tuple[str, ...]]
    ) -> tuple[str, ...]:
        """The attributes whose values matter: those that are read, and those that may be unreadable."""
        reads, prefix = self._reads, f"{driver}/"
        return tuple(
            name
            for name, member in zip(names, members, strict=True)
            if reads is None
            or len(member) != 1
            or member[0] not in _PLAIN_MEMBERS
            or name in reads
            or prefix + name in reads
        )

    def _counters(self, pool: Pool) -> Hashable:
        """The counter sets of a pool with what may draw from them; None if it has none."""
        if not pool.counters:
            return None
        background = tuple(self._known_device(device) for device in pool.background)
        return str([(name, sorted(counters.items())) for name, counters in pool.counters.items()]), background


class AllKinds:
    """The kinds for all claims of a run, by what these read."""

    def __init__(self) -> None:
        """Start with none."""
        self._by_reads: dict[frozenset[str] | None, OfferedKinds] = {}

    def of(self, reads: frozenset[str] | None) -> OfferedKinds:
        """The kinds for claims that read so much of a device."""
        return self._by_reads.setdefault(reads, OfferedKinds(reads))


class SupplyKeys:
    """Computes the keys of supplies for the claims of one pod."""

    def __init__(
        self, demands: Sequence[ClaimDemand] | Fatal, environment: Environment, kinds: AllKinds
    ) -> None:
        """Compute nothing yet; the ``environment`` is that in which selectors are compiled."""
        self._demands = () if isinstance(demands, Fatal) else demands
        self._environment = environment
        self._kinds = kinds

    def key(self, supply: Supply, *, tells_holders: bool) -> Hashable | None:
        """The key of a supply, or None for one that has no equal.

        Equal keys mean the same devices in the same order, by all that the claims look at, with the same of
        them in use. ``tells_holders``: those that one claim uses are in use by one claim there, too.
        """
        kind = self._offered.kind(supply.stands)
        if kind is None:
            return None
        usage = supply.usage
        held: list[Hashable] = []
        holders: dict[str, int] = {}
        for number, (pool, candidates) in enumerate(supply.stands):
            if not usage.held_in(pool.id):
                continue
            for position, (device, _) in enumerate(candidates):
                if usage.holds(device.id):
                    holder = usage.dedicated.get(device.id)
                    whose = None
                    if holder is not None:
                        whose = holders.setdefault(holder, len(holders)) if tells_holders else 0
                    consumed = usage.consumed.get(device.id)
                    amounts = None if consumed is None else str(sorted(consumed.items()))
                    held.append((number, position, whose, device.id in usage.shared, amounts))
            if pool.counters:
                background = enumerate(pool.background)
                held += [(number, ~position) for position, other in background if usage.holds(other.id)]
        return kind, tuple(held)

    @cached_property
    def _offered(self) -> OfferedKinds:
        return self._kinds.of(self._reads)

    @cached_property
    def _reads(self) -> frozenset[str] | None:
        """The qualified names of what the claims read of a device; None: that may be anything."""
        names: set[str] = set()
        for read in self._read():
            if read is None:
                return None
            names |= read
        return frozenset(names)

    def _read(self) -> Iterator[frozenset[str] | None]:
        for demand in self._demands:
            yield frozenset(rule.attribute for rule in demand.constraints)
            for ask in demand.asks:
                for request in ask.alternatives:
                    for test in request.tests:
                        yield _read_by(test.expression, self._environment, derives=False)
                    for expression in request.derived_attributes.values():
                        yield _read_by(expression, self._environment, derives=True)


@lru_cache(maxsize=1024)
def _read_by(expression: str, environment: Environment, *, derives: bool) -> frozenset[str] | None:
    """The qualified names that an expression reads; None if it may read anything or does not compile."""
    from dractl.cel.interpreter.references import is_closed, references_in  # where there is an expression

    compiled = (
        compile_derived_attribute(expression, environment)
        if derives
        else compile_selector(expression, environment)
    )
    if isinstance(compiled, CelError) or not is_closed(compiled.tree):
        return None
    return frozenset(found.qualified for found in references_in(compiled.tree))


def names_nothing(text: str, supply: Supply) -> bool:
    """Whether a text about a supply is true for others with its key: it names neither the node nor a pool."""
    names: Iterable[str] = (supply.node.name, *(pool.id.pool for pool in supply.pools))
    return not any(name in text for name in names)


def holders_of(supply: Supply) -> tuple[str, ...]:
    """The claims that have devices as a whole, in the order in which :meth:`SupplyKeys.key` numbers them."""
    dedicated = supply.usage.dedicated
    found = (dedicated.get(device.id) for device, _ in supply.candidates)
    return tuple(dict.fromkeys(holder for holder in found if holder is not None))
