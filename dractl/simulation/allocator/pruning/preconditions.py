"""Decides whether the chosen devices alone determine how a search continues.

Then a search may look ahead, and need not go twice where nothing was found. Bugs of older allocators that
leave something behind, or end a search where no rule would, stand against that if a world has what they need.
"""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cluster.pools import PoolState
from dractl.simulation.allocator.device.inventory import Supply
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.features import Features


def is_foreseeable(claims: Sequence[ClaimDemand], supply: Supply, features: Features) -> bool:
    """Whether looking ahead is correct for an irregular input.

    Then no quirk makes for an error that devices by themselves do not show, and all that quirks leave behind
    takes further choices away.
    """
    quirks = features.quirks
    if any(request.is_all for claim in claims for ask in claim.asks for request in ask.alternatives):
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
    has_alternative_all = any(ask.is_prioritized and r.is_all for ask in asks for r in ask.alternatives)
    has_admin = any(request.admin_access for request in requests)
    is_distinct = any(constraint.is_distinct for claim in claims for constraint in claim.constraints)
    devices = [candidate.device for candidate in supply.candidates]
    draws = features.partitionable_devices and any(device.consumes for device in devices)
    shares = features.consumable_capacity and any(device.is_multi_use for device in devices)
    is_invalid = any(pool.state is PoolState.INVALID for pool in supply.pools)
    # Each line is what a world needs for one bug to show. A quirk without a line here must not depend on
    # what was tried and given back.
    obstacles = (
        has_all and (quirks.all_keeps_devices or quirks.all_ends_search or quirks.all_skips_missing),
        has_all and draws and quirks.loses_pool_of_all,
        has_all and shares and quirks.misfits_keep_marks,
        has_alternative_all and quirks.all_goes_on_with_first,
        has_admin and quirks.admin_ignores_choices,
        is_distinct and quirks.distinct_by_request,
        draws and (quirks.refused_keep_counters or quirks.counters_by_device),
        shares and quirks.tries_permutations,
        features.consumable_capacity and quirks.rechecks_another_device,
        is_invalid and (quirks.invalid_pool_is_error or quirks.matched_invalid_pool_is_error),
    )
    return not any(obstacles)
