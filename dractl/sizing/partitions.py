"""Stranded partitions: counter sets with something left that is too little for their largest profile.

A profile is a group of devices that draw the same amounts from their counter sets. Amounts are whole numbers
of billionths, as the allocator counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dractl.cluster.devices import Device, DeviceID
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.cluster.pools import Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.counters import Left, Plans, as_quantity
from dractl.simulation.allocator.model.demand import Request, demand_of
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.pods.claims import claims_and_special
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.sizing.model import Holder, Move, Stranded

__all__ = ["stranded"]

_Profile = tuple[tuple[str, int], ...]
"""What a device draws: counters with their amounts, whatever their sets are called."""


def stranded(scheduler: Scheduler) -> tuple[Stranded, ...]:
    """The counter sets of a cluster of which a part is free and the largest profile is kept out."""
    snapshot = scheduler.snapshot()
    if not snapshot.features.partitionable_devices:
        return ()
    cards = list(_cards(snapshot))
    if not cards:
        return ()
    owners = _Owners(scheduler)
    found = (_stranded(card, cards, owners, snapshot) for card in cards)
    return tuple(entry for entry in found if entry is not None)


class _Card:
    """A counter set with the devices that draw from it, as one node sees them."""

    def __init__(
        self, node: Node, pool: Pool, counter_set: str, left: Left, is_held: Mapping[DeviceID, bool]
    ) -> None:
        self.node = node
        self.pool = pool
        self.name = counter_set
        self.left = left
        self.devices = [
            device
            for device in (*pool.devices, *pool.background)
            if any(entry.counter_set == counter_set for entry in device.consumes)
        ]
        self.is_held = is_held
        self.positions = [number for number, (owner, _) in enumerate(left.plan.names) if owner == counter_set]
        self.profiles: dict[_Profile, list[Device]] = {}
        for device in self.devices:
            self.profiles.setdefault(self.profile(device), []).append(device)

    def profile(self, device: Device) -> _Profile:
        """What a device draws."""
        plan = self.left.plan
        return tuple(sorted((plan.names[number][1], amount) for number, amount in plan.takes(device)))

    def size(self, profile: _Profile) -> tuple[float, int]:
        """How large a profile is: its mean share of the counters of the set."""
        plan = self.left.plan
        totals = {plan.names[number][1]: plan.capacities[number] for number in self.positions}
        shares = [amount / totals[name] for name, amount in profile if totals.get(name)]
        return round(sum(shares) / max(1, len(totals)), 9), sum(amount for _, amount in profile)

    def freed(self, devices: Iterable[Device]) -> list[int]:
        """What would be left of the counters without some of the devices in use."""
        amounts = list(self.left.amounts)
        for device in devices:
            for number, amount in self.left.plan.takes(device):
                amounts[number] += amount
        return amounts

    def largest(self, amounts: Sequence[int], released: Iterable[Device] = ()) -> _Profile | None:
        """The largest profile of which a device could be had with so much left."""
        free_again = {device.id for device in released}
        fitting = [
            profile
            for profile, devices in self.profiles.items()
            if any(
                device.id in free_again or not self.is_held.get(device.id, False)
                for device in devices
                if self.fits(device, amounts)
            )
        ]
        return max(fitting, key=self.size, default=None)

    def fits(self, device: Device, amounts: Sequence[int] | None = None) -> bool:
        """Whether enough is left of all counters that a device draws from."""
        left = self.left.amounts if amounts is None else amounts
        return all(amount <= left[number] for number, amount in self.left.plan.takes(device))

    def held(self) -> list[Device]:
        """The devices in use."""
        return [device for device in self.devices if self.is_held.get(device.id, False)]


def _cards(snapshot: Snapshot) -> Iterator[_Card]:
    """The counter sets of all pools, each once, on the first node that sees it."""
    plans = Plans(snapshot.features.quirks)
    seen: set[tuple[int | str, str]] = set()
    usage = snapshot.usage
    for node in snapshot.nodes:
        supply = snapshot.node_devices.on(node.ref)
        if isinstance(supply, Fatal):
            continue
        for pool in supply.pools:
            is_held: dict[DeviceID, bool] = {}
            for device in (*pool.devices, *pool.background):
                if not device.consumes:
                    continue
                plan = plans.of(pool, device)
                if isinstance(plan, Fatal):
                    continue
                is_held = is_held or dict.fromkeys(usage.held_in(pool.id), True)
                for name in dict.fromkeys(entry.counter_set for entry in device.consumes):
                    key = (str(pool.id), name)
                    if key in seen:
                        continue
                    seen.add(key)
                    try:
                        yield _Card(node, pool, name, plans.left(plan, pool.id, usage), is_held)
                    except ValueError:
                        continue


class _Owners:
    """Who has which device: claims with their pods."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.claims: dict[str, list[DeviceID]] = {}
        self.of_device: dict[DeviceID, list[str]] = {}
        self.objects: Objects = scheduler.api_objects
        for claim in scheduler.api_objects.of_kind("ResourceClaim"):
            results = ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()
            for result in results:
                if result.get("adminAccess") is True:
                    continue
                device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
                self.claims.setdefault(full_name(claim), []).append(device)
                self.of_device.setdefault(device, []).append(full_name(claim))
        self.pods: dict[str, list[str]] = {}
        for pod in scheduler.pods():
            if pod.node is not None and not pod.is_finished:
                for claim in claims_and_special(pod, scheduler.api_objects):
                    self.pods.setdefault(full_name(claim), []).append(pod.full_name)


