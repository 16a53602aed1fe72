"""The search as the scheduler's allocator does it, written down plainly: nothing is spared or remembered.

What is chosen is a tuple, and everything else is computed from it again and again. It is slow, and knows the
newest minor only; the real search has to agree with it. One answer about one device (does it match, what does
it take of a capacity, is a constraint met) comes from the same functions, which have tests of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool, PoolState
from dractl.simulation.allocator.checks import constraints, consumable, groups, taints
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import Candidate, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand, Request
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal

NO, LIMIT = "nothing", "too many devices"
MOST = 32


class AttemptError(Exception):
    """The attempt ends with an error."""


class TooLongError(Exception):
    """The search takes too long for a test."""


class Pick(NamedTuple):
    """A device chosen."""

    claim: int
    request: Request
    candidate: Candidate
    amounts: Any
    draws: bool

    @property
    def device(self) -> Device:
        return self.candidate.device


Picks = tuple[Pick, ...]


class Reference:
    """One search; ``steps`` counts levels and devices looked at."""

    def __init__(
        self, claims: Sequence[ClaimDemand], supply: Supply, matcher: Matcher, features: Features
    ) -> None:
        self.claims, self.supply, self.matcher, self.features = claims, supply, matcher, features
        self.candidates = list(supply.candidates)
        self.every: dict[Request, list[Candidate]] = {}
        self.selected: dict[tuple[int, int], int] = {}
        self.steps = 0
        self.trace: list[tuple[str, str, int, str]] = []

    def run(self, most_steps: int) -> tuple[Picks, dict[tuple[int, int], int]] | str:
        """The devices and subrequests chosen, or how the search ends. Raises its errors."""
        self.most_steps = most_steps
        for claim in self.claims:
            if sum(min(map(self.size, ask.alternatives)) for ask in claim.asks) > MOST:
                raise AttemptError
        found = self.step(0, 0, 0, 0, False, 0, ())
        return found if isinstance(found, str) else (found, self.selected)

    def size(self, request: Request) -> int:
        if not request.is_all:
            return request.count
        if any(pool.state is not PoolState.USABLE for pool in self.supply.pools):
            raise AttemptError
        self.every[request] = [
            candidate
            for candidate in self.candidates
            if self.matches(request, candidate.device)
            and not isinstance(self.need(request, candidate.device), str)
        ]
        return len(self.every[request])

    def step(self, c: int, q: int, s: int, i: int, inside: bool, start: int, picks: Picks) -> Picks | str:
        self.count()
        if c == len(self.claims):
            return picks
        if q == len(self.claims[c].asks):
            found = self.step(c + 1, 0, 0, 0, False, 0, picks)
            return NO if found == LIMIT else found
        ask = self.claims[c].asks[q]
        if ask.is_prioritized and not inside:
            ends = []
            for number in range(len(ask.alternatives)):
                ends.append(self.step(c, q, number, i, True, 0, picks))
                if not isinstance(ends[-1], str):
                    self.selected[c, q] = number
                    return ends[-1]
            return LIMIT if set(ends) == {LIMIT} else NO
        request = ask.alternatives[s]
        size = len(self.every[request]) if request.is_all else request.count
        if request.is_all and not size:
            self.tell("none", request, i)
            return NO
        if i == size:
            return self.step(c, q + 1, 0, 0, False, 0, picks)
        if size - i > MOST - sum(pick.claim == c for pick in picks):
            self.tell("too many", request, i)
            return LIMIT
        # A request for all devices takes one after the other, and ends with the first that it cannot have.
        places = [0] if request.is_all else range(start, len(self.candidates))
        for position in places:
            if not request.is_all:
                self.count()
            candidate = self.every[request][i] if request.is_all else self.candidates[position]
            pick = self.tried(c, request, candidate, picks)
            self.tell("not" if pick is None else "takes", request, i, candidate.device)
            if pick is None:
                continue
            found = self.step(c, q, s, i + 1, inside, position + 1, (*picks, pick))
            if isinstance(found, str):
                self.tell("gives back", request, i, candidate.device)
            if found != NO:
                return found
        if not request.is_all:
            self.tell("none", request, i)
        return NO

    def tell(self, what: str, request: Request, number: int, device: Device | None = None) -> None:
        self.trace.append((what, request.full_name, number, "" if device is None else str(device.id)))

    def count(self) -> None:
        self.steps += 1
        if self.steps > self.most_steps:
            raise TooLongError

    def tried(self, c: int, request: Request, candidate: Candidate, picks: Picks) -> Pick | None:
        """The device as the next one chosen, or None."""
        device, pool = candidate
        usage = self.supply.usage
        if not request.admin_access and device.id in usage.dedicated:
            return None
        if any(
            pick.device.id == device.id
            and not self.is_share(pick.device)
            and (not request.admin_access or pick.claim == c)
            for pick in picks
        ):
            return None
        if not request.is_all and not self.matches(request, device):
            return None
        amounts = self.need(request, device)
        if not request.is_all and not self.has_room(device, amounts, picks):
            return None
        if not self.may_be_operated(device):
            return None
        draws = bool(device.consumes)
        if draws and not self.features.partitionable_devices:
            return None
        if self.is_share(device) and (
            device.id in usage.shared or any(pick.device.id == device.id for pick in picks)
        ):
            draws = False
        if draws and not self.may_draw(pool, device, picks):
            return None
        if self.features.device_taints and taints.untolerated(
            device.taints, request.tolerations, every_effect=False
        ):
            return None
        self.check_constraints(c, request, device, picks)
        if not self.meets_constraints or not self.has_room(device, amounts, picks):
            return None
        return Pick(c, request, candidate, amounts, draws)

    def is_share(self, device: Device) -> bool:
        return self.features.consumable_capacity and device.is_multi_use

    def matches(self, request: Request, device: Device) -> bool:
        reason = self.matcher.mismatch(request, device, self.supply.node)
        if isinstance(reason, Fatal):
            raise AttemptError
        return reason is None

    def need(self, request: Request, device: Device) -> Any:
        """What one use takes of the capacities, or a text if it can never be enough."""
        if not self.features.consumable_capacity:
            return {}
        arithmetic = self.arithmetic()
        found = consumable.need(request, device, arithmetic)
        if isinstance(found, Fatal):
            raise AttemptError
        return found if isinstance(found, dict) else "misfit"

    def arithmetic(self) -> consumable.Arithmetic:
        quirks = self.features.quirks
        return consumable.Arithmetic(
            self.features.fractional_capacity_range, wraps=False, literal=quirks.literal_names
        )

    def has_room(self, device: Device, amounts: Any, picks: Picks) -> bool:
        if isinstance(amounts, str):
            return False
        consumed = self.supply.usage.consumed.get(device.id, {})
        shares = [pick.amounts for pick in picks if pick.device.id == device.id and self.is_share(device)]
        capacities = consumable.capacities_of(device, self.arithmetic())
        return not amounts or consumable.shortage(device, capacities, amounts, consumed, *shares) is None

    def may_be_operated(self, device: Device) -> bool:
        if not device.slice.skip_node_operations or not self.features.knows_node_operations:
            return True
        declared = self.supply.node.declared_features
        return self.features.optional_node_operations and "DRAOptionalNodeOperations" in declared

    def may_draw(self, pool: Pool, device: Device, picks: Picks) -> bool:
        drawing = [pick.device for pick in picks if pick.draws and pick.candidate.pool is pool]
        if self.features.compatibility_groups and groups.group_conflict(
            pool, self.supply.usage, drawing, device
        ):
            return False
        others = [other for other in (*pool.devices, *pool.background) if self.supply.usage.holds(other.id)]
        taken: dict[tuple[str, str], list[Quantity]] = {}
        for other in (*others, *drawing, device):
            for consumption in other.consumes:
                for counter, amount in consumption.counters.items():
                    taken.setdefault((consumption.counter_set, counter), []).append(amount)
        return all(
            consumable.total(amounts) <= pool.counters[owner][counter]
            for (owner, counter), amounts in taken.items()
        )

    def check_constraints(self, c: int, request: Request, device: Device, picks: Picks) -> None:
        members = [(pick.request, pick.device) for pick in picks if pick.claim == c]
        reason = constraints.refusal(
            self.claims[c].constraints,
            members,
            (request, device),
            self.matcher.attribute,
            as_sets=self.features.list_type_attributes,
        )
        if isinstance(reason, Fatal) or (reason is not None and request.is_all):
            raise AttemptError
        self.meets_constraints = reason is None
