"""In which situation a search is: all of what was chosen that can matter from there on.

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
"""Claim, request and subrequest; the latter is -1 before a request as a whole."""

_Token = tuple[int, int, tuple[int, ...]]
"""Kind, number of the very device where the kind does not do (else -1), and what is taken of it."""


class _Ahead:
    """What comes after some point: the request in the midst of which it is, if any, and all later ones."""

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
        """Whether a request ahead could take the device if it were free."""
        key = (self._likeness.kind(device), only_later)
        # By kind and not by device: devices of a kind are wanted alike, and there are few kinds.
        found = self._interests.get(key)
        if found is None:
            requests = self.later if only_later else self.all
            found = any(self._likeness.may_use(request, device) for request in requests)
            self._interests[key] = found
        return found


class StateKeys:
    """Tells the situations of one search."""

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
        """The situation before a request, with all its subrequests."""
        return self._of((claim, ask, -1), 0, chosen)

    def within(self, slot: Slot, chosen: AllocationState) -> Hashable:
        """The situation in the midst of a request, but for the position from which on devices are tried."""
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
        """What a constraint remembers of the devices that it concerns."""
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
        """The devices that are gone, or have shares taken; and those that others must go with in a group."""
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
        """The counters from which a device might be drawn that a request ahead takes."""
        found = self._accounts.get(place)
        if found is None:
            found = self._accounts[place] = frozenset(
                self._supply.counters.account(candidate.pool, candidate.device)
                for candidate in self._supply.candidates
                if candidate.device.consumes and ahead.wants(candidate.device, only_later=False)
            )
        return found


def _provided(current: Request | None, chosen: AllocationState) -> Hashable:
    """What the devices of the request in the midst of which the search is provide so far, if that matters."""
    if current is None or not current.totals:
        return ()
    devices = [choice.device for choice in chosen.stack if choice.request is current]
    return tuple(
        str(total(device.capacity[name].value for device in devices if name in device.capacity))
        for name in current.totals
    )
