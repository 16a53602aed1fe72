"""What ``why`` prints about a pod that waits for binding conditions of its devices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dractl.explanation.binding_waits import binding_lines
from tests.forking import as_text, run_dractl

DEVICE = {"driver": "fabric.example.com", "pool": "fabric", "device": "gpu-0"}
ATTACHED, FAILED = "fabric.example.com/attached", "fabric.example.com/attach-failed"


def _claim(conditions: list[dict[str, str]] | None = None, when: str = "2026-01-01T00:00:00Z") -> Any:
    result = {
        "request": "gpu",
        **DEVICE,
        "bindingConditions": [ATTACHED],
        "bindingFailureConditions": [FAILED],
    }
    allocation = {"devices": {"results": [result]}, "allocationTimestamp": when}
    devices = [] if conditions is None else [{**DEVICE, "conditions": conditions}]
    return {
        "metadata": {"name": "one", "namespace": "default"},
        "status": {"allocation": allocation, "devices": devices},
    }


def test_the_lines_name_condition_driver_time_and_failure() -> None:
    assert list(binding_lines([_claim()])) == [
        "fabric.example.com/fabric/gpu-0: fabric.example.com/attached is not reported yet",
        (
            "only the driver sets them (fabric.example.com), to True in status.devices of claim default/one; "
            "look at its controller"
        ),
        (
            "allocated 2026-01-01T00:00:00Z; 10 minutes after the allocation (1.35 and later: bindingTimeout "
            "of the scheduler) the scheduler frees the claim and tries again, perhaps with the same devices"
        ),
        "it does so at once when the driver sets fabric.example.com/attach-failed to True",
    ]


def test_what_the_driver_reported_is_shown() -> None:
    reported = {"type": ATTACHED, "status": "False", "reason": "Busy", "message": "fabric is full"}
    assert next(binding_lines([_claim([reported])])) == (
        "fabric.example.com/fabric/gpu-0: fabric.example.com/attached is False (Busy: fabric is full)"
    )


def test_a_claim_that_is_ready_has_no_lines() -> None:
    assert list(binding_lines([_claim([{"type": ATTACHED, "status": "True"}])])) == []


INPUT = """
{apiVersion: v1, kind: Node, metadata: {name: node-a}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: fabric}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: fabric}
spec:
  driver: fabric.example.com
  allNodes: true
  pool: {name: fabric, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    bindingConditions: [fabric.example.com/attached]
    bindingFailureConditions: [fabric.example.com/attach-failed]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: fabric}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: my, namespace: default}
spec:
  containers: [{name: main, image: x, resources: {claims: [{name: g}]}}]
  resourceClaims: [{name: g, resourceClaimName: one}]
"""


def test_why_and_simulate_print_them(tmp_path: Path) -> None:
    (tmp_path / "bind.yaml").write_text(INPUT, encoding="utf-8")
    for arguments in (["why", "my", "bind.yaml"], ["simulate", "bind.yaml"]):
        text = as_text(run_dractl(arguments, tmp_path)).stdout
        assert "  fabric.example.com/fabric/gpu-0: fabric.example.com/attached is not reported yet\n" in text
    found = as_text(run_dractl(["why", "my", "bind.yaml", "--format", "json"], tmp_path)).stdout
    assert any("is not reported yet" in line for line in json.loads(found)["lines"])
