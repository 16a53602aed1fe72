"""What a simulation writes into objects: in the words of their dialect, ready to be read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.allocation.claims import Claim, InputObject
from dractl.legacy.prototypes.allocation.simulate import Played
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item

if TYPE_CHECKING:
    from dractl.legacy.prototypes.dialects import objects

__all__ = ["objects_of"]

_FINALIZER = "dra.k8s.io/delete-protection"


def objects_of(directory: Directory, played: Played) -> Iterator[JsonDict]:
    """The objects that took part, as they are after the simulation, then the claims that it made."""
    claims = {id(claim.item): claim for claim in played.claims if not claim.is_generated}
    for item in directory.reading.items:
        if item in directory.refused:
            continue
        claim = claims.get(id(item))
        if claim is not None and claim.given is not None:
            yield _claim(item.document.value, claim, directory)
        elif item.kind == "Pod" and item in played.bound:
            spec = {**item.document.value["spec"], "nodeName": played.bound[item]}
            yield {**item.document.value, "spec": spec}
        elif item.dialect == "proto-status":
            yield _pool(item, played.claims)
        else:
            yield item.document.value
    for claim in played.claims:
        if claim.is_generated and claim.given is not None:
            yield _claim(_made(claim), claim, directory)


def _made(claim: Claim) -> JsonDict:
    """A claim that was made for a pod, without a status."""
    template = claim.template
    metadata: JsonDict = {"name": claim.name, "namespace": claim.namespace}
    metadata |= {name: template[name] for name in ("labels", "annotations") if template.get(name)}
    is_evolution = claim.demand.family == EVOLUTION
    written = claim.item.document.value
    kind = {
        "Pod": "DeviceClaim",
        "DeviceClaimTemplate": "DeviceClaim",
        "ResourceClaimTemplate": "ResourceClaim",
    }
    spec: object = claim.spec
    if is_evolution:
        spec = written["spec"]["spec"]
    elif claim.item.kind in ("DeviceClaim", "DeviceClaimGroup"):
        spec = written["spec"]
    elif claim.item.dialect == "proto-list":
        spec = {"devices": [{"deviceClass": part.every[0].class_name} for part in claim.demand.parts]}
    return {
        "apiVersion": "resource.k8s.io/v1alpha2" if is_evolution else f"{PROTO}/v1alpha1",
        "kind": kind.get(claim.item.kind, claim.item.kind),
        "metadata": metadata,
        "spec": spec,
    }


def _claim(written: Mapping[str, Any], claim: Claim, directory: Directory) -> JsonDict:
    status = _flat(claim, directory) if claim.demand.family == PROTO else _by_driver(claim, directory)
    found = {**written, "status": {**(written.get("status") or {}), **status}}
    if claim.demand.family == EVOLUTION:
        metadata = dict(written.get("metadata") or {})
        kept = [name for name in metadata.get("finalizers") or () if name != _FINALIZER]
        found["metadata"] = {**metadata, "finalizers": [*kept, _FINALIZER]}
    return found


def _flat(claim: Claim, directory: Directory) -> JsonDict:
    """The status of devmgmtproto: a list of devices, without the part of the claim."""
    allocations = [_allocation(given) for given in claim.given or ()]
    wishes = [wish for part in claim.demand.parts for wish in (*part.every, *part.options)]
    classes = dict.fromkeys(leaf.name for wish in wishes for leaf in wish.leaves or ())
    owners = [directory.get(PROTO, "DeviceClass", "", name) for name in classes]
    class_configs = _contents(
        (config for owner in owners if owner is not None for config in _class_configs(owner)),
        "default",
        directory,
    )
    claim_configs = _contents(_claim_configs(claim), claim.namespace, directory)
    status: JsonDict = {"allocations": allocations}
    if class_configs:
        status["classConfigs"] = class_configs
    if claim_configs:
        status["claimConfigs"] = claim_configs
    if claim.users:
        status["podNames"] = list(claim.users)
    return status


def _allocation(given: InputObject) -> JsonDict:
    found: JsonDict = {"devicePoolName": given.pool, "deviceName": given.device}
    if given.amounts:
        amounts = given.amounts.items()
        found["allocations"] = [{"name": name, "allocation": str(size)} for name, size in amounts]
    return found


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


def _by_driver(claim: Claim, directory: Directory) -> JsonDict:
    """The status of DRA evolution: results grouped by driver, each with its configuration."""
    by_driver: dict[str, list[InputObject]] = {}
    for given in claim.given or ():
        by_driver.setdefault(given.driver, []).append(given)
    requests: dict[str, objects.Request] = {
        request.get("name") or f"#{number}": request
        for number, request in enumerate(claim.spec.get("requests") or ())
    }
    data: list[objects.DriverData] = []
    for driver, found in by_driver.items():
        results: list[objects.Allocated] = []
        for given in found:
            result: objects.Allocated = {"deviceName": given.device}
            if not given.part.startswith("#"):
                result = {"requestName": given.part, **result}
            config = list(_result_config(requests.get(given.part, {}), driver, directory))
            results.append({**result, "config": config} if config else result)
        own = [entry for entry in claim.spec.get("config") or () if _is_for(entry, driver)]
        entry: objects.DriverData = {"driverName": driver, "data": {"results": results}}
        if own:
            entry["data"]["config"] = own
        data.append(entry)
    allocation: objects.EvolutionAllocation = {"driverData": data}
    if claim.node is not None:
        allocation["nodeName"] = claim.node
    if claim.spec.get("shareable"):
        allocation["shareable"] = True
    status: JsonDict = {"allocation": allocation}
    if claim.users:
        status["reservedFor"] = [
            {"resource": "pods", "name": name, "uid": f"uid:{claim.namespace}/{name}"} for name in claim.users
        ]
    return status


def _result_config(
    request: objects.Request, driver: str, directory: Directory
) -> Iterator[objects.ResultConfig]:
    """The configuration of the class first, marked as the admin's, then the request's."""
    owner = directory.get(EVOLUTION, "DeviceClass", "", request.get("deviceClassName") or "")
    for entry in owner.value.get("config") or () if owner is not None else ():
        if _is_for(entry, driver):
            yield cast("objects.ResultConfig", {"admin": True, **entry})
    yield from (
        cast("objects.ResultConfig", entry) for entry in request.get("config") or () if _is_for(entry, driver)
    )


def _is_for(entry: objects.Config, driver: str) -> bool:
    return (entry.get("opaque") or {}).get("driverName") == driver


def _pool(item: Item, claims: Iterable[Claim]) -> JsonDict:
    """A pool that lists its allocated devices, each with the claim that has it."""
    held = {
        (given.pool, given.device): claim.uid
        for claim in claims
        for given in claim.given or ()
        if not given.admin
    }
    devices = [device.get("name", "") for device in item.spec.get("devices") or ()]
    allocated = [
        {"name": name, "claimUID": held[item.name, name]} for name in devices if (item.name, name) in held
    ]
    if not allocated:
        return dict(item.document.value)
    return {**item.document.value, "status": {"allocatedDevices": allocated}}
