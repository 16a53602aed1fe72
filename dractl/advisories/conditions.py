"""What objects must have to reach a known fault: named conditions that yield those that have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dractl.advisories import capacity_conditions as capacity
from dractl.advisories.known import Asked, Found, Known, devices_of, pool_fields, spec_of
from dractl.api.json_types import Object
from dractl.api.names import IMPLICIT_RESOURCE
from dractl.cluster.devices import pool_id_of
from dractl.records import NamedTuple

__all__ = ["CONDITIONS", "Condition"]

_ALL = "All"
_CONTAINERS = ("containers", "initContainers")
_ENDS = frozenset({"Succeeded", "Failed"})
_HALF_LIMIT = 16
_TWO = 2


class Condition(NamedTuple):
    """A condition: what it says to people, and the objects that meet it."""

    text: str
    find: Callable[[Known], Found]


def _asking_for_all(known: Known) -> list[Asked]:
    return [asked for asked in known.asked if asked.body.get("allocationMode") == _ALL]


def _with_counters(known: Known) -> list[Object]:
    """The slices with devices that consume counters."""
    return [entry.slice for entry in known.devices if entry.device.get("consumesCounters")]


def _all_of_counters(known: Known) -> Found:
    slices, asked = _with_counters(known), _asking_for_all(known)
    if slices and asked:
        yield from (entry.claim for entry in asked)
        yield from slices


def _pool_names(known: Known) -> Found:
    slices = [*_with_counters(known), *(item for item in known.slices if spec_of(item).get("sharedCounters"))]
    pools = Counter(name for _, name in {pool_id_of(item) for item in slices})
    yield from (item for item in slices if pools[pool_id_of(item)[1]] > 1)


def _shared_with_counters(known: Known) -> Found:
    for entry in known.devices:
        if entry.device.get("allowMultipleAllocations") and entry.device.get("consumesCounters"):
            yield entry.slice


def _distinct(known: Known) -> Found:
    for claim, asked in known.asked_by:
        constraints = devices_of(claim).get("constraints") or ()
        is_distinct = any(entry.get("distinctAttribute") for entry in constraints)
        if is_distinct and (any(entry.body.get("count", 1) > 1 for entry in asked) or _has_all(asked)):
            yield claim


def _has_all(asked: Iterable[Asked]) -> bool:
    return any(entry.body.get("allocationMode") == _ALL for entry in asked)


def _seventeen(known: Known) -> Found:
    for claim, asked in known.asked_by:
        if sum(entry.body.get("count", 1) for entry in asked) > _HALF_LIMIT or _has_all(asked):
            yield claim


def _rules_without_selector(known: Known) -> Found:
    for item in known.of_kind("DeviceTaintRule"):
        if (item.get("spec") or {}).get("deviceSelector") is None:
            yield item


def _rules(known: Known) -> Found:
    if known.slices:
        yield from known.of_kind("DeviceTaintRule")


def _resource_names(known: Known) -> set[str]:
    """The extended resource names that classes have."""
    return {name for item in known.classes if (name := (item.get("spec") or {}).get("extendedResourceName"))}


def _extended_and_tainted(known: Known) -> Found:
    names = _resource_names(known)
    evicts = any(
        taint.get("effect") == "NoExecute"
        for entry in known.devices
        for taint in entry.device.get("taints") or ()
    ) or any(
        ((item.get("spec") or {}).get("taint") or {}).get("effect") == "NoExecute"
        for item in known.of_kind("DeviceTaintRule")
    )
    if not evicts:
        return
    for item, spec in known.pods:
        asked = _resources_of(spec, *_CONTAINERS)
        if any(name in names or name.startswith(IMPLICIT_RESOURCE) for name in asked):
            yield item


def _resources_of(spec: dict[str, Any], *lists: str) -> Iterator[str]:
    """The names of the resources that the containers of a pod request."""
    for name in lists:
        for container in spec.get(name) or ():
            resources = container.get("resources") or {}
            yield from {**(resources.get("requests") or {}), **(resources.get("limits") or {})}


def _implicit_names(known: Known) -> Found:
    for item, spec in known.pods:
        if any(name.startswith(IMPLICIT_RESOURCE) for name in _resources_of(spec, *_CONTAINERS)):
            yield item


def _extended_in_init(known: Known) -> Found:
    names = _resource_names(known)
    for item, spec in known.pods:
        if names & set(_resources_of(spec, "containers")) & set(_resources_of(spec, "initContainers")):
            yield item


def _extended_and_finished(known: Known) -> Found:
    """Finished pods, and Jobs, whose pods finish."""
    names = _resource_names(known)
    for item, spec in known.pods:
        is_finite = item["kind"] in ("Job", "CronJob") or (item.get("status") or {}).get("phase") in _ENDS
        if is_finite and names & set(_resources_of(spec, *_CONTAINERS)):
            yield item


def _invalid_pools(known: Known) -> Found:
    for slices in _pools(known):
        devices = (device for item in slices for device in spec_of(item).get("devices") or ())
        names = Counter(device.get("name") for device in devices)
        if any(number > 1 for number in names.values()):
            yield from slices


def _mixed_claims(known: Known) -> Found:
    for item, spec in known.pods:
        entries = spec.get("resourceClaims") or ()
        # A claim from a template is new when its pod is scheduled.
        if len(entries) >= _TWO and any(entry.get("resourceClaimName") for entry in entries):
            yield item


def _two_alternatives_for_all(known: Known) -> Found:
    for claim in known.claims:
        for request in devices_of(claim).get("requests") or ():
            modes = [body.get("allocationMode") for body in request.get("firstAvailable") or ()]
            if modes.count(_ALL) >= _TWO:
                yield claim


def _all_of_shared(known: Known) -> Found:
    if any(entry.device.get("allowMultipleAllocations") for entry in known.devices):
        yield from (asked.claim for asked in _asking_for_all(known) if not asked.body.get("adminAccess"))


def _all(known: Known) -> Found:
    yield from (asked.claim for asked in _asking_for_all(known))


def _class_with_config(known: Known) -> Found:
    configured = {
        item["metadata"].get("name") for item in known.classes if (item.get("spec") or {}).get("config")
    }
    for claim, asked in known.asked_by:
        names = Counter(entry.body.get("deviceClassName") for entry in asked)
        has_others = len(names) > 1
        if any(name in configured and (has_others or count > 1) for name, count in names.items()):
            yield claim


def _tolerates_execution(known: Known) -> Found:
    for asked in known.asked:
        for toleration in asked.body.get("tolerations") or ():
            if toleration.get("effect", "") in ("", "NoExecute"):
                yield asked.claim


def _tolerates_without_effect(known: Known) -> Found:
    for asked in known.asked:
        if any(not toleration.get("effect") for toleration in asked.body.get("tolerations") or ()):
            yield asked.claim


def _pools(known: Known) -> Iterator[list[Object]]:
    """The slices of the newest generation of each pool."""
    by_pool: dict[tuple[str, str], list[Object]] = {}
    for item in known.slices:
        by_pool.setdefault(pool_id_of(item), []).append(item)
    for slices in by_pool.values():
        newest = max(pool_fields(item).get("generation", 0) for item in slices)
        yield [item for item in slices if pool_fields(item).get("generation", 0) == newest]


def _all_of_incomplete_pools(known: Known) -> Found:
    for slices in _pools(known) if _asking_for_all(known) else ():
        if len(slices) != pool_fields(slices[0]).get("resourceSliceCount", 0):
            yield from slices


def _all_of_pools_of_several_nodes(known: Known) -> Found:
    if not _asking_for_all(known):
        return
    nodes: dict[tuple[str, str], set[str]] = {}
    for item in known.slices:
        spec = spec_of(item)
        where = repr(spec.get("nodeName") or spec.get("nodeSelector") or spec.get("allNodes"))
        nodes.setdefault(pool_id_of(item), set()).add(where)
    yield from (item for item in known.slices if len(nodes[pool_id_of(item)]) > 1)


def _admin(known: Known) -> Found:
    for asked in known.asked:
        if asked.body.get("adminAccess") and asked.body.get("count", 1) > 1:
            yield asked.claim


def _partitions(known: Known) -> Found:
    """Partitions that a search may try and give up: because of a taint, a constraint or their share."""
    devices = [entry.device for entry in known.devices if entry.device.get("consumesCounters")]
    is_tried = any(device.get("taints") or device.get("allowMultipleAllocations") for device in devices)
    is_bound = any(devices_of(claim).get("constraints") for claim in known.claims)
    if is_tried or is_bound or any(known.of_kind("DeviceTaintRule")):
        yield from _with_counters(known)


def _all_after_others(known: Known) -> Found:
    for claim, asked in known.asked_by:
        if _has_all(asked[1:]):
            yield claim


def _all_and_others(known: Known) -> Found:
    """Requests for all devices where another request may hold one; admin access holds none and sees all."""
    own = [asked for asked in known.asked if not asked.body.get("adminAccess")]
    every = [asked.claim for asked in own if asked.body.get("allocationMode") == _ALL]
    return every if len(own) > 1 else ()


def _alternative_after_all(known: Known) -> Found:
    for claim in known.claims:
        for request in devices_of(claim).get("requests") or ():
            modes = [body.get("allocationMode") for body in request.get("firstAvailable") or ()]
            if _ALL in modes[:-1]:
                yield claim


def _all_of_two_generations(known: Known) -> Found:
    if not _asking_for_all(known):
        return
    generations: dict[tuple[str, str], set[int]] = {}
    for item in known.slices:
        generations.setdefault(pool_id_of(item), set()).add(pool_fields(item).get("generation", 0))
    yield from (item for item in known.slices if len(generations[pool_id_of(item)]) > 1)


def _rule_and_unpublished(known: Known) -> Found:
    """Claims that hold what is not published, where a rule evicts."""
    taints = ((item.get("spec") or {}).get("taint") or {} for item in known.of_kind("DeviceTaintRule"))
    if not any(taint.get("effect") == "NoExecute" for taint in taints):
        return
    published = {(*entry.pool, entry.device.get("name")) for entry in known.devices}
    for claim in known.of_kind("ResourceClaim"):
        devices = ((claim.get("status") or {}).get("allocation") or {}).get("devices") or {}
        held = (
            (entry.get("driver"), entry.get("pool"), entry.get("device"))
            for entry in devices.get("results") or ()
        )
        if any(device not in published for device in held):
            yield claim


CONDITIONS: Mapping[str, Condition] = {
    "all-of-counters": Condition(
        "a request for all devices, and devices that consume counters", _all_of_counters
    ),
    "same-pool-name": Condition("pools of several drivers with one name and with counters", _pool_names),
    "shared-with-counters": Condition(
        "devices with allowMultipleAllocations that consume counters", _shared_with_counters
    ),
    "distinct-in-one-request": Condition("distinctAttribute for a request of several devices", _distinct),
    "more-than-16-devices": Condition("a claim for more than 16 devices, or for all", _seventeen),
    "rule-without-selector": Condition("a DeviceTaintRule without deviceSelector", _rules_without_selector),
    "rule-and-slice": Condition("a DeviceTaintRule and a ResourceSlice", _rules),
    "extended-and-tainted": Condition(
        "a pod with an extended resource of a class, and a NoExecute taint", _extended_and_tainted
    ),
    "implicit-name": Condition("a pod that requests the implicit resource name of a class", _implicit_names),
    "extended-init": Condition(
        "a pod whose containers and init containers request one extended resource of a class",
        _extended_in_init,
    ),
    "extended-finished": Condition(
        "a finished pod, or a Job, with an extended resource of a class", _extended_and_finished
    ),
    "invalid-pool": Condition("a pool with two devices of one name", _invalid_pools),
    "several-claims": Condition("a pod with several claims, one of them by name", _mixed_claims),
    "two-alternatives-for-all": Condition(
        "two subrequests for all devices in one request", _two_alternatives_for_all
    ),
    "all-of-shared": Condition(
        "a request for all devices without adminAccess, and devices with allowMultipleAllocations",
        _all_of_shared,
    ),
    "all": Condition("a request for all devices", _all),
    "class-with-config": Condition(
        "several requests in one claim, of a class with config", _class_with_config
    ),
    "tolerates-execution": Condition("a toleration of NoExecute taints", _tolerates_execution),
    "tolerates-without-effect": Condition("a toleration without an effect", _tolerates_without_effect),
    "all-of-incomplete-pool": Condition(
        "a request for all devices, and an incomplete pool", _all_of_incomplete_pools
    ),
    "all-of-pool-of-several-nodes": Condition(
        "a request for all devices, and a pool with slices for several nodes", _all_of_pools_of_several_nodes
    ),
    "admin-count": Condition("a request for several devices with adminAccess", _admin),
    "counters": Condition("devices that consume counters, with taints, constraints or shares", _partitions),
    "all-after-others": Condition("a request for all devices after other requests", _all_after_others),
    "all-and-others": Condition(
        "a request for all devices without adminAccess, and other requests", _all_and_others
    ),
    "alternative-after-all": Condition(
        "a subrequest for all devices that another subrequest follows", _alternative_after_all
    ),
    "all-of-two-generations": Condition(
        "a request for all devices, and a pool with slices of several generations", _all_of_two_generations
    ),
    "several-slices": Condition(
        "a claim for several devices, and several slices that a node reaches",
        capacity.several_of_several_slices,
    ),
    "capacity-in-other-words": Condition(
        "a request for a capacity that slices write with the domain of the driver, or without it",
        capacity.capacity_in_other_words,
    ),
    "version-constraint": Condition(
        "a constraint on versions that differ in build metadata only", capacity.versions_of_one_release
    ),
    "rule-and-unpublished": Condition(
        "a NoExecute DeviceTaintRule, and an allocated device that is not published", _rule_and_unpublished
    ),
}
"""Every condition by the name that an advisory has for it."""
