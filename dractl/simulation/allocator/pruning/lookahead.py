"""Proves before a long search ends that it, or some of its choices, cannot succeed.

The scheduler's allocator does not look ahead: it goes through all choices for earlier requests before it
gives up on a later one that nothing can satisfy. To say so at once is right only if no choice on the way can
end in an error, since that would be the answer then. Every check here asks for less than the search does, so
what fails here cannot be found there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dractl.api import budgets
from dractl.cluster.devices import Device
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks import counters
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import AllDevices, size
from dractl.simulation.allocator.model.demand import Ask, ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.pruning.assignment import SlotDemand, can_be_met
from dractl.simulation.allocator.pruning.packing_bounds import claims_fit_groups
from dractl.simulation.allocator.pruning.preconditions import forgets_values
from dractl.simulation.allocator.pruning.symmetry import Symmetry

Usable = Mapping[Request, frozenset[Device]]


_NO_QUIRKS = Quirks()


class Lookahead(NamedTuple):
    """Whether the search must fail, and the devices that cannot help each request.

    ``pairs`` is how many pairs of wish and device were looked at for that.
    """

    is_infeasible: bool
    infeasible: Usable
    pairs: int = 0


OPEN = Lookahead(is_infeasible=False, infeasible={})
"""The search may still succeed, with every device."""
_HOPELESS = Lookahead(is_infeasible=True, infeasible={})


def lookahead(
    claims: Sequence[ClaimDemand],
    supply: Supply,
    symmetry: Symmetry,
    all_devices: AllDevices,
    quirks: Quirks = _NO_QUIRKS,
) -> Lookahead:
    """Find the requests that cannot be met, whatever the others get."""
    if not symmetry.is_order_independent:
        return OPEN
    if quirks.all_skips_missing and _may_skip(symmetry, all_devices):
        return OPEN
    snapshot = _View(supply, symmetry, all_devices, quirks)
    asks = [ask for claim in claims for ask in claim.asks]
    usable: dict[Request, frozenset[Device]] = {
        request: devices - _promised(request, asks, all_devices)
        for request, devices in symmetry.usable.items()
    }
    # From the claims by themselves to all of them together: a claim that fails alone costs the least to
    # find.
    for claim in claims:
        if not snapshot.narrow(claim, usable):
            return _HOPELESS._replace(pairs=snapshot.pairs)
    # Hall: requests that want more devices between them than they match, whichever those are. Admin access
    # shares devices, so its requests take none from the others.
    if not can_be_met(snapshot.goals([ask for ask in asks if not _has_admin(ask)], usable)):
        return _HOPELESS
    if not (snapshot.has_counters_for(asks, usable) and snapshot.allows_least(asks, usable)):
        return _HOPELESS
    if not claims_fit_groups(claims, symmetry, all_devices, usable):
        return _HOPELESS
    infeasible = {request: symmetry.usable[request] - left for request, left in usable.items()}
    infeasible = {request: found for request, found in infeasible.items() if found}
    return Lookahead(is_infeasible=False, infeasible=infeasible, pairs=snapshot.pairs)


def _may_skip(symmetry: Symmetry, all_devices: AllDevices) -> bool:
    """Whether a request for all devices may be met with some of them (1.31)."""
    return len(all_devices) > 1 or any(
        candidate.device not in symmetry.usable[request]
        for request, found in all_devices.items()
        for candidate in found
    )


def _promised(request: Request, asks: Sequence[Ask], all_devices: AllDevices) -> frozenset[Device]:
    """The devices that other All requests must have and cannot share."""
    if request.admin_access:
        return frozenset()
    return frozenset(
        candidate.device
        for ask in asks
        for other in ask.alternatives
        if other.is_all and other is not request and not ask.is_prioritized and not other.admin_access
        for candidate in all_devices[other]
        if not candidate.device.is_multi_use
    )


def _has_admin(ask: Ask) -> bool:
    return any(request.admin_access for request in ask.alternatives)


class _View:
    """The inputs of one look ahead."""

    def __init__(self, supply: Supply, symmetry: Symmetry, all_devices: AllDevices, quirks: Quirks) -> None:
        self.quirks = quirks
        self.pairs = 0
        self.supply = supply
        self.symmetry = symmetry
        self.all_devices = all_devices
        self.pools = {candidate.device: candidate.pool for candidate in supply.candidates}

    def narrow(self, claim: ClaimDemand, usable: dict[Request, frozenset[Device]]) -> bool:
        """Drop devices that the claim cannot get; return whether the claim alone can be met."""
        for ask in claim.asks:
            for request in ask.alternatives:
                if not self._is_enough(request, usable[request]):
                    usable[request] = frozenset()
        # With two constraints each group of one can be large enough and none of both: 4e15 steps for a plain
        # search, 5,000 with this.
        groups = _Groups(self, claim)
        found = list(groups.large_enough(usable))
        if not groups.is_complete:
            return True
        for request, devices in list(usable.items()):
            rules = [n for n, rule in enumerate(groups.rules) if rule.concerns(request)]
            if rules and any(request in ask.alternatives for ask in claim.asks):
                usable[request] = groups.within(request, devices, rules, found)
        return bool(found)

    def _is_enough(self, request: Request, devices: frozenset[Device]) -> bool:
        if request.is_all:
            wanted = self.all_devices[request]
            return all(candidate.device in devices for candidate in wanted)
        if self._may_repeat(devices):
            return True
        return len(devices) >= request.count and self._holds(devices) >= request.count

    def _may_repeat(self, devices: frozenset[Device]) -> bool:
        """Whether one request may get the same device several times."""
        return self.quirks.tries_permutations and any(device.is_multi_use for device in devices)

    def can_be_met(self, claim: ClaimDemand, usable: Usable) -> bool:
        """Whether each request can have its own devices, and its own values if it must."""
        asks = [ask for ask in claim.asks if not (self.quirks.admin_ignores_choices and _has_admin(ask))]
        goals = self.goals(asks, usable)
        self.pairs += sum(goal.number for goal in goals) * sum(len(goal.among) for goal in goals)
        if not can_be_met(goals):
            return False
        if forgets_values([claim], self.quirks):
            # A value may come again once it is forgotten.
            return True
        # A matching of requests with values instead of devices: 9 requests for 8 values are 2e14 steps
        # otherwise.
        distinct = (rule for rule in claim.constraints if rule.is_distinct)
        return all(can_be_met(self._value_wishes(claim, rule, usable)) for rule in distinct)

    def goals(self, asks: Sequence[Ask], usable: Usable) -> list[SlotDemand]:
        """The fewest devices of each request over its subrequests; shared devices serve all."""
        found = []
        for ask in asks:
            open_to = frozenset[Device]().union(*(usable[request] for request in ask.alternatives))
            alone = frozenset(device for device in open_to if not device.is_multi_use)
            fewest = self._fewest(ask, usable)
            if fewest is None:
                found.append(SlotDemand(1, ()))
            elif self._may_repeat(open_to):
                found.append(SlotDemand(0, ()))
            else:
                found.append(SlotDemand(max(0, fewest - (len(open_to) - len(alone))), alone))
        return found

    def _fewest(self, ask: Ask, usable: Usable) -> int | None:
        """The fewest devices that meet a request; None if it cannot be met."""
        sizes = [
            size(request, self.all_devices)
            for request in ask.alternatives
            if usable[request] or not size(request, self.all_devices)
        ]
        return min(sizes, default=None)

    def _value_wishes(self, claim: ClaimDemand, rule: Constraint, usable: Usable) -> list[SlotDemand]:
        found = []
        for ask in claim.asks:
            if all(rule.concerns(request) for request in ask.alternatives):
                values = {
                    value
                    for request in ask.alternatives
                    for device in usable[request]
                    for value in self.symmetry.values(request, device, rule.attribute) or ()
                }
                found.append(SlotDemand(self._fewest(ask, usable) or 0, values))
        return found

    def has_counters_for(self, asks: Sequence[Ask], usable: Usable) -> bool:
        """Whether the counters allow as many devices as all requests need at least."""
        open_to = frozenset[Device]().union(*usable.values())
        if any(device.is_multi_use for device in open_to) or any(map(_has_admin, asks)):
            return True
        return self._holds(open_to) >= sum(self._fewest(ask, usable) or 0 for ask in asks)

    def allows_least(self, asks: Sequence[Ask], usable: Usable) -> bool:
        """Whether each counter allows the least that all requests take of it together."""
        drawing: dict[counters.Account, list[Device]] = {}
        for device in frozenset[Device]().union(*usable.values()) & self.symmetry.drawing:
            # Shares of a device take its counters once, with whichever request comes first.
            if not device.is_multi_use:
                account = self.supply.counters.account(self.pools[device], device)
                drawing.setdefault(account, []).append(device)
        for devices in drawing.values():
            left = self.supply.counters.of(self.pools[devices[0]], devices[0])
            if isinstance(left, counters.Left):
                takes = {device: dict(left.plan.takes(device)) for device in devices}
                for position, amount in enumerate(left.amounts):
                    wanted = sum(self._takes_least(ask, usable, takes, position) for ask in asks)
                    if wanted > max(0, amount):
                        return False
        return True

    def _takes_least(
        self, ask: Ask, usable: Usable, takes: Mapping[Device, Mapping[int, int]], position: int
    ) -> int:
        """The least that any alternative of a request takes of a counter."""
        if _has_admin(ask):
            return 0
        # Alternatives that need few large devices, or many small ones, are weighed by what they take.
        return min(
            sum(
                sorted(
                    takes[device].get(position, 0) if device in takes else 0 for device in usable[request]
                )[: size(request, self.all_devices)]
            )
            for request in ask.alternatives
        )

    def _holds(self, devices: frozenset[Device]) -> int:
        """The most devices that the counters allow together."""
        free = 0
        drawing: dict[counters.Account, list[Device]] = {}
        for device in devices:
            if device in self.symmetry.drawing:
                account = self.supply.counters.account(self.pools[device], device)
                drawing.setdefault(account, []).append(device)
            else:
                free += 1
        return free + sum(map(self._holds_of_one, drawing.values()))

    def _holds_of_one(self, devices: list[Device]) -> int:
        left = self.supply.counters.of(self.pools[devices[0]], devices[0])
        if not isinstance(left, counters.Left):
            return len(devices)
        takes = [dict(left.plan.takes(device)) for device in devices]
        most = len(devices)
        for position, amount in enumerate(left.amounts):
            # The smallest devices first, each counter by itself: more than can really be had together, and
            # never less.
            wanted = sorted(taken.get(position, 0) for taken in takes)
            total = fit = 0
            for one in wanted:
                total += one
                # What is overdrawn keeps out those that take of it (1.33), or all, which are not usable then.
                fit += total <= max(0, amount)
            most = min(most, fit)
        return most


class _Groups:
    """The groups in which the matchAttribute constraints of a claim split devices."""

    def __init__(self, snapshot: _View, claim: ClaimDemand) -> None:
        self.snapshot = snapshot
        self.claim = claim
        self.rules = [rule for rule in claim.constraints if not rule.is_distinct]
        self.requests = [request for ask in claim.asks for request in ask.alternatives]
        self.tried = 0

    @property
    def is_complete(self) -> bool:
        """Whether all groups were checked."""
        return (
            self.tried <= budgets.LOOK_AHEAD_GROUPS.value and self.snapshot.pairs <= budgets.LOOK_AHEAD.value
        )

    def large_enough(self, usable: Usable, values: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
        """The combinations of one value per constraint with which the claim may be met."""
        self.tried += 1
        # Values of constraints multiply. A combination takes about 0.1 ms, so that after a thousand of them
        # what is known so far is dropped and the search goes on without.
        if not self.is_complete or not self.snapshot.can_be_met(self.claim, usable):
            return
        if len(values) == len(self.rules):
            yield values
            return
        rule = self.rules[len(values)]
        split = {
            request: self._split(request, usable[request], rule)
            for request in self.requests
            if rule.concerns(request)
        }
        # None: no device is chosen that the constraint concerns.
        options: dict[object, None] = {None: None}
        for groups in split.values():
            options.update(dict.fromkeys(groups))
        for value in options:
            narrowed = {**usable, **{request: groups.get(value, _NONE) for request, groups in split.items()}}
            yield from self.large_enough(narrowed, (*values, value))

    def _split(
        self, request: Request, devices: frozenset[Device], rule: Constraint
    ) -> dict[object, frozenset[Device]]:
        groups: dict[object, set[Device]] = {}
        for device in devices:
            for value in self.snapshot.symmetry.values(request, device, rule.attribute) or ():
                groups.setdefault(value, set()).add(device)
        return {value: frozenset(found) for value, found in groups.items()}

    def within(
        self,
        request: Request,
        devices: frozenset[Device],
        rules: Sequence[int],
        found: Sequence[tuple[object, ...]],
    ) -> frozenset[Device]:
        """The devices of any combination."""
        projected = {tuple(values[number] for number in rules) for values in found}
        symmetry = self.snapshot.symmetry

        def is_in(device: Device) -> bool:
            own = [symmetry.values(request, device, self.rules[n].attribute) or () for n in rules]
            return any(
                all(value in values for value, values in zip(wanted, own, strict=True))
                for wanted in projected
            )

        return frozenset(filter(is_in, devices))


_NONE: frozenset[Device] = frozenset()
