"""Trying one device for one slot, given the devices chosen before.

Mirrors ``allocateDevice`` of the structured allocator (1.37) and the checks of ``allocateOne`` before it. The
order of the checks decides which reason is given, and whether an error is met at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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


class Choices:
    """The stack of choices, and what is asked of it again and again: those of a device, of a claim."""

    __slots__ = ("_by_device", "_held", "stack")

    def __init__(self) -> None:
        """Start empty."""
        self.stack: list[Choice] = []
        self._by_device: dict[Device, list[Choice]] = {}
        self._held: dict[int, int] = {}

    def push(self, choice: Choice) -> None:
        """Choose one more device."""
        self.stack.append(choice)
        self._by_device.setdefault(choice.device, []).append(choice)
        self._held[choice.slot.claim] = self.held_by(choice.slot.claim) + 1

    def pop(self) -> Choice:
        """Drop the latest choice."""
        choice = self.stack.pop()
        self._by_device[choice.device].pop()
        self._held[choice.slot.claim] -= 1
        return choice

    def of_device(self, device: Device) -> Sequence[Choice]:
        """The choices of a device; several where it is multi-use, or shared by admin access."""
        return self._by_device.get(device, ())

    def held_by(self, claim: int) -> int:
        """How many devices a claim has."""
        return self._held.get(claim, 0)


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
        self._mismatches: dict[Request, dict[Device, Reason | None]] = {}
        self._amounts: dict[frozenset[tuple[str, str]], Amounts] = {}
        self._needs: dict[Request, dict[Device, Amounts | consumable.Misfit | Fatal]] = {}

    def any_device(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Choices
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
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Choices
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
        known = self._mismatches.setdefault(request, {})
        if device in known:
            return known[device]
        reason = self._matcher.mismatch(request, device, self._supply.node)
        if not isinstance(reason, Fatal):
            known[device] = reason
        return reason

    def static_shortage(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device is too small for the request even when nothing of it is taken, or None."""
        needed = self._need(request, device)
        return needed if isinstance(needed, consumable.Misfit | Fatal) else None

    def _need(self, request: Request, device: Device) -> Amounts | consumable.Misfit | Fatal:
        """What the request takes of the device's capacities; nothing where capacity is not looked at."""
        if not self._features.consumable_capacity:
            return _NOTHING
        known = self._needs.setdefault(request, {})
        found = known.get(device)
        if found is None:
            found = consumable.need(request, device, fractional=self._features.fractional_capacity_range)
            if not isinstance(found, consumable.Misfit | Fatal):
                # Amounts that are written alike are one object, which is how a memory knows them.
                written = frozenset((name, str(amount)) for name, amount in found.items())
                found = self._amounts.setdefault(written, found)
            known[device] = found
        return found

    def _taken(self, slot: Slot, request: Request, device: Device, chosen: Choices) -> InUse | Chosen | None:
        """Admin access shares a device with everybody but its own claim."""
        if not request.admin_access:
            holder = self._supply.usage.dedicated.get(device.id)
            if holder is not None:
                return InUse(holder)
        for choice in chosen.of_device(device):
            if not choice.is_share and (not request.admin_access or choice.slot.claim == slot.claim):
                return _CHOSEN
        return None

    def _capacity_shortage(self, request: Request, device: Device, chosen: Choices) -> Reason | Fatal | None:
        needed = self._need(request, device)
        if isinstance(needed, consumable.Misfit | Fatal):
            return needed
        consumed = self._supply.usage.consumed.get(device.id)
        shares = chosen.of_device(device) if device.is_multi_use else ()
        if not needed or (consumed is None and not shares):
            return None
        return consumable.shortage(
            device, needed, consumed or _NOTHING, *(choice.consumed for choice in shares)
        )

    def _checked(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: Choices
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
        rules = self._claims[slot.claim].constraints
        if reason is None and rules:
            members = [
                (choice.request, choice.device) for choice in chosen.stack if choice.slot.claim == slot.claim
            ]
            reason = constraints.refusal(
                rules,
                members,
                (request, device),
                self._matcher.attribute,
                as_sets=self._features.list_type_attributes,
            )
        if reason is not None:
            return reason
        needed = self._need(request, device) if is_share else _NOTHING
        consumed = _NOTHING if isinstance(needed, consumable.Misfit | Fatal) else needed
        return Choice(slot, request, candidate, is_share, draws, consumed)

    def _operations_missing(self, device: Device) -> NodeOperations | None:
        if not device.slice.skip_node_operations or not self._features.knows_node_operations:
            return None
        if not self._features.optional_node_operations:
            return NodeOperations(is_off=True)
        if _NODE_OPERATIONS not in self._supply.node.declared_features:
            return NodeOperations(is_off=False)
        return None

    def _is_shared(self, device: Device, chosen: Choices) -> bool:
        """Whether the device's counters are accounted for by an earlier share; ``deviceCapacityInUse``."""
        return device.id in self._supply.usage.shared or bool(chosen.of_device(device))

    def _counters_refuse(self, candidate: Candidate, chosen: Choices) -> Reason | Fatal | None:
        device, pool = candidate
        drawing = [choice.device for choice in chosen.stack if choice.draws and choice.candidate.pool is pool]
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
