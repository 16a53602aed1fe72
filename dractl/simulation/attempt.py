"""One scheduling attempt of a pod: which node, which devices, or why not. Changes nothing.

Mirrors PreFilter, Filter and the choice by score of the scheduler with its dynamic resources plugin (1.37).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dractl.api.selectors import NodeSelector, node_selector
from dractl.cluster.objects import Object, Objects, full_name
from dractl.cluster.uids import made_up_uid
from dractl.simulation import binding, extended, nodes, result, scores, spread, timeouts
from dractl.simulation.choices import Choice
from dractl.simulation.claims import Problem, resolve
from dractl.simulation.demand import ClaimDemand, demand_of, missing_class
from dractl.simulation.extended import Classes, SpecialClaim
from dractl.simulation.features import Features
from dractl.simulation.matching import Matcher
from dractl.simulation.node_allocatable import NodeShares
from dractl.simulation.nodes import Node
from dractl.simulation.outcome import (
    CLAIM_ELSEWHERE,
    CLAIM_IN_FLIGHT,
    CLASS_MISSING,
    ERROR,
    INVALID_POOLS,
    NO_DEVICES,
    TIMEOUT,
    Refusal,
)
from dractl.simulation.pods import Pod
from dractl.simulation.reasons import Fatal
from dractl.simulation.recall import Past, Recall, label
from dractl.simulation.refusals import summed_up
from dractl.simulation.resources import Load
from dractl.simulation.resources import demand_of as resources_of
from dractl.simulation.search import Found, search
from dractl.simulation.supply import Offers, Supply
from dractl.simulation.timeouts import LongSearches, Subject
from dractl.simulation.why import Listener, sentence

_NODE_OPERATIONS = "DRAOptionalNodeOperations"


class View(NamedTuple):
    """Everything that an attempt looks at; nothing of it changes meanwhile.

    What is told while it runs goes to ``long_searches``. ``loads`` and ``placed`` tell per node what its pods
    take and which they are. ``in_flight`` names claims
    whose allocation is decided for a pod that still waits. ``choose`` picks one of several best nodes.
    """

    world: Objects
    nodes: Sequence[Node]
    offers: Offers
    recall: Recall
    matcher: Matcher
    features: Features
    loads: Mapping[str, Load]
    placed: Mapping[str, Sequence[Pod]]
    in_flight: frozenset[str]
    budget: int
    choose: Callable[[Pod, Sequence[str]], str]
    long_searches: LongSearches

    def device_class(self, name: str) -> Object | None:
        """The device class of a name."""
        return self.world.get("DeviceClass", "", name)


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


def attempt(pod: Pod, view: View) -> Placed | Refused:
    """Try to find a node and devices for a pod that has none yet."""
    claims = resolve(pod, view.world)
    if isinstance(claims, Problem):
        return Refused(claims.category, claims.message, {}, ())
    job = _Job(pod, view, [entry.claim for entry in claims if entry.claim is not None])
    problem = job.problem()
    return problem if problem is not None else job.run()


def allocate_claim(claim: Object, view: View) -> tuple[str, result.Allocation] | Refused:
    """Allocate one claim for no pod, on the first node that fits: what a claim alone would get."""
    alone = Pod({"kind": "Pod", "metadata": claim.get("metadata") or {}})
    job = _Job(alone, view, [claim], is_claim=True)
    problem = job.problem()
    if problem is not None:
        return problem
    refusals: dict[str, Refusal] = {}
    for node in view.nodes:
        outcome = job.allocate(node, None)
        if isinstance(outcome, _Candidate):
            return node.name, job.settle(outcome).allocations[0][1]
        refusals[node.name] = outcome
        if job.is_fatal(outcome):
            return Refused(outcome.category, f"on node {node.name}: {outcome.message}", refusals, ())
    return _nothing(refusals, ())


class _Candidate(NamedTuple):
    """A node that fits, before its devices are written down; ``alternatives`` count for scores."""

    node: Node
    special: SpecialClaim | None
    alternatives: tuple[int, ...]
    pending: tuple[Object, ...] = ()
    demands: tuple[ClaimDemand, ...] = ()
    found: Found | None = None
    node_statuses: tuple[Object, ...] = ()


class _Job:
    """An attempt for one pod: what is the same for all nodes, computed once."""

    def __init__(self, pod: Pod, view: View, claims: Sequence[Object], *, is_claim: bool = False) -> None:
        self.pod = pod
        self.view = view
        self.claims = claims
        self.demand = resources_of(pod)
        self.wanted = extended.asked_for(self.demand) if view.features.extended_resources else {}
        self.classes = Classes(view.world) if self.wanted else None
        self.pending = [claim for claim in claims if _allocation(claim) is None]
        # The subrequests of claims that are allocated already count for scores, too (1.36).
        self._settled = tuple(
            number for claim in claims if _allocation(claim) is not None for number in _selected(claim)
        )
        self._demands: dict[frozenset[str] | None, list[ClaimDemand] | Fatal] = {}
        self._specials: dict[frozenset[str], SpecialClaim] = {}
        self._gave_up = False
        self._selectors: dict[str, NodeSelector | None] = {}
        self._subject = Subject(None, pod.full_name) if is_claim else Subject(pod.full_name, None)
        view.long_searches.begin(self._subject)
        has_shares = view.features.node_allocatable
        self._shares = NodeShares(pod, view.world, view.features.quirks) if has_shares else None

    def problem(self) -> Refused | None:
        """What keeps the pod from any node: PreFilter, and what is wrong with the claims themselves."""
        for claim in self.claims:
            if full_name(claim) in self.view.in_flight:
                return Refused(
                    CLAIM_IN_FLIGHT,
                    f"ResourceClaim {full_name(claim)} is just being allocated for another pod",
                    {},
                    (),
                )
            missing = None if claim not in self.pending else missing_class(claim, self.view.device_class)
            if missing is not None:
                request, name = missing
                absence = self.view.world.absence("DeviceClass", "", name)
                message = f"claim {full_name(claim)}, request {request}: DeviceClass {name} {absence}"
                return Refused(CLASS_MISSING, message, {}, ())
        return None

    def run(self) -> Placed | Refused:
        fits = self._fits_where_claims_are()
        if fits:
            return self._best(fits)
        refusals: dict[str, Refusal] = {}
        unavailable: dict[str, Object] = {}
        for node in self.view.nodes:
            outcome = self._on(node, unavailable)
            if isinstance(outcome, _Candidate):
                fits.append(outcome)
                continue
            refusals[node.name] = outcome
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

    def _fits_where_claims_are(self) -> list[_Candidate]:
        """The nodes that fit, if all claims are allocated: then nothing can fail on any other node."""
        if self.pending or self.classes is not None or not self.claims:
            return []
        usable = [node for node in self.view.nodes if all(self._is_available(it, node) for it in self.claims)]
        found = (self._on(node, {}) for node in usable)
        return [outcome for outcome in found if isinstance(outcome, _Candidate)]

    def is_fatal(self, refusal: Refusal) -> bool:
        """Whether what happens on one node ends the attempt for all."""
        if refusal.category == TIMEOUT:
            return self._gave_up or not self.view.features.quirks.timeout_spares_others
        return refusal.category == ERROR

    def _on(self, node: Node, unavailable: dict[str, Object]) -> _Candidate | Refusal:
        """Filter one node."""
        served = (
            extended.served_on(node, self.wanted, self.classes)
            if self.classes is not None
            else frozenset[str]()
        )
        load = self.view.loads.get(node.name, _NO_LOAD)
        refusal = nodes.refusal(self.pod, node, self.demand, load, served)
        if refusal is not None:
            return refusal
        special = self._special(served)
        elsewhere = [claim for claim in self.claims if not self._is_available(claim, node)]
        refusal = self._shared(elsewhere, node)
        if refusal is not None:
            return refusal
        fit = self._with_node_share(self.allocate(node, special), load)
        if isinstance(fit, _Candidate) and elsewhere:
            # Upstream remembers them only where the other claims can be allocated.
            unavailable.update((full_name(claim), claim) for claim in elsewhere)
            return Refusal(
                CLAIM_ELSEWHERE,
                f"ResourceClaim {full_name(elsewhere[0])} is allocated already, and not for this node",
            )
        return fit

    def _special(self, served: frozenset[str]) -> SpecialClaim | None:
        """The special claim as the node needs it: without requests if only others are to be bound."""
        if self.classes is None or not any(self.classes.behind(name) for name in self.wanted):
            return None
        if not served and not self.claims:
            return None
        if served not in self._specials:
            made = extended.special_claim(self.pod, served, self.classes)
            spec = self.view.recall.same(made.claim["spec"])
            self._specials[served] = made._replace(claim={**made.claim, "spec": spec})
        return self._specials[served]

    def _is_available(self, claim: Object, node: Node) -> bool:
        """Whether an allocated claim can be used on the node; true for one without allocation."""
        allocation = _allocation(claim)
        if allocation is None:
            return True
        selector = self._selector_of(claim, allocation)
        if selector is not None and not selector.matches(node.name, node.ref.labels):
            return False
        results = (allocation.get("devices") or {}).get("results") or ()
        if (
            any(entry.get("skipNodeOperations") for entry in results)
            and _NODE_OPERATIONS not in node.ref.declared_features
        ):
            return False
        return not (self.view.features.binding_conditions and binding.has_failed(claim))

    def _selector_of(self, claim: Object, allocation: Mapping[str, Any]) -> NodeSelector | None:
        """Where an allocated claim can be used, read once; None: anywhere."""
        name = full_name(claim)
        if name not in self._selectors:
            selector = allocation.get("nodeSelector")
            self._selectors[name] = None if selector is None else node_selector(selector)
        return self._selectors[name]

    def allocate(self, node: Node, special: SpecialClaim | None) -> _Candidate | Refusal:
        """Find devices for all unallocated claims together."""
        pending = [*self.pending, *([special.claim] if special is not None else [])]
        if not pending:
            return _Candidate(node, None, self._settled)
        demands = self._demands_of(pending, special)
        if isinstance(demands, Fatal):
            return Refusal(ERROR, demands.message)
        supply = self.view.offers.on(node.ref)
        if isinstance(supply, Fatal):
            return Refusal(ERROR, supply.message)
        past = self._search(pending, demands, supply)
        if isinstance(past, Fatal):
            self._gave_up |= past.is_timeout
            return Refusal(TIMEOUT if past.is_timeout else ERROR, past.message)
        found = past.found
        text = "there are devices for all claims" if isinstance(found, Found) else past.about(demands)
        if timeouts.is_too_long(found.effort):
            self.view.long_searches.add(self._subject, node.name, found.effort)
            if self.view.features.filter_timeout:
                return Refusal(TIMEOUT, f"{text}; {timeouts.sentence(found.effort, has_limit=True)}")
        if not isinstance(found, Found):
            return Refusal(INVALID_POOLS if found.invalid_pools else NO_DEVICES, text)
        problem = result.problem(demands, found, self.view.features)
        if problem is not None:
            return Refusal(ERROR, problem.message)
        alternatives = (*self._settled, *found.selected.values())
        return _Candidate(node, special, alternatives, tuple(pending), tuple(demands), found)

    def _shared(self, elsewhere: Sequence[Object], node: Node) -> Refusal | None:
        """Why another pod keeps a claim of this one to itself, or None."""
        if self._shares is None:
            return None
        here = [claim for claim in self.claims if _allocation(claim) is not None and claim not in elsewhere]
        return self._shares.sharing(here, self.view.placed.get(node.name, ()))

    def _with_node_share(self, fit: _Candidate | Refusal, load: Load) -> _Candidate | Refusal:
        """The same node with what the devices take of it, if it has so much."""
        if self._shares is None or isinstance(fit, Refusal):
            return fit
        before = [claim for claim in self.claims if _allocation(claim) is not None]
        made = self.settle(fit).allocations
        checked = self._shares.check(before, made, fit.node.ref, load, fit.node.allocatable)
        return checked if isinstance(checked, Refusal) else fit._replace(node_statuses=checked)

    def settle(self, candidate: _Candidate) -> Fit:
        """The allocations on a node that is chosen."""
        if candidate.found is None:
            return Fit(candidate.node, (), None, candidate.node_statuses)
        name, features = candidate.node.name, self.view.features
        made = result.allocations(candidate.demands, candidate.found, name, features, self._share_id)
        allocations = tuple(zip(candidate.pending, made, strict=True))
        return Fit(candidate.node, allocations, candidate.special, candidate.node_statuses)

    def _search(
        self, pending: Sequence[Object], demands: Sequence[ClaimDemand], supply: Supply
    ) -> Past | Fatal:
        """Search, and once more with an ear on it where nothing is found; unless that was done before."""
        view = self.view
        past = view.recall.past(pending, supply)
        if past is None:
            found = search(demands, supply, view.matcher, view.features, budget=view.budget)
            if isinstance(found, Fatal):
                return found
            past = Past(found, "" if isinstance(found, Found) else self._why(demands, supply))
            view.recall.keep(pending, supply, past)
        return past

    def _why(self, demands: Sequence[ClaimDemand], supply: Supply) -> str:
        listener = Listener()
        view = self.view
        search(demands, supply, view.matcher, view.features, observer=listener, budget=view.budget)
        names = [label(number) for number in range(len(demands))]
        return sentence(
            listener,
            demands,
            names,
            lambda request, device: view.matcher.mismatch(request, device, supply.node),
        )

    def _demands_of(
        self, pending: Iterable[Object], special: SpecialClaim | None
    ) -> list[ClaimDemand] | Fatal:
        """The claims read; only the special one differs, by the resources that DRA serves on a node."""
        served = None if special is None else special.served
        if served not in self._demands:
            self._demands[served] = self._read(pending)
        return self._demands[served]

    def _read(self, pending: Iterable[Object]) -> list[ClaimDemand] | Fatal:
        demands = []
        for claim in pending:
            demand = demand_of(claim, self.view.device_class, self.view.features)
            if isinstance(demand, Fatal):
                return demand
            demands.append(demand)
        return demands

    def _share_id(self, choice: Choice) -> str:
        """Upstream makes a random one; ours follows from what it is for."""
        slot = choice.slot
        return made_up_uid(f"{self.pod.full_name}/{slot}/{choice.device.id}")

    def _best(self, fits: Sequence[_Candidate]) -> Placed:
        if len(fits) == 1:
            return Placed(self.settle(fits[0]), (), {})
        options = [
            scores.Option(fit.node, self.view.loads.get(fit.node.name, _NO_LOAD), fit.alternatives)
            for fit in fits
        ]
        spreads = spread.spreads_of(self.pod, self.view.world)
        candidates = [fit.node for fit in fits]
        found = scores.scores_of(
            self.pod,
            self.demand,
            options,
            spread=spread.scores(self.pod, spreads, candidates, self.view.nodes, self.view.placed),
            counts_alternatives=_scores_alternatives(self.view.features),
        )
        totals = [sum(entry.values()) for entry in found]
        most = max(totals)
        best = [fit.node.name for fit, total in zip(fits, totals, strict=True) if total == most]
        chosen = best[0] if len(best) == 1 else self.view.choose(self.pod, best)
        fit = next(fit for fit in fits if fit.node.name == chosen)
        shown = {fit.node.name: entry for fit, entry in zip(fits, found, strict=True)}
        return Placed(self.settle(fit), tuple(best) if len(best) > 1 else (), shown)


def _scores_alternatives(features: Features) -> bool:
    return features.prioritized_list and not features.quirks.scores_no_alternatives


_NO_LOAD = Load(0, {}, {})


def _nothing(refusals: Mapping[str, Refusal], unavailable: tuple[Object, ...]) -> Refused:
    """No node fits."""
    category, message = summed_up(refusals)
    return Refused(category, message, refusals, unavailable)


def _allocation(claim: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return (claim.get("status") or {}).get("allocation")


def _selected(claim: Mapping[str, Any]) -> list[int]:
    """Which subrequest of each prioritized request the results of an allocated claim belong to."""
    results = (_allocation(claim) or {}).get("devices", {}).get("results") or ()
    names = {entry.get("request") for entry in results}
    found = []
    for request in (claim.get("spec") or {}).get("devices", {}).get("requests") or ():
        for number, alternative in enumerate(request.get("firstAvailable") or ()):
            if f"{request.get('name')}/{alternative.get('name')}" in names:
                found.append(number)
                break
    return found
