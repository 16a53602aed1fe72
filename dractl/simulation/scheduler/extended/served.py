"""What DRA serves of the extended resources of a pod, node by node.

Mirrors ``filterExtendedResources`` of the dynamic resources plugin (1.37), what the resources fit plugin
leaves to it, and both of 1.34.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from dractl.cluster.objects import Objects
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.classes import Classes, is_explicit, is_extended
from dractl.simulation.scheduler.extended.requests import separate_requests, shared_requests
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim, special_claim
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.resources import NODE_RESOURCES, Demand


def asked_for(demand: Demand) -> dict[str, int]:
    """The extended resources that a pod asks for, in order."""
    return {name: value for name, value in demand.requests.items() if value > 0 and is_extended(name)}


class ExtendedResources:
    """The extended resources of a pod that have a device class."""

    def __init__(
        self,
        pod: Pod,
        demand: Demand,
        api_objects: Objects,
        quirks: Quirks,
        lost: Container[str] = (),
    ) -> None:
        """Find the classes, unless the pod asks for nothing; ``lost`` are resources without one."""
        self._pod = pod
        self._quirks = quirks
        self._scalars = [
            name for name, value in demand.requests.items() if value > 0 and name not in NODE_RESOURCES
        ]
        self._classes = _classes(self._scalars, api_objects, quirks, lost)
        is_served = is_explicit if quirks.implicit_names_get_nothing else is_extended
        self._served = {name: found for name, found in self._classes.items() if is_served(name)}
        self._has_explicit = any(map(is_explicit, self._scalars))

    @property
    def are_any_served(self) -> bool:
        """Whether the pod asks for a resource that DRA serves where no device plugin does."""
        return bool(self._served)

    def left_to_dra(self, node: Node) -> frozenset[str]:
        """The resources that the resources fit plugin does not look at on a node."""
        provided = node.allocatable or {}
        if not self._quirks.absent_resources_fit:
            return frozenset(name for name in self._classes if not provided.get(name))
        names = self._classes if self._has_explicit else self._scalars
        return frozenset(name for name in names if name not in provided)

    def special_claim(self, left: frozenset[str], *, has_claims: bool) -> SpecialClaim | None:
        """The claim for a node that leaves resources to DRA; without requests if only others are to be bound.

        ``has_claims``: the pod has claims of its own, so it also goes through the plugin on nodes where
        device plugins serve everything.
        """
        served = left & self._served.keys()
        if not self._served or not (served or has_claims):
            return None
        if self._quirks.devices_beside_plugins:
            served = frozenset(self._served)
        requests = separate_requests if self._quirks.containers_share_nothing else shared_requests
        classes = {name: self._served[name] for name in served}
        return special_claim(self._pod, served, requests(self._pod.containers, classes))


def _classes(
    names: Sequence[str], api_objects: Objects, quirks: Quirks, lost: Container[str]
) -> dict[str, str]:
    """The classes of those of the resources that have one."""
    if not names:
        return {}
    classes = Classes(api_objects, quirks, lost)
    found = {name: classes.behind(name) for name in names}
    return {name: device_class for name, device_class in found.items() if device_class is not None}
