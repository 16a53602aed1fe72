"""The devices chosen so far in a search, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dractl.cluster.devices import Device, DeviceID
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.consumable import Amounts
from dractl.simulation.allocator.checks.counters import CounterCache, Reservations
from dractl.simulation.allocator.checks.distinct import Remembered
from dractl.simulation.allocator.device.inventory import Candidate
from dractl.simulation.allocator.model.demand import ClaimDemand, Request
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.quirks import Quirks


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


class AllocationState:
    """The stack of choices, with everything to release on backtracking.

    Allocators of older minors fail to release some of it. ``leaks`` counts what remains: while that number
    is the same, all state outside the stack is the same.
    """

    __slots__ = (
        "_by_device",
        "_claims",
        "_kept",
        "_members",
        "_places",
        "_quirks",
        "_results",
        "_stamp",
        "_stamps",
        "leaks",
        "once_shared",
        "remembered",
        "reservations",
        "stack",
    )

    def __init__(self, claims: Sequence[ClaimDemand], counters: CounterCache, quirks: Quirks) -> None:
        """Start with nothing chosen."""
        self._claims = claims
        self._quirks = quirks
        self._by_device: dict[DeviceID, list[Choice]] = {}
        self._results: list[list[Choice]] = [[] for _ in claims]
        self._members: list[list[Choice]] = [[] for _ in claims]
        self._stamp = 0
        self._stamps: list[list[int]] = [[] for _ in claims]
        self._places: list[int] = []
        self._kept: set[tuple[Request, DeviceID]] = set()
        self.stack: list[Choice] = []
        self.reservations = Reservations(counters)
        self.remembered = (
            Remembered(by_identity=quirks.distinct_by_identity) if quirks.distinct_by_request else None
        )
        self.leaks = 0
        self.once_shared: set[DeviceID] = set()

    def push(self, choice: Choice) -> None:
        """Choose one more device. What it draws is reserved already."""
        claim = choice.slot.claim
        self.stack.append(choice)
        self._places.append(len(self._results[claim]))
        self._results[claim].append(choice)
        # By device and by claim, so that neither "is it taken" nor a constraint goes through the whole
        # stack.
        self._by_device.setdefault(choice.device.id, []).append(choice)
        self._join(choice)

    def pop(self) -> Choice:
        """Give the latest choice back."""
        choice = self.stack.pop()
        claim = choice.slot.claim
        # Cut to where this choice stood: abandon() may have left later results of the claim behind.
        del self._results[claim][self._places.pop() :]
        _remove(self._by_device[choice.device.id], choice)
        self._leave(choice)
        self.undo(choice)
        return choice

    def undo(self, choice: Choice) -> None:
        """Give back what a choice holds that is not, or no longer, on the stack."""
        if choice.draws:
            if choice.is_share and self._quirks.shares_keep_counters:
                self.leaks += 1
                if not choice.consumed:
                    # Nothing is taken back from a device without capacity, so it still counts as shared.
                    self.once_shared.add(choice.device.id)
            else:
                self.reservations.drop(choice.candidate.pool, choice.device)
        if self.remembered is not None:
            claim = choice.slot.claim
            self.remembered.forget(claim, self._claims[claim].constraints, choice.request)

    def abandon(self) -> Choice:
        """Take the latest choice off the stack without giving anything back (1.32, 1.33)."""
        # Results, marks and members stay as they are; only the search forgets that it was here.
        self.leaks += 1
        self._places.pop()
        return self.stack.pop()

    def keep(self, choice: Choice) -> None:
        """Leave a device marked, and a member of constraints, that was refused in the end (1.34, 1.35)."""
        self.leaks += 1
        entry = (choice.request, choice.device.id)
        if entry not in self._kept:
            # Once is enough for every constraint, and a long search comes to the same device again and again.
            self._kept.add(entry)
            self._join(choice)
        if not choice.is_share:
            self._by_device.setdefault(choice.device.id, []).append(choice)

    def results(self) -> tuple[Choice, ...]:
        """The choices of all claims, each claim's in the order of choice."""
        return tuple(choice for results in self._results for choice in results)

    def of_device(self, device: Device) -> Sequence[Choice]:
        """The choices of a device; several where it is multi-use, or shared by admin access."""
        return self._by_device.get(device.id, ())

    def marked(self) -> Iterator[Sequence[Choice]]:
        """The choices of every device that has any, also of those that were never given back."""
        return (choices for choices in self._by_device.values() if choices)

    def of_claim(self, claim: int) -> Sequence[Choice]:
        """The choices that count for the constraints of a claim."""
        return self._members[claim]

    def stamps(self, claim: int) -> Sequence[int]:
        """A number for each member of :meth:`of_claim`: while it is the same, so are all up to this one."""
        return self._stamps[claim]

    def _join(self, choice: Choice) -> None:
        claim = choice.slot.claim
        self._stamp += 1
        self._members[claim].append(choice)
        self._stamps[claim].append(self._stamp)

    def _leave(self, choice: Choice) -> None:
        claim = choice.slot.claim
        position = _remove(self._members[claim], choice)
        stamps = self._stamps[claim]
        if position is None:
            return
        del stamps[position]
        # Members that were kept after it now follow another one.
        for later in range(position, len(stamps)):
            self._stamp += 1
            stamps[later] = self._stamp

    def held_by(self, claim: int) -> int:
        """How many devices a claim has."""
        return len(self._results[claim])


def _remove(choices: list[Choice], choice: Choice) -> int | None:
    """Take a choice out, which is the last one but for those that are kept; return where it was."""
    for position in range(len(choices) - 1, -1, -1):
        if choices[position] is choice:
            del choices[position]
            return position
    return None
