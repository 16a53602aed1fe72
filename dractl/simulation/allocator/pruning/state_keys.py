"""Keys for the state of a search: the choices that can affect the rest of it.

The scheduler's allocator tries what comes after a request again for every way in which the devices before it
can be chosen. Two situations are equal here if everything that comes after must end in the same way: the
same devices are left up to their kinds, constraints compare with the same values, and counters have the same
amounts reserved.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

from dractl.cluster.devices import Device
from dractl.simulation.allocator.checks.consumable import total
from dractl.simulation.allocator.checks.counters import Account
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.state import AllocationState
from dractl.simulation.allocator.model.demand import ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.pruning.symmetry import Symmetry

Place = tuple[int, int, int]
"""Claim, request and subrequest, which is -1 before the request begins."""

_Token = tuple[int, int, tuple[int, ...]]
"""Kind, number of the device if its kind is not enough (else -1), and what is consumed of it."""


class _Ahead:
    """The rest of a search: the request that it has begun, if any, and all later ones."""

    def __init__(
        self,
        current: Request | None,
        later: tuple[Request, ...],
        constraints: tuple[Constraint, ...],
        symmetry: Symmetry,
    ) -> None:
        self.current = current
        self.later = later
        self.constraints = constraints
        self.has_admin = any(request.admin_access for request in self.all)
        self._likeness = symmetry
        self._interests: dict[tuple[int, bool], bool] = {}

    @property
    def all(self) -> tuple[Request, ...]:
        return self.later if self.current is None else (self.current, *self.later)

    def wants(self, device: Device, *, only_later: bool) -> bool:
        """Whether a later request could take the device if it were free."""
        key = (self._likeness.kind(device), only_later)
        # By kind and not by device: devices of a kind are wanted alike, and there are few kinds.
        found = self._interests.get(key)
        if found is None:
            requests = self.later if only_later else self.all
            found = any(self._likeness.may_use(request, device) for request in requests)
            self._interests[key] = found
        return found


class StateKeys:
    """Computes the keys of the states of one search."""

    def __init__(
        self, claims: Sequence[ClaimDemand], supply: Supply, symmetry: Symmetry, features: Features
    ) -> None:
        """Hold what does not change during a search."""
        self._claims = claims
        self._supply = supply
        self._likeness = symmetry
        self._features = features
        self._tries_permutations = features.quirks.tries_permutations
        self._ahead: dict[Place, _Ahead] = {}
        self._accounts: dict[Place, frozenset[Account]] = {}

    def before(self, claim: int, ask: int, chosen: AllocationState) -> Hashable:
        """The key before a request and all its subrequests."""
        return self._of((claim, ask, -1), 0, chosen)

    def within(self, slot: Slot, chosen: AllocationState) -> Hashable:
        """The key within a request, without the position from which devices are tried."""
        return self._of((slot.claim, slot.ask, slot.alternative), slot.number, chosen)

    def _of(self, place: Place, number: int, chosen: AllocationState) -> Hashable:
        claim = place[0]
        ahead = self._requests_ahead(place)
        members = chosen.of_claim(claim)
        compared = tuple(
            self._compared(
                constraint,
                [(entry.request, entry.device) for entry in members if constraint.concerns(entry.request)],
            )
            for constraint in ahead.constraints
        )
        reserved: Hashable = ()
        if self._has_counters:
            reserved = chosen.reservations.state(self._accounts_ahead(place, ahead))
        so_far = _provided(ahead.current, chosen)
        held = (chosen.held_by(claim), number)
        return place, held, chosen.leaks, compared, reserved, so_far, self._tokens(place, ahead, chosen)

    def _compared(self, constraint: Constraint, members: list[tuple[Request, Device]]) -> Hashable:
        """The values of the chosen devices that a constraint compares with."""
        name = constraint.attribute
        if constraint.is_distinct:
            return frozenset(self._likeness.values(*member, name) for member in members)
        # No member yet: the next device may have any value.
        if not members:
            return None
        found = self._likeness.values(*members[0], name)
        if found is not None and len(found) > 1:
            for member in members[1:]:
                found &= self._likeness.values(*member, name) or found
        return found

    @cached_property
    def _has_counters(self) -> bool:
        return self._features.partitionable_devices and any(
            candidate.device.consumes for candidate in self._supply.candidates
        )

    def _tokens(
        self, place: Place, ahead: _Ahead, chosen: AllocationState
    ) -> tuple[tuple[_Token, ...], tuple[int, ...]]:
        """The allocated or partly consumed devices, and those that share a group with others."""
        marks: dict[Device, list[int]] = {}
        named: set[Device] = set()
        groups: list[int] = []
        for choice in chosen.stack:
            device = choice.device
            if choice.draws and self._features.compatibility_groups:
                groups.append(self._likeness.kind(device))
            is_own = choice.request is ahead.current
            # A device that nobody ahead wants may be taken or not: to leave it out is what lets a claim that
            # cannot be met fail once, instead of once for each way to meet those before it.
            if not ahead.wants(device, only_later=is_own and not self._tries_permutations):
                continue
            if ahead.current is not None and not is_own and self._likeness.may_use(ahead.current, device):
                # In the midst of a request it matters which of the devices that it may take are gone.
                named.add(device)
            if choice.is_share:
                # Equal amounts are one object.
                mark = id(choice.consumed)
            else:
                # Admin access does not share a device with its own claim, so it matters which has it.
                mark = int(ahead.has_admin and choice.slot.claim == place[0])
            marks.setdefault(device, []).append(mark)
        number = self._likeness.position
        tokens = (
            (self._likeness.kind(device), number[device] if device in named else -1, tuple(sorted(taken)))
            for device, taken in marks.items()
        )
        # Sorted, because the order in which devices were taken does not matter to what follows.
        return tuple(sorted(tokens)), tuple(sorted(groups))

    def _requests_ahead(self, place: Place) -> _Ahead:
        found = self._ahead.get(place)
        if found is None:
            claim, number, alternative = place
            asks = self._claims[claim].asks
            first = number if alternative < 0 else number + 1
            current = None if alternative < 0 else asks[number].alternatives[alternative]
            here = tuple(request for ask in asks[first:] for request in ask.alternatives)
            after = tuple(
                request for c in self._claims[claim + 1 :] for ask in c.asks for request in ask.alternatives
            )
            same = here if current is None else (current, *here)
            constraints = tuple(c for c in self._claims[claim].constraints if any(map(c.concerns, same)))
            found = _Ahead(current, (*here, *after), constraints, self._likeness)
            self._ahead[place] = found
        return found

    def _accounts_ahead(self, place: Place, ahead: _Ahead) -> frozenset[Account]:
        """The counters that a device of a later request might consume."""
        found = self._accounts.get(place)
        if found is None:
            found = self._accounts[place] = frozenset(
                self._supply.counters.account(candidate.pool, candidate.device)
                for candidate in self._supply.candidates
                if candidate.device.consumes and ahead.wants(candidate.device, only_later=False)
            )
        return found


def _provided(current: Request | None, chosen: AllocationState) -> Hashable:
    """What the devices of the current request provide so far, if that matters."""
    if current is None or not current.totals:
        return ()
    devices = [choice.device for choice in chosen.stack if choice.request is current]
    return tuple(
        str(total(device.capacity[name].value for device in devices if name in device.capacity))
        for name in current.totals
    )
