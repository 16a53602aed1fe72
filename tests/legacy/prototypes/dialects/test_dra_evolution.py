"""The files of DRA evolution itself: what is wrong with them, and where their pods would go."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import dractl
from tests.paths import ROOT
from tests.rows import each_row

FOLDER = ROOT / "testdata" / "prototypes" / "dra-evolution"
GPUS = FOLDER / "pools-two-nodes-two-simple-gpus.yaml"


def _rules(*docs: Any, **options: Any) -> dict[str, int]:
    found = dractl.validate(list(docs), **options).findings
    return dict(Counter(finding.rule.removeprefix("prototype/") for finding in found))


@each_row(
    ("name", "expected"),
    [
        ("classes.yaml", {"dia-8": 1}),
        ("pod-two-containers-two-gpus-1.yaml", {}),
        ("two-pods-one-gpu-0.yaml", {"de-11": 1}),
        ("pod-one-container-one-gpu-one-vf.yaml", {"de-11": 4, "de-20": 2}),
        ("pools-one-node-sriov-0.yaml", {"dia-1": 1}),
    ],
)
def test_what_is_wrong_with_a_file(name: str, expected: dict[str, int]) -> None:
    assert _rules(FOLDER / name) == expected


@pytest.mark.parametrize(("namespace", "count"), [("default", 1), ("elsewhere", 0)])
def test_a_pod_of_v1_without_claims_of_the_prototype_is_none_of_it(namespace: str, count: int) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": namespace},
        "spec": {
            "containers": [{"name": "c", "image": "c", "resources": {"claims": [{"name": "gpu"}]}}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "missing"}],
        },
    }
    assert _rules(FOLDER / "two-pods-one-gpu-0.yaml", pod).get("de-17", 0) == count


def test_pools_of_one_prototype_serve_claims_of_another() -> None:
    docs = [FOLDER / "classes.yaml", GPUS, FOLDER / "pod-two-containers-two-gpus-1.yaml"]
    simulation = dractl.simulate(docs)
    assert [(row.container, row.request, row.node, row.device) for row in simulation.placements] == [
        ("my-container", "foozer-gpu", "node-00", "dev-00"),
        ("my-other-container", "other-foozer-gpu", "node-00", "dev-01"),
    ]


def test_a_claim_that_is_not_shareable_has_one_pod() -> None:
    docs: list[Any] = [FOLDER / "classes.yaml", GPUS, FOLDER / "two-pods-one-gpu-0.yaml"]
    simulation = dractl.simulate(docs)
    assert [(row.pod, row.request, row.device) for row in simulation.placements] == [
        ("default/foozer-0", "#0", "dev-00")
    ]
    (pending,) = simulation.pending
    assert pending.message == "claim default/my-shared-gpu is not shareable and reserved for foozer-0"
    text = (FOLDER / "two-pods-one-gpu-0.yaml").read_text(encoding="utf-8")
    shareable = text.replace("spec:\n  requests:", "spec:\n  shareable: true\n  requests:", 1)
    shared = dractl.simulate([FOLDER / "classes.yaml", GPUS, shareable])
    assert [(row.pod, row.device) for row in shared.placements] == [
        ("default/foozer-0", "dev-00"),
        ("default/foozer-1", "dev-00"),
    ]


def test_the_status_groups_devices_by_driver() -> None:
    docs = [FOLDER / "classes.yaml", GPUS, FOLDER / "pod-two-containers-two-gpus-1.yaml"]
    made = dractl.simulate(docs).objects[-1]
    assert made["status"] == {
        "allocation": {
            "driverData": [
                {
                    "driverName": "foozer.example.com",
                    "data": {
                        "results": [
                            {"requestName": "foozer-gpu", "deviceName": "dev-00"},
                            {"requestName": "other-foozer-gpu", "deviceName": "dev-01"},
                        ]
                    },
                }
            ],
            "nodeName": "node-00",
        },
        "reservedFor": [{"resource": "pods", "name": "foozer", "uid": "uid:default/foozer"}],
    }
    assert made["metadata"]["finalizers"] == ["dra.k8s.io/delete-protection"]


def test_an_allocated_claim_is_not_taken_for_that_of_a_pod() -> None:
    docs = [FOLDER / "classes.yaml", GPUS, FOLDER / "pod-one-container-one-gpu-one-vf.yaml"]
    assert _rules(*docs)["de-allocated"] == 1
    simulation = dractl.simulate(docs)
    assert [(row.pod, row.claim, row.node) for row in simulation.placements] == [
        (None, "default/foozer-gpu-and-nic-avfjgg", "worker-1"),
        (None, "default/foozer-gpu-and-nic-avfjgg", "worker-1"),
    ]
    assert [row.pod for row in simulation.pending] == ["default/foozer"]


@each_row("spec", ["distributedAllocation", 1.5, [1], True, None])
def test_a_pool_without_a_mapping_as_spec_is_refused(spec: Any) -> None:
    pool = {
        "apiVersion": "resource.k8s.io/v1alpha2",
        "kind": "ResourcePool",
        "metadata": {"name": "a"},
        "spec": spec,
    }
    report = dractl.validate(pool)
    assert not report.ok
    assert "prototype/de-22" not in {finding.rule for finding in report.findings}
    assert not dractl.simulate(pool).placements
