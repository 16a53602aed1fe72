"""Trying one device for one slot, given the devices chosen before.

Mirrors ``allocateDevice`` of the structured allocator (1.37) and the checks of ``allocateOne`` before it. The
order of the checks decides which reason is given, and whether an error is met at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device
from dractl.simulation import constraints, consumable, counters, taints
from dractl.simulation.consumable import Amounts
from dractl.simulation.demand import ClaimDemand, Request
from dractl.simulation.features import Features
from dractl.simulation.matching import Matcher
from dractl.simulation.observer import Slot
from dractl.simulation.reasons import Chosen, CountersOff, Fatal, InUse, NodeOperations, Reason
from dractl.simulation.supply import Candidate, Supply

_NODE_OPERATIONS = "DRAOptionalNodeOperations"
_CHOSEN = Chosen()
_COUNTERS_OFF = CountersOff()
_NOTHING: Amounts = {}


class Choice(NamedTuple):
    """A device chosen for a slot.

    ``is_share``: it is one use of a multi-use device, which takes ``consumed`` of its capacities.
    ``draws``: it takes counters; a further share of a device does not take them again.
    """

    slot: Slot
    request: Request
    candidate: Candidate
    is_share: bool
    draws: bool
    consumed: Amounts

    @property
    def device(self) -> Device:
        """The device chosen."""
        return self.candidate.device


class Trial:
    """Answers whether a device may be taken next, on one node; the choices before are given each time."""

    def __init__(
        self, claims: Sequence[ClaimDemand], supply: Supply, matcher: Matcher, features: Features
    ) -> None:
        """Hold what does not change during a search."""
        self._claims = claims
        self._supply = supply
        self._matcher = matcher
        self._features = features
        self._mismatches: dict[tuple[Request, Device], Reason | None] = {}

    def any_device(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Sequence[Choice]
    ) -> Choice | Reason | Fatal:
        """Try one device of many for a slot."""
        reason: Reason | Fatal | None = self._taken(slot, request, candidate.device, chosen)
        if reason is None:
            reason = self.mismatch(request, candidate.device)
        if reason is None:
            reason = self._capacity_shortage(request, candidate.device, chosen)
        if reason is not None:
            return reason
        return self._checked(slot, request, candidate, chosen)

    def this_device(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Sequence[Choice]
    ) -> Choice | Reason | Fatal:
        """Try a device that must be had, because the request is for all that match it."""
        reason: Reason | Fatal | None = self._taken(slot, request, candidate.device, chosen)
        if reason is not None:
            return reason
        choice = self._checked(slot, request, candidate, chosen)
        if isinstance(choice, Choice):
            reason = self._capacity_shortage(request, candidate.device, chosen)
        return choice if reason is None else reason

    def mismatch(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device does not match the request at all, or None; ``isSelectable``."""
        key = (request, device)
        if key in self._mismatches:
            return self._mismatches[key]
        reason = self._matcher.mismatch(request, device, self._supply.node)
        if not isinstance(reason, Fatal):
            self._mismatches[key] = reason
        return reason

    def static_shortage(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device is too small for the request even when nothing of it is taken, or None."""
        if not self._features.consumable_capacity:
            return None
        return consumable.shortage(request, device, fractional=self._features.fractional_capacity_range)

    def _taken(
        self, slot: Slot, request: Request, device: Device, chosen: Sequence[Choice]
    ) -> InUse | Chosen | None:
        """Admin access shares a device with everybody but its own claim."""
        if not request.admin_access:
            holder = self._supply.usage.dedicated.get(device.id)
            if holder is not None:
                return InUse(holder)
        for choice in chosen:
            if choice.device is device and not choice.is_share:
                if request.admin_access and choice.slot.claim != slot.claim:
                    continue
                return _CHOSEN
        return None

    def _capacity_shortage(
        self, request: Request, device: Device, chosen: Sequence[Choice]
    ) -> Reason | Fatal | None:
        if not self._features.consumable_capacity:
            return None
        return consumable.shortage(
            request,
            device,
            consumed=self._supply.usage.consumed.get(device.id, _NOTHING),
            choosing=_sum_of(choice.consumed for choice in chosen if choice.device is device),
            fractional=self._features.fractional_capacity_range,
        )

    def _checked(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Sequence[Choice]
    ) -> Choice | Reason | Fatal:
        """The checks that do not depend on how the device was come upon."""
        device = candidate.device
        is_share = self._features.consumable_capacity and device.is_multi_use
        draws = bool(device.consumes) and not (is_share and self._is_shared(device, chosen))
        reason: Reason | Fatal | None = self._operations_missing(device)
        if reason is None and device.consumes and not self._features.partitionable_devices:
            reason = _COUNTERS_OFF
        if reason is None and draws:
            reason = self._counters_refuse(candidate, chosen)
        if reason is None and self._features.device_taints:
            reason = taints.untolerated(device.taints, request.tolerations)
        if reason is None:
            members = [
                (choice.request, choice.device) for choice in chosen if choice.slot.claim == slot.claim
            ]
            reason = constraints.refusal(
                self._claims[slot.claim].constraints, members, (request, device), self._features
            )
        if reason is not None:
            return reason
        consumed: Amounts | Fatal = _NOTHING
        if is_share:
            consumed = consumable.amounts(
                request, device, fractional=self._features.fractional_capacity_range
            )
        if isinstance(consumed, Fatal):
            return consumed
        return Choice(slot, request, candidate, is_share, draws, consumed)

    def _operations_missing(self, device: Device) -> NodeOperations | None:
        if not device.slice.skip_node_operations:
            return None
        if not self._features.optional_node_operations:
            return NodeOperations(is_off=True)
        if _NODE_OPERATIONS not in self._supply.node.declared_features:
            return NodeOperations(is_off=False)
        return None

    def _is_shared(self, device: Device, chosen: Sequence[Choice]) -> bool:
        """Whether the device's counters are accounted for by an earlier share; ``deviceCapacityInUse``."""
        return device.id in self._supply.usage.shared or any(choice.device is device for choice in chosen)

    def _counters_refuse(self, candidate: Candidate, chosen: Sequence[Choice]) -> Reason | Fatal | None:
        device, pool = candidate
        drawing = [choice.device for choice in chosen if choice.draws and choice.candidate.pool is pool]
        if self._features.compatibility_groups:
            conflict = counters.group_conflict(pool, self._supply.usage, drawing, device)
            if conflict is not None:
                return conflict
        available = self._supply.available.of(pool)
        return (
            available
            if isinstance(available, Fatal)
            else counters.counter_shortage(available, drawing, device)
        )


def _sum_of(parts: Iterable[Amounts]) -> Amounts:
    sums: dict[str, Quantity] = {}
    for part in parts:
        for name, amount in part.items():
            sums[name] = sums[name].add(amount) if name in sums else amount
    return sums
