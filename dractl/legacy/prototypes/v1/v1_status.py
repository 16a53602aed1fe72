"""What the status of an allocated claim is in v1."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.legacy.prototypes.v1.losses import Losses
from dractl.legacy.prototypes.v1.v1_claims import Spec
from dractl.simulation.scheduler.prebind import TIMESTAMP

if TYPE_CHECKING:
    from dractl.api.objects import core, resource
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["status_of"]


def status_of(item: Item, spec: Spec, directory: Directory, losses: Losses) -> resource.ResourceClaimStatus:
    """The status of a claim; what cannot be told from it, such as for which request a device is, is lost."""
    if not item.status:
        return {}
    if item.family == EVOLUTION:
        return _of_evolution(item, spec, losses)
    return _of_devmgmtproto(item, spec, directory, losses)


def _of_devmgmtproto(
    item: Item, spec: Spec, directory: Directory, losses: Losses
) -> resource.ResourceClaimStatus:
    requests = [name for names in spec.requests.values() for name in names]
    pools = {pool.name: pool for pool in directory.of_kind("DevicePool")}
    results: list[resource.DeviceRequestAllocationResult] = []
    node = None
    for number, entry in enumerate(item.status.get("allocations") or ()):
        where = ("status", "allocations", number)
        pool = pools.get(entry.get("devicePoolName", ""))
        if len(requests) != 1 or pool is None or "deviceName" not in entry:
            losses.add(item, where, "it has neither the driver nor the request of the device")
            continue
        if entry.get("allocations"):
            losses.add(
                item, (*where, "allocations"), "v1 records amounts only for devices that several claims share"
            )
        driver = pool.spec.get("driver") or pool.spec.get("driverName") or ""
        node = pool.spec.get("nodeName") or node
        results.append(
            {"request": requests[0], "driver": driver, "pool": pool.name, "device": entry["deviceName"]}
        )
    for name in ("classConfigs", "claimConfigs"):
        if item.status.get(name):
            losses.add(item, ("status", name), "it does not name the driver of each config")
    if item.status.get("deviceStatuses"):
        losses.add(item, ("status", "deviceStatuses"), "the drivers report it again")
    users: list[resource.ResourceClaimConsumerReference] = [
        {"resource": "pods", "name": name} for name in item.status.get("podNames") or ()
    ]
    return _status(item, results, [], node, users)


def _of_evolution(item: Item, spec: Spec, losses: Losses) -> resource.ResourceClaimStatus:
    allocation = cast("objects.EvolutionAllocation", item.status.get("allocation") or {})
    node = allocation.get("nodeName")
    only = [name for names in spec.requests.values() for name in names]
    results: list[resource.DeviceRequestAllocationResult] = []
    config: list[resource.DeviceAllocationConfiguration] = []
    for number, data in enumerate(allocation.get("driverData") or ()):
        driver = data.get("driverName", "")
        for position, result in enumerate((data.get("data") or {}).get("results") or ()):
            names = spec.requests.get(result.get("requestName") or "") or (only if len(only) == 1 else ())
            if not names:
                where = ("status", "allocation", "driverData", number, "data", "results", position)
                losses.add(item, where, "it does not name the request of the device")
                continue
            results.append(
                {
                    "request": names[0],
                    "driver": driver,
                    "pool": node or "",
                    "device": result.get("deviceName", ""),
                }
            )
            config += [_config(entry, [names[0]]) for entry in result.get("config") or ()]
        config += [_config(entry, []) for entry in (data.get("data") or {}).get("config") or ()]
    if (
        allocation.get("results")
        or allocation.get("controllerName")
        or item.status.get("deallocationRequested")
    ):
        losses.add(item, ("status",), "controllers do not allocate claims in v1")
    fields = ("apiGroup", "resource", "name", "uid")
    users = [
        cast("resource.ResourceClaimConsumerReference", {name: user[name] for name in fields if name in user})
        for user in item.status.get("reservedFor") or ()
    ]
    return _status(item, results, config, node, users)


def _config(entry: objects.ResultConfig, requests: list[str]) -> resource.DeviceAllocationConfiguration:
    opaque = entry.get("opaque") or {}
    found: resource.DeviceAllocationConfiguration = {
        "source": "FromClass" if entry.get("admin") else "FromClaim",
        "opaque": {"driver": opaque.get("driverName", ""), "parameters": opaque.get("parameters") or {}},
    }
    return {**found, "requests": requests} if requests else found


def _status(
    item: Item,
    results: list[resource.DeviceRequestAllocationResult],
    config: list[resource.DeviceAllocationConfiguration],
    node: str | None,
    users: list[resource.ResourceClaimConsumerReference],
) -> resource.ResourceClaimStatus:
    status: resource.ResourceClaimStatus = {}
    if results:
        devices: resource.DeviceAllocationResult = {"results": results}
        if config:
            devices["config"] = config
        status["allocation"] = {"devices": devices, "allocationTimestamp": TIMESTAMP}
        if node:
            field: core.NodeSelectorRequirement = {"key": "metadata.name", "operator": "In", "values": [node]}
            status["allocation"]["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    if users:
        status["reservedFor"] = [
            {**user, "uid": user.get("uid") or f"uid:{item.namespace}/{user.get('name')}"} for user in users
        ]
    return status
