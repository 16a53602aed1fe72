"""Allocated claims to rows: which container of which pod sees which device.

Mirrors how the kubelet hands devices to containers: a reference with a request gets the results of that
request or of its subrequests, one without gets all results of the claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import JsonObject, Object
from dractl.cluster.objects import Objects, allocation_of, full_name
from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import Config, Placement
from dractl.simulation.pods.pod_groups import uses
from dractl.simulation.pods.pods import Container, Pod

if TYPE_CHECKING:
    from dractl.api.objects.resource import AllocationResult, DeviceRequestAllocationResult

_NAME_FIELD = "metadata.name"


class _Use(NamedTuple):
    """A claim of a pod under the name of its entry (None for the special claim)."""

    entry: str | None
    claim: Object


def of_pod(pod: Pod, node: str | None, api_objects: Objects) -> list[Placement]:
    """The rows of a pod whose claims are allocated; devices that no container sees come last."""
    uses = _uses(pod, api_objects)
    rows: list[Placement] = []
    seen: set[int] = set()
    for container in pod.containers:
        for use in uses:
            for result in results_of(use.claim):
                if _sees(pod, container, use, result):
                    rows.append(_row(pod.full_name, node, container, use, result))
                    seen.add(id(result))
    rows.extend(
        _row(pod.full_name, node, None, use, result)
        for use in uses
        for result in results_of(use.claim)
        if id(result) not in seen
    )
    return rows


def of_claim(claim: Object, node: str | None) -> list[Placement]:
    """The rows of an allocated claim that no pod refers to."""
    return [_row(None, node, None, _Use(None, claim), result) for result in results_of(claim)]


def results_of(claim: JsonObject) -> Sequence[DeviceRequestAllocationResult]:
    """The results of a claim's allocation, none where it has no allocation."""
    allocation: AllocationResult | None = allocation_of(claim)
    return ((allocation or {}).get("devices") or {}).get("results") or ()


def node_of(claim: JsonObject) -> str | None:
    """The one node that an allocation is bound to, or None if it can be used on several."""
    allocation: AllocationResult | None = allocation_of(claim)
    terms = ((allocation or {}).get("nodeSelector") or {}).get("nodeSelectorTerms") or []
    if len(terms) != 1:
        return None
    for field in terms[0].get("matchFields") or ():
        values = field.get("values") or []
        if field.get("key") == _NAME_FIELD and field.get("operator") == "In" and len(values) == 1:
            return values[0]
    return None


def claim_names(pod: Pod) -> dict[str, str | None]:
    """Per entry of the pod the name of its claim, or None while none is known."""
    return {
        entry.name: entry.claim if entry.template is None else pod.claim_statuses.get(entry.name)
        for entry in pod.claims
    }


def special_claim_name(pod: Pod) -> str | None:
    """The special claim for the pod's extended resources, if it has one."""
    status = pod.status.get("extendedResourceClaimStatus") or {}
    return status.get("resourceClaimName")


def _uses(pod: Pod, api_objects: Objects) -> list[_Use]:
    named: Iterable[tuple[str | None, str | None]] = (
        *claim_names(pod).items(),
        (None, special_claim_name(pod)),
    )
    found = []
    for entry, name in named:
        claim = None if name is None else api_objects.get("ResourceClaim", pod.namespace, name)
        if claim is not None and uses(pod, claim):
            found.append(_Use(entry, claim))
    return found


def _sees(pod: Pod, container: Container, use: _Use, result: DeviceRequestAllocationResult) -> bool:
    request = result.get("request") or ""
    if use.entry is None:
        status = pod.status.get("extendedResourceClaimStatus") or {}
        return any(
            entry.get("containerName") == container.name and entry.get("requestName") == request
            for entry in status.get("requestMappings") or ()
        )
    return any(
        wanted.entry == use.entry
        and (wanted.request is None or wanted.request == request or request.startswith(f"{wanted.request}/"))
        for wanted in container.claims
    )


def _config_of(claim: JsonObject, result: DeviceRequestAllocationResult) -> tuple[Config, ...]:
    """What of the claim's configuration is for a result: for its driver, and its request or all of them."""
    request = result.get("request") or ""
    names = {request, request.partition("/")[0]}
    allocation: AllocationResult | None = allocation_of(claim)
    found = []
    for entry in ((allocation or {}).get("devices") or {}).get("config") or ():
        opaque = entry.get("opaque") or {}
        wanted = entry.get("requests") or ()
        if opaque.get("driver") == result.get("driver") and (not wanted or names.intersection(wanted)):
            found.append(Config(entry.get("source", ""), opaque.get("driver", ""), opaque.get("parameters")))
    return tuple(found)


def _kind_of(container: Container) -> str:
    if not container.is_init:
        return "container"
    return "sidecar" if container.is_long_lived else "init"


def _row(
    pod: str | None,
    node: str | None,
    container: Container | None,
    use: _Use,
    result: DeviceRequestAllocationResult,
) -> Placement:
    return Placement(
        pod=pod,
        node=node,
        container=container.name if container is not None else None,
        pod_claim=use.entry,
        claim=full_name(use.claim),
        request=result.get("request", ""),
        driver=result.get("driver", ""),
        pool=result.get("pool", ""),
        device=result.get("device", ""),
        share_id=result.get("shareID"),
        consumed_capacity=result.get("consumedCapacity") or {},
        admin_access=result.get("adminAccess") is True,
        container_kind=_kind_of(container) if container is not None else None,
        config=_config_of(use.claim, result),
    )
