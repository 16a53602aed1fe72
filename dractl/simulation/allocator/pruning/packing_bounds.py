"""Proves that shares are too many for what devices have, or claims too many for the groups of devices.

Shares go into the capacity of multi-use devices like things into bins. So do claims with a matchAttribute
constraint: each needs all its devices from one group, in which all have the same value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dractl.cluster.devices import Device
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.counters import billionths
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import AllDevices, size
from dractl.simulation.allocator.device.state import AllocationState
from dractl.simulation.allocator.model.demand import Ask, ClaimDemand, Request
from dractl.simulation.allocator.pruning.packing import Packing
from dractl.simulation.allocator.pruning.symmetry import Symmetry

Usable = Mapping[Request, frozenset[Device]]
_Place = tuple[int, int]

_MOST_NAMES = 4
"""Of so many capacities it is looked ahead."""


class _Wish(NamedTuple):
    """The fewest things that an ask or claim needs, their least size, and where they may go."""

    number: int
    size: int
    among: frozenset[Device]


class _Capacity:
    """One capacity: the shares that are wanted of it, and what devices have."""

    def __init__(self, wishes: Mapping[_Place, _Wish], rooms: Mapping[Device, int]) -> None:
        self.wishes = wishes
        among = frozenset[Device]().union(*(wish.among for wish in wishes.values()))
        self.single = [device for device in among if not device.is_multi_use]
        self.rooms = {device: room for device, room in rooms.items() if device in among}
        self.packing = Packing((wish.size for wish in wishes.values()), self.rooms.values())
        self._ahead: dict[_Place, Counter[int]] = {}

    def is_open(self) -> bool:
        """Whether all wishes may be met together, and those that want the same devices may."""
        every = frozenset((*self.rooms, *self.single))
        for among in {wish.among for wish in self.wishes.values()} | {every}:
            inside = [wish for wish in self.wishes.values() if wish.among <= among]
            bins = Counter(room for device, room in self.rooms.items() if device in among)
            single = sum(device in among for device in self.single)
            if not self.packing.fits(_things(inside), bins, single):
                return False
        return True

    def is_open_from(self, place: _Place, name: str, chosen: AllocationState) -> bool:
        """Whether what is wanted from a place on may fit beside what is chosen."""
        things = self._ahead.get(place)
        if things is None:
            things = _things([wish for other, wish in self.wishes.items() if other >= place])
            self._ahead[place] = things
        bins: Counter[int] = Counter()
        for device, room in self.rooms.items():
            shares = (one.consumed for one in chosen.of_device(device))
            bins[room - sum(billionths(taken[name]) for taken in shares if name in taken)] += 1
        single = sum(not chosen.of_device(device) for device in self.single)
        return self.packing.fits(things, bins, single)


def _things(wishes: Sequence[_Wish]) -> Counter[int]:
    found: Counter[int] = Counter()
    for wish in wishes:
        found[wish.size] += wish.number
    return found


class SharePacking:
    """The shares that claims want, by capacity."""

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        checks: DeviceChecks,
        all_devices: AllDevices,
        usable: Usable,
    ) -> None:
        """Read what each request takes at least of each device that it may have."""
        self._claims = claims
        self._checks = checks
        self._all_devices = all_devices
        self._usable = usable
        shared = {
            device: checks.capacities(device)
            for device in frozenset[Device]().union(*usable.values())
            if device.is_multi_use
        }
        names = dict.fromkeys(name for capacities in shared.values() for name in capacities)
        self._capacities: dict[str, _Capacity] = {}
        for name in sorted(names)[:_MOST_NAMES]:
            try:
                wishes = dict(self._wishes(name))
                rooms: dict[Device, int] = {}
                for device, capacities in shared.items():
                    if name in capacities:
                        taken = supply.usage.consumed.get(device.id, {})
                        used = billionths(taken[name]) if name in taken else 0
                        rooms[device] = billionths(capacities[name].value) - used
            except ValueError:
                # An amount with too many digits, or a negative one, which would make room for others.
                continue
            if wishes:
                self._capacities[name] = _Capacity(wishes, rooms)

    def __bool__(self) -> bool:
        """Whether any capacity is shared."""
        return bool(self._capacities)

    def is_open(self) -> bool:
        """Whether all shares together may fit."""
        return all(capacity.is_open() for capacity in self._capacities.values())

    def is_open_from(self, place: _Place, chosen: AllocationState) -> bool:
        """Whether those of a claim's request and all later ones may fit beside what is chosen."""
        return all(capacity.is_open_from(place, name, chosen) for name, capacity in self._capacities.items())

    def _wishes(self, name: str) -> Iterator[tuple[_Place, _Wish]]:
        for number, claim in enumerate(self._claims):
            for position, ask in enumerate(claim.asks):
                least = self._least(name, ask)
                if any(request.is_all or request.admin_access for request in ask.alternatives):
                    continue
                among = frozenset[Device]().union(*(self._usable[request] for request in ask.alternatives))
                count = min(size(request, self._all_devices) for request in ask.alternatives)
                if least:
                    yield (number, position), _Wish(count, least, among)

    def _least(self, name: str, ask: Ask) -> int:
        """The least amount that a share takes; 0 where one may go to a device without the capacity."""
        amounts = []
        for request in ask.alternatives:
            for device in self._usable[request]:
                if device.is_multi_use:
                    taken = self._checks.share(request, device)
                    amounts.append(billionths(taken[name]) if name in taken else 0)
        least = min(amounts, default=0)
        if least < 0:
            raise ValueError(f"capacity {name}: an amount is negative")
        return least


