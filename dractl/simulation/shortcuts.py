"""How a long search is made shorter without finding anything else: it remembers, and looks ahead."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from dractl.simulation.choices import Choices
from dractl.simulation.demand import ClaimDemand
from dractl.simulation.features import Features
from dractl.simulation.likeness import Likeness
from dractl.simulation.memory import Memory, Past
from dractl.simulation.observer import Slot
from dractl.simulation.outlook import Outlook, outlook
from dractl.simulation.preparation import AllDevices
from dractl.simulation.progress import progress
from dractl.simulation.situations import Situations
from dractl.simulation.supply import Supply
from dractl.simulation.trial import Trial

Answer = TypeVar("Answer")


class Scan(Generic[Answer]):
    """One way through the devices for a slot in the midst of a request, to be remembered.

    ``past`` is what is known of the same situation; ``marks`` has the steps before each device.
    """

    __slots__ = ("marks", "past", "situation")

    def __init__(self, situation: Hashable, past: Past[Answer] | None) -> None:
        """Begin."""
        self.situation = situation
        self.past = past
        self.marks: list[int] = []

    def passes(self, position: int, total: int) -> Past[Answer] | None:
        """Come to a position after so many steps; how the search ended from it before, if it did."""
        if self.past is not None and position >= self.past.first:
            return self.past
        self.marks.append(total)
        return None


class Shortcuts(Generic[Answer]):
    """What one search uses once it has become long; nothing is computed before."""

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        trial: Trial,
        features: Features,
        all_devices: AllDevices,
    ) -> None:
        """Hold what does not change during a search."""
        self._claims = claims
        self._supply = supply
        self._trial = trial
        self._features = features
        self._all_devices = all_devices
        self._memory: Memory[Answer] = Memory()
        self._estimate: float | None = None

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self._claims, self._supply, self._trial, self._features, self._all_devices)

    @cached_property
    def _situations(self) -> Situations:
        return Situations(self._claims, self._supply, self._likeness, self._features)

    def before(self, slot: Slot, chosen: Choices) -> Hashable:
        """The situation before the request of a slot."""
        return self._situations.before(slot.claim, slot.ask, chosen)

    def past(self, situation: Hashable) -> Past[Answer] | None:
        """How the search ended from a situation before."""
        return self._memory.past(situation)

    def remember(self, situation: Hashable, end: Answer, effort: int) -> None:
        """Keep how the search ended before a request, after so many steps."""
        self._memory.remember(situation, Past(end, 0, [effort]))

    def scan(self, slot: Slot, chosen: Choices) -> Scan[Answer]:
        """Begin to go through the devices for a slot in the midst of a request."""
        situation = self._situations.within(slot, chosen)
        return Scan(situation, self._memory.past(situation))

    def remember_scan(self, scan: Scan[Answer], start: int, end: Answer, total: int, *, is_cut: bool) -> None:
        """Keep how a scan ended that began at a position; ``is_cut``: before all devices were looked at.

        A scan that was cut may not have come to a device that makes for an error, if there can be any.
        """
        if not scan.marks or (is_cut and not self._likeness.is_calm):
            return
        rest = [total - mark for mark in scan.marks]
        if scan.past is not None:
            rest += scan.past.rest
        self._memory.remember(scan.situation, Past(end, start, rest))

    def look_ahead(self, total: int, chosen: Choices) -> Outlook:
        """What must fail, for a search that has come to some choices after so many steps."""
        found = outlook(self._claims, self._supply, self._likeness, self._all_devices)
        if found.is_hopeless or found.doomed:
            self._estimate = total / progress(chosen.stack, self._claims, self._likeness)
        return found

    def effort(self, total: int, chosen: Choices) -> int:
        """About how many steps the plain search takes to some choices; ``total`` were taken or spared."""
        if self._estimate is None:
            return total
        return max(total, int(self._estimate * progress(chosen.stack, self._claims, self._likeness)))
