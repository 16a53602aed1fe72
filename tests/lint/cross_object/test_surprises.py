"""Values that the API server accepts, but that hardly mean what their author expects."""

from __future__ import annotations

import pytest

import dractl
from tests.rows import each_row

POD = """apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: gpu}, {name: nic, resourceClaimName: nic}]
  %s
"""
SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0, %s}]
"""
CLAIM = """apiVersion: resource.k8s.io/%s
kind: ResourceClaim
metadata: {name: gpu}
spec: {devices: {requests: [{name: gpu, %s}]}}
"""


def _rules(text: str) -> list[str]:
    return [finding.rule for finding in dractl.validate(text).findings]


def test_a_pod_in_which_no_container_uses_a_claim() -> None:
    (finding,) = dractl.validate(POD % "containers: [{name: main, image: main}]").findings
    assert (finding.rule, finding.field) == ("across/claim-unused", "spec.resourceClaims")
    assert finding.message == "no container uses the claims"
    assert finding.hint == "add `resources: {claims: [{name: gpu}]}` to a container"


@pytest.mark.parametrize("containers", ["containers", "initContainers"])
def test_one_container_that_uses_one_claim_is_enough(containers: str) -> None:
    user = f"{containers}: [{{name: user, image: main, resources: {{claims: [{{name: nic}}]}}}}]"
    other = "containers: [{name: main, image: main}]" if containers != "containers" else "{}"
    text = POD % (user if other == "{}" else f"{user}\n  {other}")
    assert "across/claim-unused" not in _rules(text)


@pytest.mark.parametrize(("written", "name"), [("n", "false"), ("on", "true"), ("Yes", "true")])
def test_a_name_that_yaml_reads_as_a_boolean(written: str, name: str) -> None:
    (finding,) = dractl.validate(SLICE % f"attributes: {{{written}: {{int: 1}}}}").findings
    assert finding.rule == "across/boolean-key"
    assert finding.message == f"YAML 1.1 reads an unquoted {written} as a boolean, so the name is {name}"
    assert finding.hint == f'write `"{written}"`'


def test_a_capacity_is_looked_at_as_well() -> None:
    assert _rules(SLICE % "capacity: {off: {value: 1}}") == ["across/boolean-key"]


@each_row("written", ['"n"', "'true'", "true", "nn"])
def test_a_name_that_is_meant_as_it_is_read(written: str) -> None:
    assert _rules(SLICE % f"attributes: {{{written}: {{int: 1}}}}") == []


@each_row(
    ("version", "request_", "field", "gets"),
    [
        ("v1", "exactly: {deviceClassName: a, count: 0}", "exactly.count", "1 device"),
        (
            "v1",
            "exactly: {deviceClassName: a, allocationMode: All, count: 0}",
            "exactly.count",
            "all matching devices",
        ),
        (
            "v1",
            "firstAvailable: [{name: a, deviceClassName: a, count: 0}]",
            "firstAvailable[0].count",
            "1 device",
        ),
        ("v1beta1", "deviceClassName: a, count: 0", "count", "1 device"),
    ],
)  # fmt: skip
def test_a_count_of_zero_is_the_same_as_none(version: str, request_: str, field: str, gets: str) -> None:
    findings = dractl.validate(CLAIM % (version, request_)).findings
    (finding,) = [found for found in findings if found.rule == "document/count-zero"]
    assert finding.field == f"spec.devices.requests[0].{field}"
    assert finding.message == f"0 is the same as unset, so the request gets {gets}"


def test_other_counts_are_not_reported() -> None:
    for request in ("exactly: {deviceClassName: a, count: 1}", "exactly: {deviceClassName: a}"):
        assert _rules(CLAIM % ("v1", request)) == []
