"""Evictions by device taints: pods that use a device with an untolerated taint are evicted.

Mirrors the device taint eviction controller (1.37). A toleration with ``tolerationSeconds`` only sets the
time: a simulation has no clock.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.devices import DeviceID
from dractl.cluster.objects import full_name
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.pods.outcome import Eviction
from dractl.simulation.pods.placements import results_of
from dractl.simulation.pods.pods import Pod

if TYPE_CHECKING:
    from dractl.api.objects import resource

Taints: TypeAlias = "Mapping[DeviceID, tuple[resource.DeviceTaint, ...]]"

_EVICTING = "NoExecute"


def evicting_taints(slices: Iterable[Object]) -> dict[DeviceID, tuple[resource.DeviceTaint, ...]]:
    """The taints that evict, per device, of slices that have the taints of rules already."""
    found: dict[DeviceID, tuple[resource.DeviceTaint, ...]] = {}
    for item in slices:
        spec: resource.ResourceSliceSpec = item.get("spec") or {}
        pool = (spec.get("pool") or {}).get("name", "")
        for device in spec.get("devices") or ():
            taints = tuple(taint for taint in device.get("taints") or () if taint.get("effect") == _EVICTING)
            if taints:
                found[DeviceID(spec.get("driver", ""), pool, device.get("name", ""))] = taints
    return found


def evictions(
    pods: Iterable[Pod], claims: Iterable[Object], taints: Taints, *, needs_effect: bool = True
) -> list[Eviction]:
    """The pods on nodes that use a tainted device through any of the claims; each once, the soonest.

    ``needs_effect``: a toleration without an effect does not count, as up to 1.37.
    """
    effects = {_EVICTING} if needs_effect else {_EVICTING, "", None}
    causes: dict[str, Eviction] = {}
    for claim in claims:
        users = (claim.get("status") or {}).get("reservedFor") or ()
        found = [cause for result in results_of(claim) for cause in _causes(claim, result, taints, effects)]
        for user in users if found else ():
            known = causes.get(user.get("uid", ""))
            causes[user.get("uid", "")] = min([*found, *([known] if known else [])], key=_urgency)
    return [
        causes[pod.uid]._replace(pod=pod.full_name)
        for pod in pods
        if pod.uid in causes and pod.node is not None and not pod.is_finished and not pod.is_terminating
    ]


def _urgency(eviction: Eviction) -> int:
    return -1 if eviction.after is None else eviction.after


def _causes(
    claim: JsonObject,
    result: resource.DeviceRequestAllocationResult,
    taints: Taints,
    effects: Container[str | None],
) -> Iterator[Eviction]:
    """The taints of a device that the tolerations of the allocation do not tolerate forever."""
    device = DeviceID(result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
    # Up to 1.37 the controller leaves out tolerations without an effect, which count for an allocation.
    tolerations = [entry for entry in result.get("tolerations") or () if entry.get("effect") in effects]
    for taint in taints.get(device, ()):
        times = [entry.get("tolerationSeconds") for entry in tolerations if tolerates(entry, taint)]
        limited = [time for time in times if time is not None]
        if not times or limited:
            yield Eviction("", full_name(claim), *device, taint, min(limited) if limited else None)
