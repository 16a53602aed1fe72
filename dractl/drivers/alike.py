"""Devices that no selector can tell apart."""

from __future__ import annotations

import json
from collections.abc import Iterator

from dractl.api.wording import first_and_more
from dractl.drivers.model import Fact
from dractl.drivers.view import PublishedDevice, View, qualified
from dractl.finding import Severity

__all__ = ["about_alike", "look"]

_FEW = 3


def look(one: PublishedDevice) -> str:
    """What selectors see of a device: driver, attributes, capacities, and whether it can be shared."""
    driver, device = one.pool.driver, one.device
    attributes = {
        "/".join(qualified(name, driver)): value for name, value in (device.get("attributes") or {}).items()
    }
    capacity = {
        "/".join(qualified(name, driver)): value.get("value")
        for name, value in (device.get("capacity") or {}).items()
    }
    seen = (driver, attributes, capacity, device.get("allowMultipleAllocations") is True)
    return json.dumps(seen, sort_keys=True, default=str)


def _hidden(one: PublishedDevice) -> dict[str, str]:
    """What makes a difference to a pod although selectors do not see it."""
    device = one.device
    # The placements of one profile take the same amounts of other counters, so that names do not count.
    consumed = sorted(
        counter.get("value", "")
        for entry in device.get("consumesCounters") or ()
        for counter in (entry.get("counters") or {}).values()
    )
    taints = sorted(
        (taint.get("key", ""), taint.get("value", ""), taint.get("effect", ""))
        for taint in device.get("taints") or ()
    )
    return {"consume different amounts of counters": str(consumed), "have different taints": str(taints)}


def about_alike(view: View) -> Iterator[Fact]:
    """One fact for all pools of a driver with the same groups of devices that look the same."""
    found: dict[tuple[str, str, Severity], list[tuple[str, list[list[PublishedDevice]]]]] = {}
    for pool in view.pools:
        groups: dict[str, list[PublishedDevice]] = {}
        for entry in pool.newest if pool.is_sound else ():
            for number, device in enumerate(entry.devices):
                one = PublishedDevice(pool, entry, number, device)
                groups.setdefault(look(one), []).append(one)
        alike = [members for members in groups.values() if len(members) > 1]
        if alike:
            message, severity = _said(alike, len(groups), sum(map(len, groups.values())))
            found.setdefault((pool.driver, message, severity), []).append((pool.name, alike))
    for (driver, message, severity), pools in found.items():
        where = f"pool {pools[0][0]}" if len(pools) == 1 else f"{len(pools)} pools, such as {pools[0][0]}"
        details = [
            f"pool {name}: {', '.join(one.name for one in members)}"
            for name, groups_of_pool in pools
            for members in groups_of_pool
        ]
        hint = (
            "add an attribute, such as a profile, so that users can choose"
            if severity is Severity.WARNING
            else "fine for devices that are interchangeable"
        )
        first = pools[0][1][0][0]
        yield Fact(
            "driver/alike",
            severity,
            f"{driver}, {where}: {message}",
            hint,
            places=(first.location(),),
            details=tuple(details),
        )


def _said(alike: list[list[PublishedDevice]], kinds: int, number: int) -> tuple[str, Severity]:
    differing: dict[str, list[PublishedDevice]] = {}
    for members in alike:
        traits = [_hidden(one) for one in members]
        for name in traits[0]:
            if len({trait[name] for trait in traits}) > 1:
                differing.setdefault(name, members)
    if differing:
        members = next(iter(differing.values()))
        shown = first_and_more([one.name for one in members], _FEW)
        return f"{shown} look the same to selectors, but {' and '.join(differing)}", Severity.WARNING
    inside = sum(map(len, alike))
    groups = "1 group" if len(alike) == 1 else f"{len(alike)} groups"
    different = f"{kinds} different kind{'' if kinds == 1 else 's'}"
    text = f"{inside} of {number} devices are in {groups} that selectors cannot tell apart ({different})"
    return text, Severity.INFO
