"""Which requests of a pod the devices of one node cannot meet, each alone or all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from dractl.cluster.devices import Device
from dractl.explanation.causes import causes_of
from dractl.explanation.constraint_groups import largest_across
from dractl.explanation.funnel import Bench, Funnel
from dractl.explanation.holders import Holders
from dractl.explanation.model import Cause, ConstraintUnmet, NotTogether, TooFew, Unmet
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import Ask, ClaimDemand, Constraint
from dractl.simulation.pods import outcome
from dractl.simulation.pods.outcome import NO_DEVICES, Refusal

__all__ = ["Failed", "Requests", "Verdict"]

Failed = Mapping[tuple[str, str, int], Sequence[Device]]
"""The devices that a selector rules out, by request, and owner and number of the selector."""


class Verdict(NamedTuple):
    """What the devices of a node amount to for the claims of a pod."""

    category: str
    causes: tuple[Cause, ...] = ()
    unmet: tuple[Unmet, ...] = ()
    alternatives: tuple[Unmet, ...] = ()
    is_lasting: bool = False
    failed: Failed = MappingProxyType({})

    def with_cause(self, cause: Cause) -> Verdict:
        """The verdict with one more cause, which also holds for the request that leads."""
        lead = self.unmet[0]
        causes = (*self.causes, cause)
        return self._replace(causes=causes, unmet=(lead._replace(causes=causes), *self.unmet[1:]))


class _Met(NamedTuple):
    """A request that a node meets alone: its funnels, and that of the first alternative that is met."""

    claim: int
    ask: Ask
    funnels: Sequence[Funnel]
    funnel: Funnel


class Requests:
    """Finds the requests that a node cannot meet."""

    def __init__(self, bench: Bench, node: str, holders: Holders, published: int) -> None:
        self.bench = bench
        self.node = node
        self.holders = holders
        self.published = published
        self.failed: dict[tuple[str, str, int], list[Device]] = {}
        self.met: list[_Met] = []
        self.has_errors = False

    def by_devices(self, answer: Refusal | None) -> Verdict | None:
        """The requests for which too few devices are left, whatever a search would try; None if none are."""
        ends = answer is not None and answer.category in (outcome.ERROR, outcome.NOT_EVALUATED)
        failing: list[tuple[bool, list[Unmet]]] = []
        for claim, demand in enumerate(self.bench.claims):
            for position, ask in enumerate(demand.asks):
                funnels = [
                    self.bench.funnel(claim, position, number, self.published)
                    for number in range(len(ask.alternatives))
                ]
                self.has_errors |= any(funnel.fails for funnel in funnels)
                good = [funnel for funnel in funnels if funnel.is_met and not (ends and funnel.fails)]
                if good:
                    self.met.append(_Met(claim, ask, funnels, good[0]))
                else:
                    failing.append(self._unmet(demand, funnels))
        return self._told(NO_DEVICES if answer is None else answer.category, failing) if failing else None

    def by_search(self, answer: Refusal) -> Verdict | None:
        """Why requests are not met although enough devices are left for each; None if nothing tells."""
        fits = [self.bench.fits(self.bench.claims[entry.claim], [entry.ask]) for entry in self.met]
        if None in fits:
            return None
        failing = [
            self._unmet(self.bench.claims[entry.claim], entry.funnels, is_searched=True)
            for entry, fit in zip(self.met, fits, strict=True)
            if not fit
        ]
        if failing and all(unmet.causes for _, entries in failing for unmet in entries):
            return self._told(answer.category, failing)
        return None if failing else self._jointly(answer, self.met)

    def _unmet(
        self, demand: ClaimDemand, funnels: Sequence[Funnel], *, is_searched: bool = False
    ) -> tuple[bool, list[Unmet]]:
        for funnel in funnels:
            for fate in funnel.fates:
                if fate.test is not None:
                    key = (funnel.request.full_name, fate.test.owner, fate.test.number)
                    self.failed.setdefault(key, []).append(fate.device)
        entries = [
            Unmet(
                demand.name,
                funnel.request.full_name,
                None if funnel.request.is_all else funnel.request.count,
                causes_of(
                    funnel, self.node, self.holders, self.bench.filled(funnel) if is_searched else None
                ),
                funnel.steps,
                funnel.is_lasting,
            )
            for funnel in funnels
        ]
        return all(funnel.is_lasting for funnel in funnels), entries

    def _told(self, category: str, failing: Sequence[tuple[bool, list[Unmet]]]) -> Verdict:
        """The requests that can never be met come first."""
        ordered = sorted(failing, key=lambda entry: not entry[0])
        lasting, first = ordered[0]
        lead = max(first, key=lambda unmet: (not unmet.is_lasting, _left(unmet)))
        alternatives = tuple(first) if len(first) > 1 else ()
        others = tuple(
            max(entries, key=lambda unmet: (not unmet.is_lasting, _left(unmet))) for _, entries in ordered[1:]
        )
        return Verdict(category, lead.causes, (lead, *others), alternatives, lasting, self.failed)

    def _jointly(self, answer: Refusal, met: Sequence[_Met]) -> Verdict | None:
        """Why requests that can be met alone cannot be met at once."""
        if len(met) < 2:
            return None
        found = [
            unmet
            for number, demand in enumerate(self.bench.claims)
            for rule in demand.constraints
            if (unmet := self._across(rule, [entry.funnel for entry in met if entry.claim == number]))
        ]
        is_lasting = any(unmet.if_free < unmet.needed for unmet in found)
        if not found and not any(entry.funnel.is_shared for entry in met):
            is_lasting = _distinct(met, is_free=False) < sum(entry.funnel.wanted for entry in met)
        causes: tuple[Cause, ...] = tuple(found) or tuple(_not_together(met))
        lead = Unmet(
            self.bench.claims[met[0].claim].name,
            " and ".join(entry.ask.name for entry in met),
            sum(entry.funnel.wanted for entry in met),
            causes,
            met[0].funnel.steps,
            is_lasting,
        )
        return Verdict(answer.category, causes, (lead,), (), is_lasting)

    def _across(self, rule: Constraint, funnels: Sequence[Funnel]) -> ConstraintUnmet | None:
        """What a constraint over several requests lets together, if that is too little."""
        wanted = [funnel for funnel in funnels if rule.concerns(funnel.request)]
        total = sum(funnel.wanted for funnel in wanted)
        if len(wanted) < 2:
            return None
        lookup, as_sets = self.bench.checks.attribute, self.bench.features.list_type_attributes
        now = largest_across(
            rule,
            [(funnel.request, funnel.wanted, [entry.device for entry in funnel.left]) for funnel in wanted],
            lookup,
            as_sets=as_sets,
        )
        if now.size >= total:
            return None
        ever = largest_across(
            rule,
            [(funnel.request, funnel.wanted, funnel.able) for funnel in wanted],
            lookup,
            as_sets=as_sets,
        )
        return ConstraintUnmet(
            rule.number,
            rule.attribute,
            rule.is_distinct,
            now.size,
            now.value,
            now.without,
            ever.size,
            total,
        )


def _not_together(met: Sequence[_Met]) -> Iterator[Cause]:
    """That requests need more devices together than there are, or than are free."""
    yield NotTogether(tuple(entry.ask.name for entry in met))
    total = sum(entry.funnel.wanted for entry in met)
    number = min(_distinct(met, is_free=False), _distinct(met, is_free=True))
    if number < total and not any(entry.funnel.is_shared for entry in met):
        yield TooFew(total, number)


def _distinct(met: Sequence[_Met], *, is_free: bool) -> int:
    """The number of different devices that some request could get: now, or if all were free."""
    found: set[Device] = set()
    for entry in met:
        left = (candidate.device for candidate in entry.funnel.left)
        found.update(left if is_free else entry.funnel.able)
    return len(found)


def _left(unmet: Unmet) -> int:
    return unmet.funnel[-1].left - (unmet.needed or 0) if unmet.funnel else 0
