"""Shortens a long search without changing its result: remembers dead ends and looks ahead."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from dractl.records import NamedTuple
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import AllDevices
from dractl.simulation.allocator.device.state import AllocationState
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.pruning.exact_states import ExactStateKeys
from dractl.simulation.allocator.pruning.lookahead import OPEN, Lookahead, lookahead
from dractl.simulation.allocator.pruning.memo import DeadEnd, Memo
from dractl.simulation.allocator.pruning.packing_bounds import SharePacking
from dractl.simulation.allocator.pruning.preconditions import is_foreseeable
from dractl.simulation.allocator.pruning.state_keys import StateKeys
from dractl.simulation.allocator.pruning.symmetry import Symmetry
from dractl.simulation.allocator.pruning.tree_estimate import progress

Answer = TypeVar("Answer")


_PAIRS_PER_STEP = 1_000
"""Pairs of wish and device that take as long as one step: about ten nanoseconds each."""


_STEPS_PER_PACKING = 10
"""To see whether shares may be packed takes as long as so many steps."""


class Mark(NamedTuple):
    """A state, and how many devices the search had abandoned on reaching it."""

    situation: Hashable
    leaks: int


class Scan(Generic[Answer]):
    """One pass over the devices for a slot after the first of a request, to be remembered.

    ``past`` is what is known of the same ``mark``; ``marks`` has the steps before each device.
    """

    __slots__ = ("mark", "marks", "past", "slot")

    def __init__(self, slot: Slot, mark: Mark, past: DeadEnd[Answer] | None) -> None:
        """Start a pass for ``slot``."""
        self.slot = slot
        self.mark = mark
        self.past = past
        self.marks: list[int] = []

    def passes(self, position: int, total: int) -> DeadEnd[Answer] | None:
        """Reach a position after ``total`` steps; return how the search ended from there before."""
        if self.past is not None and position >= self.past.first:
            return self.past
        self.marks.append(total)
        return None


class Shortcuts(Generic[Answer]):
    """The shortcuts of one search, computed only once it is long.

    ``is_exact``: quirks of the allocator stand against looking ahead, and against taking one device for
    another; what is remembered then counts only where the search has left nothing behind.
    """

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        checks: DeviceChecks,
        features: Features,
        all_devices: AllDevices,
        *,
        is_exact: bool,
    ) -> None:
        """Hold what does not change during a search."""
        self._is_exact = is_exact
        self._claims = claims
        self._supply = supply
        self._trial = checks
        self._features = features
        self._all_devices = all_devices
        self._memory: Memo[Answer] = Memo()
        self._estimate: float | None = None
        self._packing: SharePacking | None = None
        self.extra = 0
        """The time of looking ahead, in steps."""

    # Lazy, because most searches end before their patience does: nothing of this is computed for them.
    @cached_property
    def _likeness(self) -> Symmetry:
        return Symmetry(self._claims, self._supply, self._trial, self._features, self._all_devices)

    @cached_property
    def _situations(self) -> StateKeys:
        return StateKeys(self._claims, self._supply, self._likeness, self._features)

    @cached_property
    def _exact(self) -> ExactStateKeys:
        return ExactStateKeys(self._claims, self._supply, self._trial, self._features, self._all_devices)

    def before(self, slot: Slot, chosen: AllocationState) -> Mark:
        """The state before the request of a slot."""
        state_keys = self._exact if self._is_exact else self._situations
        return Mark(state_keys.before(slot.claim, slot.ask, chosen), chosen.leaks)

    def past(self, mark: Mark) -> DeadEnd[Answer] | None:
        """How the search ended from this state before, if it did."""
        return self._memory.past(mark.situation)

    def remember(self, mark: Mark, slot: Slot, end: Answer, effort: int, chosen: AllocationState) -> None:
        """Remember how the search ended from before the request of a slot, after ``effort`` steps."""
        # A quirk may have left marks behind since: then what failed here is not what would fail there.
        if self._may_have_changed(mark, chosen) and self.before(slot, chosen).situation != mark.situation:
            return
        self._memory.remember(mark.situation, DeadEnd(end, 0, [effort]), len(chosen.stack))

    def _may_have_changed(self, mark: Mark, chosen: AllocationState) -> bool:
        """Whether the search may have abandoned devices since, which the state does not show."""
        return self._is_exact and (chosen.leaks != mark.leaks or chosen.remembered is not None)

    def scan(self, slot: Slot, start: int, chosen: AllocationState) -> Scan[Answer]:
        """Start a pass over the devices for a slot after the first of a request."""
        mark = self._within(slot, start, chosen)
        return Scan(slot, mark, self._memory.past(mark.situation))

    def _within(self, slot: Slot, start: int, chosen: AllocationState) -> Mark:
        if self._is_exact:
            return Mark(self._exact.within(slot, start, chosen), chosen.leaks)
        return Mark(self._situations.within(slot, chosen), chosen.leaks)

    def remember_scan(
        self,
        scan: Scan[Answer],
        start: int,
        end: Answer,
        total: int,
        chosen: AllocationState,
        *,
        is_cut: bool,
    ) -> None:
        """Remember how a pass from a position ended; ``is_cut``: before it tried all devices.

        A scan that was cut may not have come to a device that makes for an error, if there can be any; that
        does not matter where only the very same scan is to end alike.
        """
        if not scan.marks:
            return
        if self._is_exact:
            self._remember_exactly(scan, start, end, total, chosen)
            return
        if is_cut and not self._likeness.is_order_independent:
            return
        # Steps from each position on, so that the effort is right when only the end of the scan is spared.
        rest = [total - mark for mark in scan.marks]
        if scan.past is not None:
            rest += scan.past.rest
        self._memory.remember(scan.mark.situation, DeadEnd(end, start, rest), len(chosen.stack))

    def _remember_exactly(
        self, scan: Scan[Answer], start: int, end: Answer, total: int, chosen: AllocationState
    ) -> None:
        mark = scan.mark
        if self._may_have_changed(mark, chosen):
            now = self._within(scan.slot, start, chosen)
            if now.situation != mark.situation:
                return
        past = DeadEnd(end, start, [total - scan.marks[0]])
        self._memory.remember(mark.situation, past, len(chosen.stack))

    def look_ahead(self, total: int, chosen: AllocationState) -> Lookahead:
        """What must fail for a search with these choices after ``total`` steps."""
        if self._is_exact and not is_foreseeable(self._claims, self._supply, self._features):
            return OPEN
        requests = sum(len(ask.alternatives) for claim in self._claims for ask in claim.asks)
        self.extra += requests * len(self._likeness.position)
        found = lookahead(
            self._claims, self._supply, self._likeness, self._all_devices, self._features.quirks
        )
        self.extra += found.pairs // _PAIRS_PER_STEP
        if self._likeness.is_order_independent and not found.is_infeasible:
            found = self._pack(found)
        if self._is_exact and not found.is_infeasible:
            # To pass over a device would also spare what a quirk makes of looking at it.
            return OPEN
        if found.is_infeasible or found.infeasible:
            # From here on branches are cut unseen, so the effort can no longer be counted and is estimated:
            # steps so far, divided by the part of the tree that they were.
            self._estimate = total / progress(chosen.stack, self._claims, self._likeness)
        return found

    def _pack(self, found: Lookahead) -> Lookahead:
        """What looking ahead found, and whether all shares may fit into the devices."""
        usable = {
            request: devices - found.infeasible.get(request, frozenset())
            for request, devices in self._likeness.usable.items()
        }
        packing = SharePacking(self._claims, self._supply, self._trial, self._all_devices, usable)
        if not packing.is_open():
            return found._replace(is_infeasible=True)
        # To pass over what cannot be packed would also spare what a quirk leaves behind there.
        self._packing = packing if packing and not self._is_exact else None
        return found

    def is_open(self, slot: Slot, total: int, chosen: AllocationState) -> bool:
        """Whether the shares of a request and all after it may still fit; ``total`` steps were taken."""
        if self._packing is None:
            return True
        self.extra += _STEPS_PER_PACKING
        if self._packing.is_open_from((slot.claim, slot.ask), chosen):
            return True
        if self._estimate is None:
            self._estimate = total / progress(chosen.stack, self._claims, self._likeness)
        return False

    def effort(self, total: int, chosen: AllocationState) -> int:
        """The steps of the plain search to reach these choices; ``total`` were taken or saved."""
        if self._estimate is None:
            return total
        return max(total, int(self._estimate * progress(chosen.stack, self._claims, self._likeness)))
