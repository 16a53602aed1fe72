"""The ``status.allocation`` of a claim, from the devices that a search found.

Mirrors the second half of ``Allocate`` of the structured allocators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from dractl.cluster.devices import Device
from dractl.simulation.allocator.config import config_of
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search_result import Found

if TYPE_CHECKING:
    from dractl.api.objects import core, resource

ShareIDs = Callable[[Choice], str]


def allocations(
    claims: Sequence[ClaimDemand], found: Found, node_name: str, features: Features, share_id: ShareIDs
) -> list[resource.AllocationResult]:
    """One allocation per claim, in order, of devices without a :func:`problem`.

    ``share_id`` names each share; upstream makes a random UUID.
    """
    made = []
    for number, claim in enumerate(claims):
        choices = [choice for choice in found.choices if choice.slot.claim == number]
        selector = _node_selector([choice.device for choice in choices], node_name, features)
        requests = [
            ask.alternatives[found.selected.get((number, position), 0)]
            for position, ask in enumerate(claim.asks)
        ]
        devices: resource.DeviceAllocationResult = {
            "results": [_result(choice, features, share_id) for choice in choices]
        }
        config = config_of(claim, requests, features.quirks)
        if config:
            devices["config"] = config
        allocation: resource.AllocationResult = {"devices": devices}
        if selector is not None:
            allocation["nodeSelector"] = selector
        made.append(allocation)
    return made


def _result(choice: Choice, features: Features, share_id: ShareIDs) -> resource.DeviceRequestAllocationResult:
    device, request = choice.device, choice.request
    result: resource.DeviceRequestAllocationResult = {
        "request": request.full_name,
        "driver": device.id.driver,
        "pool": device.id.pool,
        "device": device.id.device,
    }
    if request.admin_access and not features.quirks.hides_admin_access:
        result["adminAccess"] = True
    if request.tolerations and not features.quirks.hides_tolerations:
        result["tolerations"] = [{**toleration} for toleration in request.tolerations]
    if features.binding_results:
        for field in ("bindingConditions", "bindingFailureConditions"):
            if device.data.get(field):
                result[field] = list(device.data[field])
    if choice.is_share:
        result["shareID"] = share_id(choice)
    if choice.consumed:
        result["consumedCapacity"] = {name: str(amount) for name, amount in choice.consumed.items()}
    if features.knows_node_operations and device.slice.skip_node_operations:
        result["skipNodeOperations"] = list(device.slice.skip_node_operations)
    return result


def problem(claims: Sequence[ClaimDemand], found: Found, features: Features) -> Fatal | None:
    """Why the devices of a search cannot be allocated after all: node selectors that cannot be joined."""
    pinned: set[int] = set()
    for choice in found.choices:
        number = choice.slot.claim
        if _is_local(choice.device, features):
            pinned.add(number)
        terms = _terms(choice.device)
        if len(terms) > 1 and number not in pinned:
            return Fatal(
                f"claim {claims[number].name}: device {choice.device.id}: a node selector with "
                f"{len(terms)} terms is not supported; use a single term"
            )
    return None


def _is_local(device: Device, features: Features) -> bool:
    """Whether a device can be used on the node only where it was chosen."""
    return _source(device).get("nodeName") is not None or (
        not features.quirks.knows_no_capacity and device.binds_to_node
    )


def _source(device: Device) -> resource.ResourceSliceSpec | resource.Device:
    """The mapping that selects the nodes of a device: the device itself, or the spec of its slice."""
    if device.slice.is_per_device:
        found: resource.Device = device.data
        return found
    return cast("resource.ResourceSliceSpec", device.slice.data.get("spec") or {})


def _terms(device: Device) -> Sequence[core.NodeSelectorTerm]:
    return (_source(device).get("nodeSelector") or {}).get("nodeSelectorTerms") or ()


def _node_selector(devices: Iterable[Device], node_name: str, features: Features) -> core.NodeSelector | None:
    """Where the claim can be used: one node if any device is local, else what all devices ask for.

    None means anywhere. As ``createNodeSelector``.
    """
    fields: list[core.NodeSelectorRequirement] = []
    expressions: list[core.NodeSelectorRequirement] = []
    for device in devices:
        if _source(device).get("nodeName") is not None or (
            not features.quirks.knows_no_capacity and device.binds_to_node
        ):
            field: core.NodeSelectorRequirement = {
                "key": "metadata.name",
                "operator": "In",
                "values": [node_name],
            }
            return {"nodeSelectorTerms": [{"matchFields": [field]}]}
        for term in _terms(device):
            _add_new(fields, term.get("matchFields") or ())
            _add_new(expressions, term.get("matchExpressions") or ())
    joined: core.NodeSelectorTerm = {}
    if fields:
        joined["matchFields"] = fields
    if expressions:
        joined["matchExpressions"] = expressions
    return {"nodeSelectorTerms": [joined]} if joined else None


def _add_new(
    known: list[core.NodeSelectorRequirement], requirements: Iterable[core.NodeSelectorRequirement]
) -> None:
    seen = {_meaning(requirement) for requirement in known}
    for requirement in requirements:
        meaning = _meaning(requirement)
        if meaning not in seen:
            seen.add(meaning)
            known.append(requirement)


def _meaning(requirement: core.NodeSelectorRequirement) -> tuple[str, str, frozenset[str]]:
    """Requirements are equal whatever the order of their values."""
    return (
        requirement.get("key", ""),
        requirement.get("operator", ""),
        frozenset(requirement.get("values") or ()),
    )
