"""Devices that are put together from mixins, and consume the capacity of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dractl.api.quantity import Quantity
from dractl.legacy.prototypes.dialects.amounts import amount

__all__ = ["Mixins"]


class Mixins:
    """A model of mixins: what its devices have, and whose capacity they consume."""

    def __init__(self, model: Mapping[str, Any]) -> None:
        """Look up mixins and devices by name once."""
        self._devices: list[Mapping[str, Any]] = model.get("devices") or []
        self._mixins = _by_name(model, "deviceMixins")
        # Naming itself ends a chain.
        self._sources = {
            name: [
                entry.get("name", "")
                for entry in parts.get("consumesCapacityFrom") or ()
                if entry.get("name") != name
            ]
            for name, parts in _by_name(model, "devices").items()
        }

    def flattened(
        self, device: Mapping[str, Any]
    ) -> tuple[dict[str, Mapping[str, Any]], dict[str, Quantity]]:
        """The attributes and capacities of a device: its mixins in order, the later win, then its own."""
        parts: Mapping[str, Any] = device.get("partitionable") or {}
        # Of a mixin that is included twice only the last counts, so it is looked at once.
        last = {entry.get("name", ""): number for number, entry in enumerate(parts.get("includes") or ())}
        layers = [self._mixins.get(name, {}) for name in sorted(last, key=lambda name: last[name])]
        attributes: dict[str, Mapping[str, Any]] = {}
        capacity: dict[str, Quantity] = {}
        for layer in (*layers, parts):
            attributes |= layer.get("attributes") or {}
            for name, value in (layer.get("capacity") or {}).items():
                size = amount(value.get("quantity"))
                if size is not None:
                    capacity[name] = size
        return attributes, capacity

    def circles(self) -> list[int]:
        """The numbers of the devices that consume, maybe by way of others, from themselves."""
        circular = {name for circle in _circles(self._sources) for name in circle}
        return [number for number, name in enumerate(self._sources) if name in circular]

    def roots(self) -> list[str]:
        """The devices that consume from no other: each has counters for all of its capacity."""
        return [name for name, sources in self._sources.items() if not sources]

    def consumption(self) -> Iterator[tuple[str, dict[str, dict[str, Quantity]]]]:
        """By device, what it takes of which device's capacity: of all that it consumes from, up to a root.

        A root takes all of its own.
        """
        circular = {name for circle in _circles(self._sources) for name in circle}
        for device in self._devices:
            name = device.get("name", "")
            _, capacity = self.flattened(device)
            taken = {name: capacity} if not self._sources.get(name) else {}
            waiting = [] if name in circular else list(self._sources.get(name, []))
            while waiting:
                other = waiting.pop()
                if other not in taken:
                    taken[other] = capacity
                    waiting += self._sources.get(other, [])
            yield name, taken


def _by_name(model: Mapping[str, Any], field: str) -> dict[str, Mapping[str, Any]]:
    return {entry.get("name", ""): entry.get("partitionable") or {} for entry in model.get(field) or ()}


def _circles(links: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The strongly connected parts of a graph with more than one member (Tarjan, on a stack of its own)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for start in links:
        waiting = [] if start in numbers else [(start, iter(links[start]))]
        while waiting:
            name, rest = waiting[-1]
            if name not in numbers:
                numbers[name] = lowest[name] = len(numbers)
                path.append(name)
                on_path.add(name)
            for other in rest:
                if other in on_path:
                    lowest[name] = min(lowest[name], numbers[other])
                elif other in links and other not in numbers:
                    waiting.append((other, iter(links[other])))
                    break
            else:
                waiting.pop()
                if waiting:
                    above = waiting[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == numbers[name]:
                    at = _cut(path, name)
                    circle = path[at:]
                    del path[at:]
                    on_path.difference_update(circle)
                    if len(circle) > 1:
                        yield circle


def _cut(path: list[str], name: str) -> int:
    """Where in ``path`` a name is, looking from its end."""
    position = len(path) - 1
    while path[position] != name:
        position -= 1
    return position
