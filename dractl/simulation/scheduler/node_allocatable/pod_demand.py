"""What a pod requests of its node including its devices, and how its status lists the latter.

Mirrors ``PodRequests`` with ``UseDRANodeAllocatableResourceClaimStatus``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, cast

from dractl.api import quantity
from dractl.api.json_types import JsonDict, JsonObject, Object
from dractl.api.quantity import ZERO, Quantity
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.resources import (
    CPU,
    DEFAULT_FOR_SCORES,
    MEMORY,
    NOTHING,
    Amounts,
    Demand,
)

if TYPE_CHECKING:
    from dractl.api.objects import core

    Status = core.NodeAllocatableResourceClaimStatus

FIELD: Final = "nodeAllocatableResourceClaimStatuses"
"""The field of a pod's status with the node resources of its devices."""

HUGE_PAGES = "hugepages-"


def demand_of(pod: Pod, quirks: Quirks) -> Demand:
    """The requests of a pod, including the node resources of its devices from its status."""
    demand = resources.demand_of(pod)
    statuses = pod.status.get(FIELD) or ()
    if not statuses:
        return demand
    stand_ins = (NOTHING, DEFAULT_FOR_SCORES)
    taken = (taken_of(pod, statuses, quirks, stand_in) for stand_in in stand_ins)
    return Demand(*(with_devices(pod, amounts, more) for amounts, more in zip(demand, taken, strict=True)))


def with_statuses(pod: JsonObject, statuses: Sequence[Status]) -> Object:
    """The pod with what its devices take of the node written down; without the field if that is nothing."""
    status = cast("JsonDict", pod.get("status") or {})
    kept = {name: value for name, value in status.items() if name != FIELD}
    if statuses:
        kept[FIELD] = list(statuses)
    without = {name: value for name, value in pod.items() if name != "status"}
    return {**without, "status": kept} if kept else without


def unwritable(statuses: Iterable[Status], special: str | None, quirks: Quirks) -> str:
    """Why the API server refuses what the scheduler would write to a pod; empty if it does not.

    ``special`` is the name of the claim for the pod's extended resources.
    """
    for status in statuses:
        if status["resourceClaimName"] == special and quirks.special_shares_are_unwritable:
            text = "a device for an extended resource has node-allocatable resources"
            return f"{text}, which the scheduler fails to write to the pod's status"
        containers = status["containers"]
        twice = next((name for name in containers if containers.count(name) > 1), None)
        if twice is not None and "resources" not in status:
            text = f"container {twice} refers twice to ResourceClaim {status['resourceClaimName']}"
            return f"{text}, whose node-allocatable resources the pod's status can list only once"
    return ""


def product(amount: Quantity, factor: Quantity) -> Quantity:
    """The product, in the format of the amount."""
    return Quantity(
        amount.unscaled * factor.unscaled, amount.scale + factor.scale, exact=True, form=amount.format
    )


def _fixed_parts(status: Status) -> Iterator[tuple[str, Quantity]]:
    """What an entry of a pod's status adds up to, whichever containers refer to the claim."""
    for resource, amount in (status.get("resources") or {}).items():
        yield resource, quantity.parse(str(amount))
    for entry in status.get("mapping") or ():
        if entry.get("quantity") is not None:
            yield entry.get("name", ""), quantity.parse(str(entry["quantity"]))
    for more in status.get("overhead") or ():
        yield more.get("name", ""), quantity.parse(str(more.get("perPod", "0")))


def _container_parts(status: Status) -> Iterator[tuple[str, Quantity]]:
    """What an entry of a pod's status adds up to for each reference of a container."""
    for more in status.get("overhead") or ():
        yield more.get("name", ""), quantity.parse(str(more.get("perContainer", "0")))


def _total(parts: Iterable[tuple[str, Quantity]]) -> Amounts:
    totals: dict[str, Quantity] = {}
    for resource, amount in parts:
        totals[resource] = totals.get(resource, ZERO).add(amount)
    return {name: total.milli_value if name == CPU else total.value for name, total in totals.items()}


def taken_of(
    pod: Pod, statuses: Sequence[Status], quirks: Quirks, stand_ins: Mapping[str, int] = NOTHING
) -> Amounts:
    """What all devices of a pod take of its node, beyond what its containers request.

    ``stand_ins`` are what a container without requests counts for. Since 1.38 the overhead of a container
    counts only while that runs; before, that of all containers.
    """
    fixed = [part for status in statuses for part in _fixed_parts(status)]
    references = [(name, status) for status in statuses for name in status.get("containers") or ()]
    if quirks.init_overhead_always_counts:
        return _total([*fixed, *(part for _, status in references for part in _container_parts(status))])
    extra = {
        container.name: _total(
            part for name, status in references if name == container.name for part in _container_parts(status)
        )
        for container in pod.containers
    }
    found = _total(fixed)
    without = resources.aggregated(pod.containers, stand_ins)
    for name, amount in resources.aggregated(pod.containers, stand_ins, extra).items():
        more = amount - without.get(name, 0)
        if more:
            found[name] = found.get(name, 0) + more
    return found


def taken_by_container(statuses: Iterable[Status], container: str) -> Amounts:
    """What the devices of one container take, for its limits."""
    return _total(
        part
        for status in statuses
        if container in (status.get("containers") or ())
        for part in (*_fixed_parts(status), *_container_parts(status))
    )


def pod_level(pod: Pod, field: Literal["requests", "limits"]) -> Amounts:
    """The requests or limits of the pod as a whole, of resources that can have such."""
    entries: Mapping[str, str] = (pod.spec.get("resources") or {}).get(field) or {}
    return resources.amounts(
        {key: text for key, text in entries.items() if key in (CPU, MEMORY) or key.startswith(HUGE_PAGES)}
    )


def with_devices(pod: Pod, amounts: Mapping[str, int], taken: Mapping[str, int]) -> Amounts:
    """What a pod asks for with its devices; what it asks for as a whole covers these."""
    level = pod_level(pod, "requests")
    found = dict(amounts)
    for name, amount in taken.items():
        if name not in level:
            found[name] = found.get(name, 0) + amount
    return found
