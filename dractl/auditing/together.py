"""Rules about what all claims take together: whole devices, counters, compatibility groups, capacity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.auditing.ledger import Entry, Ledger
from dractl.auditing.model import Breach
from dractl.cluster.devices import Device, DeviceID
from dractl.cluster.pools import Pool
from dractl.simulation.allocator.checks import consumable
from dractl.simulation.allocator.checks.counters import Plan, Plans, as_quantity
from dractl.simulation.allocator.checks.groups import group_conflict
from dractl.simulation.allocator.model.reasons import Fatal

__all__ = ["capacity", "counters", "exclusive", "groups"]


def exclusive(ledger: Ledger) -> Iterator[Breach]:
    """A device that one claim has as a whole is nobody else's."""
    for device, entries in ledger.holders.items():
        shares = [entry for entry in entries if ledger.features.consumable_capacity and entry.is_share]
        if len(entries) > 1 and len(shares) < len(entries):
            whole = len(entries) - len(shares)
            what = (
                f"the device is allocated {whole} times"
                if not shares
                else "the device is allocated as a whole and in shares"
            )
            yield Breach(_claims(entries), str(device), what)


def counters(ledger: Ledger) -> Iterator[Breach]:
    """The devices in use take no more of a counter than its counter set has."""
    if not ledger.features.partitionable_devices:
        return
    plans = Plans(ledger.features.quirks)
    seen: set[int] = set()
    for entry in _drawing(ledger):
        device, pool = entry
        plan = plans.of(pool, device)
        if isinstance(plan, Fatal) or id(plan) in seen:
            continue
        seen.add(id(plan))
        try:
            left = plans.left(plan, pool.id, ledger.usage)
        except ValueError:
            continue
        for position, amount in enumerate(left.amounts):
            if amount < 0:
                counter_set, name = plan.names[position]
                size = plan.sizes[plan.names[position]]
                taken = as_quantity(plan.capacities[position] - amount, size.format)
                holders = _takers(ledger, plan, position)
                message = f"counter {name} of counter set {counter_set}: {taken} in use of {size}"
                yield Breach(_claims(holders), str(pool.id), message)


def groups(ledger: Ledger) -> Iterator[Breach]:
    """Devices that draw from one counter set share a compatibility group."""
    if not (ledger.features.compatibility_groups and ledger.features.partitionable_devices):
        return
    for device, pool in _drawing(ledger):
        found = group_conflict(pool, ledger.usage, (), device)
        if found is not None:
            holders = ledger.holders.get(device.id, ())
            message = f"other devices that draw from counter set {found.counter_set} share no group with it"
            yield Breach(_claims(holders), str(device.id), message)


def capacity(ledger: Ledger) -> Iterator[Breach]:
    """The shares of a device take no more of a capacity than it has."""
    if not ledger.features.consumable_capacity:
        return
    arithmetic = consumable.arithmetic_of(ledger.features)
    for device_id, entries in ledger.holders.items():
        device = next((entry.device for entry in entries if entry.device is not None), None)
        taken = ledger.usage.consumed.get(device_id)
        if device is None or taken is None:
            continue
        for name, has in consumable.capacities_of(device, arithmetic).items():
            if name in taken and taken[name] > has.value:
                message = f"capacity {name}: {taken[name]} in use of {has.value}"
                yield Breach(_claims(entries), str(device_id), message)


def _drawing(ledger: Ledger) -> Iterator[tuple[Device, Pool]]:
    """The devices in use that take counters, each once, with their pools."""
    known: set[DeviceID] = set()
    for entry in ledger.entries():
        device, pool = entry.device, entry.pool
        if device is None or pool is None or entry.is_admin or device.id in known or not device.consumes:
            continue
        known.add(device.id)
        yield device, pool


def _takers(ledger: Ledger, plan: Plan, position: int) -> Sequence[Entry]:
    """The entries whose devices take of a counter."""
    return [
        entry
        for entry in ledger.entries()
        if not entry.is_admin
        and entry.id in plan.members
        and any(taken == position for taken, _ in plan.takes(plan.members[entry.id]))
    ]


def _claims(entries: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.claim for entry in entries))
