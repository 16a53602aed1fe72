"""The search: the first way, in the scheduler's order, to give claims their devices on one node.

Depth first: claims, requests and subrequests in their order, devices in pool, slice and array order. The
state is the stack of devices chosen so far; what is reserved, shared or constrained follows from it, so
giving a device back is dropping it. Nothing is printed or raised: every end is a value, and an observer
hears each step.

Mirrors ``Allocate``, ``allocateOne`` and ``allocateDevice`` of the structured allocators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from dractl.api import budgets
from dractl.api.fixed_point import INT64_MAX
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool, PoolState
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.preparation import AllDevices, prepare, size
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.level_stack import Level, run_levels
from dractl.simulation.allocator.model.allowance import SPENT, Allowance, Cost
from dractl.simulation.allocator.model.demand import MAX_RESULTS, Ask, ClaimDemand, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Observer, Slot
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import (
    Chosen,
    ConstraintReason,
    Fatal,
    InUse,
    Reason,
    SelectorFalse,
)
from dractl.simulation.allocator.pruning.preconditions import is_regular
from dractl.simulation.allocator.pruning.shortcuts import Scan, Shortcuts
from dractl.simulation.allocator.search_result import Found, NotFound, Result

BUDGET = budgets.SEARCH.value
"""The steps that one search may take: opened levels and tried devices. The scheduler has a limit of ten
seconds instead; a number of steps gives the same answer on every machine."""


PATIENCE = 1_000
"""Steps after which a search begins to remember, and after some more looks ahead; most end before."""


_LOOKS_AHEAD = 4
"""A search looks ahead after so many more times its patience; what it remembers is often enough."""

_WORTH = 10
"""A search begins to remember once it holds at most so many devices for every one that it gave back."""


class _Answer(Enum):
    """How a level of the search ended, besides Fatal."""

    FOUND = "found"
    NO = "nothing works from here"
    LIMIT = "nothing works from here, because a claim would hold too many devices"
    OVER = "nothing works from anywhere"


_End = _Answer | Fatal
_Level = Level["_Place", _End]


class _Place(NamedTuple):
    """The place of a level: a slot, whether inside one alternative or before all, and where to start."""

    slot: Slot
    is_inside: bool
    start: int = 0


def search(
    claims: Sequence[ClaimDemand],
    supply: Supply,
    matcher: Matcher,
    features: Features,
    *,
    observer: Observer | None = None,
    budget: int = BUDGET,
    patience: int = PATIENCE,
    allowance: Allowance | None = None,
) -> Result:
    """Find devices on one node for all claims together, or return why that fails.

    ``budget`` limits the steps, and so does what is left of an ``allowance``, from which they are taken;
    beyond it the search ends with a Fatal. After ``patience`` steps
    it begins to remember where it found nothing, and later looks ahead; then it no longer tries (nor tells
    its observer of) what must fail. With a patience above the budget it is the plain search.
    """
    if supply.usage.problem is not None:
        return supply.usage.problem
    if allowance is not None and not allowance.has_steps():
        return SPENT
    checks = DeviceChecks(claims, supply, matcher, features)
    all_devices = prepare(claims, supply, checks, features.quirks)
    if isinstance(all_devices, Fatal):
        return all_devices
    is_exact = not is_regular(claims, supply, features)
    shortcuts = Shortcuts[_Answer](claims, supply, checks, features, all_devices, is_exact=is_exact)
    running = _Search(_Goal(claims, all_devices), supply, checks, features.quirks, observer, shortcuts)
    if allowance is None:
        return running.run(budget, patience)
    # Steps are worth more the more a claim holds, so that a budget in steps stays a bound on time.
    cost = Cost(claims, features)
    found = running.run(min(budget, cost.affordable(allowance.most(), patience)), patience)
    allowance.spend(cost.of(running.steps, patience) + shortcuts.extra)
    return found


class _Goal(NamedTuple):
    """What is to be found: the claims, and the devices of requests for all."""

    claims: Sequence[ClaimDemand]
    all_devices: AllDevices


class _Search:
    def __init__(
        self,
        goal: _Goal,
        supply: Supply,
        checks: DeviceChecks,
        quirks: Quirks,
        observer: Observer | None,
        shortcuts: Shortcuts[_Answer],
    ) -> None:
        self.claims, self.all_devices = goal
        self.pools = tuple(supply.pools)
        self.candidates = tuple(supply.candidates)
        self.scan_end = supply.scan_end(ends_at_invalid=quirks.invalid_pool_is_error)
        self.sees_invalid = any(
            pool_devices.pool.state is PoolState.INVALID for pool_devices in supply.stands
        )
        self.checks = checks
        self.quirks = quirks
        self.observer = observer
        self.shortcuts = shortcuts
        self.steps = 0
        self.spared = 0
        self.dead_ends = 0
        self.chosen = checks.nothing_chosen()
        self.selected: dict[tuple[int, int], int] = {}
        self.infeasible: Mapping[Request, frozenset[Device]] = {}

    def run(self, budget: int, patience: int) -> Result:
        """Run the search and return how it ended."""
        self.budget = budget
        self.patience = patience
        self.remembers = False
        self.next_event = min(patience, budget + 1)
        for pool in self.pools:
            if pool.state is not PoolState.USABLE and self.observer is not None:
                self.observer.passed_over(pool)
        end = run_levels(_Place(Slot(0, 0, 0, 0), is_inside=False), self._level)
        if isinstance(end, Fatal):
            return end
        effort = self.shortcuts.effort(self._total, self.chosen)
        if end is _Answer.FOUND:
            return Found(self.chosen.results(), self.selected, effort)
        if end is _Answer.LIMIT:
            return Fatal(f"a claim would have more than {MAX_RESULTS} devices")
        invalid = (pool for pool in self.pools if pool.state is PoolState.INVALID)
        tells = not self.quirks.uses_incomplete_pools
        return NotFound(tuple(f"{pool.id}: {pool.problem}" for pool in invalid if tells), effort)

    @property
    def _total(self) -> int:
        """The steps that the plain search would have taken to come here."""
        return self.steps + self.spared

    def _level(self, place: _Place) -> _Level | _End:
        """The level at a place, or how it ends where nothing is left to try."""
        self.steps += 1
        if self.steps >= self.next_event:
            over = self._event()
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
        needed = size(request, self.all_devices)
        if request.is_all and needed == 0 and not self.quirks.empty_all_is_met:
            if self.observer is not None:
                self.observer.found_none(slot, request)
            return _Answer.NO
        if slot.number >= needed:
            return self._next_ask(slot)
        if self._exceeds(slot, needed):
            if self.observer is not None:
                self.observer.exceeded(slot, request)
            return _Answer.NO if self.quirks.limit_is_no else _Answer.LIMIT
        return self._exactly_this(place, request) if request.is_all else self._any_of(place, request)

    def _exceeds(self, slot: Slot, needed: int) -> bool:
        """Whether the claim would have too many devices once the request has the rest of what it needs."""
        further = needed if self.quirks.limit_counts_twice else needed - slot.number
        total = self.chosen.held_by(slot.claim) + further
        if total <= MAX_RESULTS or self.quirks.has_no_limit:
            return False
        return total <= INT64_MAX or not self.quirks.limit_wraps

    def _event(self) -> _End | None:
        """What is due at a number of steps; the end of the search where it took too many, or is hopeless."""
        if self.steps > self.budget:
            text = budgets.SEARCH.message(steps=f"{self.budget:,}")
            return Fatal(text, is_timeout=True, effort=self._total)
        # Two thresholds, because the first is enough for most: on 20 requests for 19 devices, a plain search
        # of 7e18 steps, remembering alone ends after 1,900. Looking ahead is what small groups of two
        # constraints need (5,000 steps, and not done after 300,000 without it).
        if not self.remembers:
            # To tell one situation from another costs more the more is chosen.
            if self.dead_ends * _WORTH < len(self.chosen.stack):
                self.next_event = min(self.steps + self.patience, self.budget + 1)
                return None
            self.remembers = True
            self.next_event = min(self.steps + _LOOKS_AHEAD * self.patience, self.budget + 1)
            return None
        self.next_event = self.budget + 1
        lookahead = self.shortcuts.look_ahead(self._total, self.chosen)
        self.infeasible = lookahead.infeasible
        return _Answer.OVER if lookahead.is_infeasible else None

    def _next_claim(self, slot: Slot) -> _Level:
        end = yield from self._from(Slot(slot.claim + 1, 0, 0, 0))
        # A later claim may need fewer devices when an earlier one takes another subrequest.
        return _Answer.NO if end is _Answer.LIMIT else end

    def _next_ask(self, slot: Slot) -> _Level:
        return (yield from self._from(Slot(slot.claim, slot.ask + 1, 0, 0)))

    def _from(self, slot: Slot) -> _Level:
        """What comes after a request, unless the search was in the same situation before."""
        below = _Place(slot, is_inside=False)
        if not self.remembers or slot.claim >= len(self.claims):
            return (yield below)
        mark = self.shortcuts.before(slot, self.chosen)
        # The steps spared are counted all the same: the effort decides whether the scheduler would time out.
        past = self.shortcuts.past(mark)
        if past is not None:
            self.spared += past.effort(0)
            return past.end
        if not self.shortcuts.is_open(slot, self._total, self.chosen):
            return _Answer.NO
        before = self._total
        end = yield below
        if isinstance(end, _Answer) and end in (_Answer.NO, _Answer.LIMIT):
            self.shortcuts.remember(mark, slot, end, self._total - before, self.chosen)
        return end

    def _alternatives(self, slot: Slot, ask: Ask) -> _Level:
        """Every device choice of a subrequest, with all that comes after it, before the next subrequest."""
        is_only_limit = True
        for number in range(len(ask.alternatives)):
            end = yield _Place(slot._replace(alternative=number), is_inside=True)
            # A smaller subrequest may leave room for what follows, so the limit only ends this one.
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
        choice = self.checks.this_device(slot, request, candidate, self.chosen)
        next_slot = _after(slot)
        if self.quirks.all_goes_on_with_first:
            next_slot = next_slot._replace(alternative=0)
        below = _Place(next_slot, place.is_inside)
        if isinstance(choice, Choice):
            end = yield from self._with(choice, below, keeps=self.quirks.all_keeps_devices)
            return self._end_of_all(slot, request, end)
        if isinstance(choice, Fatal):
            return choice._replace(message=self._fatal(slot, request, choice.message).message)
        if self.observer is not None:
            self.observer.refused(slot, request, candidate.device, choice)
        if isinstance(choice, ConstraintReason):
            # Upstream: it makes no sense to declare a claim where a constraint prevents getting all devices.
            text = f"constraint #{choice.constraint} does not allow device {candidate.device.id}"
            return self._fatal(slot, request, f"requires all matching devices, but {text}")
        if self.quirks.all_skips_missing:
            return self._end_of_all(slot, request, (yield below))
        return _Answer.OVER if self.quirks.all_ends_search else _Answer.NO

    def _end_of_all(self, slot: Slot, request: Request, end: _End) -> _End:
        """How a level of an All request ends, given how the one below it did (1.31)."""
        if self.quirks.all_skips_missing and isinstance(end, _Answer) and end is not _Answer.FOUND:
            return self._fatal(slot, request, "requires all matching devices, which leaves none for the rest")
        return end

    def _fatal(self, slot: Slot, request: Request, text: str) -> Fatal:
        return Fatal(f"claim {self.claims[slot.claim].name}, request {request.full_name}: {text}")

    def _any_of(self, place: _Place, request: Request) -> _Level:
        """One device after the other, from the place's start on."""
        scan = None
        # The first device of a request is remembered by what comes before the request; a key for it here
        # would be the same situation twice.
        if self.remembers and place.slot.number:
            scan = self.shortcuts.scan(place.slot, place.start, self.chosen)
        end = yield from self._scanned(place, request, scan)
        if scan is not None and (end is _Answer.NO or end is _Answer.LIMIT):
            is_cut = end is _Answer.LIMIT
            self.shortcuts.remember_scan(scan, place.start, end, self._total, self.chosen, is_cut=is_cut)
        return end

    def _scanned(self, place: _Place, request: Request, scan: Scan[_Answer] | None) -> _Level:
        slot = place.slot
        for position in range(place.start, self.scan_end.position):
            # Also in the middle of a scan: what failed from an earlier position on fails from this one, too,
            # so one situation is remembered once and not for each start.
            past = None if scan is None else scan.passes(position, self._total)
            if past is not None:
                self.spared += past.effort(position)
                return past.end
            self.steps += 1
            if self.steps >= self.next_event:
                over = self._event()
                if over is not None:
                    return over
            candidate = self.candidates[position]
            if self.infeasible and candidate.device in self.infeasible.get(request, ()):
                continue
            choice = self.checks.any_device(slot, request, candidate, self.chosen)
            if isinstance(choice, Fatal):
                return choice._replace(message=self._fatal(slot, request, choice.message).message)
            if self.sees_invalid and candidate.pool.state is PoolState.INVALID and self._is_match(choice):
                return self._fatal(slot, request, _invalid(candidate.pool))
            if not isinstance(choice, Choice):
                if self.observer is not None:
                    self.observer.refused(slot, request, candidate.device, choice)
                continue
            # Combinations, not permutations: 11 of 22 devices are 705,432 sets, and 11! times as many
            # orders. Up to 1.35, and in the stable allocator later, upstream does try each order.
            start = 0 if self.quirks.tries_permutations else position + 1
            end = yield from self._with(choice, _Place(_after(slot), place.is_inside, start))
            if end is not _Answer.NO:
                return end
        if self.scan_end.pool is not None:
            return self._fatal(slot, request, _invalid(self.scan_end.pool))
        if self.observer is not None:
            self.observer.found_none(slot, request)
        return _Answer.NO

    @staticmethod
    def _is_match(choice: Choice | Reason) -> bool:
        """Whether a device is free and matches; then the allocator of 1.32 looks at its pool."""
        return not isinstance(choice, InUse | Chosen | SelectorFalse)

    def _with(self, choice: Choice, below: _Place, *, keeps: bool = False) -> _Level:
        """Take a choice, go on below, and give it back unless everything was found."""
        self.chosen.push(choice)
        if self.observer is not None:
            self.observer.chose(choice.slot, choice.request, choice.device)
        end = yield below
        if end is not _Answer.FOUND:
            self.dead_ends += 1
            if keeps:
                self.chosen.abandon()
            else:
                self.chosen.pop()
            if self.observer is not None:
                self.observer.gave_back(choice.slot, choice.request, choice.device)
        return end


def _invalid(pool: Pool) -> str:
    return f"pool {pool.id} is invalid: {pool.problem}"


def _after(slot: Slot) -> Slot:
    return slot._replace(number=slot.number + 1)
