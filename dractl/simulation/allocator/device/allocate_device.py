"""Trying one device for one slot, given the devices chosen before.

Mirrors ``allocateDevice`` of the structured allocators and the checks of ``allocateOne`` before it. The
order of the checks decides which reason is given, and whether an error is met at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.cluster.devices import Attribute, Capacity, Device, Slice
from dractl.simulation.allocator.checks import consumable, counters, groups, taints, totals
from dractl.simulation.allocator.checks.consumable import Amounts
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.common_values import CommonValues
from dractl.simulation.allocator.device.inventory import Candidate, Supply
from dractl.simulation.allocator.device.state import AllocationState, Choice
from dractl.simulation.allocator.model.demand import ClaimDemand, Request, Test
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import (
    Chosen,
    CountersOff,
    Fatal,
    InUse,
    NodeOperations,
    Reason,
    Tainted,
)

_NODE_OPERATIONS = "DRAOptionalNodeOperations"
_CHOSEN = Chosen()
_COUNTERS_OFF = CountersOff()
_NOTHING: Amounts = {}


class DeviceChecks:
    """Answers whether a device may be taken next, on one node; the choices before are given each time."""

    def __init__(
        self, claims: Sequence[ClaimDemand], supply: Supply, matcher: Matcher, features: Features
    ) -> None:
        """Hold what does not change during a search."""
        self._claims = claims
        self._supply = supply
        self._matcher = matcher
        self._features = features
        self._quirks = features.quirks
        self._arithmetic = consumable.arithmetic_of(features)
        self._mismatches: dict[Request, dict[Device, Reason | None]] = {}
        self._amounts: dict[frozenset[tuple[str, str]], Amounts] = {}
        self._plans: dict[Slice, counters.Plan] = {}
        self._common = CommonValues(claims, matcher.attribute, as_sets=features.list_type_attributes)
        self._needs: dict[Request, dict[Device, Amounts | consumable.Misfit | Fatal]] = {}

    def nothing_chosen(self) -> AllocationState:
        """The state in which a search starts."""
        return AllocationState(self._claims, self._supply.counters, self._quirks)

    def any_device(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: AllocationState
    ) -> Choice | Reason | Fatal:
        """Try one device of many for a slot. What a choice draws is reserved."""
        # Cheapest first, as upstream: a lookup, then selectors (evaluated once per device and request), then
        # amounts. A device that is taken must not be matched, because its selector may fail and end the
        # search.
        reason: Reason | Fatal | None = self._taken(slot, request, candidate.device, chosen)
        if reason is None:
            reason = self.mismatch(request, candidate.device)
        if reason is None:
            reason = self._capacity_shortage(request, candidate.device, chosen)
        if reason is not None:
            return reason
        choice = self._checked(slot, request, candidate, chosen)
        if isinstance(choice, Choice) and self._quirks.rechecks_another_device:
            return self._rechecked(choice, chosen)
        return choice

    def this_device(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: AllocationState
    ) -> Choice | Reason | Fatal:
        """Try a device that must be had, because the request is for all that match it."""
        reason: Reason | Fatal | None = self._taken(slot, request, candidate.device, chosen)
        if reason is not None:
            return reason
        choice = self._checked(slot, request, candidate, chosen)
        return self._rechecked(choice, chosen) if isinstance(choice, Choice) else choice

    def _rechecked(self, choice: Choice, chosen: AllocationState) -> Choice | Reason | Fatal:
        """Look for capacity once more: of the device chosen, or of the one that a bug looks at."""
        if not self._features.consumable_capacity:
            return choice
        device = choice.device
        if self._quirks.rechecks_another_device:
            others = device.slice.devices
            if choice.slot.number >= len(others):
                return Fatal(
                    f"the scheduler crashes: slice {device.slice.name} has fewer devices than requested"
                )
            device = others[choice.slot.number]
        reason = self._capacity_shortage(choice.request, device, chosen)
        if reason is None:
            return choice
        if self._quirks.misfits_keep_marks:
            chosen.keep(choice)
        else:
            chosen.undo(choice)
        return reason

    def mismatch(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device does not match the request at all, or None; ``isSelectable``."""
        known = self._mismatches.get(request)
        if known is None:
            known = self._mismatches[request] = self._matcher.known(request)
        if device in known:
            return known[device]
        reason = self._matcher.mismatch(request, device, self._supply.node)
        if not isinstance(reason, Fatal) and not device.slice.is_per_device:
            known[device] = reason
        return reason

    def own_mismatch(self, request: Request, device: Device) -> Reason | Fatal | None:
        """As :meth:`mismatch`, but for the selectors of the class."""
        return self._matcher.mismatch(request, device, self._supply.node, request.own_tests)

    def unreachable(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why no selector matters: the device is for another node, or needs what is off; None otherwise."""
        reason = self._matcher.mismatch(request, device, self._supply.node, ())
        return self._operations_missing(device) if reason is None else reason

    def failing_test(self, request: Request, device: Device) -> Test | None:
        """The first selector that is not true for the device, or None."""
        node = self._supply.node
        return next(
            (
                test
                for test in request.tests
                if self._matcher.mismatch(request, device, node, (test,)) is not None
            ),
            None,
        )

    def in_use(self, request: Request, device: Device) -> InUse | None:
        """Which claim has the device as a whole, or None; admin access ignores that."""
        holder = None if request.admin_access else self._supply.usage.dedicated.get(device.id)
        return None if holder is None else InUse(holder)

    def untolerated(self, request: Request, device: Device) -> Tainted | None:
        """The first taint of the device that the request does not tolerate, or None."""
        if not self._features.device_taints:
            return None
        return taints.untolerated(
            device.taints, request.tolerations, every_effect=self._quirks.every_taint_blocks
        )

    def counters_short(self, request: Request, candidate: Candidate) -> Reason | Fatal | None:
        """Why the counters do not let the device be had while nothing is chosen, or None."""
        device = candidate.device
        if not device.consumes:
            return None
        chosen = self.nothing_chosen()
        is_share = self._features.consumable_capacity and device.is_multi_use
        draws = self._draws(device, chosen, is_share=is_share)
        return self._counters_refuse(request, candidate, chosen, draws=draws)

    def capacity_short(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device has too little capacity while nothing is chosen, or None."""
        return self._capacity_shortage(request, device, None)

    def attribute(self, request: Request, device: Device, name: str) -> Attribute | Fatal | None:
        """The attribute of a device as constraints see it for the request."""
        return self._matcher.attribute(request, device, name)

    def share_key(self, request: Request, device: Device) -> int | None:
        """A number that is the same for devices of which the request takes the same; None: it cannot."""
        needed = self._need(request, device)
        # Equal amounts are one object.
        return None if isinstance(needed, consumable.Misfit | Fatal) else id(needed)

    def share(self, request: Request, device: Device) -> Amounts:
        """What a share of the device takes for the request; nothing where the request cannot have one."""
        needed = self._need(request, device)
        return _NOTHING if isinstance(needed, consumable.Misfit | Fatal) else needed

    def capacities(self, device: Device) -> Mapping[str, Capacity]:
        """The capacities of a device by the names that :meth:`share` has."""
        return consumable.capacities_of(device, self._arithmetic)

    def misfit_of_all(self, request: Request, device: Device) -> Reason | Fatal | None:
        """Why the device is too small to be one of all that a request is for, or None."""
        if self._quirks.all_sees_what_is_left:
            return self._capacity_shortage(request, device, None)
        # What other claims consume does not count: such a device makes the request fail later.
        needed = self._need(request, device)
        return needed if isinstance(needed, consumable.Misfit | Fatal) else None

    def _need(self, request: Request, device: Device) -> Amounts | consumable.Misfit | Fatal:
        """The capacities that the request consumes of the device; empty if capacity is ignored."""
        if not self._features.consumable_capacity:
            return _NOTHING
        if device.gives_all and not request.capacity and device.id not in self._supply.usage.consumed:
            # It takes all of it, which is enough; the device is not shared.
            return _NOTHING
        known = self._needs.setdefault(request, {})
        found = known.get(device)
        if found is None:
            found = consumable.need(request, device, self._arithmetic)
            if not isinstance(found, consumable.Misfit | Fatal):
                # Amounts that are written alike are one object, which is how a memory knows them.
                written = frozenset((name, str(amount)) for name, amount in found.items())
                found = self._amounts.setdefault(written, found)
            known[device] = found
        return found

    def _taken(
        self, slot: Slot, request: Request, device: Device, chosen: AllocationState
    ) -> InUse | Chosen | None:
        """Admin access shares a device with everybody but its own claim."""
        held = self.in_use(request, device)
        if held is not None:
            return held
        for choice in chosen.of_device(device):
            if choice.is_share:
                continue
            if self._quirks.admin_ignores_choices:
                if not request.admin_access and not choice.request.admin_access:
                    return _CHOSEN
            elif not request.admin_access or choice.slot.claim == slot.claim:
                return _CHOSEN
        return None

    def _capacity_shortage(
        self, request: Request, device: Device, chosen: AllocationState | None
    ) -> Reason | Fatal | None:
        needed = self._need(request, device)
        if isinstance(needed, consumable.Misfit | Fatal):
            return needed
        consumed = self._supply.usage.consumed.get(device.id)
        shares = chosen.of_device(device) if device.is_multi_use and chosen is not None else ()
        # Nothing else has a part of it, and that it fits alone was found out when its need was computed.
        if not needed or (consumed is None and not shares):
            return None
        capacities = consumable.capacities_of(device, self._arithmetic)
        return consumable.shortage(
            device, capacities, needed, consumed or _NOTHING, *(choice.consumed for choice in shares)
        )

    def _checked(
        self, slot: Slot, request: Request, candidate: Candidate, chosen: AllocationState
    ) -> Choice | Reason | Fatal:
        """The checks that do not depend on how the device was come upon."""
        device = candidate.device
        is_share = self._features.consumable_capacity and device.is_multi_use
        reason: Reason | Fatal | None = self._operations_missing(device)
        draws = False
        # Counters are reserved before constraints are looked at, as upstream; what refuses later gives them
        # back.
        if reason is None and device.consumes:
            draws = self._draws(device, chosen, is_share=is_share)
            reason = self._counters_refuse(request, candidate, chosen, draws=draws)
        if reason is not None:
            return reason
        reason = self._member_refused(slot, request, device, chosen)
        if reason is None and request.totals:
            members = (choice.device for choice in chosen.of_claim(slot.claim) if choice.request is request)
            reason = totals.shortfall(request, (*members, device))
        if reason is not None:
            if draws and self._quirks.refused_keep_counters:
                chosen.leaks += 1
            elif draws:
                chosen.reservations.drop(candidate.pool, device)
            return reason
        needed = self._need(request, device) if is_share else _NOTHING
        consumed = _NOTHING if isinstance(needed, consumable.Misfit | Fatal) else needed
        return Choice(slot, request, candidate, is_share, draws, consumed)

    def _member_refused(
        self, slot: Slot, request: Request, device: Device, chosen: AllocationState
    ) -> Reason | Fatal | None:
        """Why the request does not tolerate a device with what is chosen, or None: taints and constraints."""
        reason = self.untolerated(request, device)
        if reason is not None:
            return reason
        rules = self._claims[slot.claim].constraints
        if not rules:
            return None
        if chosen.remembered is None:
            return self._common.refusal(slot.claim, request, device, chosen)
        members = [(choice.request, choice.device) for choice in chosen.of_claim(slot.claim)]
        lookup = self._matcher.attribute
        return chosen.remembered.refusal(slot.claim, rules, members, (request, device), lookup)

    def _operations_missing(self, device: Device) -> NodeOperations | None:
        if not device.slice.skip_node_operations or not self._features.knows_node_operations:
            return None
        if not self._features.optional_node_operations:
            return NodeOperations(is_off=True)
        if _NODE_OPERATIONS not in self._supply.node.declared_features:
            return NodeOperations(is_off=False)
        return None

    def _draws(self, device: Device, chosen: AllocationState, *, is_share: bool) -> bool:
        """Whether the device takes counters now, and no earlier share did; ``deviceCapacityInUse``."""
        if not self._features.partitionable_devices or self._quirks.counters_by_device:
            return False
        if not is_share or self._quirks.every_share_draws:
            return True
        usage = self._supply.usage
        shared = usage.consumed if self._quirks.empty_shares_draw else usage.shared
        is_shared = device.id in shared or device.id in chosen.once_shared
        return not is_shared and not chosen.of_device(device)

    def _counters_refuse(
        self, request: Request, candidate: Candidate, chosen: AllocationState, *, draws: bool
    ) -> Reason | Fatal | None:
        """Why the counters do not let the device be had; otherwise what it draws is reserved."""
        device, pool = candidate
        if not self._features.partitionable_devices:
            return None if self._quirks.counters_need_no_gate else _COUNTERS_OFF
        if self._quirks.counters_by_device:
            return counters.own_shortage(device, lambda other: self._is_marked(other, chosen), self._plans)
        if not draws:
            return None
        if request.is_all and self._quirks.loses_pool_of_all:
            return Fatal(
                f"the scheduler crashes: the request is for all devices, and {device.id} consumes counters"
            )
        if self._features.compatibility_groups:
            # Of this pool only: compatibility groups are about devices that draw from the same counter sets.
            drawing = [
                choice.device for choice in chosen.stack if choice.draws and choice.candidate.pool is pool
            ]
            conflict = groups.group_conflict(pool, self._supply.usage, drawing, device)
            if conflict is not None:
                return conflict
        return chosen.reservations.add(pool, device)

    def _is_marked(self, device: Device, chosen: AllocationState) -> bool:
        return device.id in self._supply.usage.dedicated or any(
            not choice.request.admin_access for choice in chosen.of_device(device)
        )
