"""Claims that the controller of a driver allocates: the last minor with such controllers is 1.31.

Mirrors what PreFilter and Filter of the dynamic resources plugin of 1.31 make of ``spec.controller``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from dractl.api.json_types import JsonObject
from dractl.api.selectors import NodeSelector, node_selector
from dractl.cluster.objects import allocation_of, full_name
from dractl.simulation.allocator.model.features import Features
from dractl.simulation.pods.outcome import DRIVER_ALLOCATES, NO_DEVICES, Refusal
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.schedule_result import Refused

if TYPE_CHECKING:
    from dractl.api.objects import resource

__all__ = ["waits_for_controller"]

_GATE = "DRAControlPlaneController"


def waits_for_controller(
    claim: JsonObject,
    device_class: Callable[[str], JsonObject | None],
    nodes: Sequence[Node],
    features: Features,
) -> Refused | None:
    """Why the scheduler does not allocate a claim itself; None if it does, or need not.

    The node filter of the last class with one counts, as upstream; ``nodes`` are all nodes.
    """
    spec = cast("resource.ResourceClaimSpec", claim.get("spec") or {})
    status = cast("resource.ResourceClaimStatus", claim.get("status") or {})
    name, controller = full_name(claim), spec.get("controller")
    if status.get("deallocationRequested"):
        return _refused(f"claim {name} waits for the controller of its driver to deallocate it")
    if not controller or allocation_of(claim) is not None:
        return None
    if not features.control_plane_controllers:
        return _refused(
            f"claim {name} depends on controller {controller}, but the feature gate {_GATE} is off"
        )
    allocates = _refused(f"claim {name} is allocated by controller {controller}")
    found = next(_node_filters(spec, device_class), None)
    if found is None:
        return allocates
    selecting, selector = found
    text = f"claim {name}: class {selecting} does not select this node (suitableNodes)"
    excluded = {
        node.name: Refusal(NO_DEVICES, text)
        for node in nodes
        if not selector.matches(node.name, node.ref.labels)
    }
    if nodes and len(excluded) == len(nodes):
        message = f"claim {name}: class {selecting} selects no node (suitableNodes)"
        return Refused(NO_DEVICES, message, excluded, ())
    return allocates._replace(nodes=excluded)


def _node_filters(
    spec: resource.ResourceClaimSpec, device_class: Callable[[str], JsonObject | None]
) -> Iterator[tuple[str, NodeSelector]]:
    """The node filters of the classes that a claim names, those of the last requests first."""
    for request in reversed((spec.get("devices") or {}).get("requests") or ()):
        name = (request.get("exactly") or {}).get("deviceClassName") or ""
        found = (device_class(name) or {}).get("spec") or {}
        written = cast("resource.DeviceClassSpec", found).get("suitableNodes")
        if written:
            yield name, node_selector(written)


def _refused(message: str) -> Refused:
    return Refused(DRIVER_ALLOCATES, message, {}, ())
