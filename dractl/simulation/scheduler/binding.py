"""Binding conditions: which ones an allocated claim still waits for, and whether one failed.

Mirrors ``isClaimReadyForBinding`` of the scheduler's dynamic resources plugin. Timeouts are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import allocation_of, full_name
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects import resource


def missing_conditions(claim: JsonObject) -> tuple[str, ...]:
    """The binding conditions that are not True yet, as ``DEVICE: CONDITION``."""
    return tuple(f"{entry.device}: {entry.condition}" for entry in waiting_conditions(claim))


class Waiting(NamedTuple):
    """A binding condition that is not True: its device, and what the driver reported about it, if anything.

    ``failures`` are the conditions with which the driver gives up.
    """

    driver: str
    device: str
    condition: str
    status: str
    reason: str
    message: str
    failures: tuple[str, ...]


_REPORTED = ("status", "reason", "message")


def waiting_conditions(claim: JsonObject) -> tuple[Waiting, ...]:
    """The binding conditions that are not True yet, with what is reported about each."""
    found = []
    for result in _results(claim):
        entries = _entries(claim, result)
        name = f"{result.get('driver')}/{result.get('pool')}/{result.get('device')}"
        for condition in result.get("bindingConditions") or ():
            entry = entries.get(condition) or {}
            if entry.get("status") != "True":
                failures = tuple(result.get("bindingFailureConditions") or ())
                status, reason, message = (str(entry.get(key) or "") for key in _REPORTED)
                driver = str(result.get("driver"))
                found.append(Waiting(driver, name, condition, status, reason, message, failures))
    return tuple(found)


def has_failed(claim: JsonObject) -> bool:
    """Whether a driver reported a binding failure condition."""
    return any(
        _conditions(claim, result).get(condition) == "True"
        for result in _results(claim)
        if result.get("bindingConditions")
        for condition in result.get("bindingFailureConditions") or ()
    )


def under_way(claims: Iterable[Object], open_pods: AbstractSet[str]) -> dict[str, str]:
    """The claims that are reserved for one of ``open_pods`` and wait for conditions, with the pod's uid.

    A scheduler was about to bind that pod, and still has the claim in its memory.
    """
    return {
        full_name(claim): user["uid"]
        for claim in claims
        if missing_conditions(claim) and not has_failed(claim)
        for user in (claim.get("status") or {}).get("reservedFor") or ()
        if user.get("uid") in open_pods
    }


def _results(claim: JsonObject) -> Iterable[resource.DeviceRequestAllocationResult]:
    allocation = allocation_of(claim) or {}
    results: Iterable[resource.DeviceRequestAllocationResult] = (allocation.get("devices") or {}).get(
        "results"
    ) or ()
    return results


def _conditions(claim: JsonObject, result: resource.DeviceRequestAllocationResult) -> dict[str, str]:
    """The status of each condition that the driver reported for a result's device."""
    return {name: str(entry.get("status", "")) for name, entry in _entries(claim, result).items()}


def _entries(
    claim: JsonObject, result: resource.DeviceRequestAllocationResult
) -> Mapping[str, Mapping[str, object]]:
    """The conditions that the driver reported for a result's device, by type."""
    status = cast("resource.ResourceClaimStatus", claim.get("status") or {})
    for device in status.get("devices") or ():
        if all(device.get(key) == result.get(key) for key in ("driver", "pool", "device")) and (
            device.get("shareID") == result.get("shareID")
        ):
            return {str(entry.get("type", "")): entry for entry in device.get("conditions") or ()}
    return {}
