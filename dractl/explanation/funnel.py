"""What is left of the devices of one node for one request, step by step, and why each other one falls out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from dractl.cluster.devices import Device
from dractl.cluster.pools import PoolState
from dractl.explanation.constraint_groups import Largest, largest_of
from dractl.explanation.model import Step
from dractl.records import NamedTuple
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Candidate, Supply
from dractl.simulation.allocator.device.preparation import prepare
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.demand import Ask, ClaimDemand, Constraint, Request, Test
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import Fatal, Reason
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found

__all__ = ["Bench", "Fate", "Filled", "Funnel", "Why", "problems_of"]

Why = Reason | Fatal


class Fate(NamedTuple):
    """What became of a device: the step at which it falls out, and why.

    ``lasting`` is why it would not do even if no device were allocated, ``passing`` what an
    allocation causes.
    ``number`` is that of the selector; ``test`` the selector that is false or fails.
    """

    candidate: Candidate
    step: str | None = None
    number: int | None = None
    lasting: Why | None = None
    passing: Why | None = None
    test: Test | None = None

    @property
    def device(self) -> Device:
        """The device itself."""
        return self.candidate.device


class Filled(NamedTuple):
    """How many devices of a request fit one after the other, and why the next ones do not."""

    number: int
    refusals: tuple[tuple[Candidate, Why], ...]


class Funnel(NamedTuple):
    """The devices of a node for a request.

    ``wanted`` is how many it needs; ``able`` are the devices that would do if nothing were allocated, and
    ``left`` those that do now. ``largest`` is what ``constraint`` and those before it let together of the
    devices left, ``if_free`` of the able ones. ``empty_is_met``: a request for all devices does without any.
    """

    request: Request
    wanted: int
    fates: tuple[Fate, ...]
    steps: tuple[Step, ...]
    able: tuple[Device, ...]
    left: tuple[Candidate, ...]
    constraint: Constraint | None = None
    largest: Largest | None = None
    if_free: Largest | None = None
    slot: Slot = Slot(0, 0, 0, 0)
    empty_is_met: bool = False

    @property
    def number(self) -> int:
        """How many devices the request can get, as far as that is known."""
        if self.largest is not None:
            return min(len(self.left), self.largest.size)
        return len(self.left)

    @property
    def is_met(self) -> bool:
        """Whether enough devices are left, as far as counting tells: a search may still find too few."""
        if not self.wanted:
            return self.empty_is_met
        return self.number >= (1 if self.is_shared else self.wanted)

    @property
    def fails(self) -> bool:
        """Whether a check ends with an error for some device."""
        return any(isinstance(fate.lasting, Fatal) for fate in self.fates)

    @property
    def is_lasting(self) -> bool:
        """Whether too few devices would do even if nothing were allocated."""
        if not self.wanted:
            return not self.empty_is_met
        wanted = 1 if self.is_shared else self.wanted
        return len(self.able) < wanted or (self.if_free is not None and self.if_free.size < wanted)

    @property
    def is_shared(self) -> bool:
        """Whether a device may serve the request more than once."""
        return any(device.is_multi_use for device in self.able)


class Bench:
    """The devices that one node offers, with and without what is allocated, and the checks for them."""

    def __init__(
        self,
        claims: Sequence[ClaimDemand],
        supply: Supply,
        unused: Supply,
        matcher: Matcher,
        features: Features,
        allowance: Allowance | None = None,
    ) -> None:
        """Hold what does not change."""
        self.claims = claims
        self.supply = supply
        self.unused = unused
        self.matcher = matcher
        self.features = features
        self.allowance = allowance
        self.checks = DeviceChecks(claims, supply, matcher, features)
        self._empty = DeviceChecks(claims, unused, matcher, features)

    def fits(self, claim: ClaimDemand, asks: Sequence[Ask]) -> bool | None:
        """Whether a search finds devices for these requests of a claim alone; None if it reaches a limit."""
        alone = claim._replace(asks=tuple(asks))
        found = search([alone], self.supply, self.matcher, self.features, allowance=self.allowance)
        return None if isinstance(found, Fatal) and found.is_timeout else isinstance(found, Found)

    @property
    def may_end_attempt(self) -> bool:
        """Whether an attempt on this node may end with an error for all nodes, even while it is empty."""
        for claim in self.claims:
            alternatives = [request for ask in claim.asks for request in ask.alternatives]
            if claim.constraints and any(request.is_all for request in alternatives):
                # A constraint that refuses one of all devices is an error.
                return True
        found = prepare(self.claims, self.unused, self._empty, self.features.quirks)
        return isinstance(found, Fatal) and not found.is_of_node

    def funnel(self, claim: int, ask: int, alternative: int, published: int) -> Funnel:
        """The funnel of a request; ``published`` counts the devices that slices publish for the node."""
        demand = self.claims[claim]
        request = demand.asks[ask].alternatives[alternative]
        fates = [self.fate(request, candidate) for candidate in self.supply.candidates]
        able = tuple(fate.device for fate in fates if fate.lasting is None)
        left = tuple(fate.candidate for fate in fates if fate.step is None)
        wanted = len(self._all_of(request, fates)) if request.is_all else request.count
        rules = [rule for rule in demand.constraints if self._counts(rule) and rule.concerns(request)]
        largest, at = self._constrained(rules, request, [candidate.device for candidate in left], wanted)
        if_free = None
        if at is not None:
            if_free = self._largest(rules[: rules.index(at) + 1], request, able)
        slot = Slot(claim, ask, alternative, 0)
        empty_is_met = self.features.quirks.empty_all_is_met
        steps = tuple(self._steps(request, fates, published, rules))
        return Funnel(
            request, wanted, tuple(fates), steps, able, left, at, largest, if_free, slot, empty_is_met
        )

    def _counts(self, rule: Constraint) -> bool:
        """Whether groups of values tell what a constraint lets together; else only a search does."""
        return not (rule.is_distinct and self.features.quirks.distinct_by_request)

    # One device.

    def fate(self, request: Request, candidate: Candidate) -> Fate:
        """What becomes of one device for a request while nothing is chosen."""
        device, checks = candidate.device, self.checks
        why: Why | None = checks.unreachable(request, device)
        if why is not None:
            return Fate(candidate, "reachable", lasting=why)
        why = checks.mismatch(request, device)
        if why is not None:
            test = checks.failing_test(request, device)
            number = None if test is None or test.owner != "request" else test.number
            return Fate(candidate, "class" if number is None else "selector", number, why, test=test)
        lasting = self._lasting(request, candidate)
        held = checks.in_use(request, device)
        if held is not None:
            return Fate(candidate, "free", lasting=lasting, passing=held)
        why = checks.untolerated(request, device)
        if why is not None:
            return Fate(candidate, "untainted", lasting=why)
        for step, why in (
            ("counters", checks.counters_short(request, candidate)),
            ("capacity", checks.capacity_short(request, device)),
        ):
            if why is not None:
                passing = why if lasting is None else None
                return Fate(candidate, step, lasting=lasting, passing=passing)
        return Fate(candidate)

    def _lasting(self, request: Request, candidate: Candidate) -> Why | None:
        """Why a device that matches would not do even if nothing were allocated."""
        device, checks = candidate.device, self._empty
        return (
            checks.untolerated(request, device)
            or checks.counters_short(request, candidate)
            or checks.capacity_short(request, device)
        )

    def _all_of(self, request: Request, fates: Sequence[Fate]) -> list[Fate]:
        """The devices that a request for all of them has to get."""
        found = [fate for fate in fates if fate.step not in ("reachable", "class", "selector")]
        return [fate for fate in found if self.checks.misfit_of_all(request, fate.device) is None]

    # Several devices.

    def _constrained(
        self, rules: Sequence[Constraint], request: Request, devices: Sequence[Device], wanted: int
    ) -> tuple[Largest | None, Constraint | None]:
        """The first constraint that lets too few devices together, with how many; else the last one."""
        largest = at = None
        for number in range(len(rules)):
            largest, at = self._largest(rules[: number + 1], request, devices), rules[number]
            if largest.size < wanted:
                break
        return largest, at

    def _largest(self, rules: Sequence[Constraint], request: Request, devices: Sequence[Device]) -> Largest:
        as_sets = self.features.list_type_attributes
        return largest_of(rules, request, devices, self.checks.attribute, as_sets=as_sets)

    def filled(self, funnel: Funnel) -> Filled:
        """Choose devices in order, each as often as it can be had, until enough are chosen."""
        chosen = self.checks.nothing_chosen()
        number = 0
        refusals: list[tuple[Candidate, Why]] = []
        for candidate in funnel.left:
            while number < funnel.wanted:
                found = self.checks.any_device(
                    funnel.slot._replace(number=number), funnel.request, candidate, chosen
                )
                if not isinstance(found, Choice):
                    refusals.append((candidate, found))
                    break
                chosen.push(found)
                number += 1
        return Filled(number, tuple(refusals))

    def _steps(
        self, request: Request, fates: Sequence[Fate], published: int, rules: Sequence[Constraint]
    ) -> Iterator[Step]:
        fallen = Counter((fate.step, fate.number) for fate in fates)
        yield Step("published", published)
        left = len(fates) - fallen["reachable", None]
        if left != published:
            yield Step("reachable", left)
        left -= fallen["class", None]
        yield Step("class", left)
        for number in range(len(request.own_tests)):
            left -= fallen["selector", number]
            yield Step("selector", left, number)
        left -= fallen["free", None]
        yield Step("free", left)
        for step in ("untainted", "counters", "capacity"):
            if fallen[step, None]:
                left -= fallen[step, None]
                yield Step(step, left)
        devices = [fate.device for fate in fates if fate.step is None]
        for position, rule in enumerate(rules):
            yield Step("constraint", self._largest(rules[: position + 1], request, devices).size, rule.number)


def problems_of(supply: Supply) -> list[str]:
    """The pools that give no devices, each with what is wrong with it."""
    return [
        f"{pool.id} is {pool.state.value}: {pool.problem}"
        for pool in supply.pools
        if pool.state is not PoolState.USABLE
    ]
