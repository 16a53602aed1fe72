"""Known faults of released schedulers, as rows: the quirks of each, and one sentence about what it does.

A quirk that only is another rule or another order is not among them. When a fault came and went is said by
the rows of its quirks.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache

from dractl.api import release
from dractl.api.gates import GateError, GateSet, resolve
from dractl.api.release import Minor
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.features import implementation_of
from dractl.simulation.allocator.model.quirks import Quirks, quirks_of


class Decides(Enum):
    """What a fault can change."""

    PENDING = "a pod stays Pending"
    ERROR = "an attempt for a pod fails with an error"
    DEVICES = "a pod gets devices that it should not get"
    EVICTION = "whether a pod is evicted"


class Trait(Enum):
    """What a cluster must have for a fault to matter, by a field, value or kind that shows it."""

    COUNTERS = "consumesCounters"
    SHARES = "allowMultipleAllocations"
    ALL = "allocationMode: All"
    DISTINCT = "distinctAttribute"
    RULES = "DeviceTaintRule"
    TAINTS = "taints"


class KnownFault(NamedTuple):
    """A fault by its id: the fields of ``Quirks`` that make it up, and what a scheduler with it does.

    It needs one of its ``traits``, or nothing in particular.
    """

    id: str
    quirks: tuple[str, ...]
    decides: Decides
    traits: tuple[Trait, ...]
    sentence: str


FAULTS: tuple[KnownFault, ...] = (
    KnownFault(
        "all-ends-search",
        ("all_ends_search",),
        Decides.PENDING,
        (Trait.ALL,),
        "a request for all devices that cannot have one of them ends the search, before other choices of "
        "earlier requests are tried",
    ),
    KnownFault(
        "all-second-alternative",
        ("second_reuses_answers", "all_goes_on_with_first"),
        Decides.PENDING,
        (Trait.ALL,),
        "the second alternative for all devices gets the devices that match the first one",
    ),
    KnownFault(
        "all-counters-crash",
        ("loses_pool_of_all",),
        Decides.ERROR,
        (Trait.COUNTERS,),
        "the scheduler crashes where a device of a request for all devices consumes counters",
    ),
    KnownFault(
        "pools-counted-per-node",
        ("counts_own_slices_only",),
        Decides.ERROR,
        (Trait.ALL,),
        "a pool whose slices are for several nodes seems incomplete on each of them",
    ),
    KnownFault(
        "pools-invalid-is-error",
        ("invalid_pool_is_error", "matched_invalid_pool_is_error"),
        Decides.ERROR,
        (),
        "one invalid pool fails the whole attempt, although devices of other pools fit",
    ),
    KnownFault(
        "taints-every-effect",
        ("every_taint_blocks",),
        Decides.PENDING,
        (Trait.TAINTS,),
        "a taint with the effect None keeps a device from being allocated",
    ),
    KnownFault(
        "taints-rules-crash",
        ("rules_crash",),
        Decides.ERROR,
        (Trait.RULES,),
        "the scheduler crashes as soon as a DeviceTaintRule and a ResourceSlice exist",
    ),
    KnownFault(
        "taints-rule-without-selector",
        ("rule_without_selector_taints_all",),
        Decides.PENDING,
        (Trait.RULES,),
        "a DeviceTaintRule without deviceSelector taints all devices instead of none",
    ),
    KnownFault(
        "counters-by-pool-name",
        ("counters_by_pool_name",),
        Decides.PENDING,
        (Trait.COUNTERS,),
        "pools of the same name share their counters, whatever their drivers",
    ),
    KnownFault(
        "counters-stay-reserved",
        ("refused_keep_counters", "misfits_keep_marks", "shares_keep_counters"),
        Decides.PENDING,
        (Trait.COUNTERS, Trait.SHARES),
        "a device that the search tries and gives up keeps its counters, or stays marked as taken",
    ),
    KnownFault(
        "shares-every-share-draws",
        ("every_share_draws",),
        Decides.PENDING,
        (Trait.SHARES,),
        "each share of a device takes the counters of the device again",
    ),
    KnownFault(
        "shares-empty-share-draws",
        ("empty_shares_draw",),
        Decides.PENDING,
        (Trait.SHARES,),
        "a share takes the counters of its device again if the other shares consume no capacity",
    ),
    KnownFault(
        "shares-no-counters",
        ("only_dedicated_draw",),
        Decides.DEVICES,
        (Trait.SHARES,),
        "shares of devices that other claims have take nothing from counters",
    ),
    KnownFault(
        "capacity-other-device",
        ("rechecks_another_device",),
        Decides.ERROR,
        (),
        "the last check of capacity looks at another device, or at none",
    ),
    KnownFault(
        "distinct-forgets",
        ("distinct_by_request", "distinct_by_identity"),
        Decides.DEVICES,
        (Trait.DISTINCT,),
        "distinctAttribute compares a device with one other device of its request at most",
    ),
    KnownFault(
        "limit-counted-twice",
        ("limit_counts_twice",),
        Decides.PENDING,
        (),
        "a claim for 17 to 32 devices cannot be allocated: the devices that it has already are counted twice",
    ),
    KnownFault(
        "score-allocated-claim",
        ("scores_no_settled_claims",),
        Decides.ERROR,
        (),
        "scheduling fails if one claim of a pod is allocated already, another is not, and several nodes fit",
    ),
    KnownFault(
        "eviction-extended-resource",
        ("eviction_skips_extended",),
        Decides.EVICTION,
        (),
        "a NoExecute taint does not evict a pod that has the device through an extended resource",
    ),
    KnownFault(
        "eviction-published-only",
        ("rules_evict_through_slices",),
        Decides.EVICTION,
        (Trait.RULES,),
        "a DeviceTaintRule does not evict pods from unpublished devices",
    ),
    KnownFault(
        "eviction-toleration-effect",
        ("eviction_needs_effect",),
        Decides.EVICTION,
        (),
        "a toleration without an effect does not keep a pod from being evicted",
    ),
)
"""Every known fault."""


def faults_in(quirks: Quirks) -> tuple[KnownFault, ...]:
    """The faults of a scheduler with ``quirks``."""
    return tuple(fault for fault in FAULTS if any(getattr(quirks, name) for name in fault.quirks))


def without(quirks: Quirks, *faults: KnownFault) -> Quirks:
    """The quirks without those of some faults."""
    return quirks._replace(**{name: False for fault in faults for name in fault.quirks})


def mended_in(fault: KnownFault, gates: GateSet) -> str | None:
    """The first release after that of ``gates`` without a fault, with the same gates where it has them."""
    return next(
        (
            later.version if later.patch else str(later)
            for later in _later(gates.minor)
            if not any(getattr(_quirks(later, gates), name) for name in fault.quirks)
        ),
        None,
    )


def _later(minor: Minor) -> Iterator[Minor]:
    """The known releases after one, patch by patch."""
    for known in release.KNOWN:
        for patch in release.patches_of(known):
            at = Minor(known.major, known.minor, patch)
            if at > minor:
                yield at


def _quirks(minor: Minor, gates: GateSet) -> Quirks:
    return _quirks_with(minor, tuple(sorted(gates.overrides.items())))


@cache
def _quirks_with(minor: Minor, overrides: tuple[tuple[str, bool], ...]) -> Quirks:
    try:
        found = resolve(minor, dict(overrides))
    except GateError:
        found = resolve(minor, {})
    return quirks_of(minor, implementation_of(found))
