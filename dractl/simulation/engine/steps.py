"""Runs the allocator alone, step by step: groups of claims on nodes in a given order, without pods.

This is what the real allocator can be asked through the oracle, and so what decides whether the search is
exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject, Object
from dractl.api.selectors import node_selector
from dractl.cel.common.environment import Environment
from dractl.cluster.devices import NodeRef
from dractl.cluster.objects import DEFAULT_NAMESPACE, Objects, allocation_of, full_name
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator import result
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import NodeDevices, PoolCache, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand, demand_of, missing_class
from dractl.simulation.allocator.model.features import Features, features_of
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.result_cache import CachedResult, NodeCache, ResultCache
from dractl.simulation.allocator.search import BUDGET, search
from dractl.simulation.allocator.search_result import Found, Result
from dractl.simulation.allocator.taint_rules import crash_of_rules, tainted_slices
from dractl.simulation.scheduler.nodes import node_of

if TYPE_CHECKING:
    from dractl.api.objects import resource

ANY_SHARE_ID = "*"


def allocate_steps(
    objects: Iterable[Object], steps: Iterable[JsonObject], gates: GateSet, *, budget: int = BUDGET
) -> list[dict[str, Any]]:
    """The allocations of each step.

    ``objects`` are defaulted objects in v1 shape: Nodes, ResourceSlices, DeviceClasses, DeviceTaintRules and
    allocated ResourceClaims. A step has ``claims`` (to be allocated together), ``node-order`` and
    ``deallocate`` (names of claims to release before). Its outcome has ``node`` (or None), ``allocations``
    (``claim`` and ``allocation``, a share ID being ``*``) and ``refused``: for each node tried in vain
    ``unsatisfied`` or ``error`` (one of
    the node alone, too). A missing device class gives no node and no refusals,
    and so does the use of a negative amount (since 1.38).
    """
    stage = _Stage(objects, gates, budget)
    return [stage.step(step) for step in steps]


class _Stage:
    """The claims between two steps."""

    def __init__(self, objects: Iterable[Object], gates: GateSet, budget: int) -> None:
        self.api_objects = Objects(objects)
        self.features: Features = features_of(gates)
        self.matcher = Matcher(Environment(gates.minor, gates, stored=True), self.features)
        self.budget = budget
        slices = tainted_slices(self.api_objects, self.matcher.holds, self.features)
        problem = crash_of_rules(self.api_objects, self.features)
        self.pool_cache = PoolCache(Inventory(slices), self.features, problem)
        self.allocated: dict[str, Object] = {
            full_name(claim): claim
            for claim in self.api_objects.of_kind("ResourceClaim")
            if allocation_of(claim) is not None
        }
        self.nodes = {full_name(item): node_of(item).ref for item in self.api_objects.of_kind("Node")}
        self._count()

    def _count(self) -> None:
        """Recount the devices in use."""
        self.usage = Usage(self.allocated.values(), self.features)
        self.result_cache = ResultCache()

    def step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        for name in step.get("deallocate") or ():
            self.allocated.pop(name if "/" in name else f"{DEFAULT_NAMESPACE}/{name}", None)
            self._count()
        claims: list[Object] = list(step.get("claims") or ())
        pending = []
        fixed = []
        for claim in claims:
            known = self.allocated.get(full_name(claim))
            if allocation_of(claim) is not None and known is None:
                known = self.allocated[full_name(claim)] = claim
                self.usage.add(claim)
            if known is None:
                pending.append(claim)
            else:
                fixed.append(claim if allocation_of(claim) is not None else known)
        is_stuck = self.usage.problem is not None and pending
        if is_stuck or any(missing_class(claim, self._device_class) for claim in pending):
            return {"node": None, "allocations": [], "refused": {}}
        return self._try_nodes(pending, fixed, step.get("node-order") or self.nodes)

    def _device_class(self, name: str) -> Object | None:
        return self.api_objects.get("DeviceClass", "", name)

    def _try_nodes(
        self, pending: Sequence[Object], fixed: Sequence[Object], names: Iterable[str]
    ) -> dict[str, Any]:
        demands = self._demands(pending)
        node_devices = self.pool_cache.node_devices(self.usage)
        answers = self.result_cache.answers(pending, self.usage)
        refused: dict[str, str] = {}
        for name in names:
            node = self.nodes.get(name)
            if node is None or not all(_allows(claim, node) for claim in fixed):
                refused[name] = "unsatisfied"
                continue
            made = "error" if demands is None else self._allocate(answers, demands, node_devices, node)
            if isinstance(made, str):
                refused[name] = made
                continue
            for claim, allocation in zip(pending, made, strict=True):
                status = {**(claim.get("status") or {}), "allocation": allocation}
                self.allocated[full_name(claim)] = after = {**claim, "status": status}
                self.usage.add(after)
            listed = [
                {"claim": full_name(claim), "allocation": allocation}
                for claim, allocation in zip(pending, made, strict=True)
            ]
            return {"node": name, "allocations": listed, "refused": refused}
        return {"node": None, "allocations": [], "refused": refused}

    def _demands(self, pending: Iterable[JsonObject]) -> list[ClaimDemand] | None:
        """The demands of the claims; None if the allocator rejects them before it tries a device."""
        demands: list[ClaimDemand] = []
        for claim in pending:
            demand = demand_of(claim, self._device_class, self.features)
            if isinstance(demand, Fatal):
                return None
            demands.append(demand)
        return demands

    def _allocate(
        self, answers: NodeCache, demands: Sequence[ClaimDemand], node_devices: NodeDevices, node: NodeRef
    ) -> list[resource.AllocationResult] | str:
        """The allocations on a node, or the word for the failure."""
        supply = node_devices.on(node)
        if isinstance(supply, Fatal):
            return "error"
        past = answers.past(node.name)
        found = past.found if past is not None else self._search(answers, demands, supply)
        if isinstance(found, Fatal):
            return "error"
        if not isinstance(found, Found):
            return "unsatisfied"
        if result.problem(demands, found, self.features) is not None:
            return "error"
        return result.allocations(demands, found, node.name, self.features, lambda _: ANY_SHARE_ID)

    def _search(self, answers: NodeCache, demands: Sequence[ClaimDemand], supply: Supply) -> Result:
        found = search(demands, supply, self.matcher, self.features, budget=self.budget)
        if not isinstance(found, Fatal):
            answers.keep(supply, CachedResult(found, ""))
        return found


def _allows(claim: JsonObject, node: NodeRef) -> bool:
    selector = (allocation_of(claim) or {}).get("nodeSelector")
    return selector is None or node_selector(selector).matches(node.name, node.labels)
