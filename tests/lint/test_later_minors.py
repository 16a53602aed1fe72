"""What gets in the way of the next minor, as servers up to 1.37 are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

import dractl
from dractl.finding import Finding
from tests.rows import each_row

CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "gpu"},
}
SLICE: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    "metadata": {"name": "node-a"},
}


def claim(requests: dict[str, Any], version: str = "v1", **devices: Any) -> dict[str, Any]:
    body = {"deviceClassName": "gpu.example.com", "capacity": {"requests": requests}}
    request = {"name": "gpu", **({"exactly": body} if version != "v1beta1" else body)}
    spec = {"devices": {"requests": [request], **devices}}
    return {**CLAIM, "apiVersion": f"resource.k8s.io/{version}", "spec": spec}


def slice_of(device: dict[str, Any], **fields: Any) -> dict[str, Any]:
    pool = {"name": "node-a", "generation": 1, "resourceSliceCount": 1}
    nodes: dict[str, Any] = fields or {"nodeName": "node-a"}
    return {**SLICE, "spec": {"driver": "gpu.example.com", "pool": pool, "devices": [device], **nodes}}


def found(document: dict[str, Any], minor: str = "1.37", **options: Any) -> list[Finding]:
    findings = dractl.validate(document, kube_version=minor, **options).findings
    return [each for each in findings if each.rule in ("upgrade/refused", "quantity/endless")]


@each_row(
    ("document", "rule", "place"),
    [
        (
            claim({"gpu-memory": "1"}),
            "request/capacity-key",
            "spec.devices.requests[0].exactly.capacity.requests",
        ),
        (
            claim({"memory": "-1"}),
            "request/capacity-negative",
            "spec.devices.requests[0].exactly.capacity.requests[memory]",
        ),
        (
            claim({f"c{number}": "1" for number in range(33)}),
            "request/capacity-size",
            "spec.devices.requests[0].exactly.capacity.requests",
        ),
        (
            claim({}, constraints=[{"matchAttribute": "a/b/c"}]),
            "constraint/match",
            "spec.devices.constraints[0].matchAttribute",
        ),
        (
            slice_of({"name": "a", "attributes": {"a/b/c": {"int": 1}}}),
            "device/attr-key",
            "spec.devices[0].attributes",
        ),
        (
            slice_of({"name": "a", "capacity": {"a/b/c": {"value": "1"}}}),
            "device/cap-key",
            "spec.devices[0].capacity",
        ),
        (
            slice_of({"name": "a", "attributes": {"v": {"version": f"{'1' * 19}.0.0"}}}),
            "device/attr-version",
            "spec.devices[0].attributes[v].version",
        ),
        (
            slice_of(
                {
                    "name": "a",
                    "nodeSelector": {
                        "nodeSelectorTerms": [
                            {"matchExpressions": [{"key": key, "operator": "Exists"}]} for key in "ab"
                        ]
                    },
                },
                perDeviceNodeSelection=True,
            ),
            "device/node-selector-one-term",
            "spec.devices[0].nodeSelector.nodeSelectorTerms",
        ),
    ],
)
def test_what_1_38_refuses(document: dict[str, Any], rule: str, place: str) -> None:
    (finding,) = found(document)
    assert finding.rule == "upgrade/refused"
    assert finding.severity.value == "warning"
    assert finding.message.startswith("Kubernetes 1.38 (beta) rejects this: ")
    assert finding.message.endswith(f"({rule})")
    assert finding.field == place
    # The later server says so itself.
    own = [each.rule for each in dractl.validate(document, kube_version="1.38").findings]
    assert rule in own
    assert "upgrade/refused" not in own


def test_what_1_38_accepts_gets_no_warning() -> None:
    assert found(claim({"memory": "1Gi", "gpu.example.com/memory": "0"})) == []
    assert found(slice_of({"name": "a", "attributes": {"v": {"version": "1.2.3-alpha.123456789012"}}})) == []


def test_an_older_version_is_looked_at_in_its_own_shape() -> None:
    (finding,) = found(claim({"gpu-memory": "1"}, version="v1beta1"), "1.37")
    assert finding.location is not None
    assert finding.message.endswith("(request/capacity-key)")


def test_gates_that_the_later_minor_locks_are_its_own() -> None:
    off = {"DRADeviceTaints": False, "DRADeviceTaintRules": False}
    assert [each.rule for each in found(claim({"gpu-memory": "1"}), feature_gates=off)] == ["upgrade/refused"]


def test_what_is_refused_anyhow_gets_no_warning() -> None:
    broken = claim({"gpu-memory": "1"})
    broken["metadata"] = {"name": "A"}
    assert found(broken) == []


@pytest.mark.parametrize(
    ("minor", "version", "capacity"),
    [
        ("1.31", "v1alpha3", "'1e2147483648'"),
        ("1.34", "v1beta1", "{value: '1e-100000000'}"),
        ("1.37", "v1beta1", "{value: '12345678901234567890e1000000'}"),
    ],
)
def test_a_quantity_on_which_a_server_hangs(minor: str, version: str, capacity: str) -> None:
    text = f"""
apiVersion: resource.k8s.io/{version}
kind: ResourceSlice
metadata: {{name: a, annotations: {{note: "1e2147483648"}}}}
spec:
  driver: gpu.example.com
  nodeName: a
  pool: {{name: a, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: a, basic: {{capacity: {{m: {capacity}}}}}}}]
"""
    findings = [each for each in dractl.validate(text, kube_version=minor).findings if "endless" in each.rule]
    (finding,) = findings
    assert finding.message.startswith(f"a server of Kubernetes {minor} does not come back from reading 1")


def test_a_plain_object_is_looked_at_as_well() -> None:
    device = {"name": "a", "capacity": {"m": {"value": "1e2147483648"}}}
    assert [each.rule for each in found(slice_of(device))] == ["quantity/endless"]
    # A server of 1.38 does not hang: it refuses this number, and reads one with another exponent.
    assert found(slice_of(device), "1.38") == []
    for text in ("1e9", "1e2147483647", "1e-7"):
        assert found(slice_of({"name": "a", "capacity": {"m": {"value": text}}})) == []


def test_a_number_of_any_length_is_found_in_a_long_text() -> None:
    for number in ("1" + "0" * 400 + "e2147483648", "0." + "0" * 300 + "1E2147483648"):
        text = json.dumps(slice_of({"name": "a", "capacity": {"m": {"value": number}}}), indent=1)
        assert "quantity/endless" in {each.rule for each in dractl.validate(text).findings}
