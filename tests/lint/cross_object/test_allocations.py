"""Devices in use keep the mode in which they were allocated."""

from __future__ import annotations

from functools import partial
from typing import Any

import dractl
from dractl.lint.cross_object import allocations
from tests.lint.cross_object.objects import GPU, NODE, Object, claim, findings_of, resource_slice
from tests.rows import each_row

found = partial(findings_of, allocations.CHECKS)
SHARE = {"shareID": "4a0d6f7e-5bd7-4a3c-9a52-6a5f3c2f8f11"}
SHARED = {**GPU, "allowMultipleAllocations": True}
PLACE = "status.allocation.devices.results[0].device"


def _allocated(**more: Any) -> Object:
    result = {"request": "gpu", "driver": "gpu.example.com", "pool": "node-a", "device": "gpu-0", **more}
    return {**claim(), "status": {"allocation": {"devices": {"results": [result]}}}}


@each_row(
    ("device", "held", "message"),
    [
        (GPU, {}, ""),
        (SHARED, SHARE, ""),
        (GPU, SHARE, "was allocated as a share"),
        (SHARED, {}, "was allocated as a whole"),
        (SHARED, {"adminAccess": True}, ""),
        (SHARED, {"device": "gpu-9"}, ""),
    ],
)
def test_a_device_in_use_keeps_its_mode(device: dict[str, Any], held: dict[str, Any], message: str) -> None:
    findings = found(resource_slice("a", [device]), _allocated(**held))
    assert [finding.field for finding in findings] == [PLACE] * bool(message)
    assert all(message in finding.message for finding in findings)


def test_an_incomplete_pool_is_not_judged() -> None:
    assert found(resource_slice("a", [SHARED], pool=("node-a", 1, 2)), _allocated()) == []


def test_a_device_that_is_no_longer_shared_is_allocated_again() -> None:
    objects = [NODE, resource_slice("a", [GPU]), _allocated(**SHARE)]
    device_class = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}}
    simulation = dractl.simulate(
        [*objects, claim("other"), {**device_class, "spec": {}}], allocate_unreferenced=True
    )
    assert [row.claim for row in simulation.placements if row.device == "gpu-0"] == [
        "default/gpu",
        "default/other",
    ]
