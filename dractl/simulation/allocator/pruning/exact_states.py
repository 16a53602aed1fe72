"""Exact keys for the state of a search, for inputs in which bugs of older allocators matter.

There neither the order of choices nor what was given back may be left out of account, so nothing stands for
anything else: two situations are equal only if everything that the search can look at from there on is. What
it does next follows from that, so it need not go twice to where it found nothing and left nothing behind.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dractl.cluster.devices import Device
from dractl.cluster.pools import PoolState
from dractl.records import NamedTuple
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import AllDevices
from dractl.simulation.allocator.device.state import AllocationState, Choice
from dractl.simulation.allocator.model.demand import ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import Fatal

_WHOLE = -1
"""Marks a state before a request, where no subrequest is chosen yet."""


class _Ahead(NamedTuple):
    """The request that the search has begun, if any, and all requests that may follow."""

    current: Request | None
    requests: tuple[Request, ...]


class ExactStateKeys:
    """Computes the keys of the states of one search."""

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        checks: DeviceChecks,
        features: Features,
        all_devices: AllDevices,
    ) -> None:
        """Hold what does not change during a search."""
        self._claims = claims
        self._trial = checks
        self._features = features
        self._quirks = features.quirks
        self._every = {r: frozenset(entry.device for entry in found) for r, found in all_devices.items()}
        self._has_admin = any(
            r.admin_access for claim in claims for ask in claim.asks for r in ask.alternatives
        )
        self._counts_all = self._looks_at_all(supply)
        self._ahead: dict[tuple[int, int, int], _Ahead] = {}
        self._matters: dict[tuple[tuple[int, int, int], Device], bool] = {}
        self._written: dict[tuple[str, Device], str] = {}

    def _looks_at_all(self, supply: Supply) -> bool:
        """Whether a mark on a device can matter to requests that do not match it."""
        if self._quirks.counters_by_device or any(pool.state is PoolState.INVALID for pool in supply.pools):
            # Of a device in an invalid pool it matters for which reason it is refused.
            return True
        devices = [candidate.device for candidate in supply.candidates]
        return len({device.id for device in devices}) < len(devices)

    def before(self, claim: int, ask: int, chosen: AllocationState) -> Hashable:
        """The key before a request and all its subrequests."""
        return self._of(Slot(claim, ask, _WHOLE, 0), 0, chosen)

    def within(self, slot: Slot, start: int, chosen: AllocationState) -> Hashable:
        """The key within a request, whose devices are tried from a position on."""
        return self._of(slot, start, chosen)

    def _of(self, slot: Slot, start: int, chosen: AllocationState) -> Hashable:
        ahead = self._requests_ahead(slot)
        claims = range(slot.claim, len(self._claims))
        # Device names instead of kinds, and the start as a part of the key: equal situations are fewer, but
        # nothing that a quirk could see is left out. A row of 1.34 took 135 s without, and takes 0.7 s.
        return (
            slot,
            start,
            self._tokens(slot, chosen),
            tuple(chosen.held_by(claim) for claim in claims),
            tuple(self._members(claim, chosen) for claim in claims),
            chosen.reservations.state(None),
            frozenset(chosen.once_shared),
            None if chosen.remembered is None else chosen.remembered.state(slot.claim),
            self._of_current(ahead.current, chosen),
        )

    def _tokens(self, slot: Slot, chosen: AllocationState) -> Hashable:
        """The devices that are marked or partly consumed and that a later request may take."""
        place = (slot.claim, slot.ask, slot.alternative)
        drawing = self._features.compatibility_groups
        return (
            frozenset(
                (choices[0].device.id, self._marks(choices))
                for choices in chosen.marked()
                if self._can_matter(place, choices[0].device)
            ),
            frozenset(choice.device.id for choice in chosen.stack if choice.draws) if drawing else (),
        )

    def _marks(self, choices: Sequence[Choice]) -> Hashable:
        """The marks of a device: its users, as far as they matter, and the consumed shares."""
        whole_devices: set[tuple[bool, int]] = set()
        shares: list[int] = []
        for choice in choices:
            if choice.is_share:
                # Equal amounts are one object.
                shares.append(id(choice.consumed))
            else:
                claim = choice.slot.claim if self._has_admin else 0
                whole_devices.add((choice.request.admin_access, claim))
        return frozenset(whole_devices), tuple(sorted(shares))

    def _can_matter(self, place: tuple[int, int, int], device: Device) -> bool:
        key = (place, device)
        found = self._matters.get(key)
        if found is None:
            found = self._matters[key] = (
                self._counts_all
                or (self._quirks.rechecks_another_device and device.is_multi_use)
                or any(self._may_use(request, device) for request in self._ahead[place].requests)
            )
        return found

    def _may_use(self, request: Request, device: Device) -> bool:
        if request.is_all:
            return device in self._every[request]
        reason = self._trial.mismatch(request, device)
        return reason is None or isinstance(reason, Fatal)

    def _members(self, claim: int, chosen: AllocationState) -> Hashable:
        """The values that the constraints of a claim compare with, without those of distinctAttribute."""
        members = chosen.of_claim(claim)
        return tuple(
            self._compared(rule, [entry for entry in members if rule.concerns(entry.request)])
            for rule in self._claims[claim].constraints
            if not (rule.is_distinct and chosen.remembered is not None)
        )

    def _compared(self, rule: Constraint, members: Sequence[Choice]) -> Hashable:
        if members and not rule.is_distinct and not self._features.list_type_attributes:
            # Whatever has joined it has the value of the first.
            members = members[:1]
        return frozenset(self._value(entry.request, entry.device, rule.attribute) for entry in members)

    def _value(self, request: Request, device: Device, name: str) -> str:
        """An attribute as written: attributes written alike compare alike."""
        derived = request.derived_attributes.get(name)
        key = (name if derived is None else f"={derived}", device)
        found = self._written.get(key)
        if found is None:
            found = self._written[key] = repr(self._trial.attribute(request, device, name))
        return found

    def _of_current(self, current: Request | None, chosen: AllocationState) -> Hashable:
        """The devices of the current request, if they must provide something together."""
        if current is None or not current.totals:
            return ()
        return tuple(entry.device.id for entry in chosen.stack if entry.request is current)

    def _requests_ahead(self, slot: Slot) -> _Ahead:
        place = (slot.claim, slot.ask, slot.alternative)
        found = self._ahead.get(place)
        if found is None:
            asks = self._claims[slot.claim].asks
            current = None if slot.alternative == _WHOLE else asks[slot.ask].alternatives[slot.alternative]
            later = asks[slot.ask + (current is not None) :]
            others = [ask for claim in self._claims[slot.claim + 1 :] for ask in claim.asks]
            requests = tuple(request for ask in (*later, *others) for request in ask.alternatives)
            found = _Ahead(current, requests if current is None else (current, *requests))
            self._ahead[place] = found
        return found
