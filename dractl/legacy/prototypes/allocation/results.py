"""What claims have: made from what a search found, shown as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dractl.api.quantity import Quantity
from dractl.cluster.devices import Device, DeviceID
from dractl.legacy.prototypes.allocation.claims import Claim, InputObject
from dractl.legacy.prototypes.allocation.demand import Asked
from dractl.legacy.prototypes.dialects.amounts import rounded_up
from dractl.simulation.pods.outcome import Placement

__all__ = ["amounts", "given", "placement", "result_of"]


def given(asked: Asked, alternative: int, device: Device, *, admin: bool) -> InputObject:
    """A device that was found for an entry of the search, in the alternative that was taken."""
    option = asked.options[alternative]
    return InputObject(asked.part, option, asked.of, *device.id, {}, admin)


def result_of(entry: InputObject) -> dict[str, Any]:
    """A device as a result of v1, by which the main path knows what is in use."""
    found: dict[str, Any] = {"driver": entry.driver, "pool": entry.pool, "device": entry.device}
    return {**found, "adminAccess": True} if entry.admin else found


def placement(
    pod: str | None,
    node: str | None,
    container: str | None,
    entry: str | None,
    claim: Claim,
    held: InputObject,
) -> Placement:
    """A device as one container sees it, or nobody."""
    return Placement(
        pod,
        node,
        container,
        entry or None,
        claim.full_name,
        held.request,
        held.driver,
        held.pool,
        held.device,
        None,
        {name: str(size) for name, size in held.amounts.items()},
        held.admin,
    )


def amounts(totals: Mapping[str, Quantity], devices: Sequence[Device]) -> dict[DeviceID, dict[str, Quantity]]:
    """What each device is counted with, one after the other, in blocks, until the total is met."""
    found: dict[DeviceID, dict[str, Quantity]] = {device.id: {} for device in devices}
    for name, wanted in totals.items():
        rest = wanted
        for device in devices:
            if name not in device.data["provides"] or rest.unscaled <= 0:
                continue
            usable = device.capacity[name].value
            rounded = rounded_up(rest, device.data["provides"][name][1])
            share = rounded if rounded.compare(usable) < 0 else usable
            if share.unscaled:
                found[device.id][name] = share
            rest = rest.subtract(share)
    return found
