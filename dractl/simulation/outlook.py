"""What can be said of a long search before it ends: that it must find nothing.

The scheduler's allocator does not look ahead: it goes through all choices for earlier requests before it
gives up on a later one that nothing can satisfy. To say so at once is right only if no choice on the way can
end in an error, since that would be the answer then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.cluster.devices import Device
from dractl.simulation.choices import Choice
from dractl.simulation.demand import Ask, ClaimDemand, Request
from dractl.simulation.observer import Slot
from dractl.simulation.reasons import Fatal
from dractl.simulation.supply import Candidate, Supply
from dractl.simulation.trial import Trial

AllDevices = Mapping[Request, Sequence[Candidate]]


def is_hopeless(claims: Sequence[ClaimDemand], supply: Supply, trial: Trial, all_devices: AllDevices) -> bool:
    """Whether some request cannot be met whatever is chosen for the others, and no error can come first.

    What a device is refused for when nothing is chosen yet, it is always refused for: every further choice
    only takes something away. And what a request for all devices needs, no other request can have.
    """
    usable: dict[Request, frozenset[Device]] = {}
    for number, claim in enumerate(claims):
        if _may_break_all(claim):
            return False
        for position, ask in enumerate(claim.asks):
            for alternative, request in enumerate(ask.alternatives):
                devices = _usable(Slot(number, position, alternative, 0), request, supply, trial)
                if devices is None:
                    return False
                usable[request] = devices
    asks = [ask for claim in claims for ask in claim.asks]
    left = {request: devices - _promised(request, asks, all_devices) for request, devices in usable.items()}
    return any(
        not any(_is_enough(request, left[request], all_devices) for request in ask.alternatives)
        for ask in asks
    )


def _promised(request: Request, asks: Sequence[Ask], all_devices: AllDevices) -> frozenset[Device]:
    """The devices that requests for all of them must have, other than this one, and cannot share."""
    if request.admin_access:
        return frozenset()
    return frozenset(
        candidate.device
        for ask in asks
        for other in ask.alternatives
        if other.is_all and other is not request and not ask.is_prioritized and not other.admin_access
        for candidate in all_devices[other]
        if not candidate.device.is_multi_use
    )


def _may_break_all(claim: ClaimDemand) -> bool:
    """Whether a constraint might refuse a device of an All request, which is an error."""
    return any(
        request.is_all and constraint.concerns(request)
        for ask in claim.asks
        for request in ask.alternatives
        for constraint in claim.constraints
    )


def _usable(slot: Slot, request: Request, supply: Supply, trial: Trial) -> frozenset[Device] | None:
    """The devices that the request could have if it were alone; None if one of them makes for an error."""
    usable = set()
    for candidate in supply.candidates:
        choice = trial.any_device(slot, request, candidate, trial.nothing_chosen())
        if isinstance(choice, Fatal):
            return None
        # What is in use is not looked at further, but an error might hide behind it.
        if isinstance(trial.mismatch(request, candidate.device), Fatal):
            return None
        if isinstance(choice, Choice):
            usable.add(candidate.device)
    return frozenset(usable)


def _is_enough(request: Request, usable: frozenset[Device], all_devices: AllDevices) -> bool:
    if request.is_all:
        wanted = all_devices[request]
        return bool(wanted) and all(candidate.device in usable for candidate in wanted)
    return len(usable) >= request.count
