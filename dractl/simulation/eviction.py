"""Evictions by device taints: pods that use a device with a taint they do not tolerate are asked to end.

Mirrors the device taint eviction controller (1.37). A toleration with ``tolerationSeconds`` counts as if it
never ended: a simulation has no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dractl.cluster.devices import DeviceID
from dractl.simulation.placements import results_of
from dractl.simulation.taints import tolerates

Taints = Mapping[DeviceID, tuple[Mapping[str, Any], ...]]

_EVICTING = "NoExecute"


def evicting_taints(slices: Iterable[Mapping[str, Any]]) -> dict[DeviceID, tuple[Mapping[str, Any], ...]]:
    """The taints that evict, per device, of slices that have the taints of rules already."""
    found: dict[DeviceID, tuple[Mapping[str, Any], ...]] = {}
    for item in slices:
        spec: Mapping[str, Any] = item.get("spec") or {}
        pool = (spec.get("pool") or {}).get("name", "")
        for device in spec.get("devices") or ():
            taints = tuple(taint for taint in device.get("taints") or () if taint.get("effect") == _EVICTING)
            if taints:
                found[DeviceID(spec.get("driver", ""), pool, device.get("name", ""))] = taints
    return found


def evicted_users(claims: Iterable[Mapping[str, Any]], taints: Taints) -> set[str]:
    """The uids of the pods that use a tainted device through any of the claims."""
    return {
        user.get("uid", "")
        for claim in claims
        if any(_is_evicted(result, taints) for result in results_of(claim))
        for user in (claim.get("status") or {}).get("reservedFor") or ()
    }


def _is_evicted(result: Mapping[str, Any], taints: Taints) -> bool:
    """Whether a taint of the device is not tolerated by what the allocation remembers of the request."""
    device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
    # The controller leaves out tolerations without an effect, which did count when the device was chosen.
    tolerations = [entry for entry in result.get("tolerations") or () if entry.get("effect") == _EVICTING]
    return any(
        not any(tolerates(toleration, taint) for toleration in tolerations)
        for taint in taints.get(device, ())
    )
