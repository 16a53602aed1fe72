"""Pods and nodes of the first prototype to rows: what each container gets, or why a pod waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.kubecon.schedule import Taken, schedule
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

    What a pod takes of its node is gone for the next one.
    """
    everything = [item for item in items if item.dialect == "kubecon"]
    rank = {name: number for number, name in enumerate(node_order)}
    homes = [item for item in everything if "pools" in item.value]
    homes.sort(key=lambda item: rank.get(item.name, len(rank)))
    nodes = [item.value for item in homes]
    placements: list[Placement] = []
    pending: list[Pending] = []
    for item in everything:
        if item in homes:
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
        of_pod = (item.value.get("podClaim") or {}).get("name")
        for entry in tried[chosen].taken:
            placements += _rows(pod, homes[chosen].name, entry, is_of_pod=entry.holder == of_pod)
    left = dict(zip(homes, nodes, strict=True))
    objects = {item: left.get(item, item.document.value) for item in everything}
    return PlacedPods(tuple(item.name for item in homes), tuple(placements), tuple(pending), objects)


def _rows(pod: str, node: str, entry: Taken, *, is_of_pod: bool) -> Iterator[Placement]:
    """A row for each capacity and topology that a claim draws from."""
    for got in entry.allocated:
        where = "".join(f"@{name}" for _, name in got.topologies)
        yield Placement(
            pod,
            node,
            None if is_of_pod else entry.holder,
            entry.holder,
            f"{pod}/{entry.holder}",
            entry.claim,
            entry.driver,
            entry.pool,
            f"{entry.resource}{where}",
            None,
            {got.capacity: str(got.amount)},
            False,
        )
