"""Whether a node takes a pod whose devices represent resources of the node.

Mirrors ``calculateAndCheckNodeAllocatableResources`` and ``validateNodeAllocatableDRAClaimSharing`` of the
dynamic resources plugin. It decides whether a node takes a pod, and never which devices the pod gets.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api.json_types import Object
from dractl.cluster.devices import NodeRef, Slice
from dractl.cluster.objects import Objects, full_name, name_of
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.pods.claims import Problem, resolve
from dractl.simulation.pods.outcome import CLAIM_IN_USE, ERROR, NO_DEVICES, Refusal
from dractl.simulation.pods.pod_groups import uses
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import resources
from dractl.simulation.scheduler.node_allocatable.claim_share import (
    ClaimShare,
    older_shares_of,
    results_of,
    shares_of,
)
from dractl.simulation.scheduler.node_allocatable.pod_demand import FIELD, taken_of, with_devices
from dractl.simulation.scheduler.node_allocatable.shortages import (
    shortage_of,
    too_small_limits,
    too_small_requests,
)
from dractl.simulation.scheduler.resources import Load

if TYPE_CHECKING:
    from dractl.api.objects import core, resource

    Status = core.NodeAllocatableResourceClaimStatus

Allocated = tuple[Object, "resource.AllocationResult"]
"""A claim and its allocation."""


class NodeShares:
    """What the devices of one pod mean for the nodes it is tried on."""

    def __init__(self, pod: Pod, api_objects: Objects, quirks: Quirks) -> None:
        """Nothing is looked up before a node is asked about."""
        self._pod = pod
        self._world = api_objects
        self._quirks = quirks
        self._slices: dict[tuple[str, str], list[Slice]] | None = None

    def sharing(self, claims: Iterable[Object], placed: Sequence[Pod]) -> Refusal | None:
        """Why a node cannot take the pod because another pod has one of its allocated claims, or None.

        A claim with a mapped device is for one pod. In 1.36 only pods on the same node count.
        """
        for claim in claims:
            if self._quirks.node_shares_per_node:
                is_taken = any(
                    other.uid != self._pod.uid and _names(other, claim)
                    for other in placed
                    if other.namespace == self._pod.namespace
                )
            else:
                users = (claim.get("status") or {}).get("reservedFor") or ()
                is_taken = bool(users) and not uses(self._pod, claim) and self._is_mapped(claim)
            if is_taken:
                text = f"ResourceClaim {full_name(claim)} has a device with node-allocatable resources"
                return Refusal(CLAIM_IN_USE, f"{text}, and another pod uses it")
        return None

    def check(
        self,
        before: Iterable[Object],
        made: Iterable[Allocated],
        node: NodeRef,
        load: Load,
        allocatable: Mapping[str, int] | None,
    ) -> tuple[Status, ...] | Refusal:
        """The new status of the pod if it fits on the node, otherwise the reason.

        ``before`` are the already allocated claims of the pod, ``made`` the new allocations.
        """
        old = (
            []
            if self._quirks.settled_claims_are_free
            else [(it, it["status"]["allocation"]) for it in before]
        )
        statuses = self._statuses([*old, *made], node)
        if isinstance(statuses, Fatal):
            return Refusal(ERROR, statuses.message)
        if not statuses:
            return ()
        taken = taken_of(self._pod, statuses, self._quirks)
        refusal = (
            self._unreferenced(statuses)
            or too_small_requests(self._pod, taken)
            or (None if self._quirks.ignores_pod_limits else too_small_limits(self._pod, statuses))
        )
        if refusal is None and allocatable is not None:
            wanted = with_devices(self._pod, resources.demand_of(self._pod).requests, taken)
            refusal = shortage_of(wanted, load, allocatable)
        return refusal if refusal is not None else statuses

    def _is_mapped(self, claim: Object) -> bool:
        """Whether a device of an allocated claim is mapped, wherever it is; overhead alone does not count."""
        for result in results_of(claim["status"]["allocation"]):
            device = self._device(result, None) or {}
            if any(entry.get("mapping") for entry in (device.get("nodeAllocatableResources") or {}).values()):
                return True
        return False

    def _statuses(self, allocated: Sequence[Allocated], node: NodeRef) -> tuple[Status, ...] | Fatal:
        """One entry for each claim that takes something of the node, by the names of claims.

        Mirrors ``buildNodeAllocatableDRAInfo``.
        """
        found = []
        for claim, allocation in allocated:
            results = results_of(allocation)
            devices = [self._device(result, node) for result in results]
            if not any(device and (shares_of(device) or older_shares_of(device)) for device in devices):
                continue
            share = ClaimShare(full_name(claim), self._quirks)
            for result, device in zip(results, devices, strict=True):
                if device is None:
                    return Fatal(f"claim {full_name(claim)}: no slice for the node has {result['device']}")
                problem = share.add(result, device)
                if problem is not None:
                    return problem
            if share.is_something:
                found.append(share.status(name_of(claim), self._containers(claim)))
        return tuple(sorted(found, key=lambda entry: str(entry["resourceClaimName"])))

    def _containers(self, claim: Object) -> list[str]:
        """The containers that refer to a claim, init containers first, each as often as it does."""
        entries = resolve(self._pod, self._world)
        if isinstance(entries, Problem):
            return []
        names = {entry.entry.name for entry in entries if entry.claim is claim}
        return [
            container.name
            for container in self._pod.containers
            for reference in container.claims
            if reference.entry in names
        ]

    def _unreferenced(self, statuses: Iterable[Status]) -> Refusal | None:
        if not self._quirks.node_shares_need_containers:
            return None
        for status in statuses:
            if not status["containers"]:
                text = f"ResourceClaim {self._pod.namespace}/{status['resourceClaimName']} has a device"
                return Refusal(
                    NO_DEVICES, f"{text} with node-allocatable resources, but no container refers to it"
                )
        return None

    def _device(
        self, result: resource.DeviceRequestAllocationResult, node: NodeRef | None
    ) -> resource.Device | None:
        """The device of a result in the first slice that has it for the node; None: for any node."""
        for owner in self._slices_of((result.get("driver", ""), result.get("pool", ""))):
            if node is not None and not owner.is_per_device and not owner.target.includes(node):
                continue
            for device in owner.devices:
                if device.name == result.get("device"):
                    is_seen = node is None or not owner.is_per_device or device.target.includes(node)
                    return device.data if is_seen else None
        return None

    def _slices_of(self, pool: tuple[str, str]) -> Sequence[Slice]:
        if self._slices is None:
            self._slices = {}
            for item in self._world.of_kind("ResourceSlice"):
                owner = Slice(item)
                self._slices.setdefault((owner.driver, owner.pool), []).append(owner)
        return self._slices.get(pool, ())


def _names(pod: Pod, claim: Object) -> bool:
    """Whether the status of a pod lists node resources for a claim."""
    return any(entry.get("resourceClaimName") == name_of(claim) for entry in pod.status.get(FIELD) or ())