def claims_fit_groups(
    claims: Sequence[ClaimDemand], symmetry: Symmetry, all_devices: AllDevices, usable: Usable
) -> bool:
    """Whether claims that need devices of one value each may find enough groups; False is a proof."""
    names = dict.fromkeys(rule.attribute for claim in claims for rule in claim.constraints)
    return all(_fits_groups(claims, name, symmetry, all_devices, usable) for name in names)


def _fits_groups(
    claims: Sequence[ClaimDemand],
    name: str,
    symmetry: Symmetry,
    all_devices: AllDevices,
    usable: Usable,
) -> bool:
    groups: dict[Device, object] = {}
    wishes = []
    for claim in claims:
        rules = [rule for rule in claim.constraints if rule.attribute == name and not rule.is_distinct]
        for rule in rules[:1]:
            asks = [
                ask
                for ask in claim.asks
                if all(_is_held(rule.concerns(r), r, usable) for r in ask.alternatives)
            ]
            number = sum(min(size(r, all_devices) for r in ask.alternatives) for ask in asks)
            requests = [request for ask in asks for request in ask.alternatives]
            for request in requests:
                for device in usable[request]:
                    values = symmetry.values(request, device, name)
                    # A device of several groups, or of another one for another request.
                    if values is None or len(values) != 1 or groups.setdefault(device, values) != values:
                        return True
            if number:
                among = frozenset[Device]().union(*(usable[request] for request in requests))
                wishes.append(_Wish(1, number, among))
    if len(wishes) < 2:
        return True
    packing = Packing((wish.size for wish in wishes), Counter(groups.values()).values())
    every = frozenset(groups)
    for among in {wish.among for wish in wishes} | {every}:
        inside = [wish for wish in wishes if wish.among <= among]
        rooms = Counter(Counter(groups[device] for device in among).values())
        if not packing.fits(_things(inside), rooms):
            return False
    return True


def _is_held(is_concerned: bool, request: Request, usable: Usable) -> bool:
    """Whether devices of the request count for a group, and belong to its claim alone."""
    return is_concerned and not request.admin_access and not any(d.is_multi_use for d in usable[request])
