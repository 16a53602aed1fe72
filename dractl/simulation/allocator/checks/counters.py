"""Shared counters: may one more device draw from its pool's counter sets.

What is left of counters is computed once per attempt; what the devices chosen so far reserve is kept while a
search runs. Both are whole numbers of billionths, the smallest part that a quantity has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device, DeviceID, PoolID, Slice
from dractl.cluster.pools import Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import CounterShort, Fatal
from dractl.simulation.allocator.model.usage import Usage

# Whole numbers of billionths, because a search adds and compares them at each device: integers of one scale
# are exact and need no alignment.
_DIGITS = 9
_MOST_DIGITS = 2000
"""Longest number that is written out; dractl's own limit."""

CounterName = tuple[str, str]
Sets = Mapping[str, Mapping[str, Quantity]]

Account = PoolID | str
"""Whose counters: those of a pool, of all pools of a name, or of the slice of a name."""

Take = tuple[int, int]
"""The position of a counter, and how much a device takes of it."""


class Plan:
    """The counters of a pool or slice, and what each of its devices takes; nothing of it ever changes."""

    __slots__ = ("_takes", "capacities", "members", "names", "positions", "sizes")

    def __init__(self, sets: Sets, devices: Iterable[Device]) -> None:
        """Raises ValueError where a number has too many digits."""
        self.sizes = {
            (owner, name): size for owner, counters in sets.items() for name, size in counters.items()
        }
        self.names: tuple[CounterName, ...] = tuple(self.sizes)
        self.capacities: tuple[int, ...] = tuple(billionths(size) for size in self.sizes.values())
        self.positions: Mapping[CounterName, int] = {name: number for number, name in enumerate(self.names)}
        self.members: Mapping[DeviceID, Device] = {device.id: device for device in devices if device.consumes}
        self._takes: dict[Device, tuple[Take, ...]] = {}

    def takes(self, device: Device) -> tuple[Take, ...]:
        """What the device takes of the counters that are there. Raises ValueError as above."""
        # A search comes to a device once for each way to choose those before it, so its names are looked up
        # once.
        found = self._takes.get(device)
        if found is None:
            sums: dict[int, int] = {}
            for name, amount in _drawn(device):
                position = self.positions.get(name)
                if position is not None:
                    sums[position] = sums.get(position, 0) + amount
            found = self._takes[device] = tuple(sums.items())
        return found

    def left(self, held: Iterable[DeviceID]) -> Left:
        """What the devices held leave. Raises ValueError as above."""
        amounts = list(self.capacities)
        for name in held:
            device = self.members.get(name)
            for position, amount in () if device is None else self.takes(device):
                amounts[position] -= amount
        # Found here and not at each device: it keeps every device of the plan out, whatever that takes.
        overdrawn = next((number for number, amount in enumerate(amounts) if amount < 0), None)
        return Left(self, amounts, overdrawn)


class Left(NamedTuple):
    """What is left of the counters of a plan, where less than nothing is ``overdrawn`` at first."""

    plan: Plan
    amounts: list[int]
    overdrawn: int | None


class Plans:
    """The plans of pools and slices, made once, and what was last left of each."""

    __slots__ = ("_left", "_of_pools", "_of_slices", "quirks")

    def __init__(self, quirks: Quirks) -> None:
        """Start empty."""
        self.quirks = quirks
        self._of_pools: dict[int, tuple[Pool, Plan | Fatal]] = {}
        self._of_slices: dict[str, Plan | Fatal] = {}
        self._left: dict[Plan, tuple[Usage, int, Left]] = {}

    def left(self, plan: Plan, pool: PoolID, usage: Usage) -> Left:
        """What devices in use leave of a plan's counters; raises ValueError as the plan does."""
        # The stamp counts what was taken of the pool. A pod that is placed changes one pool, so all other
        # pools of a cluster keep what was computed for the pod before.
        known = self._left.get(plan)
        stamp = usage.changes(pool)
        if known is not None and known[0] is usage and known[1] == stamp:
            return known[2]
        held = usage.held_in(pool)
        if self.quirks.only_dedicated_draw:
            held = [name for name in held if name in usage.dedicated]
        left = plan.left(held)
        self._left[plan] = (usage, stamp, left)
        return left

    def of(self, pool: Pool, device: Device) -> Plan | Fatal:
        """The plan by which a device of a pool draws."""
        if self.quirks.counters_per_slice:
            owner = device.slice
            plan = self._of_slices.get(owner.name)
            if plan is None:
                plan = self._of_slices[owner.name] = _plan(pool, dict(owner.counter_sets()), owner.devices)
            return plan
        found = self._of_pools.get(id(pool))
        if found is None:
            plan = _plan(pool, pool.counters, (*pool.devices, *pool.background))
            # With the pool beside it, its identity stays its own.
            found = self._of_pools[id(pool)] = (pool, plan)
        return found[1]


def _plan(pool: Pool, sets: Sets, devices: Iterable[Device]) -> Plan | Fatal:
    try:
        return Plan(sets, devices)
    except ValueError as error:
        return Fatal(f"pool {pool.id}: {error}")


