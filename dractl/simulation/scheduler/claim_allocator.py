"""Devices for the claims of one pod, node by node: allocate, explain a failure, write down the result.

Mirrors how Filter of the dynamic resources plugin calls the structured allocator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.cluster.uids import stable_uid
from dractl.simulation.allocator import result
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.explain import ReasonCollector, describe, sentence
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.reasons import Fatal, InUse, Reason
from dractl.simulation.allocator.result_cache import (
    CachedResult,
    Shared,
    holder_label,
    label,
    numbers_holders,
)
from dractl.simulation.allocator.search import search
from dractl.simulation.allocator.search_result import Found, NotFound
from dractl.simulation.allocator.supply_keys import holders_of, names_nothing
from dractl.simulation.pods.outcome import ERROR, INVALID_POOLS, NO_DEVICES, NOT_EVALUATED, TIMEOUT, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import timeouts
from dractl.simulation.scheduler.node_allocatable.node_shares import NodeShares
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.pod_claims import PendingClaims, PodClaims
from dractl.simulation.scheduler.resources import Load
from dractl.simulation.scheduler.schedule_result import Fit
from dractl.simulation.scheduler.snapshot import Snapshot
from dractl.simulation.scheduler.timeouts import Subject

if TYPE_CHECKING:
    from dractl.api.objects import core


class ClaimAllocator:
    """Allocates the claims of one pod during one scheduling cycle.

    Filter leaves here what later steps need: ``selected`` are the subrequests chosen by node, where any were;
    ``unavailable`` the claims whose allocation stood in the way on some node.
    """

    def __init__(self, pod: Pod, snapshot: Snapshot, claims: PodClaims, *, is_claim: bool = False) -> None:
        """Begin an attempt; ``is_claim``: the pod only represents a claim that no pod refers to."""
        self.claims = claims
        self.selected: dict[str, tuple[int, ...]] = {}
        self.unavailable: dict[str, Object] = {}
        self.has_given_up = False
        self._pod = pod
        self._snapshot = snapshot
        self._subject = Subject(None, pod.full_name) if is_claim else Subject(pod.full_name, None)
        snapshot.long_searches.begin(self._subject)
        has_shares = snapshot.features.node_allocatable
        self._shares = NodeShares(pod, snapshot.api_objects, snapshot.features.quirks) if has_shares else None
        self.decides_by_devices = not has_shares
        """Whether a pod fits on a node as soon as it gets devices."""

    def ends_attempt(self, refusal: Refusal) -> bool:
        """Whether a refusal by one node ends the attempt for all nodes."""
        if refusal.category == TIMEOUT:
            return self.has_given_up or not self._snapshot.features.quirks.timeout_spares_others
        return refusal.category in {ERROR, NOT_EVALUATED}

    def allocate(self, node: Node, pending_claims: PendingClaims) -> CachedResult | Refusal:
        """Find devices for all unallocated claims together."""
        if not pending_claims.pending:
            return _NOTHING_TO_DO
        if isinstance(pending_claims.demands, Fatal):
            return Refusal(ERROR, pending_claims.demands.message)
        past = pending_claims.answers.past(node.name)
        if past is None:
            supply = self._snapshot.node_devices.on(node.ref)
            if isinstance(supply, Fatal):
                return Refusal(ERROR, supply.message)
            past = self._search_once(pending_claims.demands, supply, pending_claims)
            pending_claims.answers.keep(supply, past)
        if not past.is_plain:
            return self._judged(node, past, pending_claims.demands)
        return _not_found(past.found, past, pending_claims) if isinstance(past.found, NotFound) else past

    def sharing(self, node: Node, on_other_nodes: Sequence[Object]) -> Refusal | None:
        """Why another pod keeps a claim of this one to itself, or None."""
        if self._shares is None:
            return None
        here = [claim for claim in self.claims.settled if claim not in on_other_nodes]
        return self._shares.sharing(here, self._snapshot.loads.placed.get(node.name, ()))

    def node_statuses(
        self, node: Node, load: Load, fit: Fit
    ) -> tuple[core.NodeAllocatableResourceClaimStatus, ...] | Refusal:
        """What the pod's status is to list of the node's resources, if the node has so much."""
        if self._shares is None:
            return ()
        return self._shares.check(self.claims.settled, fit.allocations, node.ref, load, node.allocatable)

    def fit(self, node: Node, pending_claims: PendingClaims) -> Fit:
        """The allocations on a node where the claims can be allocated."""
        if isinstance(pending_claims.demands, Fatal):
            return Fit(node, (), None)
        past = pending_claims.answers.past(node.name)
        if past is None or not isinstance(past.found, Found):
            return Fit(node, (), None)
        made = result.allocations(
            pending_claims.demands, past.found, node.name, self._snapshot.features, self._share_id
        )
        return Fit(node, tuple(zip(pending_claims.pending, made, strict=True)), pending_claims.special)

    def chosen_fit(self, node: Node, load: Load, served: frozenset[str]) -> Fit:
        """What is written for the node that is chosen."""
        fit = self.fit(node, self.claims.pending_claims(served))
        statuses = self.node_statuses(node, load, fit)
        return fit if isinstance(statuses, Refusal) else fit._replace(node_statuses=statuses)

    def _judged(
        self, node: Node, past: CachedResult, demands: Sequence[ClaimDemand]
    ) -> CachedResult | Refusal:
        """What a search amounts to that does not simply end with devices."""
        found = past.found
        if isinstance(found, Fatal):
            if found.is_timeout:
                return self._given_up(node, found)
            if found.is_of_node:
                return Refusal(NO_DEVICES, past.about(demands))
            return Refusal(NOT_EVALUATED if found.is_unevaluated else ERROR, past.about(demands))
        text = "devices are available for all claims" if isinstance(found, Found) else past.about(demands)
        if timeouts.is_too_long(found.effort):
            self._snapshot.long_searches.add(self._subject, node.name, found.effort)
            if self._snapshot.features.filter_timeout:
                return Refusal(TIMEOUT, f"{text}; {timeouts.sentence(found.effort, has_limit=True)}")
        if not isinstance(found, Found):
            return Refusal(_category(found), text)
        problem = result.problem(demands, found, self._snapshot.features)
        return past if problem is None else Refusal(ERROR, problem.message)

    def _given_up(self, node: Node, searched: Fatal) -> Refusal:
        """Note a search that took too many steps."""
        self.has_given_up = True
        if searched.effort:
            self._snapshot.long_searches.add(self._subject, node.name, searched.effort, is_open=True)
        return Refusal(TIMEOUT, searched.message)

    def _search_once(
        self, demands: Sequence[ClaimDemand], supply: Supply, pending_claims: PendingClaims
    ) -> CachedResult:
        """Search, unless a node that offers the same was searched."""
        answers, keys = pending_claims.answers, pending_claims.keys
        key = keys.key(supply, tells_holders=True) if answers.has_searched else None
        shared = None if key is None else answers.shared.get(key)
        if shared is not None:
            past = shared.on(supply)
            # Which node selector the allocation gets is a matter of the node's own slices.
            has_problem = (
                isinstance(past.found, Found)
                and result.problem(demands, past.found, self._snapshot.features) is not None
            )
            if not has_problem:
                return past
        past = self._search(demands, supply)
        if key is None and isinstance(past.found, NotFound):
            key = keys.key(supply, tells_holders=True)
        if key is not None and _is_shared(past, supply):
            answers.shared.setdefault(key, Shared.of(past, supply))
        return past

    def _search(self, demands: Sequence[ClaimDemand], supply: Supply) -> CachedResult:
        """Search, and once more with an observer where nothing is found."""
        snapshot = self._snapshot
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
        is_short = not timeouts.is_too_long(found.effort)
        if not isinstance(found, Found):
            holders = holders_of(supply)
            text = self._why(demands, supply, holders)
            return CachedResult(found, text, is_short, holders if numbers_holders(text) else ())
        is_plain = is_short and result.problem(demands, found, snapshot.features) is None
        return CachedResult(found, "", is_plain)

    def _why(self, demands: Sequence[ClaimDemand], supply: Supply, holders: Sequence[str]) -> str:
        listener = self._observed(demands, supply)
        names = [label(number) for number in range(len(demands))]
        text = sentence(
            listener,
            demands,
            names,
            lambda request, device: self._snapshot.matcher.mismatch(request, device, supply.node),
            _with_labels(holders),
        )
        return f"{text}{self._even_unused(demands, supply)}" if listener.lacks_used_device() else text

    def _even_unused(self, demands: Sequence[ClaimDemand], supply: Supply) -> str:
        """What a request for all devices would lack even if none of them were in use."""
        snapshot = self._snapshot
        unused = snapshot.node_devices.unused(snapshot.features).on(supply.node)
        never = "" if isinstance(unused, Fatal) else self._observed(demands, unused).never_available()
        return f"; not available on this node in any case: {never}" if never else ""

    def _observed(self, demands: Sequence[ClaimDemand], supply: Supply) -> ReasonCollector:
        listener = ReasonCollector()
        snapshot = self._snapshot
        search(
            demands,
            supply,
            snapshot.matcher,
            snapshot.features,
            observer=listener,
            budget=snapshot.allowance.search,
            allowance=snapshot.allowance,
        )
        return listener

    def _share_id(self, choice: Choice) -> str:
        """Upstream makes a random one; ours follows from what it is for."""
        return stable_uid(f"{self._pod.full_name}/{choice.slot}/{choice.device.id}")


_NOTHING_TO_DO = CachedResult(Found((), {}, 0), "", is_plain=True)
"""The result for a pod without claims that wait for devices."""


def _category(found: NotFound) -> str:
    return INVALID_POOLS if found.invalid_pools else NO_DEVICES


def _not_found(found: NotFound, past: CachedResult, pending_claims: PendingClaims) -> Refusal:
    """The refusal after a search without devices: one for all nodes with the same reason.

    Where nothing is left a pod hears it from every node of the cluster; to write it anew each time took a
    third of the attempt.
    """
    category = _category(found)
    key = (category, past.sentence, past.holders)
    known = pending_claims.refusals.get(key)
    if known is None:
        demands = () if isinstance(pending_claims.demands, Fatal) else pending_claims.demands
        known = pending_claims.refusals[key] = Refusal(category, past.about(demands))
    return known


def _labelled(demands: Sequence[ClaimDemand]) -> list[ClaimDemand]:
    """The claims with labels for names, so that messages can be reused for equal claims."""
    return [demand._replace(name=label(number)) for number, demand in enumerate(demands)]


def _with_labels(holders: Sequence[str]) -> Callable[[Reason], str]:
    """Describes reasons with labels for the claims that use devices."""
    labels = {holder: holder_label(number) for number, holder in enumerate(holders)}

    def described(reason: Reason) -> str:
        return describe(InUse(labels[reason.claim]) if isinstance(reason, InUse) else reason)

    return described


def _is_shared(past: CachedResult, supply: Supply) -> bool:
    """Whether a search ends the same way on all nodes that offer the same."""
    if isinstance(past.found, Found):
        return past.is_plain
    return isinstance(past.found, NotFound) and names_nothing(past.sentence, supply)
