"""The statuses of claims as their dialects write them: devices, configuration and pods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonDict
from dractl.cluster.devices import PoolID
from dractl.legacy.prototypes.allocation.claims import Claim, InputObject
from dractl.legacy.prototypes.allocation.inventory import Inventory
from dractl.legacy.prototypes.allocation.parts import UNKNOWN
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["are_listed", "status_of", "users_in"]

_FLAT = frozenset({"dra-evo-classic", "dra-evo-netpool"})
"""The dialects whose results are one list that names the pools."""


def are_listed(claims: Iterable[Claim], inventory: Inventory) -> bool:
    """Whether claims of DRA evolution must have their devices in one list.

    Only the list can name the pool of a device, and all claims of an input have one form.
    """
    return any(
        claim.item.dialect in _FLAT or _needs_pool(entry, claim, inventory)
        for claim in claims
        if claim.demand.family == EVOLUTION
        for entry in claim.given or ()
    )


def status_of(claim: Claim, inventory: Inventory, directory: Directory, *, is_listed: bool) -> JsonDict:
    """The status of a claim with its devices, without what only drivers write; see :func:`are_listed`."""
    if claim.demand.family == EVOLUTION:
        is_listed = is_listed and claim.item.dialect != "dra-evo-named"
        return _of_evolution(claim, inventory, directory, is_listed=is_listed)
    given = claim.given or ()
    if claim.is_set:
        inner = []
        for part, spec in zip(claim.demand.parts, claim.spec.get("claimSpec") or (), strict=False):
            mine = [entry for entry in given if entry.part == part.name]
            status = _of_devmgmtproto(claim, mine, spec.get("configs") or (), inventory, directory)
            inner.append(
                {**status, "podNames": [user.name for user in claim.users]} if claim.users else status
            )
        return {"claimStatus": inner}
    return _of_devmgmtproto(claim, given, list(_claim_configs(claim)), inventory, directory)


def _of_devmgmtproto(
    claim: Claim,
    given: Sequence[InputObject],
    configs: Iterable[objects.Reference],
    inventory: Inventory,
    directory: Directory,
) -> JsonDict:
    """The status of devmgmtproto: a list of devices, without the part of the claim."""
    wishes = [wish for part in claim.demand.parts for wish in (*part.every, *part.options)]
    classes = dict.fromkeys(leaf.name for wish in wishes for leaf in wish.leaves or ())
    owners = [directory.get(PROTO, "DeviceClass", "", name) for name in classes]
    class_configs = _contents(
        (config for owner in owners if owner is not None for config in _class_configs(owner)),
        "default",
        directory,
    )
    claim_configs = _contents(configs, claim.namespace, directory)
    is_counted = claim.item.dialect == "proto-pools"
    status: JsonDict = {"allocations": list(_allocations(given, inventory, is_counted=is_counted))}
    if class_configs:
        status["classConfigs"] = class_configs
    if claim_configs:
        status["claimConfigs"] = claim_configs
    return {**status, **users_in(claim)}


def _allocations(
    given: Sequence[InputObject], inventory: Inventory, *, is_counted: bool
) -> Iterator[JsonDict]:
    """One entry a device; the claims of counted pools count the devices of each instead.

    Devices that are not all equal are named even so: a count would not tell which of them are taken.
    """
    counts: Counter[str] = Counter()
    for entry in given:
        if is_counted and inventory.is_counted(PoolID(entry.driver, entry.pool)):
            counts[entry.pool] += 1
            continue
        found: JsonDict = {"devicePoolName": entry.pool, "deviceName": entry.device}
        if entry.amounts:
            amounts = entry.amounts.items()
            found["allocations"] = [{"name": name, "allocation": str(size)} for name, size in amounts]
        yield found
    for pool, count in counts.items():
        yield {"devicePoolName": pool, "deviceCount": count}


def _class_configs(owner: Item) -> Iterator[objects.Reference]:
    yield from (owner.spec.get("definition") or owner.spec).get("configs") or ()


def _claim_configs(claim: Claim) -> Iterator[objects.Reference]:
    for part in claim.spec.get("devices") or ():
        for form in ("allOf", "oneOf"):
            for detail in part.get(form) or ():
                yield from detail.get("configs") or ()
    yield from claim.spec.get("configs") or ()


def _contents(configs: Iterable[objects.Reference], namespace: str, directory: Directory) -> list[object]:
    """The objects that configs name, as far as they are in the input."""
    found = []
    for config in configs:
        space = config.get("namespace") or namespace
        key = (str(config.get("apiVersion")), str(config.get("kind")), space, str(config.get("name")))
        if key in directory.others:
            found.append(directory.others[key].value)
    return found


def _of_evolution(claim: Claim, inventory: Inventory, directory: Directory, *, is_listed: bool) -> JsonDict:
    allocation = _listed(claim, inventory, directory) if is_listed else _by_driver(claim, directory)
    if claim.spec.get("shareable"):
        allocation["shareable"] = True
    return {"allocation": allocation, **users_in(claim)}


def users_in(claim: Claim) -> JsonDict:
    """The pods that use a claim, as its status lists them; those that it listed before stay as they are."""
    if not claim.users:
        return {}
    if claim.demand.family == PROTO:
        return {} if claim.is_set else {"podNames": [user.name for user in claim.users]}
    return {"reservedFor": [user.written or _reserved(claim, user.name) for user in claim.users]}


def _reserved(claim: Claim, name: str) -> JsonDict:
    return {"resource": "pods", "name": name, "uid": f"uid:{claim.namespace}/{name}"}


def _needs_pool(entry: InputObject, claim: Claim, inventory: Inventory) -> bool:
    """Whether driver, node and name do not tell which device it is."""
    pools = {found.id.pool for found in inventory.of_driver(entry.driver, entry.device, claim.node)}
    return entry.pool != claim.node and pools != {entry.pool}


def _by_driver(claim: Claim, directory: Directory) -> objects.EvolutionAllocation:
    by_driver: dict[str, list[InputObject]] = {}
    for given in claim.given or ():
        by_driver.setdefault(given.driver, []).append(given)
    data: list[objects.DriverData] = []
    for driver, found in by_driver.items():
        entry: objects.DriverData = {
            "driverName": driver,
            "data": {"results": [_result(given, claim, directory) for given in found]},
        }
        own = [config for config in claim.spec.get("config") or () if _is_for(config, driver)]
        if own:
            entry["data"]["config"] = own
        data.append(entry)
    return {"driverData": data, **({"nodeName": claim.node} if claim.node is not None else {})}


def _listed(claim: Claim, inventory: Inventory, directory: Directory) -> objects.EvolutionAllocation:
    results: list[objects.Allocated] = []
    for given in claim.given or ():
        pool = inventory.stated(PoolID(given.driver, given.pool))
        named: objects.Allocated = {"devicePoolName": pool} if pool else {}
        results.append({"driverName": given.driver, **named, **_result(given, claim, directory)})
    allocation: objects.EvolutionAllocation = {"results": results}
    drivers = {given.driver for given in claim.given or ()}
    config = [
        entry for entry in claim.spec.get("config") or () if any(_is_for(entry, driver) for driver in drivers)
    ]
    if config:
        allocation["config"] = config
    if claim.node is not None:
        field = {"key": "metadata.name", "operator": "In", "values": [claim.node]}
        allocation["availableOnNodes"] = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    return allocation


def _result(given: InputObject, claim: Claim, directory: Directory) -> objects.Allocated:
    """A device with its request, if that has a name, and its configuration."""
    is_named = given.part != UNKNOWN and not given.part.startswith("#")
    result: objects.Allocated = {"requestName": given.part} if is_named else {}
    result["deviceName"] = given.device
    requests: dict[str, objects.Request] = {
        request.get("name") or f"#{number}": request
        for number, request in enumerate(claim.spec.get("requests") or ())
    }
    config = list(_result_config(requests.get(given.part, {}), given.driver, directory))
    return {**result, "config": config} if config else result


def _result_config(
    request: objects.Request, driver: str, directory: Directory
) -> Iterator[objects.ResultConfig]:
    """The configuration of the class first, marked as the admin's, then the request's."""
    name = request.get("deviceClassName") or request.get("resourceClassName") or ""
    owner = directory.get(EVOLUTION, "DeviceClass", "", name)
    for entry in owner.value.get("config") or () if owner is not None else ():
        if _is_for(entry, driver):
            yield cast("objects.ResultConfig", {"admin": True, **entry})
    yield from (
        cast("objects.ResultConfig", entry) for entry in request.get("config") or () if _is_for(entry, driver)
    )


def _is_for(entry: objects.Config, driver: str) -> bool:
    return (entry.get("opaque") or {}).get("driverName") == driver
