"""The ``status.allocation`` of a claim, from the devices that a search found.

Mirrors the second half of ``Allocate`` of the structured allocators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dractl.cluster.devices import Device
from dractl.simulation.allocator.config import config_of
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.demand import ClaimDemand
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import Found

Allocation = dict[str, Any]
ShareIDs = Callable[[Choice], str]


def allocations(
    claims: Sequence[ClaimDemand], found: Found, node_name: str, features: Features, share_id: ShareIDs
) -> list[Allocation]:
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
        devices: dict[str, Any] = {"results": [_result(choice, features, share_id) for choice in choices]}
        config = config_of(claim, requests, features.quirks)
        if config:
            devices["config"] = config
        allocation: Allocation = {"devices": devices}
        if selector is not None:
            allocation["nodeSelector"] = selector
        made.append(allocation)
    return made


def _result(choice: Choice, features: Features, share_id: ShareIDs) -> dict[str, Any]:
    device, request = choice.device, choice.request
    result: dict[str, Any] = {
        "request": request.full_name,
        "driver": device.id.driver,
        "pool": device.id.pool,
        "device": device.id.device,
    }
    if request.admin_access and not features.quirks.hides_admin_access:
        result["adminAccess"] = True
    if request.tolerations and not features.quirks.hides_tolerations:
        result["tolerations"] = [dict(toleration) for toleration in request.tolerations]
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


def _source(device: Device) -> Mapping[str, Any]:
    """The mapping that selects the nodes of a device: the device itself, or the spec of its slice."""
    return device.data if device.slice.is_per_device else device.slice.data.get("spec") or {}


def _terms(device: Device) -> Sequence[Mapping[str, Any]]:
    return (_source(device).get("nodeSelector") or {}).get("nodeSelectorTerms") or ()


def _node_selector(devices: Iterable[Device], node_name: str, features: Features) -> Mapping[str, Any] | None:
    """Where the claim can be used: one node if any device is local, else what all devices ask for.

    None means anywhere. As ``createNodeSelector``.
    """
    fields: list[Mapping[str, Any]] = []
    expressions: list[Mapping[str, Any]] = []
    for device in devices:
        if _source(device).get("nodeName") is not None or (
            not features.quirks.knows_no_capacity and device.binds_to_node
        ):
            field = {"key": "metadata.name", "operator": "In", "values": [node_name]}
            return {"nodeSelectorTerms": [{"matchFields": [field]}]}
        for term in _terms(device):
            _add_new(fields, term.get("matchFields") or ())
            _add_new(expressions, term.get("matchExpressions") or ())
    joined = {}
    if fields:
        joined["matchFields"] = fields
    if expressions:
        joined["matchExpressions"] = expressions
    return {"nodeSelectorTerms": [joined]} if joined else None


def _add_new(known: list[Mapping[str, Any]], requirements: Iterable[Mapping[str, Any]]) -> None:
    seen = {_meaning(requirement) for requirement in known}
    for requirement in requirements:
        meaning = _meaning(requirement)
        if meaning not in seen:
            seen.add(meaning)
            known.append(requirement)


def _meaning(requirement: Mapping[str, Any]) -> tuple[str, str, frozenset[str]]:
    """Requirements are equal whatever the order of their values."""
    return (
        requirement.get("key", ""),
        requirement.get("operator", ""),
        frozenset(requirement.get("values") or ()),
    )
