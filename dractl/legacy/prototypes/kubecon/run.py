"""Pods and nodes of the first prototype to rows: what each container gets, or why a pod waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.kubecon.capacities import entries
from dractl.legacy.prototypes.kubecon.schedule import Taken, schedule
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import NO_DEVICES, Pending, Placement, Refusal

__all__ = ["PlacedPods", "place"]


class PlacedPods(NamedTuple):
    """What came of the pods, in order; ``objects`` are the nodes with what is left of them, and the pods."""

    nodes: tuple[str, ...]
    placements: tuple[Placement, ...]
    pending: tuple[Pending, ...]
    objects: dict[Item, JsonDict]


def place(items: Iterable[Item], node_order: Sequence[str]) -> PlacedPods:
    """Schedule the pods among ``items`` on the nodes among them, those of ``node_order`` first.

    What a pod takes of its node is gone for the next one. A pod with a status got its node earlier. The
    prototype kept no such state; without it a pod of a saved state would take its capacities twice.
    """
    everything = [item for item in items if item.dialect == "kubecon"]
    rank = {name: number for number, name in enumerate(node_order)}
    homes = [item for item in everything if "pools" in item.value]
    homes.sort(key=lambda item: rank.get(item.name, len(rank)))
    nodes = [item.value for item in homes]
    placements: list[Placement] = []
    pending: list[Pending] = []
    written: dict[Item, JsonDict] = {}
    for item in everything:
        if item in homes:
            continue
        recorded = _recorded(item.value)
        placements += recorded
        if recorded:
            continue
        pod = f"default/{(item.value.get('podClaim') or {}).get('name') or 'pod'}"
        chosen, tried = schedule(nodes, item.value)
        if chosen is None:
            refusals = {
                home.name: Refusal(NO_DEVICES, found.reason) for home, found in zip(homes, tried, strict=True)
            }
            text = "; ".join(dict.fromkeys(refusal.message for refusal in refusals.values()))
            pending.append(Pending(pod, None, NO_DEVICES, text or "the input has no nodes", refusals))
            continue
        nodes[chosen] = tried[chosen].node
        written[item] = {**item.document.value, "status": _status(homes[chosen].name, tried[chosen].taken)}
        placements += _recorded(written[item])
    left = dict(zip(homes, nodes, strict=True))
    objects = {item: left.get(item, written.get(item, item.document.value)) for item in everything}
    return PlacedPods(tuple(item.name for item in homes), tuple(placements), tuple(pending), objects)


def _status(node: str, taken: Iterable[Taken]) -> JsonDict:
    """What a pod got, to be written into it."""
    allocations: list[JsonDict] = [
        {
            "holder": entry.holder,
            "claim": entry.claim,
            "driver": entry.driver,
            "pool": entry.pool,
            "resource": entry.resource,
            "topologies": [name for _, name in got.topologies],
            "capacity": got.capacity,
            "amount": str(got.amount),
        }
        for entry in taken
        for got in entry.allocated
    ]
    return {"nodeName": node, "allocations": allocations}


def _recorded(value: JsonDict) -> list[Placement]:
    """A row for each capacity and topology from which a claim of a pod was given something."""
    status = value.get("status")
    if not isinstance(status, dict):
        return []
    pod_claim = value.get("podClaim")
    of_pod = pod_claim.get("name") if isinstance(pod_claim, dict) else None
    node = str(status.get("nodeName", ""))
    return [
        _row(f"default/{of_pod or 'pod'}", node, of_pod, entry) for entry in entries(status, "allocations")
    ]


def _row(pod: str, node: str, of_pod: object, entry: JsonDict) -> Placement:
    def text(name: str) -> str:
        return str(entry.get(name, ""))

    holder, topologies = text("holder"), entry.get("topologies")
    return Placement(
        pod,
        node,
        None if holder == of_pod else holder,
        holder,
        f"{pod}/{holder}",
        text("claim"),
        text("driver"),
        text("pool"),
        "@".join((text("resource"), *map(str, topologies if isinstance(topologies, list) else ()))),
        None,
        {text("capacity"): text("amount")},
        False,
    )
