"""The search: the first way, in the scheduler's order, to give claims their devices on one node.

Depth first: claims, requests and subrequests in their order, devices in pool, slice and array order. The
state is the stack of devices chosen so far; what is reserved, shared or constrained follows from it, so
giving a device back is dropping it. Nothing is printed or raised: every end is a value, and an observer
hears each step.

Mirrors ``Allocate``, ``allocateOne`` and ``allocateDevice`` of the structured allocators.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from dractl.cluster.pools import PoolState
from dractl.simulation.choices import Choice
from dractl.simulation.demand import MAX_RESULTS, Ask, ClaimDemand, Request
from dractl.simulation.features import Features
from dractl.simulation.matching import Matcher
from dractl.simulation.memory import Memory
from dractl.simulation.observer import Observer, Silence, Slot
from dractl.simulation.outlook import is_hopeless
from dractl.simulation.quirks import Quirks
from dractl.simulation.reasons import Chosen, ConstraintReason, Fatal, InUse, Reason, SelectorFalse
from dractl.simulation.regular import is_regular
from dractl.simulation.supply import Candidate, Supply
from dractl.simulation.trial import Trial

BUDGET = 1_000_000
"""Steps that one search may take: levels opened and devices looked at. The scheduler has a limit of ten
seconds instead; a number of steps gives the same answer on every machine."""


PATIENCE = 1_000
"""Steps after which a search looks ahead once, and begins to remember; most end before."""


class Found(NamedTuple):
    """Devices for everything, in the order of choice, and the subrequest chosen per (claim, ask).

    ``effort`` is how many steps the plain search takes to find this.
    """

    choices: tuple[Choice, ...]
    selected: Mapping[tuple[int, int], int]
    effort: int


class NotFound(NamedTuple):
    """Nothing fits on this node, others may do. ``invalid_pools`` are those that contradict themselves.

    ``effort`` is how many steps at least the plain search takes to know this.
    """

    invalid_pools: tuple[str, ...]
    effort: int


Result = Found | NotFound | Fatal


class _Answer(Enum):
    """How a level of the search ended, besides Fatal."""

    FOUND = "found"
    NO = "nothing works from here"
    LIMIT = "nothing works from here, because a claim would hold too many devices"
    OVER = "nothing works from anywhere"


_End = _Answer | Fatal
_Level = Generator["_Place", _End, _End]
"""A level yields the place of the level below it, is sent how that ended, and returns how itself ended."""


class _Start(NamedTuple):
    """From where on devices are tried: the number of a pool, and a position in it."""

    stand: int
    position: int


_FIRST = _Start(0, 0)


class _Place(NamedTuple):
    """Where a level stands: a slot, whether inside one alternative or before all, and where to start."""

    slot: Slot
    is_inside: bool
    start: _Start = _FIRST


def search(
    claims: Sequence[ClaimDemand],
    supply: Supply,
    matcher: Matcher,
    features: Features,
    *,
    observer: Observer | None = None,
    budget: int = BUDGET,
    patience: int = PATIENCE,
) -> Result:
    """Find devices on one node for all claims together, or say why there are none.

    ``budget`` limits the steps; beyond it the search ends with a Fatal that says so. After ``patience`` steps
    it looks whether a request is hopeless, and begins to remember where it found nothing, and no longer tries
    that (nor tells its observer) again. With a patience above the budget it is the plain search.
    """
    trial = Trial(claims, supply, matcher, features)
    if not is_regular(claims, supply, features):
        patience = budget + 1
    return _Search(claims, supply, trial, features.quirks, observer or Silence(), budget, patience).run()


class _Search:
    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        trial: Trial,
        quirks: Quirks,
        observer: Observer,
        budget: int,
        patience: int,
    ) -> None:
        self.claims = claims
        self.supply = supply
        self.trial = trial
        self.quirks = quirks
        self.observer = observer
        self.budget = budget
        self.patience = patience
        self.steps = 0
        self.spared = 0
        self.memory: Memory[_Answer] = Memory(claims, trial)
        self.chosen = trial.nothing_chosen()
        self.selected: dict[tuple[int, int], int] = {}
        self.all_devices: dict[Request, tuple[Candidate, ...]] = {}

    def run(self) -> Result:
        """Prepare, search, and say how it ended."""
        problem = self._prepare()
        if problem is not None:
            return problem
        for pool in self.supply.pools:
            if pool.state is not PoolState.USABLE:
                self.observer.passed_over(pool)
        end = self._drive(_Place(Slot(0, 0, 0, 0), is_inside=False))
        if isinstance(end, Fatal):
            return end
        if end is _Answer.FOUND:
            return Found(self.chosen.results(), self.selected, self.steps + self.spared)
        if end is _Answer.LIMIT:
            return Fatal(f"a claim would hold more than {MAX_RESULTS} devices")
        invalid = (pool for pool in self.supply.pools if pool.state is PoolState.INVALID)
        tells = not self.quirks.uses_incomplete_pools
        texts = tuple(f"{pool.id}: {pool.problem}" for pool in invalid if tells)
        return NotFound(texts, self.steps + self.spared)

    # Preparation: how many devices every request needs.

    def _prepare(self) -> Fatal | None:
        """Gather the devices of All requests; refuse claims that need more devices than one can hold."""
        for claim in self.claims:
            needed = 0
            for ask in claim.asks:
                fewest = self._fewest(ask)
                if isinstance(fewest, Fatal):
                    return Fatal(f"claim {claim.name}, {fewest.message}")
                needed += fewest
                if needed > MAX_RESULTS:
                    return Fatal(
                        f"claim {claim.name}, request {ask.name}: the claim needs {needed} devices, "
                        f"but can hold {MAX_RESULTS} at most"
                    )
        return None

    def _fewest(self, ask: Ask) -> int | Fatal:
        fewest: int | None = None
        for number, request in enumerate(ask.alternatives):
            if request.is_all:
                first = ask.alternatives[0]
                reuses = self.quirks.second_reuses_answers and number == 1 and first.is_all
                problem = self._gather(request, first if reuses else request)
                if problem is not None:
                    return Fatal(f"request {request.full_name}: {problem.message}")
            size = self._size(request)
            fewest = size if fewest is None else min(fewest, size)
        return fewest or 0

    def _size(self, request: Request) -> int:
        return len(self.all_devices[request]) if request.is_all else request.count

    def _gather(self, request: Request, answering: Request) -> Fatal | None:
        """The devices of an All request: whatever matches, also what is in use. ``validateDeviceRequest``.

        ``answering`` is the request whose selectors are looked at.
        """
        for pool in self.supply.pools:
            if pool.state is not PoolState.USABLE:
                return Fatal(
                    f"asks for all devices, but pool {pool.id} is {pool.state.value}: {pool.problem}"
                )
        found = []
        matches = self.trial.own_mismatch if self.quirks.all_skips_class else self.trial.mismatch
        for candidate in self.supply.candidates:
            reason = matches(answering, candidate.device)
            if reason is None:
                reason = self.trial.misfit_of_all(request, candidate.device)
            if isinstance(reason, Fatal):
                return reason
            if reason is None:
                found.append(candidate)
        self.all_devices[request] = tuple(found)
        return None

    # The levels of the search, on a stack that is a list and not Python's own.

    def _drive(self, first: _Place) -> _End:
        levels: list[_Level] = []
        below = self._level(first)
        while True:
            if isinstance(below, _Answer | Fatal):
                end = below
                if not levels:
                    return end
                below = self._resume(levels, end)
            else:
                levels.append(below)
                below = self._resume(levels, None)

    def _resume(self, levels: list[_Level], end: _End | None) -> _Level | _End:
        """The next level, or the end of the top one. ``end`` is that of the level below; None: it starts."""
        try:
            place = next(levels[-1]) if end is None else levels[-1].send(end)
        except StopIteration as stop:
            levels.pop()
            own: _End = stop.value
            return own
        return self._level(place)

    def _level(self, place: _Place) -> _Level | _End:
        """The level at a place, or how it ends where there is nothing to try."""
        over = self._count_step()
        if over is not None:
            return over
        slot = place.slot
        if slot.claim >= len(self.claims):
            return _Answer.FOUND
        claim = self.claims[slot.claim]
        if slot.ask >= len(claim.asks):
            return self._next_claim(slot)
        ask = claim.asks[slot.ask]
        if ask.is_prioritized and not place.is_inside:
            return self._alternatives(slot, ask)
        request = ask.alternatives[slot.alternative]
        size = self._size(request)
        if request.is_all and size == 0 and not self.quirks.empty_all_is_met:
            self.observer.found_none(slot, request)
            return _Answer.NO
        if slot.number >= size:
            return self._next_ask(slot)
        left = MAX_RESULTS - self.chosen.held_by(slot.claim)
        if size - slot.number > left and not self.quirks.has_no_limit:
            self.observer.exceeded(slot, request)
            return _Answer.NO if self.quirks.limit_is_no else _Answer.LIMIT
        return self._exactly_this(place, request) if request.is_all else self._any_of(place, request)

    def _count_step(self) -> _End | None:
        """Count a step; the end of the search where it took too many, or turns out to be hopeless."""
        self.steps += 1
        if self.steps > self.budget:
            return Fatal(f"the search for devices was given up after {self.budget} steps", is_timeout=True)
        if self.steps == self.patience and is_hopeless(
            self.claims, self.supply, self.trial, self.all_devices
        ):
            return _Answer.OVER
        return None

    def _next_claim(self, slot: Slot) -> _Level:
        end = yield from self._from(Slot(slot.claim + 1, 0, 0, 0))
        # A later claim may need fewer devices when an earlier one takes another subrequest.
        return _Answer.NO if end is _Answer.LIMIT else end

    def _next_ask(self, slot: Slot) -> _Level:
        return (yield from self._from(Slot(slot.claim, slot.ask + 1, 0, 0)))

    def _from(self, slot: Slot) -> _Level:
        """What comes after a request, unless the search was in the same situation before."""
        below = _Place(slot, is_inside=False)
        if self.steps <= self.patience or slot.claim >= len(self.claims):
            return (yield below)
        situation = self.memory.situation(slot.claim, slot.ask, self.chosen)
        past = self.memory.past(situation)
        if past is not None:
            self.spared += past.effort
            return past.end
        before = self.steps + self.spared
        end = yield below
        if isinstance(end, _Answer) and end in (_Answer.NO, _Answer.LIMIT):
            self.memory.remember(situation, end, self.steps + self.spared - before)
        return end

    def _alternatives(self, slot: Slot, ask: Ask) -> _Level:
        """Every device choice of a subrequest, with all that comes after it, before the next subrequest."""
        is_only_limit = True
        for number in range(len(ask.alternatives)):
            end = yield _Place(slot._replace(alternative=number), is_inside=True)
            if end is _Answer.LIMIT:
                continue
            is_only_limit = False
            if end is _Answer.FOUND:
                self.selected[slot.claim, slot.ask] = number
            if end is not _Answer.NO:
                return end
        return _Answer.LIMIT if is_only_limit else _Answer.NO

    def _exactly_this(self, place: _Place, request: Request) -> _Level:
        """The next device of an All request; without it the request cannot be met."""
        slot = place.slot
        candidate = self.all_devices[request][slot.number]
        choice = self.trial.this_device(slot, request, candidate, self.chosen)
        next_slot = _after(slot)
        if self.quirks.all_goes_on_with_first:
            next_slot = next_slot._replace(alternative=0)
        below = _Place(next_slot, place.is_inside)
        if isinstance(choice, Choice):
            end = yield from self._with(choice, below, keeps=self.quirks.all_keeps_devices)
            return self._end_of_all(slot, request, end)
        if isinstance(choice, Fatal):
            return self._fatal(slot, request, choice.message)
        self.observer.refused(slot, request, candidate.device, choice)
        if isinstance(choice, ConstraintReason):
            # Upstream: it makes no sense to declare a claim where a constraint prevents getting all devices.
            text = f"constraint #{choice.constraint} does not allow device {candidate.device.id}"
            return self._fatal(slot, request, f"asks for all devices, but {text}")
        if self.quirks.all_skips_missing:
            return self._end_of_all(slot, request, (yield below))
        return _Answer.OVER if self.quirks.all_ends_search else _Answer.NO

    def _end_of_all(self, slot: Slot, request: Request, end: _End) -> _End:
        """How a level of an All request ends, given how the one below it did (1.31)."""
        if self.quirks.all_skips_missing and isinstance(end, _Answer) and end is not _Answer.FOUND:
            return self._fatal(slot, request, "asks for all devices, and then nothing is left for the rest")
        return end

    def _fatal(self, slot: Slot, request: Request, text: str) -> Fatal:
        return Fatal(f"claim {self.claims[slot.claim].name}, request {request.full_name}: {text}")

    def _any_of(self, place: _Place, request: Request) -> _Level:
        """One device after the other, from the place's start on."""
        slot, start = place.slot, place.start
        for number in range(start.stand, len(self.supply.stands)):
            pool, candidates = self.supply.stands[number]
            is_invalid = pool.state is PoolState.INVALID
            if is_invalid and self.quirks.invalid_pool_is_error:
                return self._fatal(slot, request, f"pool {pool.id} is invalid: {pool.problem}")
            first = start.position if number == start.stand else 0
            for position in range(first, len(candidates)):
                over = self._count_step()
                if over is not None:
                    return over
                candidate = candidates[position]
                choice = self.trial.any_device(slot, request, candidate, self.chosen)
                if isinstance(choice, Fatal):
                    return self._fatal(slot, request, choice.message)
                if is_invalid and self._is_match(choice):
                    return self._fatal(slot, request, f"pool {pool.id} is invalid: {pool.problem}")
                if not isinstance(choice, Choice):
                    self.observer.refused(slot, request, candidate.device, choice)
                    continue
                next_start = _FIRST if self.quirks.tries_permutations else _Start(number, position + 1)
                end = yield from self._with(choice, _Place(_after(slot), place.is_inside, next_start))
                if end is not _Answer.NO:
                    return end
        self.observer.found_none(slot, request)
        return _Answer.NO

    @staticmethod
    def _is_match(choice: Choice | Reason) -> bool:
        """Whether a device is free and matches; then the allocator of 1.32 looks at its pool."""
        return not isinstance(choice, InUse | Chosen | SelectorFalse)

    def _with(self, choice: Choice, below: _Place, *, keeps: bool = False) -> _Level:
        """Take a choice, go on below, and give it back unless everything was found."""
        self.chosen.push(choice)
        self.observer.chose(choice.slot, choice.request, choice.device)
        end = yield below
        if end is not _Answer.FOUND:
            if keeps:
                self.chosen.abandon()
            else:
                self.chosen.pop()
            self.observer.gave_back(choice.slot, choice.request, choice.device)
        return end


def _after(slot: Slot) -> Slot:
    return slot._replace(number=slot.number + 1)
