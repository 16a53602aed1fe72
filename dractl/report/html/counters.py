"""Counters and capacities as bars and slots: how much is in use, by whom, and what is left for a device."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from dractl.api import quantity
from dractl.api.quantity import Quantity
from dractl.cluster import devices as cluster
from dractl.cluster.partitions import partition_model
from dractl.cluster.pools import Pool, PoolRules
from dractl.explanation.phrases import amounts
from dractl.report.html.model import Bar, Segment, Slot
from dractl.report.html.uses import Use

__all__ = ["Counters", "capacity_bars", "natural"]

_UNIT = 10**9
"""One, in the billionths of the model of partitions."""

_MOST_HOLDERS = 6

_Counter = tuple[str, str]


def natural(text: str) -> list[tuple[int, str]]:
    """A sort key that puts ``gpu-10`` after ``gpu-2``."""
    return [(len(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", text)]


class Counters:
    """The counters of one pool, and what the devices in use leave of them."""

    def __init__(self, pool: Pool, rules: PoolRules, uses: Mapping[cluster.DeviceID, Sequence[Use]]) -> None:
        """Read a pool; ``problem`` is set where its numbers have too many digits to add."""
        self.problem = ""
        self.kinds: dict[str, str] = {}
        self._takes: dict[str, Mapping[_Counter, int]] = {}
        self._limits: dict[_Counter, int] = {}
        self._totals: dict[_Counter, Quantity] = {}
        self._by_set: dict[str, list[tuple[int, _Counter]]] = {}
        self._holders: dict[_Counter, list[str]] = {}
        self._amounts: dict[_Counter, list[tuple[str, Quantity]]] = {}
        self._used: Counter[_Counter] = Counter()
        self._slots: dict[tuple[str, ...], list[_Counter]] = {}
        try:
            parts, self._limits = partition_model(pool, rules)
        except ValueError as error:
            self.problem = str(error)
            return
        self._takes = {part.name: part.takes for part in parts}
        if not self._limits:
            return
        self.kinds = {part.name: part.kind for part in parts}
        for entry in enumerate(self._limits):
            self._by_set.setdefault(entry[1][0], []).append(entry)
        every = (*pool.devices, *pool.background)
        is_per_slice = rules.counters_per_slice
        self._totals = _totals(pool, every, is_per_slice=is_per_slice)
        for device in every:
            held = [use for use in uses.get(device.id, ()) if not use.is_admin]
            if held and self._takes[device.name]:
                holder = held[0].holder if len(held) == 1 else f"{held[0].holder} and {len(held) - 1} more"
                self._take(holder, self._takes[device.name], _drawn(device, is_per_slice=is_per_slice))

    def _take(self, holder: str, takes: Mapping[_Counter, int], amounts: Mapping[_Counter, Quantity]) -> None:
        """Note what one device that is in use takes of each counter."""
        self._used.update(takes)
        for counter, number in takes.items():
            if number:
                self._holders.setdefault(counter, []).append(holder)
        for counter, amount in amounts.items():
            self._amounts.setdefault(counter, []).append((holder, amount))

    def sets_of(self, device: str) -> tuple[str, ...]:
        """The counter sets that a device draws from."""
        return tuple(dict.fromkeys(owner for owner, _ in self._takes.get(device, ())))

    def short_of(self, device: str) -> str:
        """The counters that have too little left for a device; empty if it can be allocated."""
        names = [
            name
            for (owner, name), amount in self._takes.get(device, {}).items()
            if amount > self._limits.get((owner, name), 0) - self._used[owner, name]
        ]
        return ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")

    def _counters_of(self, sets: tuple[str, ...]) -> list[_Counter]:
        """The counters of some sets, in the order of the pool."""
        found = [entry for name in sets for entry in self._by_set.get(name, ())]
        return [counter for _, counter in sorted(found)]

    def _slot_counters(self, sets: tuple[str, ...]) -> list[_Counter]:
        """The single counters, if there are several; in the order of their numbers."""
        if sets not in self._slots:
            found = [counter for counter in self._counters_of(sets) if self._limits[counter] == _UNIT]
            found.sort(key=lambda counter: natural(counter[1]))
            self._slots[sets] = found if len(found) > 1 else []
        return self._slots[sets]

    def slots(self, sets: tuple[str, ...]) -> tuple[Slot, ...]:
        """Who has each single counter; several holders if it is overcommitted."""
        return tuple(
            Slot(counter[1], ", ".join(self._holders.get(counter, ())))
            for counter in self._slot_counters(sets)
        )

    def number_of_slots(self, sets: tuple[str, ...]) -> int:
        """How many slots the counter sets have."""
        return len(self._slot_counters(sets))

    def slots_of(self, device: str, sets: tuple[str, ...]) -> tuple[int, ...]:
        """The positions of the slots that a device takes."""
        takes = self._takes.get(device, {})
        return tuple(n for n, counter in enumerate(self._slot_counters(sets)) if takes.get(counter))

    def bars(self, sets: tuple[str, ...]) -> tuple[Bar, ...]:
        """The other counters, each as a bar."""
        slots = set(self._slot_counters(sets))
        found = [counter for counter in self._counters_of(sets) if counter not in slots]
        is_several = len(sets) > 1
        return tuple(
            _bar(
                f"{owner}: {name}" if is_several else name,
                self._totals[owner, name],
                self._amounts.get((owner, name), ()),
            )
            for owner, name in found
        )


def _totals(pool: Pool, every: Iterable[cluster.Device], *, is_per_slice: bool) -> dict[_Counter, Quantity]:
    sets = dict(pool.counters)
    if is_per_slice:
        for device in every:
            sets |= {f"{device.slice.name}/{name}": found for name, found in device.slice.counter_sets()}
    return {(owner, name): total for owner, found in sets.items() for name, total in found.items()}


def _drawn(device: cluster.Device, *, is_per_slice: bool) -> dict[_Counter, Quantity]:
    prefix = f"{device.slice.name}/" if is_per_slice else ""
    found: dict[_Counter, Quantity] = {}
    for entry in device.consumes:
        for name, amount in entry.counters.items():
            key = prefix + entry.counter_set, name
            found[key] = found[key].add(amount) if key in found else amount
    return found


def _bar(name: str, total: Quantity, parts: Sequence[tuple[str, Quantity]]) -> Bar:
    segments, start, used = [], 0.0, None
    for _, amount in parts:
        length = min(_share(amount, total), 100 - start)
        segments.append(Segment(round(start, 2), round(length, 2)))
        start += length
        used = amount if used is None else used.add(amount)
    shown = [f"{holder} {amounts(str(amount))[0]}" for holder, amount in parts[:_MOST_HOLDERS]]
    more = len(parts) - len(shown)
    holders = ", ".join(shown) + (f" and {more} more" if more else "")
    if used is None:
        return Bar(name, f"{amounts(str(total))[0]} free", (), "")
    texts = amounts(str(used), str(total), str(total.subtract(used)))
    return Bar(name, f"{texts[0]} of {texts[1]} in use, {texts[2]} free", tuple(segments), holders)


def _share(amount: Quantity, total: Quantity) -> float:
    """Percent; 0 if the total is not positive."""
    try:
        whole = total.as_float()
        part = amount.as_float() / whole * 100 if whole > 0 else 0.0
    except OverflowError:
        return 0.0
    return part if 0 <= part <= 100 else 100.0 * (part > 100)


def capacity_bars(device: cluster.Device, uses: Sequence[Use]) -> tuple[Bar, ...]:
    """The capacities of a device that several claims share."""
    found = []
    for name, capacity in device.named_capacity.items():
        own = name if "/" in name else f"{device.id.driver}/{name}"
        parts = [
            (use.holder, quantity.parse(text))
            for use in uses
            for key, text in use.amounts.items()
            if (key if "/" in key else f"{device.id.driver}/{key}") == own
        ]
        found.append(_bar(name, capacity.value, parts))
    return tuple(found)
