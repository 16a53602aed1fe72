"""The scheduler of the first prototype: which node can take a pod, and what of it each container gets.

Mirrors its ``SchedulePod``: every node is looked at, claims take from the first pool that satisfies them, and
the first node on which all claims are satisfied is taken. Constraints and topology constraints are read by
nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.api.json_types import JsonDict
from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.dialects.amounts import amount
from dractl.legacy.prototypes.kubecon.capacities import (
    Allocated,
    MismatchError,
    allocate,
    entries,
    key_of,
    reduced,
    topologies_of,
)
from dractl.records import NamedTuple

__all__ = ["Taken", "Tried", "schedule", "try_node", "without"]


class Taken(NamedTuple):
    """What a claim gets: of which resource of which pool."""

    holder: str
    claim: str
    driver: str
    pool: str
    resource: str
    allocated: tuple[Allocated, ...]


class Tried(NamedTuple):
    """A node after a pod was tried on it: what its claims got, what is left, and why it cannot run there."""

    node: JsonDict
    taken: tuple[Taken, ...]
    reason: str


def schedule(nodes: Sequence[JsonDict], pod: JsonDict) -> tuple[int | None, list[Tried]]:
    """The number of the node that a pod gets, None for none, and what became of it on each."""
    tried = [try_node(node, pod) for node in nodes]
    return next((number for number, found in enumerate(tried) if not found.reason), None), tried


def try_node(node: JsonDict, pod: JsonDict) -> Tried:
    """What a pod gets on one node; the node itself is left as it is."""
    pools = entries(node, "pools")
    taken: list[Taken] = []
    reason = ""
    of_pod = pod.get("podClaim")
    for holder in (*([of_pod] if isinstance(of_pod, dict) else ()), *entries(pod, "containerClaims")):
        for claim in entries(holder, "claims"):
            found, why = _claimed(pools, claim, str(holder.get("name", "")))
            if found is None:
                reason = reason or f"claim {holder.get('name', '')}/{claim.get('name', '')}: {why}"
            else:
                taken.append(found)
    return Tried({**node, "pools": pools}, tuple(taken), reason)


def _claimed(pools: list[JsonDict], claim: JsonDict, holder: str) -> tuple[Taken | None, str]:
    """What a claim takes of the first pool that has it, which is less afterwards; otherwise why not."""
    why: dict[str, None] = {}
    for number, pool in enumerate(pools):
        driver = claim.get("driver")
        if driver and driver != pool.get("driver"):
            why[f"pool {pool.get('name')} is of driver {pool.get('driver')}, not {driver}"] = None
            continue
        resources = entries(pool, "resources")
        for position, resource in enumerate(resources):
            found = _of_resource(resource, entries(claim, "capacities"))
            if isinstance(found, str):
                why[found] = None
                continue
            resources[position] = without(resource, found)
            pools[number] = {**pool, "resources": resources}
            name, of = str(pool.get("name", "")), str(resource.get("name", ""))
            return Taken(holder, str(claim.get("name", "")), str(pool.get("driver", "")), name, of, found), ""
    return None, "; ".join(why) or "the node has no pools"


def _of_resource(resource: JsonDict, requests: Sequence[JsonDict]) -> tuple[Allocated, ...] | str:
    """What the requests of a claim get of a resource together, or why they do not."""
    name = resource.get("name")
    by_name: dict[str, list[JsonDict]] = {}
    for capacity in entries(resource, "capacities"):
        by_name.setdefault(str(capacity.get("name", "")), []).append(capacity)
    result: list[Allocated] = []
    for request in requests:
        wanted_name = str(request.get("capacity", ""))
        there = by_name.get(wanted_name)
        if there is None:
            return f"resource {name} has no capacity {wanted_name}"
        left: Quantity | str | None = _wanted(request)
        try:
            for number, capacity in enumerate(there):
                if left is None:
                    break
                _same_kind(request, capacity)
                got, left = allocate(capacity, left)
                if got is not None:
                    there[number] = reduced(capacity, got.amount)
                    result.append(got)
        except MismatchError:
            return f"capacity {wanted_name} of resource {name} is of another kind than the request"
        if left is not None:
            return f"resource {name} has too little of capacity {wanted_name}"
    return tuple(result) if result else f"the claim asks resource {name} for nothing"


_KINDS: Mapping[str, frozenset[str]] = {
    "counter": frozenset({"counter"}),
    "quantity": frozenset({"quantity", "block"}),
    "accessMode": frozenset({"accessMode"}),
}
"""The kinds of capacities that a kind of request can be made of."""


def _same_kind(request: JsonDict, capacity: JsonDict) -> None:
    asked = next((kind for kind in _KINDS if request.get(kind) is not None), "")
    if not any(capacity.get(kind) is not None for kind in _KINDS.get(asked, ())):
        raise MismatchError


def _wanted(request: JsonDict) -> Quantity | str | None:
    for kind in ("counter", "quantity"):
        found = request.get(kind)
        if isinstance(found, dict):
            return amount(found.get("request", 0))
    found = request.get("accessMode")
    return str(found.get("request")) if isinstance(found, dict) else amount(0)


def without(resource: JsonDict, taken: Sequence[Allocated]) -> JsonDict:
    """The resource without what was taken; of capacities with one name and topologies the last counts.

    Raises KeyError with name and topologies of a capacity that the resource lacks.
    """
    capacities = entries(resource, "capacities")
    places = {
        key_of(str(capacity.get("name", "")), topologies_of(capacity)): number
        for number, capacity in enumerate(capacities)
    }
    for entry in taken:
        number = places[key_of(entry.capacity, entry.topologies)]
        capacities[number] = reduced(capacities[number], entry.amount)
    return {**resource, "capacities": capacities}
