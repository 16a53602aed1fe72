"""Devices for the claims of one pod or claim of the prototypes, on one node.

The search for devices is that of the main path, within the limits of steps and of devices with admin access.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dractl.api import budgets, quantity
from dractl.api.json_types import JsonDict
from dractl.cluster.devices import Device, DeviceID, NodeRef
from dractl.cluster.pools import Pool
from dractl.legacy.prototypes.allocation import results
from dractl.legacy.prototypes.allocation.claims import Claim, InputObject
from dractl.legacy.prototypes.allocation.demand import Asked, Demand, Wish, search_demand
from dractl.legacy.prototypes.allocation.inventory import Inventory
from dractl.legacy.prototypes.allocation.matching import FEATURES, PrototypeMatcher, reason_text
from dractl.legacy.prototypes.allocation.restore import Outsider
from dractl.legacy.prototypes.allocation.why import Steps, SumListener
from dractl.simulation.allocator.checks.counters import CounterCache, Plans
from dractl.simulation.allocator.device.inventory import Candidate, PoolDevices, Supply
from dractl.simulation.allocator.explain import sentence
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.search import BUDGET, PATIENCE, search
from dractl.simulation.allocator.search_result import Found
from dractl.simulation.pods.outcome import ERROR, NO_DEVICES, NOT_EVALUATED, TIMEOUT, Refusal

__all__ = ["NodeAllocator"]


class NodeAllocator:
    """Allocates claims on one node after the other, and counts the steps of all searches together."""

    def __init__(
        self,
        inventory: Inventory,
        labels: Mapping[str, Mapping[str, str]],
        claims: Mapping[tuple[str, str, str], Claim],
        matcher: PrototypeMatcher,
        outsiders: Sequence[Outsider],
    ) -> None:
        """``labels`` are those of the nodes; what ``claims`` and ``outsiders`` have counts as used."""
        self._inventory = inventory
        self._labels = labels
        self._claims = claims
        self._matcher = matcher
        self._outsiders = outsiders
        self._plans = Plans(FEATURES.quirks)
        self._known_pools: dict[int, PoolDevices] = {}
        self._usage: Usage | None = None
        self._steps_left = budgets.PROTOTYPE_STEPS.value
        self._admin_left = budgets.PROTOTYPE_ROWS.value

    def allocate(self, claims: Sequence[Claim], node: str) -> Refusal | None:
        """Set the devices of all claims on a node, or return why that fails."""
        if not claims:
            return None
        if self._usage is None:
            self._usage = self._current_usage()
        usage = self._usage
        ref = NodeRef(node, self._labels[node])
        pools = self._inventory.on(node, self._labels[node])
        devices = tuple(map(self._pool_devices, pools))
        # Collecting a device takes a sixteenth of the time of trying it.
        self._steps_left -= 1 + (len(pools) + sum(len(pool.candidates) for pool in devices)) // 16
        if self._steps_left <= 0:
            return _out_of_steps()
        supply = Supply(ref, devices, usage, CounterCache(usage, self._plans))
        given: dict[int, list[InputObject]] = {}
        for number, claim in enumerate(claims):
            admin = self._admin(claim, supply)
            if isinstance(admin, Refusal):
                return admin
            given[number] = admin
        demands, meanings = self._demands(claims)
        # The shortcuts of a long search ignore totals, so with totals it must stay the plain search.
        is_plain = any(request.totals for d in demands for ask in d.asks for request in ask.alternatives)
        patience = BUDGET + 1 if is_plain else PATIENCE
        steps = Steps()
        budget = min(BUDGET, self._steps_left)
        found = search(
            demands, supply, self._matcher, FEATURES, observer=steps, budget=budget, patience=patience
        )
        self._steps_left -= steps.count
        if isinstance(found, Fatal) and found.is_timeout and budget < BUDGET:
            self._steps_left = 0
            return _out_of_steps()
        if isinstance(found, Fatal):
            return _failure(found)
        if not isinstance(found, Found):
            return Refusal(NO_DEVICES, self._why(demands, supply))
        for choice in found.choices:
            slot = choice.slot
            asked = meanings[slot.claim][slot.ask]
            given[slot.claim].append(
                results.given(asked, slot.alternative, choice.device, admin=choice.request.admin_access)
            )
        for number, claim in enumerate(claims):
            self._settle(claim, given[number], demands[number], found, number, node)
        self._usage = None
        return None

    def _pool_devices(self, pool: Pool) -> PoolDevices:
        """A pool with its candidates, made once for all nodes that see it."""
        found = self._known_pools.get(id(pool))
        if found is None:
            found = PoolDevices(pool, tuple(Candidate(device, pool) for device in pool.devices))
            self._known_pools[id(pool)] = found
        return found

    def _demands(self, claims: Sequence[Claim]) -> tuple[list[ClaimDemand], list[list[Asked]]]:
        demands, meanings = [], []
        self._matcher.flavours.clear()
        for claim in claims:
            demand, asked = search_demand(claim.full_name, claim.demand)
            for ask in demand.asks:
                for request in ask.alternatives:
                    self._matcher.flavours[request] = claim.demand.flavour
            demands.append(demand)
            meanings.append(asked)
        return demands, meanings

    def _why(self, demands: Sequence[ClaimDemand], supply: Supply) -> str:
        listener = SumListener()
        budget = max(1, min(BUDGET, self._steps_left))
        search(
            demands, supply, self._matcher, FEATURES, observer=listener, budget=budget, patience=BUDGET + 1
        )
        self._steps_left -= listener.steps.count
        text = sentence(
            listener,
            demands,
            None,
            lambda request, device: self._matcher.mismatch(request, device, supply.node),
            reason_text,
        )
        return text + listener.closest()

    def _admin(self, claim: Claim, supply: Supply) -> list[InputObject] | Refusal:
        """Admin access of devmgmtproto: to all devices that match, whoever has them, if any."""
        found: list[InputObject] = []
        if claim.demand.one_admin:
            return found
        for part in claim.demand.parts:
            for wish in part.every:
                if not wish.admin:
                    continue
                matching = self._matching(wish, supply, claim.demand)
                if isinstance(matching, Fatal):
                    return _failure(matching)
                self._admin_left -= len(matching)
                if self._admin_left < 0:
                    text = budgets.PROTOTYPE_ROWS.message(wanted=f"{len(matching):,}")
                    return Refusal(TIMEOUT, f"claim {claim.full_name}, {part.name}: {text}")
                if not matching:
                    text = (
                        f"claim {claim.full_name}, {part.name}: requests admin access, but no device matches"
                    )
                    return Refusal(NO_DEVICES, text)
                meaning = Asked(part.name, (0,), 0)
                found += [results.given(meaning, 0, device, admin=True) for device in matching]
        return found

    def _matching(self, wish: Wish, supply: Supply, demand: Demand) -> list[Device] | Fatal:
        found = []
        for candidate in supply.candidates:
            reason = self._matcher.refusal(wish, candidate.device, demand.flavour)
            if isinstance(reason, Fatal):
                return reason
            if reason is None:
                found.append(candidate.device)
        return found

    def _settle(
        self,
        claim: Claim,
        given: list[InputObject],
        demand: ClaimDemand,
        found: Found,
        number: int,
        node: str,
    ) -> None:
        """Note the devices of a claim, with what of them is counted as used."""
        taken: dict[DeviceID, Mapping[str, quantity.Quantity]] = {}
        for position, ask in enumerate(demand.asks):
            choices = [c for c in found.choices if c.slot.claim == number and c.slot.ask == position]
            for request in ask.alternatives:
                mine = [choice.device for choice in choices if choice.request is request]
                taken.update(results.amounts(request.totals, mine))
        claim.given = tuple(
            entry._replace(amounts=taken.get(DeviceID(entry.driver, entry.pool, entry.device), {}))
            for entry in given
        )
        claim.node = node if any(map(self._is_local, claim.given)) else None

    def _is_local(self, given: InputObject) -> bool:
        return (given.driver, given.pool) in self._inventory.local

    def _current_usage(self) -> Usage:
        held = [
            _holder(claim.namespace, claim.name, map(results.result_of, claim.given))
            for claim in self._claims.values()
            if claim.given
        ]
        held += [
            _holder(
                "uid", uid, [{"driver": device.id.driver, "pool": device.id.pool, "device": device.id.device}]
            )
            for uid, device in self._outsiders
        ]
        return Usage(held, FEATURES)


def _holder(namespace: str, name: str, found: Iterable[JsonDict]) -> JsonDict:
    """A claim of v1 with these results, which is how the main path knows what is in use."""
    return {
        "kind": "ResourceClaim",
        "metadata": {"namespace": namespace, "name": name},
        "status": {"allocation": {"devices": {"results": list(found)}}},
    }


def _out_of_steps() -> Refusal:
    return Refusal(TIMEOUT, budgets.PROTOTYPE_STEPS.message())


def _failure(found: Fatal) -> Refusal:
    if found.is_timeout:
        return Refusal(TIMEOUT, found.message)
    return Refusal(NOT_EVALUATED if found.is_unevaluated else ERROR, found.message)
