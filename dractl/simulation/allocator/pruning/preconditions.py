"""Decides whether the chosen devices alone determine how a search continues.

Then a search may look ahead, and need not go twice where nothing was found. Bugs of older allocators that
leave something behind, or end a search where no rule would, stand against that if a world has what they need.
"""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cluster.pools import PoolState
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.model.demand import Ask, ClaimDemand
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.quirks import Quirks


def is_foreseeable(claims: Sequence[ClaimDemand], supply: Supply, features: Features) -> bool:
    """Whether looking ahead is correct for an irregular input.

    Then no quirk makes for an error that devices by themselves do not show, and all that quirks leave behind
    takes further choices away.
    """
    quirks = features.quirks
    asks = [ask for claim in claims for ask in claim.asks]
    # A request for all devices that keeps what it took, or ends the search, finds nothing more than another.
    if any(request.is_all for ask in asks for request in ask.alternatives) and (
        quirks.all_skips_missing
        or quirks.rechecks_another_device
        or (quirks.all_goes_on_with_first and _has_later_all(asks))
    ):
        return False
    return not (
        (quirks.invalid_pool_is_error or quirks.matched_invalid_pool_is_error)
        and any(pool.state is PoolState.INVALID for pool in supply.pools)
    )


def is_regular(claims: Sequence[ClaimDemand], supply: Supply, features: Features) -> bool:
    """Whether no quirk of the allocator prevents shortcuts for this input."""
    quirks = features.quirks
    asks = [ask for claim in claims for ask in claim.asks]
    requests = [request for ask in asks for request in ask.alternatives]
    has_all = any(request.is_all for request in requests)
    has_admin = any(request.admin_access for request in requests)
    devices = [candidate.device for candidate in supply.candidates]
    draws = features.partitionable_devices and any(device.consumes for device in devices)
    shares = features.consumable_capacity and any(device.is_multi_use for device in devices)
    is_invalid = any(pool.state is PoolState.INVALID for pool in supply.pools)
    # Each line is what a world needs for one bug to show. A quirk without a line here must not depend on
    # what was tried and given back.
    obstacles = (
        _has_choice_before_all(asks)
        and (quirks.all_keeps_devices or quirks.all_ends_search or quirks.all_skips_missing),
        has_all and draws and quirks.loses_pool_of_all,
        has_all and shares and quirks.misfits_keep_marks,
        _has_later_all(asks) and quirks.all_goes_on_with_first,
        has_admin and quirks.admin_ignores_choices,
        forgets_values(claims, quirks),
        draws and (quirks.refused_keep_counters or quirks.counters_by_device),
        features.consumable_capacity and quirks.rechecks_another_device,
        is_invalid and (quirks.invalid_pool_is_error or quirks.matched_invalid_pool_is_error),
    )
    return not any(obstacles)


def _has_later_all(asks: Sequence[Ask]) -> bool:
    """Whether an alternative after the first, which goes on with itself, is for all devices."""
    return any(request.is_all for ask in asks for request in ask.alternatives[1:])


def _has_choice_before_all(asks: Sequence[Ask]) -> bool:
    """Whether anything is left to try when a request for all devices fails."""
    first = next((number for number, ask in enumerate(asks) if not _is_only_all(ask)), len(asks))
    return any(request.is_all for ask in asks[first:] for request in ask.alternatives)


def _is_only_all(ask: Ask) -> bool:
    return not ask.is_prioritized and ask.alternatives[0].is_all


def forgets_values(claims: Sequence[ClaimDemand], quirks: Quirks) -> bool:
    """Whether distinctAttribute may remember less than what is chosen (1.34 to 1.36).

    One value for each request is all there is to remember where each has one device at a time.
    """
    return quirks.distinct_by_request and any(
        constraint.is_distinct
        and (
            quirks.distinct_by_identity
            or any(
                constraint.concerns(request) and (request.is_all or request.count > 1)
                for ask in claim.asks
                for request in ask.alternatives
            )
        )
        for claim in claims
        for constraint in claim.constraints
    )
