"""What a pod meets on nodes that are alike: found out once for each class of nodes and what they carry.

Mirrors the part of Filter that needs no look at devices: the plugins around DRA, extended resources, and
whether claims that are allocated already can be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dractl.api.selectors import NodeSelector, node_selector
from dractl.cluster.objects import Object, allocation_of
from dractl.simulation.allocator.model.demand import ClaimDemand, demand_of
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.result_cache import NodeCache
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import binding, extended, nodes
from dractl.simulation.scheduler.extended import Classes, SpecialClaim
from dractl.simulation.scheduler.node_classes import interest_of
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import Load
from dractl.simulation.scheduler.resources import demand_of as resources_of
from dractl.simulation.scheduler.snapshot import Snapshot

_NODE_OPERATIONS = "DRAOptionalNodeOperations"

NodeClassKey = tuple[int, int]
"""Nodes that are alike for a pod: the position of the first of their class, and the number of their load."""


class PendingClaims:
    """The claims that are to be allocated together on a node, ``special`` among them, as they are read.

    ``answers`` is what was found for such claims before.
    """

    __slots__ = ("answers", "demands", "pending", "special")

    def __init__(
        self,
        pending: Sequence[Object],
        demands: Sequence[ClaimDemand] | Fatal,
        special: SpecialClaim | None,
        answers: NodeCache,
    ) -> None:
        """Keep what was read."""
        self.pending = pending
        self.demands = demands
        self.special = special
        self.answers = answers


class FilterResult:
    """What a pod meets on every node of a kind. Compared by identity.

    ``node`` is one of them, and ``load`` what each carries. ``what`` is why the pod cannot run there, or what
    is to be allocated; ``elsewhere`` are claims that are allocated for other nodes. ``plain`` has the nodes
    that are known to fit, with the subrequests that were chosen there; none where more is to be looked at.
    """

    __slots__ = ("elsewhere", "load", "node", "plain", "what")

    def __init__(
        self,
        node: Node,
        load: Load,
        what: Refusal | PendingClaims,
        elsewhere: Sequence[Object],
        *,
        devices_decide: bool,
    ) -> None:
        """Keep what was found out; ``devices_decide``: where there are devices, the pod fits."""
        self.node = node
        self.load = load
        self.what = what
        self.elsewhere = elsewhere
        self.plain: Mapping[str, tuple[int, ...]] = _NONE
        if isinstance(what, PendingClaims) and not elsewhere and devices_decide:
            self.plain = what.answers.plain


_NONE: Mapping[str, tuple[int, ...]] = MappingProxyType({})


class NodeFilters:
    """What one pod meets in a cluster."""

    def __init__(self, pod: Pod, snapshot: Snapshot, claims: Sequence[Object]) -> None:
        """Read the pod and its claims; no node is looked at before one is asked for."""
        self._pod = pod
        self._view = snapshot
        self._claims = claims
        self.demand = resources_of(pod)
        self._wanted = extended.asked_for(self.demand) if snapshot.features.extended_resources else {}
        self._classes = Classes(snapshot.api_objects) if self._wanted else None
        self.pending = [claim for claim in claims if allocation_of(claim) is None]
        self.settled = [claim for claim in claims if allocation_of(claim) is not None]
        self._selectors = [_node_selector(claim) for claim in self.settled]
        self._known: dict[NodeClassKey, FilterResult] = {}
        self._static: dict[int, tuple[Refusal | None, frozenset[str], Sequence[Object]]] = {}
        self._errands: dict[frozenset[str] | None, PendingClaims] = {}

    @property
    def has_settled_all(self) -> bool:
        """Whether there are claims, and all of them are allocated already."""
        return bool(self._claims) and not self.pending and self._classes is None

    def kinds(self) -> list[NodeClassKey]:
        """The kind of every node."""
        snapshot = self._view
        selectors = (selector for claim in self.settled if (selector := _selector_in(claim)) is not None)
        leaders = snapshot.classes.leaders(interest_of(self._pod, selectors))
        return list(zip(leaders, snapshot.loads.numbers(snapshot.classes.names), strict=True))

    def of(self, kind: NodeClassKey) -> FilterResult:
        """What the pod meets on the nodes of a kind."""
        found = self._known.get(kind)
        if found is None:
            found = self._known[kind] = self._met(*kind)
        return found

    def are_usable_in(self, kind: NodeClassKey) -> bool:
        """Whether all claims that are allocated can be used on the nodes of a kind."""
        return not self._elsewhere(self._view.nodes[kind[0]])

    def pending_claims(self, served: frozenset[str] | None = None) -> PendingClaims:
        """What is to be allocated on a node where DRA serves some extended resources of the pod."""
        found = self._errands.get(served)
        if found is None:
            found = self._errands[served] = self._read(None if served is None else self._special(served))
        return found

    def _met(self, leader: int, number: int) -> FilterResult:
        node, load = self._view.nodes[leader], self._view.loads.load(number)
        if leader not in self._static:
            self._static[leader] = self._met_always(node)
        refusal, served, elsewhere = self._static[leader]
        refusal = refusal or nodes.shortage(node, self.demand, load, served)
        devices_decide = not self._view.features.node_allocatable
        what = refusal or self.pending_claims(served)
        return FilterResult(node, load, what, elsewhere, devices_decide=devices_decide)

    def _met_always(self, node: Node) -> tuple[Refusal | None, frozenset[str], Sequence[Object]]:
        """What does not depend on the load: a refusal, the resources that DRA serves, claims elsewhere."""
        refusal = nodes.mismatch(self._pod, node)
        if refusal is not None:
            return refusal, frozenset(), ()
        served: frozenset[str] = frozenset()
        if self._classes is not None:
            served = extended.served_on(node, self._wanted, self._classes)
        return None, served, self._elsewhere(node)

    def _elsewhere(self, node: Node) -> Sequence[Object]:
        """The claims whose allocation cannot be used on the node."""
        pairs = zip(self.settled, self._selectors, strict=True)
        return [claim for claim, selector in pairs if not self._is_available(claim, selector, node)]

    def _is_available(self, claim: Object, selector: NodeSelector | None, node: Node) -> bool:
        if selector is not None and not selector.matches(node.name, node.ref.labels):
            return False
        results = ((allocation_of(claim) or {}).get("devices") or {}).get("results") or ()
        if (
            any(entry.get("skipNodeOperations") for entry in results)
            and _NODE_OPERATIONS not in node.ref.declared_features
        ):
            return False
        return not (self._view.features.binding_conditions and binding.has_failed(claim))

    def _special(self, served: frozenset[str]) -> SpecialClaim | None:
        """The special claim as a node needs it: without requests if only others are to be bound."""
        if self._classes is None or not any(self._classes.behind(name) for name in self._wanted):
            return None
        if not served and not self._claims:
            return None
        return extended.special_claim(self._pod, served, self._classes)

    def _read(self, special: SpecialClaim | None) -> PendingClaims:
        pending = [*self.pending, *([special.claim] if special is not None else [])]
        answers = self._view.result_cache.answers(pending, self._view.usage)
        return PendingClaims(pending, self._demands(pending), special, answers)

    def _demands(self, pending: Iterable[Object]) -> list[ClaimDemand] | Fatal:
        demands = []
        for claim in pending:
            demand = demand_of(claim, self._view.device_class, self._view.features)
            if isinstance(demand, Fatal):
                return demand
            demands.append(demand)
        return demands


def _selector_in(claim: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Where an allocated claim can be used, as it is written; None: anywhere."""
    return (allocation_of(claim) or {}).get("nodeSelector")


def _node_selector(claim: Mapping[str, Any]) -> NodeSelector | None:
    selector = _selector_in(claim)
    return None if selector is None else node_selector(selector)
