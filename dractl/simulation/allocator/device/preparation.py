"""Before a search: how many devices every request needs, and which ones a request for all of them must have.

Mirrors the checks of ``Allocate`` and ``validateDeviceRequest`` that depend on the node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.api.fixed_point import INT64_MIN
from dractl.cluster.pools import PoolState
from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.inventory import Candidate, Supply
from dractl.simulation.allocator.model.demand import MAX_RESULTS, Ask, ClaimDemand, Request
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import Fatal

AllDevices = Mapping[Request, Sequence[Candidate]]
"""The devices of every request for all devices."""


def prepare(
    claims: Sequence[ClaimDemand], supply: Supply, checks: DeviceChecks, quirks: Quirks
) -> AllDevices | Fatal:
    """Gather the devices of All requests; refuse claims that need more devices than one can hold."""
    gathering = _Gathering(supply, checks, quirks)
    for claim in claims:
        needed = 0
        for ask in claim.asks:
            fewest = gathering.fewest(ask)
            if isinstance(fewest, Fatal):
                return fewest._replace(message=f"claim {claim.name}, {fewest.message}")
            needed += fewest
            if needed > MAX_RESULTS and not quirks.limit_wraps:
                return Fatal(
                    f"claim {claim.name}, request {ask.name}: the claim needs {needed} devices, "
                    f"but can have at most {MAX_RESULTS}"
                )
        if needed > MAX_RESULTS:
            problem = _over_limit(needed)
            if problem:
                return Fatal(f"claim {claim.name}: the claim needs {needed} devices, {problem}")
    return gathering.found


def _over_limit(needed: int) -> str:
    """What is wrong with the sum of all requests, once it is an int64; empty if that is small enough."""
    wrapped = (needed - INT64_MIN) % 2**64 + INT64_MIN
    if wrapped < 0:
        return "and the scheduler crashes: the sum overflows"
    return f"but can have at most {MAX_RESULTS}" if wrapped > MAX_RESULTS else ""


def size(request: Request, all_devices: AllDevices) -> int:
    """How many devices a request needs."""
    return len(all_devices[request]) if request.is_all else request.count


class _Gathering:
    def __init__(self, supply: Supply, checks: DeviceChecks, quirks: Quirks) -> None:
        self.supply = supply
        self.checks = checks
        self.quirks = quirks
        self.found: dict[Request, tuple[Candidate, ...]] = {}

    def fewest(self, ask: Ask) -> int | Fatal:
        fewest: int | None = None
        for number, request in enumerate(ask.alternatives):
            if request.is_all:
                first = ask.alternatives[0]
                reuses = self.quirks.second_reuses_answers and number == 1 and first.is_all
                problem = self._gather(request, first if reuses else request)
                if problem is not None:
                    return problem._replace(message=f"request {request.full_name}: {problem.message}")
            needed = size(request, self.found)
            fewest = needed if fewest is None else min(fewest, needed)
        return fewest or 0

    def _gather(self, request: Request, answering: Request) -> Fatal | None:
        """The devices of an All request: all that match, also those in use.

        ``answering`` is the request whose selectors are evaluated.
        """
        for pool in self.supply.pools:
            if pool.state is not PoolState.USABLE:
                state = f"{pool.state.value}: {pool.problem}"
                return Fatal(
                    f"requires all matching devices, but pool {pool.id} is {state}",
                    is_of_node=not self.quirks.incomplete_pool_is_error,
                )
        # Devices in use are gathered, too: the request must fail on them and not do without them.
        found = []
        matches = self.checks.own_mismatch if self.quirks.all_skips_class else self.checks.mismatch
        for candidate in self.supply.candidates:
            reason = matches(answering, candidate.device)
            if reason is None:
                reason = self.checks.misfit_of_all(request, candidate.device)
            if isinstance(reason, Fatal):
                return reason
            if reason is None:
                found.append(candidate)
        self.found[request] = tuple(found)
        return None
