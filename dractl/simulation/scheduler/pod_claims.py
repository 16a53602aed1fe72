"""The claims of one pod: allocated already, pending, and the special one for its extended resources.

Mirrors what PreFilter of the dynamic resources plugin keeps for Filter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonObject, Object
from dractl.api.selectors import NodeSelector, node_selector
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.allocator.model.demand import ClaimDemand, demand_of
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.result_cache import NodeCache
from dractl.simulation.allocator.supply_keys import AllKinds, SupplyKeys
from dractl.simulation.pods.outcome import Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import binding
from dractl.simulation.scheduler.extended.served import ExtendedResources
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import Demand
from dractl.simulation.scheduler.snapshot import Snapshot

if TYPE_CHECKING:
    from dractl.api.objects import core

_NODE_OPERATIONS = "DRAOptionalNodeOperations"


class PendingClaims:
    """The claims to allocate together on a node, ``special`` among them, with their parsed demands.

    ``answers`` caches earlier searches for such claims, ``refusals`` what they amount to for these claims, by
    category and sentence. ``keys`` tells nodes that offer them the same.
    """

    __slots__ = ("answers", "demands", "keys", "pending", "refusals", "special")

    def __init__(
        self,
        pending: Sequence[Object],
        demands: Sequence[ClaimDemand] | Fatal,
        special: SpecialClaim | None,
        answers: NodeCache,
        environment: Environment,
        kinds: AllKinds,
    ) -> None:
        """Keep what was parsed; the ``environment`` is that of the selectors."""
        self.pending = pending
        self.demands = demands
        self.special = special
        self.answers = answers
        self.refusals: dict[tuple[str, str, tuple[str, ...]], Refusal] = {}
        self.keys = SupplyKeys(demands, environment, kinds)


class PodClaims:
    """The claims of one pod in a cluster; ``settled`` are those with an allocation."""

    def __init__(self, pod: Pod, demand: Demand, snapshot: Snapshot, claims: Sequence[Object]) -> None:
        """Sort the claims; demands are parsed when a node first needs them."""
        self._snapshot = snapshot
        self._claims = claims
        features = snapshot.features
        self._extended = (
            ExtendedResources(pod, demand, snapshot.api_objects, features.quirks, snapshot.lost_resources)
            if features.extended_resources
            else None
        )
        self.pending = [claim for claim in claims if allocation_of(claim) is None]
        self.settled = [claim for claim in claims if allocation_of(claim) is not None]
        self._selectors = [_node_selector(claim) for claim in self.settled]
        self._parsed: dict[frozenset[str] | None, PendingClaims] = {}

    @property
    def has_settled_all(self) -> bool:
        """Whether it has claims, all of them allocated already."""
        needs_special = self._extended is not None and self._extended.are_any_served
        return bool(self._claims) and not self.pending and not needs_special

    def node_selectors(self) -> Iterator[core.NodeSelector]:
        """The node selectors of the allocations, as they are written."""
        return (selector for claim in self.settled if (selector := _selector_in(claim)) is not None)

    def pending_claims(self, served: frozenset[str] | None = None) -> PendingClaims:
        """What to allocate on a node where DRA serves some extended resources of the pod."""
        found = self._parsed.get(served)
        if found is None:
            found = self._parsed[served] = self._parse(None if served is None else self._special(served))
        return found

    def names(self) -> Sequence[str]:
        """The names of the claims to allocate; the special one, where a node needs it, is the last."""
        parsed = max(self._parsed.values(), key=lambda entry: len(entry.pending), default=None)
        return [] if parsed is None else [full_name(claim) for claim in parsed.pending]

    def served_on(self, node: Node) -> frozenset[str]:
        """The resources of the pod that are left to DRA on a node."""
        return frozenset() if self._extended is None else self._extended.left_to_dra(node)

    def on_other_nodes(self, node: Node) -> Sequence[Object]:
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
        return not (self._snapshot.features.binding_conditions and binding.has_failed(claim))

    def _special(self, served: frozenset[str]) -> SpecialClaim | None:
        if self._extended is None:
            return None
        return self._extended.special_claim(served, has_claims=bool(self._claims))

    def _parse(self, special: SpecialClaim | None) -> PendingClaims:
        pending = [*self.pending, *([special.claim] if special is not None else [])]
        answers = self._snapshot.result_cache.answers(pending, self._snapshot.usage)
        environment, kinds = self._snapshot.matcher.environment, self._snapshot.result_cache.kinds
        return PendingClaims(pending, self._demands(pending), special, answers, environment, kinds)

    def _demands(self, pending: Iterable[Object]) -> list[ClaimDemand] | Fatal:
        demands = []
        for claim in pending:
            demand = demand_of(claim, self._snapshot.device_class, self._snapshot.features)
            if isinstance(demand, Fatal):
                return demand
            demands.append(demand)
        return demands


def _selector_in(claim: JsonObject) -> core.NodeSelector | None:
    """Where an allocated claim can be used, as it is written; None: anywhere."""
    return (allocation_of(claim) or {}).get("nodeSelector")


def _node_selector(claim: JsonObject) -> NodeSelector | None:
    selector = _selector_in(claim)
    return None if selector is None else node_selector(selector)
