"""How allocators of older releases differ: their rules, limits and bugs, as rows with their releases.

The newest allocator (that of 1.38, stable or incubating) has no quirk at all. Each row says in which
releases, and in which of the implementations of these releases, one quirk is there; the search and its parts
see plain booleans and never ask for a minor or a patch.

The order of pools is random in the real allocators up to 1.35, and in the stable one later: they go through
a Go map, which starts anywhere among (up to eight) pools and keeps to the order in which these were come
upon. Here they are tried from the first one on, as slices are, in the order in which slices are given. That
is one of the orders that may be the real one, and where order matters, the real choice may be another.
"""

from __future__ import annotations

from functools import cache

from dractl.api import release
from dractl.api.release import Minor
from dractl.records import NamedTuple

ONLY, STABLE, INCUBATING, EXPERIMENTAL = "only", "stable", "incubating", "experimental"
"""The implementations of the allocator; up to 1.33 only one exists."""

ALL = frozenset({ONLY, STABLE, INCUBATING, EXPERIMENTAL})
_STABLE = frozenset({STABLE})
_NEWER = frozenset({INCUBATING, EXPERIMENTAL})
_NEWEST = frozenset({EXPERIMENTAL})


class Quirks(NamedTuple):
    """How an allocator differs from the newest one; all false by default."""

    # Pools.
    repeats_first_slice: bool = False
    """A newer generation that replaces an older one has its first slice twice."""
    trusts_device_names: bool = False
    """Pools in which a device name comes twice are not found out."""
    counts_own_slices_only: bool = False
    """A pool is complete if enough of its slices are for the node; those for other nodes do not count."""
    uses_incomplete_pools: bool = False
    """Devices of incomplete pools can be had, only not by requests for all devices."""
    counters_per_slice: bool = False
    """Shared counters belong to the slice that has them, not to the pool."""
    keeps_counter_slices: bool = False
    """Slices with shared counters are not ignored where partitionable devices are off."""
    counters_from_anywhere: bool = False
    """Slices with shared counters are read whatever node they are for."""
    checks_counter_slices: bool = False
    """Devices in slices with shared counters cannot be chosen, but an unknown counter of theirs counts."""
    counters_by_pool_name: bool = False
    """Pools of the same name share their counters, whatever their drivers."""
    keeps_order: bool = False
    """Pools and their slices are tried in the order of the list, not by name."""
    delays_binding_slices: bool = False
    """Slices in which some device has binding conditions come last, and then their pools."""

    # Preparation.
    all_skips_class: bool = False
    """A request for all devices ignores the selectors of its class."""
    all_sees_what_is_left: bool = False
    """A request for all devices leaves out those of which other claims hold too much capacity."""
    second_reuses_answers: bool = False
    """The second subrequest takes the answers of the first for its own, if both are for all devices."""

    # Search.
    empty_all_is_met: bool = False
    """A request for all devices is met without any device."""
    all_skips_missing: bool = False
    """A request for all devices leaves out those that it cannot have; if the rest fails, that is an error."""
    all_ends_search: bool = False
    """A request for all devices that cannot have one of them ends the whole search."""
    all_keeps_devices: bool = False
    """A request for all devices that fails half-way gives nothing back."""
    all_goes_on_with_first: bool = False
    """After its first device, a subrequest for all devices goes on with the first subrequest."""
    limit_wraps: bool = False
    """How many devices a claim needs is compared with the limit after all its requests, as an int64 sum."""
    limit_counts_twice: bool = False
    """Devices that a request has already count once more against the limit of its claim."""
    limit_is_no: bool = False
    """That a claim would hold too many devices cuts no branches short."""
    has_no_limit: bool = False
    """The search does not look how many devices a claim holds."""
    matched_invalid_pool_is_error: bool = False
    """An invalid pool is an error once a free device of it matches."""
    invalid_pool_is_error: bool = False
    """An invalid pool is an error once the search comes to it."""
    tries_permutations: bool = False
    """The devices of one request are tried in every order."""

    # Trying one device.
    admin_ignores_choices: bool = False
    """Requests with admin access neither see nor mark what is chosen."""
    counters_need_no_gate: bool = False
    """A device that consumes counters can be had where partitionable devices are off."""
    counters_by_device: bool = False
    """Only the counters that the device names are compared, with what marked devices of its slice leave."""
    only_dedicated_draw: bool = False
    """Shares of other claims take nothing from counters."""
    every_share_draws: bool = False
    """Each share of a device takes its counters again."""
    empty_shares_draw: bool = False
    """A share of another claim that consumes no capacity does not keep a further one from taking counters."""
    loses_pool_of_all: bool = False
    """The scheduler crashes where a device of a request for all devices consumes counters."""
    every_taint_blocks: bool = False
    """Taints block whatever their effect."""
    rechecks_another_device: bool = False
    """The last check of capacity looks at the device whose place in the slice is the number of the wish."""
    refused_keep_counters: bool = False
    """A device that is refused after its counters were reserved leaves them reserved."""
    misfits_keep_marks: bool = False
    """A device that fails the last check of capacity stays marked, and a member of constraints."""
    shares_keep_counters: bool = False
    """A share that is given back leaves its counters reserved."""
    distinct_by_request: bool = False
    """distinctAttribute remembers one value for each request, and forgets it with any of its devices."""
    distinct_by_identity: bool = False
    """distinctAttribute finds the value of the very same device only."""
    literal_names: bool = False
    """Names of capacities are compared as they are written, with or without the driver's domain."""
    literal_versions: bool = False
    """Constraints compare versions as texts, and any value of the first device will do."""
    incomplete_pool_is_error: bool = False
    """A request for all devices ends the whole attempt where a pool is incomplete or invalid."""
    takes_negative_use: bool = False
    """A claim that consumes a negative amount lowers what others have taken."""
    amounts_wrap: bool = False
    """Amounts of capacity beyond an int64 wrap around, may be negative, and are written in binary form."""

    # The result.
    knows_no_capacity: bool = False
    """Capacity requests, distinctAttribute, multi-use devices, binding conditions and bindsToNode are not
    known."""
    class_config_per_request: bool = False
    """The configuration of a class is repeated for each request, and names none."""
    copies_all_config: bool = False
    """The configuration of a claim is copied as a whole."""
    config_per_request: bool = False
    """An entry of the claim's configuration is there once for each request that it names."""
    config_names_all: bool = False
    """Configuration for all requests names them."""
    hides_admin_access: bool = False
    """Results do not record admin access."""
    hides_tolerations: bool = False
    """Results do not record the tolerations of the request."""

    # Around the allocator.
    rules_crash: bool = False
    """The scheduler crashes as soon as there are a DeviceTaintRule and a slice."""
    rule_without_selector_taints_all: bool = False
    """A DeviceTaintRule without a selector taints all devices instead of none."""
    eviction_needs_effect: bool = False
    """A toleration without an effect does not keep a pod from being evicted."""
    eviction_skips_extended: bool = False
    """Devices that a pod has through an extended resource do not evict it."""
    rules_select_by_class: bool = False
    """A DeviceTaintRule may select by device class and CEL."""
    rules_evict_through_slices: bool = False
    """A DeviceTaintRule evicts no pod from unpublished devices, and without a selector all other users."""
    first_missing_claim_stops: bool = False
    """No claims are generated for the entries of a pod behind one whose claim does not exist."""
    finished_pods_keep_extended: bool = False
    """A finished pod keeps the devices of its extended resources until it is deleted."""
    other_users_stop_cleanup: bool = False
    """The controller leaves a claim alone that anything but pods is a user of."""
    deleted_class_loses_name: bool = False
    """Where several classes have one extended resource name, nobody serves it once one of them is deleted or
    renamed, until another one is created or updated."""
    other_class_is_nameless: bool = False
    """A class whose explicit resource name is that of a preferred class when it is created has no implicit
    name either."""
    implicit_names_get_nothing: bool = False
    """Implicit names of extended resources get no devices, and only classes without another name have one."""
    containers_share_nothing: bool = False
    """Each container has requests of its own for extended resources; init containers reuse no devices."""
    devices_beside_plugins: bool = False
    """A pod that needs a device for an extended resource, or has a claim, gets devices for all of them, also
    for those that a device plugin provides."""
    absent_resources_fit: bool = False
    """What a node does not list is left to DRA, for a pod without extended resources even huge pages; what it
    lists with the amount 0 is not."""
    timeout_spares_others: bool = False
    """A search that takes more than ten seconds rules out its node only, not the whole attempt."""
    scores_no_alternatives: bool = False
    """Nodes are not scored by the subrequests that were chosen."""
    balance_ignores_before: bool = False
    """How evenly a node uses cpu and memory counts as it is with the pod, not how the pod changes it."""
    balance_counts_best_effort: bool = False
    """How evenly a node uses cpu and memory also counts for a pod that asks for neither."""
    empty_selector_spreads_nothing: bool = False
    """A topology spread constraint with an empty selector counts no pods instead of all."""
    scores_no_settled_claims: bool = False
    """Scoring fails if one claim of a pod is allocated already and another is not."""
    settled_claims_are_free: bool = False
    """Devices that were allocated before take nothing of what their node has for pods."""
    node_shares_per_node: bool = False
    """A claim that takes of what a node has can be shared by pods on several nodes."""
    node_shares_need_containers: bool = False
    """A claim that takes of what a node has, and to which no container refers, cannot be had."""
    init_overhead_always_counts: bool = False
    """The overhead of devices per container counts for init containers while other containers run."""
    special_shares_are_unwritable: bool = False
    """The status of a pod cannot list node resources of a device for an extended resource."""
    ignores_pod_limits: bool = False
    """Limits of a pod as a whole need not cover what the devices of a container take of the node."""


