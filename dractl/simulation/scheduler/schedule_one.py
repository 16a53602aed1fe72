"""One scheduling attempt of a pod: which node, which devices, or why not. Changes nothing.

Mirrors PreFilter, Filter and the choice by score of the scheduler with its dynamic resources plugin (1.37).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from dractl.cluster.objects import Object, allocation_of, full_name
from dractl.cluster.uids import stable_uid
from dractl.simulation.allocator import result
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.explain import ReasonCollector, sentence
from dractl.simulation.allocator.model.allowance import SPENT
from dractl.simulation.allocator.model.demand import ClaimDemand, missing_class
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.result_cache import CachedResult, label
from dractl.simulation.allocator.search import Found, search
from dractl.simulation.pods.claims import Problem, resolve
from dractl.simulation.pods.outcome import (
    CLAIM_ELSEWHERE,
    CLAIM_IN_FLIGHT,
    CLASS_MISSING,
    ERROR,
    INVALID_POOLS,
    NO_DEVICES,
    NOT_EVALUATED,
    TIMEOUT,
    Refusal,
)
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import scores, spread, timeouts
from dractl.simulation.scheduler.extended import SpecialClaim
from dractl.simulation.scheduler.filters import FilterResult, NodeClassKey, NodeFilters, PendingClaims
from dractl.simulation.scheduler.node_allocatable import NodeShares
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.refusals import summed_up
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.timeouts import Subject


class Fit(NamedTuple):
    """A pod fits on a node: the allocations of the claims that had none, the special claim among them.

    ``node_statuses`` say what its devices take of the node.
    """

    node: Node
    allocations: tuple[tuple[Object, result.Allocation], ...]
    special: SpecialClaim | None
    node_statuses: tuple[Object, ...] = ()


class Placed(NamedTuple):
    """A pod gets a node. ``tied`` has all nodes with the best score if there are several."""

    fit: Fit
    tied: tuple[str, ...]
    scores: Mapping[str, Mapping[str, int]]


class Refused(NamedTuple):
    """A pod gets no node. ``unavailable`` are claims whose allocation stood in the way on some node."""

    category: str
    message: str
    nodes: Mapping[str, Refusal]
    unavailable: tuple[Object, ...]


def attempt(pod: Pod, snapshot: Snapshot) -> Placed | Refused:
    """Try to find a node and devices for a pod that has none yet."""
    claims = resolve(pod, snapshot.api_objects)
    if isinstance(claims, Problem):
        return Refused(claims.category, claims.message, {}, ())
    if not snapshot.allowance.begin_attempt(len(snapshot.nodes)):
        return Refused(TIMEOUT, SPENT.message, {}, ())
    job = SchedulingCycle(pod, snapshot, [entry.claim for entry in claims if entry.claim is not None])
    problem = job.problem()
    return problem if problem is not None else job.run()


def allocate_claim(claim: Object, snapshot: Snapshot) -> tuple[str, result.Allocation] | Refused:
    """Allocate one claim for no pod, on the first node that fits: what a claim alone would get."""
    alone = Pod({"kind": "Pod", "metadata": claim.get("metadata") or {}})
    # What claims hold is counted again for each claim that no pod refers to.
    if not snapshot.allowance.begin_attempt(len(snapshot.nodes) + len(snapshot.api_objects)):
        return Refused(TIMEOUT, SPENT.message, {}, ())
    job = SchedulingCycle(alone, snapshot, [claim], is_claim=True)
    problem = job.problem()
    if problem is not None:
        return problem
    refusals: dict[str, Refusal] = {}
    pending_claims = job.filters.pending_claims()
    for node in snapshot.nodes:
        outcome = job.allocate(node, pending_claims)
        if isinstance(outcome, CachedResult):
            return node.name, job.settle(node, pending_claims).allocations[0][1]
        refusals[node.name] = outcome
        if job.is_fatal(outcome):
            return Refused(outcome.category, f"on node {node.name}: {outcome.message}", refusals, ())
    return _nothing(refusals, ())


class _Candidate(NamedTuple):
    """A node that fits, before its devices are written down; ``selected`` are the subrequests chosen."""

    node: Node
    circumstance: FilterResult
    selected: tuple[int, ...]


class SchedulingCycle:
    """An attempt for one pod: what is the same for all nodes, computed once."""

    def __init__(
        self, pod: Pod, snapshot: Snapshot, claims: Sequence[Object], *, is_claim: bool = False
    ) -> None:
        self.pod = pod
        self.snapshot = snapshot
        self.claims = claims
        self.filters = NodeFilters(pod, snapshot, claims)
        self._gave_up = False
        self._subject = Subject(None, pod.full_name) if is_claim else Subject(pod.full_name, None)
        snapshot.long_searches.begin(self._subject)
        has_shares = snapshot.features.node_allocatable
        self._shares = NodeShares(pod, snapshot.api_objects, snapshot.features.quirks) if has_shares else None

    def problem(self) -> Refused | None:
        """What keeps the pod from any node: PreFilter, and what is wrong with the claims themselves."""
        for claim in self.claims:
            if full_name(claim) in self.snapshot.in_flight:
                return Refused(
                    CLAIM_IN_FLIGHT,
                    f"ResourceClaim {full_name(claim)} is just being allocated for another pod",
                    {},
                    (),
                )
            missing = (
                None
                if claim not in self.filters.pending
                else missing_class(claim, self.snapshot.device_class)
            )
            if missing is not None:
                request, name = missing
                absence = self.snapshot.api_objects.absence("DeviceClass", "", name)
                message = f"claim {full_name(claim)}, request {request}: DeviceClass {name} {absence}"
                return Refused(CLASS_MISSING, message, {}, ())
        return None

    def run(self) -> Placed | Refused:
        """Filter all nodes, score those that fit, and take the best; else give the reason of each node."""
        kinds = self.filters.kinds()
        fits = self._fits_where_claims_are(kinds)
        if fits:
            return self._best(fits)
        refusals: dict[str, Refusal] = {}
        unavailable: dict[str, Object] = {}
        of = {kind: self.filters.of(kind) for kind in set(kinds)}
        for name, node, kind in zip(self.snapshot.classes.names, self.snapshot.nodes, kinds, strict=True):
            met = of[kind]
            selected = met.plain.get(name)
            outcome = self._on(node, met, unavailable) if selected is None else selected
            if not isinstance(outcome, Refusal):
                fits.append(_Candidate(node, met, outcome))
                continue
            refusals[name] = outcome
            if outcome.category == TIMEOUT and self.is_fatal(outcome):
                # Upstream looks at nodes side by side; one that times out fails the attempt all the same.
                break
        fatal = next(((name, entry) for name, entry in refusals.items() if self.is_fatal(entry)), None)
        if fatal is not None:
            name, entry = fatal
            return Refused(entry.category, f"on node {name}: {entry.message}", refusals, ())
        if not fits:
            return _nothing(refusals, tuple(unavailable.values()))
        return self._best(fits)

    def _fits_where_claims_are(self, kinds: Sequence[NodeClassKey]) -> list[_Candidate]:
        """The nodes that fit, if all claims are allocated: then nothing can fail on any other node."""
        met = self.filters
        if not met.has_settled_all:
            return []
        usable = {kind: met.of(kind) for kind in set(kinds) if met.are_usable_in(kind)}
        fits = []
        for node, kind in zip(self.snapshot.nodes, kinds, strict=True):
            if kind in usable:
                selected = self._on(node, usable[kind], {})
                if not isinstance(selected, Refusal):
                    fits.append(_Candidate(node, usable[kind], selected))
        return fits

    def is_fatal(self, refusal: Refusal) -> bool:
        """Whether what happens on one node ends the attempt for all."""
        if refusal.category == TIMEOUT:
            return self._gave_up or not self.snapshot.features.quirks.timeout_spares_others
        return refusal.category in {ERROR, NOT_EVALUATED}

    def _on(self, node: Node, met: FilterResult, unavailable: dict[str, Object]) -> tuple[int, ...] | Refusal:
        """Filter one node; answers the subrequests that are chosen there."""
        if isinstance(met.what, Refusal):
            return met.what
        refusal = self._shared(node, met)
        if refusal is not None:
            return refusal
        past = self.allocate(node, met.what)
        if isinstance(past, Refusal):
            return past
        taken = self._taken_of(node, met, self.settle(node, met.what)) if self._shares is not None else ()
        if isinstance(taken, Refusal):
            return taken
        if met.elsewhere:
            # Upstream remembers them only where the other claims can be allocated.
            unavailable.update((full_name(claim), claim) for claim in met.elsewhere)
            return Refusal(
                CLAIM_ELSEWHERE,
                f"ResourceClaim {full_name(met.elsewhere[0])} is allocated already, and not for this node",
            )
        return past.selected

    def allocate(self, node: Node, pending_claims: PendingClaims) -> CachedResult | Refusal:
        """Find devices for all unallocated claims together."""
        if not pending_claims.pending:
            return _NOTHING_TO_DO
        if isinstance(pending_claims.demands, Fatal):
            return Refusal(ERROR, pending_claims.demands.message)
        past = pending_claims.answers.past(node.name)
        if past is None:
            supply = self.snapshot.node_devices.on(node.ref)
            if isinstance(supply, Fatal):
                return Refusal(ERROR, supply.message)
            past = self._search(pending_claims.demands, supply)
            pending_claims.answers.keep(supply, past)
        return past if past.is_plain else self._told(node, past, pending_claims.demands)

    def _given_up(self, node: Node, searched: Fatal) -> Refusal:
        """What is to be said of a search that took too many steps."""
        self._gave_up = True
        if searched.effort:
            self.snapshot.long_searches.add(self._subject, node.name, searched.effort, is_open=True)
        return Refusal(TIMEOUT, searched.message)

    def _told(self, node: Node, past: CachedResult, demands: Sequence[ClaimDemand]) -> CachedResult | Refusal:
        """What is to be said of a search that does not simply end with devices."""
        found = past.found
        if isinstance(found, Fatal):
            if found.is_timeout:
                return self._given_up(node, found)
            return Refusal(NOT_EVALUATED if found.is_unevaluated else ERROR, past.about(demands))
        text = "there are devices for all claims" if isinstance(found, Found) else past.about(demands)
        if timeouts.is_too_long(found.effort):
            self.snapshot.long_searches.add(self._subject, node.name, found.effort)
            if self.snapshot.features.filter_timeout:
                return Refusal(TIMEOUT, f"{text}; {timeouts.sentence(found.effort, has_limit=True)}")
        if not isinstance(found, Found):
            return Refusal(INVALID_POOLS if found.invalid_pools else NO_DEVICES, text)
        problem = result.problem(demands, found, self.snapshot.features)
        return past if problem is None else Refusal(ERROR, problem.message)

    def _shared(self, node: Node, met: FilterResult) -> Refusal | None:
        """Why another pod keeps a claim of this one to itself, or None."""
        if self._shares is None:
            return None
        here = [claim for claim in self.filters.settled if claim not in met.elsewhere]
        return self._shares.sharing(here, self.snapshot.loads.placed.get(node.name, ()))

    def _taken_of(self, node: Node, met: FilterResult, fit: Fit) -> tuple[Object, ...] | Refusal:
        """What the status of the pod is to say of what its devices take of the node, if that has so much."""
        if self._shares is None:
            return ()
        before = self.filters.settled
        return self._shares.check(before, fit.allocations, node.ref, met.load, node.allocatable)

    def _settled(self, chosen: _Candidate) -> Fit:
        """What is written of a node that is chosen."""
        node, met, _ = chosen
        fit = self.settle(node, met.what)
        taken = self._taken_of(node, met, fit)
        return fit if isinstance(taken, Refusal) else fit._replace(node_statuses=taken)

    def settle(self, node: Node, pending_claims: PendingClaims | Refusal) -> Fit:
        """The allocations on a node that is chosen, where the errand can be done."""
        if isinstance(pending_claims, Refusal) or isinstance(pending_claims.demands, Fatal):
            return Fit(node, (), None)
        past = pending_claims.answers.past(node.name)
        if past is None or not isinstance(past.found, Found):
            return Fit(node, (), None)
        made = result.allocations(
            pending_claims.demands, past.found, node.name, self.snapshot.features, self._share_id
        )
        return Fit(node, tuple(zip(pending_claims.pending, made, strict=True)), pending_claims.special)

    def _search(self, demands: Sequence[ClaimDemand], supply: Supply) -> CachedResult:
        """Search, and once more with an ear on it where nothing is found."""
        snapshot = self.snapshot
        found = search(
            _labelled(demands),
            supply,
            snapshot.matcher,
            snapshot.features,
            budget=snapshot.allowance.search,
            allowance=snapshot.allowance,
        )
        if isinstance(found, Fatal):
            return CachedResult(found, found.message)
        if not isinstance(found, Found):
            return CachedResult(found, self._why(demands, supply))
        is_plain = (
            not timeouts.is_too_long(found.effort)
            and result.problem(demands, found, snapshot.features) is None
        )
        return CachedResult(found, "", is_plain)

    def _why(self, demands: Sequence[ClaimDemand], supply: Supply) -> str:
        listener = ReasonCollector()
        snapshot = self.snapshot
        search(
            demands,
            supply,
            snapshot.matcher,
            snapshot.features,
            observer=listener,
            budget=snapshot.allowance.search,
            allowance=snapshot.allowance,
        )
        names = [label(number) for number in range(len(demands))]
        return sentence(
            listener,
            demands,
            names,
            lambda request, device: snapshot.matcher.mismatch(request, device, supply.node),
        )

    def _share_id(self, choice: Choice) -> str:
        """Upstream makes a random one; ours follows from what it is for."""
        slot = choice.slot
        return stable_uid(f"{self.pod.full_name}/{slot}/{choice.device.id}")

    def _best(self, fits: Sequence[_Candidate]) -> Placed:
        if len(fits) == 1:
            return Placed(self._settled(fits[0]), (), {})
        found = self._scored(fits)
        shown = {fit.node.name: entry.scores for fit, entry in zip(fits, found, strict=True)}
        most = max(entry.total for entry in found)
        best = [fit for fit, entry in zip(fits, found, strict=True) if entry.total == most]
        if len(best) == 1:
            return Placed(self._settled(best[0]), (), shown)
        names = tuple(fit.node.name for fit in best)
        chosen = self.snapshot.choose(self.pod, list(names))
        fit = next(fit for fit in best if fit.node.name == chosen)
        return Placed(self._settled(fit), names, shown)

    def _scored(self, fits: Sequence[_Candidate]) -> list[_Scored]:
        """The scores of every node, computed once for those that are alike."""
        snapshot = self.snapshot
        spreads = spread.spreads_of(self.pod, snapshot.api_objects)
        candidates = [fit.node for fit in fits]
        spread_scores = spread.scores(self.pod, spreads, candidates, snapshot.nodes, snapshot.loads.placed)
        looks = [
            (fit.circumstance, fit.selected, score)
            for fit, score in zip(fits, spread_scores or repeat(0), strict=False)
        ]
        # The subrequests of claims that are allocated already count for scores, too (1.36).
        settled = [number for claim in self.filters.settled for number in _selected(claim)]
        kinds = list(dict.fromkeys(looks))
        found = scores.scores_of(
            self.pod,
            self.filters.demand,
            [scores.Option(met.node, met.load, (*settled, *selected)) for met, selected, _ in kinds],
            spread=None if spread_scores is None else [score for _, _, score in kinds],
            counts_alternatives=_scores_alternatives(snapshot.features),
        )
        known = {kind: _Scored(entry, sum(entry.values())) for kind, entry in zip(kinds, found, strict=True)}
        return [known[look] for look in looks]


class _Scored(NamedTuple):
    """The scores of a node, and their sum."""

    scores: Mapping[str, int]
    total: int


def _scores_alternatives(features: Features) -> bool:
    return features.prioritized_list and not features.quirks.scores_no_alternatives


_NOTHING_TO_DO = CachedResult(Found((), {}, 0), "", is_plain=True)
"""What there is to find for a pod without claims that wait for devices."""


def _labelled(demands: Sequence[ClaimDemand]) -> list[ClaimDemand]:
    """The claims with labels for names: what is said of them is true of all that ask for the same."""
    return [demand._replace(name=label(number)) for number, demand in enumerate(demands)]


def _nothing(refusals: Mapping[str, Refusal], unavailable: tuple[Object, ...]) -> Refused:
    """No node fits."""
    category, message = summed_up(refusals)
    return Refused(category, message, refusals, unavailable)


def _selected(claim: Mapping[str, Any]) -> list[int]:
    """Which subrequest of each prioritized request the results of an allocated claim belong to."""
    results = (allocation_of(claim) or {}).get("devices", {}).get("results") or ()
    names = {entry.get("request") for entry in results}
    found = []
    for request in (claim.get("spec") or {}).get("devices", {}).get("requests") or ():
        for number, alternative in enumerate(request.get("firstAvailable") or ()):
            if f"{request.get('name')}/{alternative.get('name')}" in names:
                found.append(number)
                break
    return found
