"""What a simulation writes into objects: in the words of their dialect, ready to be read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from dractl.api.json_types import JsonDict
from dractl.legacy.prototypes.allocation.claims import Claim
from dractl.legacy.prototypes.allocation.restore import Outsider
from dractl.legacy.prototypes.allocation.simulate import Played
from dractl.legacy.prototypes.allocation.written import are_listed, status_of, users_in
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.directory import Directory
from dractl.legacy.prototypes.dialects.reading import Item

__all__ = ["objects_of"]

_FINALIZER = "dra.k8s.io/delete-protection"


def objects_of(
    directory: Directory, played: Played, others: Mapping[Item, JsonDict] = MappingProxyType({})
) -> Iterator[JsonDict]:
    """The objects that took part, as they are after the simulation, then the claims that it made.

    ``others`` are those that another simulation changed.
    """
    claims = {id(claim.item): claim for claim in played.claims if not claim.is_generated}

    is_listed = are_listed(played.claims, played.inventory)

    def written(value: JsonDict, claim: Claim) -> JsonDict:
        if claim.is_restored:
            given = claim.item.document.value.get("status") or {}
            return _claim(value, claim, {**given, **users_in(claim)})
        status = status_of(claim, played.inventory, directory, is_listed=is_listed)
        return _claim(value, claim, status)

    for item in directory.reading.items:
        if item in directory.refused:
            continue
        claim = claims.get(id(item))
        if item in others:
            yield others[item]
        elif claim is not None and claim.given is not None:
            yield written(item.document.value, claim)
        elif item.kind == "Pod" and item in played.bound:
            spec = {**item.document.value["spec"], "nodeName": played.bound[item]}
            yield {**item.document.value, "spec": spec}
        elif item.dialect == "proto-status":
            yield _pool(item, played.claims, played.outsiders)
        else:
            yield item.document.value
    for claim in played.claims:
        if claim.is_generated and claim.given is not None:
            yield written(_made(claim), claim)


_MADE = {
    "claimSpec": "DeviceClaim",
    "privilegedClaimSpec": "DevicePrivilegedClaim",
    "setClaimSpec": "DeviceSetClaim",
}
"""The kinds of claims, by the field of a DeviceClaimTemplate that they are made of."""


def _kind_made(claim: Claim) -> str:
    """The kind of a claim that was made for a pod."""
    of = claim.item.kind
    if of == "DeviceClaimTemplate":
        given = (kind for field, kind in _MADE.items() if field in claim.item.spec)
        return next(given, "DeviceClaim")
    return {"Pod": "DeviceClaim", "ResourceClaimTemplate": "ResourceClaim"}.get(of, of)


def _made(claim: Claim) -> JsonDict:
    """A claim that was made for a pod, without a status."""
    template = claim.template
    metadata: JsonDict = {"name": claim.name, "namespace": claim.namespace}
    metadata |= {name: template[name] for name in ("labels", "annotations") if template.get(name)}
    is_evolution = claim.demand.family == EVOLUTION
    written = claim.item.document.value
    spec: object = claim.spec
    if is_evolution:
        spec = written["spec"]["spec"]
    elif claim.item.kind in ("DeviceClaim", "DeviceClaimGroup"):
        spec = written["spec"]
    elif claim.item.dialect == "proto-list":
        spec = {"devices": [{"deviceClass": part.every[0].class_name} for part in claim.demand.parts]}
    elif claim.item.dialect == "proto-group":
        spec = {"claims": claim.spec["devices"]}
    return {
        "apiVersion": "resource.k8s.io/v1alpha2" if is_evolution else f"{PROTO}/v1alpha1",
        "kind": "DeviceClaimGroup" if claim.item.dialect == "proto-group" else _kind_made(claim),
        "metadata": metadata,
        "spec": spec,
    }


def _claim(written: Mapping[str, Any], claim: Claim, status: JsonDict) -> JsonDict:
    kept = {name: value for name, value in (written.get("status") or {}).items() if name not in _OVERWRITTEN}
    found = {**written, "status": {**kept, **status}}
    if claim.demand.family == EVOLUTION:
        metadata = dict(written.get("metadata") or {})
        finalizers = [name for name in metadata.get("finalizers") or () if name != _FINALIZER]
        found["metadata"] = {**metadata, "finalizers": [*finalizers, _FINALIZER]}
    return found


_OVERWRITTEN = frozenset(
    {"allocations", "claimStatus", "classConfigs", "claimConfigs", "podNames", "allocation", "reservedFor"}
)
"""What of a status the simulation knows better than the text."""


def _pool(item: Item, claims: Iterable[Claim], outsiders: Iterable[Outsider]) -> JsonDict:
    """A pool that lists its allocated devices, each with the claim that has it."""
    held = {(device.id.pool, device.id.device): uid for uid, device in outsiders}
    held |= {
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
        return {name: value for name, value in item.document.value.items() if name != "status"}
    return {**item.document.value, "status": {"allocatedDevices": allocated}}
