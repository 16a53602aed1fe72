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
from dractl.cel.interpreter.references import is_closed, references_in
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool, PoolState
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.reasons import Fatal

__all__ = ["SupplyKeys", "names_nothing"]

_PLAIN_MEMBERS = frozenset({"string", "int", "bool"})
"""The members of an attribute that can always be read, so that only a reader cares for the value."""

_NOT_REST = frozenset({"attributes", "taints"})


class SupplyKeys:
    """Computes the keys of supplies for the claims of one pod."""

    def __init__(self, demands: Sequence[ClaimDemand] | Fatal, environment: Environment) -> None:
        """Compute nothing yet; the ``environment`` is that in which selectors are compiled."""
        self._demands = () if isinstance(demands, Fatal) else demands
        self._environment = environment
        self._devices: dict[Device, Hashable] = {}
        self._told: dict[Hashable, tuple[str, ...]] = {}

    def key(self, supply: Supply, *, names_holders: bool) -> Hashable | None:
        """The key of a supply, or None for one that has no equal.

        Equal keys mean the same devices in the same order, by all that the claims look at, with the same of
        them in use. ``names_holders``: the claims that use them are the same as well.
        """
        found: list[Hashable] = []
        slices: dict[object, int] = {}
        usage = supply.usage
        for pool, candidates in supply.stands:
            if pool.state is not PoolState.USABLE:
                return None
            found.append((pool.id.driver, self._counters(pool, supply)))
            for device, _ in candidates:
                owner = device.slice
                if owner.is_per_device or owner.skip_node_operations:
                    return None
                number = slices.setdefault(owner, len(slices))
                key = self._devices.get(device)
                if key is None:
                    key = self._devices[device] = self._device(device)
                held: Hashable = None
                if usage.holds(device.id):
                    claims = (usage.dedicated.get(device.id), tuple(usage.shared.get(device.id, ())))
                    consumed = usage.consumed.get(device.id)
                    held = (
                        claims if names_holders else (claims[0] is not None, bool(claims[1])),
                        None if consumed is None else str(sorted(consumed.items())),
                    )
                found.append((number, key, held))
        return tuple(found)

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

    def _counters(self, pool: Pool, supply: Supply) -> Hashable:
        """The counter sets of a pool with what draws from them; None if it has none."""
        if not pool.counters:
            return None
        background = tuple(
            (self._device(device), supply.usage.holds(device.id)) for device in pool.background
        )
        return str([(name, sorted(counters.items())) for name, counters in pool.counters.items()]), background


@lru_cache(maxsize=1024)
def _read_by(expression: str, environment: Environment, *, derives: bool) -> frozenset[str] | None:
    """The qualified names that an expression reads; None if it may read anything or does not compile."""
    compiled = (
        compile_derived_attribute(expression, environment)
        if derives
        else compile_selector(expression, environment)
    )
    if isinstance(compiled, CelError) or not is_closed(compiled.tree):
        return None
    return frozenset(found.qualified for found in references_in(compiled.tree))


def names_nothing(text: str, supply: Supply) -> bool:
    """Whether a text about a supply holds for others with its key: it has no name of the node or a pool."""
    names: Iterable[str] = (supply.node.name, *(pool.id.pool for pool in supply.pools))
    return not any(name in text for name in names)
