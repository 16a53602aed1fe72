"""Checks of allocated devices against the mode that their slices give them now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dractl.cluster.objects import allocation_of
from dractl.finding import Severity
from dractl.lint.base.cross_check import CrossCheck
from dractl.lint.base.input_pools import InputPool
from dractl.lint.base.input_set import InputSet, Lint
from dractl.lint.base.lint_rule import own_rule

if TYPE_CHECKING:
    from dractl.api.objects.resource import AllocationResult

__all__ = ["CHECKS", "modes_agree"]

ALLOCATION_MODE = own_rule(
    "across/allocation-mode",
    severity=Severity.WARNING,
    kind="ResourceClaim",
    explains_placement=True,
    doc="""The mode of a device must not change while claims use it.

    A claim shares a device with `allowMultipleAllocations: true` and gets a share ID; otherwise it has the
    device alone. If the device stops being shared, the scheduler does not count the shares and allocates it
    again as a whole. If it starts being shared, it stays blocked until the claim releases it. The check
    considers complete pools, and no admin access.

    Good:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
    Bad:
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: node-a}
        spec:
          driver: gpu.example.com
          nodeName: node-a
          pool: {name: node-a, generation: 1, resourceSliceCount: 1}
          devices: [{name: gpu-0, allowMultipleAllocations: true}]
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: gpu}
        spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com}}]}}
        status:
          allocation:
            devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-a, device: gpu-0}]}
    """,
)

_CHANGES = {
    True: (
        "was allocated as a share, but its slice no longer has allowMultipleAllocations: true",
        "the scheduler can allocate it again as a whole; keep `allowMultipleAllocations: true` while in use",
    ),
    False: (
        "was allocated as a whole, but its slice now has allowMultipleAllocations: true",
        "the device stays blocked until the claim releases it; remove `allowMultipleAllocations` until then",
    ),
}
"""What happened to a device and what to do, by whether the claim has a share of it."""


def modes_agree(inputs: InputSet, pools: Iterable[InputPool]) -> Iterator[Lint]:
    """Devices in use are shared, or not, as they were when they were allocated."""
    claims = [given for given in inputs.of("ResourceClaim") if allocation_of(given.value)]
    if not claims:
        return
    shared = {
        (pool.driver, pool.name, device.get("name", "")): bool(device.get("allowMultipleAllocations"))
        for pool in pools
        if pool.is_complete
        for entry in pool.newest
        for device in entry.devices
    }
    for given in claims:
        allocation: AllocationResult = given.value["status"]["allocation"]
        for number, result in enumerate((allocation.get("devices") or {}).get("results") or ()):
            key = (result.get("driver", ""), result.get("pool", ""), result.get("device", ""))
            is_share = bool(result.get("shareID"))
            if not result.get("adminAccess") and shared.get(key, is_share) is not is_share:
                place = ("status", "allocation", "devices", "results", number, "device")
                problem, hint = _CHANGES[is_share]
                yield Lint(ALLOCATION_MODE, given, place, f"device {'/'.join(key)} {problem}", hint)


CHECKS = (CrossCheck((ALLOCATION_MODE,), lambda found: modes_agree(found.inputs, found.pools)),)