def _stranded(card: _Card, cards: Sequence[_Card], owners: _Owners, snapshot: Snapshot) -> Stranded | None:
    held = card.held()
    if not held or not any(card.left.amounts[number] > 0 for number in card.positions):
        return None
    fits = card.largest(card.left.amounts)
    largest = max(card.profiles, key=card.size)
    if fits is not None and card.size(fits) >= card.size(largest):
        return None
    claims = list(dict.fromkeys(claim for device in held for claim in owners.of_device.get(device.id, ())))
    names = _Names(card)
    holders = tuple(
        Holder(
            claim,
            tuple(owners.pods.get(claim, ())),
            tuple(device.id.device for device in held if claim in owners.of_device.get(device.id, ())),
        )
        for claim in claims
    )
    plan = card.left.plan
    counters = {
        plan.names[number][1]: (
            as_quantity(card.left.amounts[number], plan.sizes[plan.names[number]].format),
            plan.sizes[plan.names[number]],
        )
        for number in card.positions
    }
    return Stranded(
        driver=card.pool.id.driver,
        pool=card.pool.id.pool,
        node=card.node.name if _is_of_node(card) else None,
        counter_set=card.name,
        largest=names.of(largest),
        fits=None if fits is None else names.of(fits),
        counters=counters,
        holders=holders,
        move=_best_move(card, cards, claims, owners, names, fits, snapshot),
    )


def _is_of_node(card: _Card) -> bool:
    return all(device.slice.target.node_name == card.node.name for device in card.devices)


class _Names:
    """Names of profiles: an attribute that tells them apart, else what they draw."""

    def __init__(self, card: _Card) -> None:
        self._card = card
        self._attribute = self._telling()

    def of(self, profile: _Profile) -> str:
        """The name of a profile."""
        if self._attribute is not None:
            return _text(self._card.profiles[profile][0], self._attribute) or ""
        plan = self._card.left.plan
        forms = {
            plan.names[number][1]: plan.sizes[plan.names[number]].format for number in self._card.positions
        }
        return ", ".join(f"{name} {as_quantity(amount, forms.get(name, ''))}" for name, amount in profile)

    def _telling(self) -> str | None:
        """The attribute with one text for each profile, and another one for every other."""
        groups = list(self._card.profiles.values())
        names: set[str] = {
            name for devices in groups for device in devices for name in device.data.get("attributes") or ()
        }
        for name in sorted(names, key=lambda name: ("profile" not in name.lower(), name)):
            texts = [{_text(device, name) for device in devices} for devices in groups]
            found = set().union(*texts)
            # One text for each group, and none twice.
            if None not in found and len(found) == len(groups) == sum(map(len, texts)):
                return name
        return None


def _text(device: Device, attribute: str) -> str | None:
    entry: Mapping[str, object] = device.attribute(attribute) or {}
    found = entry.get("string")
    return found if isinstance(found, str) else None


class _Candidate(NamedTuple):
    """A claim that could be moved, and the largest profile that then fits."""

    claim: str
    wins: _Profile
    devices: list[Device]


def _best_move(
    card: _Card,
    cards: Sequence[_Card],
    claims: Iterable[str],
    owners: _Owners,
    names: _Names,
    fits: _Profile | None,
    snapshot: Snapshot,
) -> Move | None:
    """The move that wins the largest profile, of a claim with the fewest devices; None if none wins."""
    before = (-1.0, 0) if fits is None else card.size(fits)
    found = []
    for claim in claims:
        mine = set(owners.claims[claim])
        devices = [device for device in card.devices if device.id in mine]
        # A device that others share stays in use.
        devices = [device for device in devices if owners.of_device[device.id] == [claim]]
        wins = card.largest(card.freed(devices), devices)
        if wins is not None and card.size(wins) > before:
            found.append(_Candidate(claim, wins, devices))
    if not found:
        return None
    best = max(found, key=lambda entry: (card.size(entry.wins), -len(owners.claims[entry.claim])))
    to = _elsewhere(best, card, cards, owners, snapshot)
    return Move(best.claim, names.of(best.wins), None if to is None else str(to.id))


def _elsewhere(
    moved: _Candidate, card: _Card, cards: Sequence[_Card], owners: _Owners, snapshot: Snapshot
) -> Device | None:
    """A free device like the one that a claim gives up, of another counter set, that its request selects."""
    if len(owners.claims[moved.claim]) != 1:
        return None
    device = moved.devices[0]
    profile = card.profile(device)
    requests = _requests_for(moved.claim, device, owners, snapshot)
    others = sorted(
        (other for other in cards if other is not card and other.pool.id.driver == device.id.driver),
        # Where the least is left a further partition keeps out the least.
        key=lambda other: (
            (1.0, 0) if (most := other.largest(other.left.amounts)) is None else other.size(most)
        ),
    )
    for other in others:
        for candidate in other.profiles.get(profile, ()):
            if (
                not other.is_held.get(candidate.id, False)
                and other.fits(candidate)
                and any(
                    snapshot.matcher.mismatch(request, candidate, other.node.ref) is None
                    for request in requests
                )
            ):
                return candidate
    return None


def _requests_for(claim: str, device: Device, owners: _Owners, snapshot: Snapshot) -> list[Request]:
    """The requests of a claim that a device was allocated for."""
    namespace, _, name = claim.partition("/")
    item = owners.objects.get("ResourceClaim", namespace, name) or {}
    demand = demand_of(item, snapshot.device_class, snapshot.features)
    if isinstance(demand, Fatal):
        return []
    results = ((allocation_of(item) or {}).get("devices") or {}).get("results") or ()
    named = {result.get("request") for result in results if result.get("device") == device.id.device}
    return [request for ask in demand.asks for request in ask.alternatives if request.full_name in named]