class CounterCache:
    """What is left of counters, computed when first asked for and then kept for the attempt.

    Upstream keeps it for all nodes of an attempt, although nodes may see different slices of a pool.
    """

    __slots__ = ("_found", "_plans", "_usage")

    def __init__(self, usage: Usage, plans: Plans) -> None:
        """Start empty."""
        self._usage = usage
        self._plans = plans
        self._found: dict[Account, Left | Fatal] = {}

    def account(self, pool: Pool, device: Device) -> Account:
        """Whose counters a device draws from."""
        if self._plans.quirks.counters_per_slice:
            return device.slice.name
        return pool.id.pool if self._plans.quirks.counters_by_pool_name else pool.id

    def of(self, pool: Pool, device: Device) -> Left | Fatal:
        """What devices in use leave of the counters that the device draws from; may be negative."""
        account = self.account(pool, device)
        found = self._found.get(account)
        if found is None:
            found = self._found[account] = self._left(pool, device)
        return found

    def _left(self, pool: Pool, device: Device) -> Left | Fatal:
        plan = self._plans.of(pool, device)
        if isinstance(plan, Fatal):
            return plan
        try:
            return self._plans.left(plan, pool.id, self._usage)
        except ValueError as error:
            return Fatal(f"pool {pool.id}: {error}")


class Reservations:
    """What the devices chosen so far reserve of counters."""

    __slots__ = ("_cache", "_reserved")

    def __init__(self, cache: CounterCache) -> None:
        """Start with nothing reserved."""
        self._cache = cache
        self._reserved: dict[Account, list[int]] = {}

    def add(self, pool: Pool, device: Device) -> CounterShort | Fatal | None:
        """Reserve what a device takes, or say of which counter too little is left.

        All counters of the account are compared, not only those of the device: one that is over-committed
        already keeps every device that consumes any counter out. Mirrors ``checkAvailableCounters``.
        """
        left = self._cache.of(pool, device)
        if isinstance(left, Fatal):
            return left
        try:
            takes = left.plan.takes(device)
        except ValueError as error:
            return Fatal(f"device {device.id}: {error}")
        reserved = self._of(self._cache.account(pool, device), left)
        # The first counter in the order of the plan is reported, whether overdrawn before or too small now.
        short = left.overdrawn
        for position, amount in takes:
            if reserved[position] + amount > left.amounts[position] and (short is None or position < short):
                short = position
        if short is not None:
            return _short(left, short, reserved[short] + dict(takes).get(short, 0))
        # Kept as sums and given back by drop(): to add up the stack at each device made a search quadratic
        # in the number of devices it holds.
        for position, amount in takes:
            reserved[position] += amount
        return None

    def state(self, accounts: frozenset[Account] | None) -> frozenset[tuple[Account, tuple[int, ...]]]:
        """What is reserved of the counters of some accounts (None: all), to be compared with another time."""
        # Accounts with nothing reserved are left out: they are like accounts that were never touched, and
        # two situations must compare equal whichever way led to them.
        return frozenset(
            (account, tuple(amounts))
            for account, amounts in self._reserved.items()
            if (accounts is None or account in accounts) and any(amounts)
        )

    def _of(self, account: Account, left: Left) -> list[int]:
        found = self._reserved.get(account)
        if found is None:
            found = self._reserved[account] = [0] * len(left.amounts)
        return found

    def drop(self, pool: Pool, device: Device) -> None:
        """Give back what a device reserved."""
        left = self._cache.of(pool, device)
        if not isinstance(left, Fatal):
            reserved = self._reserved[self._cache.account(pool, device)]
            for position, amount in left.plan.takes(device):
                reserved[position] -= amount


def _short(left: Left, position: int, wanted: int) -> CounterShort:
    owner, name = left.plan.names[position]
    form = left.plan.sizes[owner, name].format
    return CounterShort(owner, name, as_quantity(left.amounts[position], form), as_quantity(wanted, form))


@cache
def as_quantity(amount: int, form: str) -> Quantity:
    """An amount in billionths as a quantity of some format."""
    whole, rest = divmod(amount, 10**_DIGITS)
    return Quantity(amount, -_DIGITS, form=form) if rest else Quantity(whole, form=form)


def billionths(quantity: Quantity) -> int:
    """A quantity in billionths; raises ValueError where it has too many digits."""
    if quantity.scale > _MOST_DIGITS:
        raise ValueError(f"{quantity} has too many digits to add")
    return int(quantity.unscaled * 10 ** (quantity.scale + _DIGITS))


def _drawn(device: Device) -> list[tuple[CounterName, int]]:
    """The counters that a device takes, each with its amount; a counter may come twice."""
    return [
        ((consumption.counter_set, name), billionths(amount))
        for consumption in device.consumes
        for name, amount in consumption.counters.items()
    ]


def own_shortage(
    device: Device, is_marked: Callable[[Device], bool], plans: dict[Slice, Plan]
) -> CounterShort | Fatal | None:
    """The first counter that a device names and of which the marked devices of its slice leave too little.

    Mirrors ``checkAvailableCapacity`` (1.33): what other devices over-commit does not count, and a counter
    that the slice does not have is none that could be had. ``plans`` are those of slices seen before.
    """
    owner = device.slice
    try:
        plan = plans.get(owner)
        if plan is None:
            plan = plans[owner] = Plan(dict(owner.counter_sets()), owner.devices)
        left = plan.left(other.id for other in owner.devices if is_marked(other))
        for name, amount in _drawn(device):
            position = plan.positions.get(name)
            available = 0 if position is None else left.amounts[position]
            if position is None or available < amount:
                form = plan.sizes[name].format if name in plan.sizes else ""
                return CounterShort(*name, as_quantity(available, form), as_quantity(amount, form))
    except ValueError as error:
        return Fatal(f"device {device.id}: {error}")
    return None
