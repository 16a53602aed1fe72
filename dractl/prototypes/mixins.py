"""Devices that are put together from mixins, and consume the capacity of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dractl.api.quantity import Quantity
from dractl.prototypes.amounts import amount

__all__ = ["circles", "consumption", "flattened", "roots"]


def _by_name(model: Mapping[str, Any], field: str) -> dict[str, Mapping[str, Any]]:
    return {entry.get("name", ""): entry.get("partitionable") or {} for entry in model.get(field) or ()}


def flattened(
    model: Mapping[str, Any], device: Mapping[str, Any]
) -> tuple[dict[str, Mapping[str, Any]], dict[str, Quantity]]:
    """The attributes and capacities of a device: its mixins in order, the later win, then its own."""
    mixins = _by_name(model, "deviceMixins")
    parts: Mapping[str, Any] = device.get("partitionable") or {}
    layers = [mixins.get(entry.get("name", ""), {}) for entry in parts.get("includes") or ()]
    attributes: dict[str, Mapping[str, Any]] = {}
    capacity: dict[str, Quantity] = {}
    for layer in (*layers, parts):
        attributes |= layer.get("attributes") or {}
        for name, value in (layer.get("capacity") or {}).items():
            size = amount(value.get("quantity"))
            if size is not None:
                capacity[name] = size
    return attributes, capacity


def _sources(model: Mapping[str, Any]) -> dict[str, list[str]]:
    """From which devices each device consumes; naming itself ends a chain."""
    return {
        name: [
            entry.get("name", "")
            for entry in parts.get("consumesCapacityFrom") or ()
            if entry.get("name") != name
        ]
        for name, parts in _by_name(model, "devices").items()
    }


def circles(model: Mapping[str, Any]) -> list[int]:
    """The numbers of the devices that consume, maybe by way of others, from themselves."""
    sources = _sources(model)
    found = []
    for number, name in enumerate(sources):
        waiting, seen = list(sources[name]), set()
        while waiting:
            other = waiting.pop()
            if other == name:
                found.append(number)
                break
            if other not in seen:
                seen.add(other)
                waiting += sources.get(other, [])
    return found


def roots(model: Mapping[str, Any]) -> list[str]:
    """The devices that consume from no other: each has counters for all of its capacity."""
    return [name for name, sources in _sources(model).items() if not sources]


def consumption(model: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Quantity]]]:
    """By device, what it takes of which device's capacity: of all those that it consumes from, up to a root.

    A root takes all of its own.
    """
    sources = _sources(model)
    circular = {name for number, name in enumerate(sources) if number in set(circles(model))}
    found: dict[str, dict[str, dict[str, Quantity]]] = {}
    for device in model.get("devices") or ():
        name = device.get("name", "")
        _, capacity = flattened(model, device)
        taken = {name: capacity} if not sources.get(name) else {}
        waiting = [] if name in circular else list(sources.get(name, []))
        while waiting:
            other = waiting.pop()
            taken[other] = capacity
            waiting += sources.get(other, [])
        found[name] = taken
    return found