class Row(NamedTuple):
    """One quirk: its first and last minor or patch (None: open), and the implementations that have it.

    A defect that was fixed in several minors has a row for each, up to the last patch with it.
    """

    name: str
    since: str | None
    until: str | None
    implementations: frozenset[str] = ALL


ROWS: tuple[Row, ...] = (
    Row("repeats_first_slice", None, "1.31"),
    Row("trusts_device_names", None, "1.31"),
    Row("counts_own_slices_only", None, "1.34"),
    Row("uses_incomplete_pools", None, "1.34"),
    Row("counters_per_slice", None, "1.34"),
    Row("counters_per_slice", "1.35", "1.35", _STABLE),
    Row("keeps_counter_slices", "1.34", "1.34"),
    Row("keeps_counter_slices", "1.35", "1.35", _STABLE),
    Row("counters_from_anywhere", "1.35", "1.36", _NEWER),
    Row("counters_from_anywhere", "1.36", "1.37", _STABLE),
    Row("checks_counter_slices", "1.35", "1.36", _NEWER),
    Row("checks_counter_slices", "1.36", "1.37", _STABLE),
    Row("counters_by_pool_name", "1.35", "1.35", _NEWER),
    Row("counters_by_pool_name", "1.36", "1.36.3"),
    Row("keeps_order", None, "1.35"),
    Row("keeps_order", "1.36", "1.37", _STABLE),
    Row("delays_binding_slices", "1.34", "1.35", _NEWEST),
    Row("all_skips_class", None, "1.31"),
    Row("all_sees_what_is_left", "1.34", "1.36"),
    Row("second_reuses_answers", "1.33", "1.35"),
    Row("empty_all_is_met", None, "1.32"),
    Row("all_skips_missing", None, "1.31"),
    Row("all_ends_search", "1.32", "1.32"),
    Row("all_keeps_devices", "1.32", "1.33"),
    Row("all_goes_on_with_first", "1.33", "1.35"),
    Row("limit_wraps", "1.31", "1.33"),
    Row("limit_wraps", "1.34", "1.34.11"),
    Row("limit_wraps", "1.35", "1.35"),
    Row("limit_wraps", "1.36", "1.36.4"),
    Row("limit_wraps", "1.37", "1.37.0"),
    Row("limit_counts_twice", "1.33", "1.33.0"),
    Row("limit_is_no", "1.33", "1.33"),
    Row("limit_is_no", "1.34", "1.35", _STABLE),
    Row("has_no_limit", None, "1.32"),
    Row("matched_invalid_pool_is_error", "1.32", "1.32"),
    Row("invalid_pool_is_error", "1.33", "1.34"),
    Row("tries_permutations", None, "1.35"),
    Row("tries_permutations", "1.36", "1.37", _STABLE),
    Row("admin_ignores_choices", None, "1.33"),
    Row("counters_need_no_gate", None, "1.33"),
    Row("counters_by_device", None, "1.33"),
    Row("only_dedicated_draw", "1.34", "1.35"),
    Row("only_dedicated_draw", "1.36", "1.36.1"),
    Row("every_share_draws", "1.34", "1.34"),
    Row("empty_shares_draw", "1.35", "1.36"),
    Row("loses_pool_of_all", "1.35", "1.35.5", _NEWER),
    Row("loses_pool_of_all", "1.36", "1.36.1"),
    Row("every_taint_blocks", "1.33", "1.34"),
    Row("rechecks_another_device", "1.34", "1.34"),
    Row("refused_keep_counters", "1.34", "1.36.2"),
    Row("misfits_keep_marks", "1.34", "1.36.2"),
    Row("shares_keep_counters", "1.34", "1.36.2"),
    Row("distinct_by_request", "1.34", "1.36"),
    Row("distinct_by_identity", "1.34", "1.34"),
    Row("literal_names", None, "1.37"),
    Row("literal_versions", None, "1.37"),
    Row("incomplete_pool_is_error", None, "1.37"),
    Row("takes_negative_use", None, "1.37"),
    Row("amounts_wrap", "1.34", "1.36"),
    Row("knows_no_capacity", None, "1.33"),
    Row("knows_no_capacity", "1.34", "1.35", frozenset({STABLE, INCUBATING})),
    Row("knows_no_capacity", "1.36", "1.37", _STABLE),
    Row("class_config_per_request", "1.31", "1.32.9"),
    Row("class_config_per_request", "1.33", "1.33.5"),
    Row("class_config_per_request", "1.34", "1.34.1"),
    Row("copies_all_config", None, "1.32"),
    Row("config_per_request", "1.33", "1.36"),
    Row("config_names_all", None, "1.36"),
    Row("hides_admin_access", None, "1.31"),
    Row("hides_tolerations", None, "1.34"),
    Row("hides_tolerations", "1.35", "1.35", _STABLE),
    Row("rules_crash", "1.36", "1.36.2"),
    Row("rule_without_selector_taints_all", "1.33", "1.37.0"),
    Row("eviction_needs_effect", None, "1.37"),
    Row("eviction_skips_extended", "1.34", "1.37.1"),
    Row("rules_select_by_class", "1.33", "1.34"),
    Row("rules_evict_through_slices", None, "1.34"),
    Row("first_missing_claim_stops", None, "1.35"),
    Row("finished_pods_keep_extended", "1.34", "1.34"),
    Row("other_users_stop_cleanup", None, "1.35"),
    Row("deleted_class_loses_name", "1.35", "1.37"),
    Row("other_class_is_nameless", "1.35", "1.37"),
    Row("implicit_names_get_nothing", "1.34", "1.34"),
    Row("containers_share_nothing", "1.34", "1.34"),
    Row("devices_beside_plugins", "1.34", "1.34"),
    Row("absent_resources_fit", "1.34", "1.34"),
    Row("timeout_spares_others", None, "1.35"),
    Row("scores_no_alternatives", None, "1.34"),
    Row("balance_ignores_before", None, "1.35"),
    Row("balance_counts_best_effort", None, "1.32"),
    Row("empty_selector_spreads_nothing", None, "1.37"),
    Row("scores_no_settled_claims", "1.35", "1.35.5"),
    Row("scores_no_settled_claims", "1.36", "1.36.1"),
    Row("settled_claims_are_free", "1.36", "1.36"),
    Row("node_shares_per_node", "1.36", "1.36"),
    Row("node_shares_need_containers", "1.36", "1.36"),
    Row("init_overhead_always_counts", None, "1.37"),
    Row("special_shares_are_unwritable", None, "1.37"),
    Row("ignores_pod_limits", "1.36", "1.36"),
)
"""Every quirk with its dates."""


def is_in(minor: Minor, since: str | None, until: str | None) -> bool:
    """Whether a minor is one of those from ``since`` to ``until`` (None: open)."""
    return minor.within(release.at(since) if since else None, release.at(until) if until else None)


@cache
def quirks_of(minor: Minor, implementation: str) -> Quirks:
    """The quirks of one implementation of a minor's allocator."""
    found = {
        row.name
        for row in ROWS
        if implementation in row.implementations and is_in(minor, row.since, row.until)
    }
    return Quirks(**dict.fromkeys(found, True))
