"""Finds devices that no request can distinguish, and whether the search can fail with an error.

Where it cannot, the order in which choices are tried decides only which solution is found first, not whether
there is one: so devices of one kind stand for each other in what a long search remembers, and choices that
lead nowhere can be left out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from dractl.cluster.devices import Attribute, Device
from dractl.simulation.allocator.checks.constraints import SCALARS, elements, scalar
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Candidate, Supply
from dractl.simulation.allocator.device.preparation import AllDevices
from dractl.simulation.allocator.device.state import AllocationState, Choice
from dractl.simulation.allocator.model.demand import ClaimDemand, Constraint, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import Fatal, Reason

Values = frozenset[tuple[str, object]]
"""The value that a constraint compares, with its type; several for a list."""


class Symmetry:
    """The devices of one search, grouped by kind.

    ``is_order_independent``: no choice can end in an error, and the order of choices within a request
    does not matter. ``usable``: the devices that each request could have if it were alone, and
    ``drawing`` those of them that take counters when they are chosen first; both are complete only where
    the order does not matter. A device of which some claim has a share already took its counters then.
    """

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        checks: DeviceChecks,
        features: Features,
        all_devices: AllDevices,
    ) -> None:
        """Check every device against every request."""
        self._claims = claims
        self._supply = supply
        self._trial = checks
        self._features = features
        self._all_devices = all_devices
        self._values: dict[tuple[str, Device], Values | None] = {}
        self._nothing: AllocationState | None = None
        self.usable: dict[Request, frozenset[Device]] = {}
        self.drawing: set[Device] = set()
        self.position = {candidate.device: n for n, candidate in enumerate(supply.candidates)}
        self.is_order_independent = (
            self._find_usable() and not self._may_break_all() and not self._has_turns()
        )
        # Where an error is possible, every device is a kind of its own: which device is looked at first then
        # decides the result.
        self._kinds = self._sorted() if self.is_order_independent else self.position

    @property
    def devices(self) -> Iterable[Device]:
        """All devices, in the order in which they are tried."""
        return self.position

    # Kinds are what makes situations few: 10 requests on 9 equal devices take 1,204 steps with them and
    # 8,465 without; 4 claims on 30 devices 1,440 and 268,669.
    def kind(self, device: Device) -> int:
        """The number of a kind: equal for devices that no request can distinguish."""
        return self._kinds[device]

    def may_use(self, request: Request, device: Device) -> bool:
        """Whether a request might take the device, or fail with an error on it."""
        if self.is_order_independent:
            return device in self.usable[request]
        reason = self._trial.mismatch(request, device)
        return reason is None or isinstance(reason, Fatal)

    def values(self, request: Request, device: Device, name: str) -> Values | None:
        """The values that constraints compare; None if the device lacks the attribute.

        Where lists are not compared as sets, one is a value that equals no other.
        """
        derived = request.derived_attributes.get(name)
        key = (name if derived is None else f"={derived}", device)
        if key not in self._values:
            self._values[key] = self._read(self._trial.attribute(request, device, name), device)
        return self._values[key]

    def _read(self, attribute: Attribute | Fatal | None, device: Device) -> Values | None:
        if attribute is None or isinstance(attribute, Fatal):
            return None
        if self._features.list_type_attributes:
            return frozenset(elements(attribute))
        value = scalar(attribute, SCALARS)
        return frozenset([("", device.id) if value is None else value])

    def _requests(self) -> Iterator[tuple[Slot, Request]]:
        for number, claim in enumerate(self._claims):
            for position, ask in enumerate(claim.asks):
                for alternative, request in enumerate(ask.alternatives):
                    yield Slot(number, position, alternative, 0), request

    def _find_usable(self) -> bool:
        """Try every device for every request; return whether none causes an error.

        What a device is refused for when nothing is chosen yet, it is always refused for: every further
        choice only takes something away.
        """
        for slot, request in self._requests():
            # One pass over requests times devices, paid only after a search has run for a thousand steps.
            found = set()
            for candidate in self._supply.candidates:
                choices = self._tried_alone(slot, request, candidate)
                # What is in use is not looked at further, but an error might hide behind it.
                for reason in (*choices, self._trial.mismatch(request, candidate.device)):
                    if isinstance(reason, Fatal):
                        return False
                taken = [choice for choice in choices if isinstance(choice, Choice)]
                if taken:
                    found.add(candidate.device)
                if any(choice.draws for choice in taken) or (
                    taken and self._marks_counters(request, candidate)
                ):
                    self.drawing.add(candidate.device)
            self.usable[request] = frozenset(found)
        return True

    def _marks_counters(self, request: Request, candidate: Candidate) -> bool:
        """Whether a device takes counters by being marked (1.33)."""
        features = self._features
        return (
            features.quirks.counters_by_device
            and features.partitionable_devices
            and not request.admin_access
            and bool(candidate.device.consumes)
        )

    def _tried_alone(
        self, slot: Slot, request: Request, candidate: Candidate
    ) -> list[Choice | Reason | Fatal]:
        """The result for a device with nothing chosen yet, for each slot of the request that can differ."""
        differs = self._features.quirks.rechecks_another_device and not request.is_all
        return [
            self._trial.any_device(slot._replace(number=number), request, candidate, self._blank())
            for number in range(request.count if differs else 1)
        ]

    def _blank(self) -> AllocationState:
        """An empty state; the previous one if no device was abandoned in it."""
        last = self._nothing
        # One state serves all pairs of request and device; it is made anew only where a quirk may have left
        # something in it.
        if last is None or last.remembered is not None or last.leaks or last.reservations.state(None):
            last = self._nothing = self._trial.nothing_chosen()
        return last

    def _may_break_all(self) -> bool:
        """Whether a constraint might reject a device of an All request, which is an error."""
        return any(
            any(request.is_all for request in concerned) and self._may_refuse(constraint, concerned)
            for claim in self._claims
            for constraint in claim.constraints
            for concerned in [[r for ask in claim.asks for r in ask.alternatives if constraint.concerns(r)]]
        )

    def _may_refuse(self, constraint: Constraint, concerned: Sequence[Request]) -> bool:
        """Whether devices differ for a constraint; with one common value it rejects none."""
        if constraint.is_distinct:
            return True
        found = {
            self.values(request, device, constraint.attribute)
            for request in concerned
            for device in (*self.usable[request], *(c.device for c in self._all_devices.get(request, ())))
        }
        return any(values is None or len(values) != 1 for values in found) or len(found) > 1

    def _has_turns(self) -> bool:
        """Whether distinctAttribute meets a list: an error for all but the first device of a claim."""
        return not self._features.list_type_attributes and any(
            _is_list(self._trial.attribute(request, device, constraint.attribute))
            for claim in self._claims
            for constraint in claim.constraints
            if constraint.is_distinct
            for ask in claim.asks
            for request in ask.alternatives
            if constraint.concerns(request)
            for device in self.usable[request]
        )

    def _sorted(self) -> dict[Device, int]:
        kinds: dict[Hashable, int] = {}
        requests = [request for _, request in self._requests()]
        rules = [
            (request, constraint)
            for claim in self._claims
            for ask in claim.asks
            for request in ask.alternatives
            for constraint in claim.constraints
            if constraint.concerns(request)
        ]
        every = [frozenset(entry.device for entry in found) for found in self._all_devices.values()]
        found = {}
        for candidate in self._supply.candidates:
            device = candidate.device
            # Everything that a later check can ask of a device, but for its name. What is missing here would
            # make the search wrong, what is too much only slower; tests/simulation/test_plain_search.py
            # compares with a search that knows no kinds.
            looks: Hashable = (
                tuple(device in self.usable[request] for request in requests),
                tuple(device in devices for devices in every),
                self._compared(device, rules),
                self._drawn(candidate),
                self._shared(device, requests),
                _provided(device) if any(request.totals for request in requests) else None,
            )
            found[device] = kinds.setdefault(looks, len(kinds))
        return found

    def _compared(self, device: Device, rules: Sequence[tuple[Request, Constraint]]) -> Hashable:
        return tuple(self.values(request, device, rule.attribute) for request, rule in rules)

    def _drawn(self, candidate: Candidate) -> Hashable:
        """The counters that the device consumes, how much, and what it requires of their other consumers."""
        device, pool = candidate
        if not self._features.partitionable_devices or not device.consumes:
            return None
        # A device whose counters cannot be computed is an error when it is tried, and so like no other.
        left = self._supply.counters.of(pool, device)
        if isinstance(left, Fatal):
            return device.id
        groups = frozenset((entry.counter_set, entry.compatibility_groups) for entry in device.consumes)
        account = self._supply.counters.account(pool, device)
        return account, frozenset(left.plan.takes(device)), groups

    def _shared(self, device: Device, requests: Sequence[Request]) -> Hashable:
        """What each request consumes of a shared device, and what is consumed already."""
        if not device.is_multi_use:
            return None
        taken = self._supply.usage.consumed.get(device.id)
        return (
            tuple(self._trial.share_key(request, device) for request in requests),
            tuple((name, str(capacity.value)) for name, capacity in device.capacity.items()),
            None if taken is None else frozenset((name, str(amount)) for name, amount in taken.items()),
            device.id in self._supply.usage.shared,
        )


def _provided(device: Device) -> Hashable:
    return frozenset((name, str(capacity.value)) for name, capacity in device.capacity.items())


def _is_list(attribute: Attribute | Fatal | None) -> bool:
    return isinstance(attribute, dict) and scalar(attribute, SCALARS) is None
