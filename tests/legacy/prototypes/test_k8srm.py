"""The files of the k8srm prototype itself: what is wrong with them, and where their pods would go."""

from __future__ import annotations

from collections import Counter

import dractl
from tests.paths import ROOT
from tests.rows import each_row

FOLDER = ROOT / "testdata" / "prototypes" / "k8srm"
GPUS, NICS = "pools-two-nodes-two-simple-gpus.yaml", "pools-one-node-sriov-0.yaml"


def _rules(*names: str, dialect: str | None = None) -> Counter[str]:
    report = dractl.validate([FOLDER / name for name in names], dialect=dialect)
    return Counter(finding.rule.removeprefix("prototype/") for finding in report.findings)


@each_row(
    ("name", "expected"),
    [
        ("classes.yaml", {"dc-2": 11, "dc-3": 1, "config-map": 1}),
        (GPUS, {}),
        (NICS, {"dp-9": 2}),
        ("pod-one-container-two-gpus-0.yaml", {}),
        ("pod-multi-net-6.yaml", {"dia-5": 3, "document/skipped": 3}),
        ("two-pods-one-gpu-0.yaml", {"cl-4": 1, "dia-5": 1}),
        ("pod-two-containers-one-gpu.yaml", {}),
    ],
)
def test_what_is_wrong_with_a_file(name: str, expected: dict[str, int]) -> None:
    assert _rules(name, dialect="proto-oneof") == expected


def test_a_pod_alone_is_a_pod_of_v1() -> None:
    assert _rules("pod-two-containers-one-gpu.yaml")["decode/unknown"] == 2


@each_row(
    ("pod", "pools", "expected"),
    [
        (
            "pod-one-container-two-gpus-0.yaml",
            GPUS,
            [
                ("my-container", "foozer-gpus", "node-00-foozer", "dev-00"),
                ("my-container", "foozer-gpus", "node-00-foozer", "dev-01"),
            ],
        ),
        (
            "pod-two-containers-one-gpu.yaml",
            GPUS,
            [
                ("my-container", "foozer-gpu", "node-00-foozer", "dev-00"),
                ("my-other-container", "foozer-gpu", "node-00-foozer", "dev-00"),
            ],
        ),
        (
            "two-pods-one-gpu-0.yaml",
            GPUS,
            [
                ("my-container", "foozer-gpu", "node-00-foozer", "dev-00"),
                ("my-container", "foozer-gpu", "node-00-foozer", "dev-00"),
            ],
        ),
        (
            "pod-multi-net-6.yaml",
            NICS,
            [
                (None, "ip-networks", "node-00-nic0", "pf-0"),
                (None, "ip-networks", "node-00-nic0", "pf-1"),
                (None, "ip-networks", "node-00-nic1", "pf-0"),
            ],
        ),
    ],
)
def test_where_the_pods_go(pod: str, pools: str, expected: list[tuple[str | None, str, str, str]]) -> None:
    simulation = dractl.simulate([FOLDER / name for name in ("classes.yaml", pools, pod)])
    found = [(row.container, row.request, row.pool, row.device) for row in simulation.placements]
    assert found == expected
    assert {row.node for row in simulation.placements} == {"node-00"}
    assert (simulation.pending, simulation.left_out) == ((), ())


def test_a_pod_without_matching_devices_stays_pending() -> None:
    simulation = dractl.simulate([FOLDER / name for name in ("classes.yaml", GPUS, "pod-multi-net-6.yaml")])
    (pending,) = simulation.pending
    assert (pending.pod, pending.category) == ("default/blue-red-green", "no-devices")
    assert "2 not of the driver example.com-sriov" in pending.message
    assert sorted(pending.nodes) == ["node-00", "node-01"]


def test_the_lenient_reading_is_reported_once_a_file_and_rule() -> None:
    simulation = dractl.simulate(
        [FOLDER / name for name in ("classes.yaml", GPUS, "two-pods-one-gpu-0.yaml")]
    )
    rules = [finding.rule.removeprefix("prototype/") for finding in simulation.findings]
    assert rules == ["dc-2", "dc-3", "cl-4", "dia-5"]
    assert "10 more of this kind in the file" in simulation.findings[0].message


def test_the_status_says_what_the_claim_has_and_can_be_read_again() -> None:
    names = ("classes.yaml", GPUS, "pod-one-container-two-gpus-0.yaml")
    first = dractl.simulate([FOLDER / name for name in names])
    made = first.objects[-1]
    assert made["metadata"]["name"] == "foozer-template-example.com-foozer-two-gpus"
    assert made["status"] == {
        "allocations": [
            {"devicePoolName": "node-00-foozer", "deviceName": "dev-00"},
            {"devicePoolName": "node-00-foozer", "deviceName": "dev-01"},
        ],
        "podNames": ["foozer"],
    }
    template = next(item for item in first.objects if item["metadata"]["name"].startswith("template-"))
    assert "status" not in template
    again = dractl.simulate(first.objects)
    assert again.placements == first.placements
    assert again.objects == first.objects


@each_row(("name", "is_kept"), [("foozer-128Gi", True), ("a/b", False), ("", False)])
def test_names_with_upper_case_letters_are_in_the_files_of_the_prototype(name: str, *, is_kept: bool) -> None:
    pod = (FOLDER / "pod-one-container-two-gpus-0.yaml").read_text(encoding="utf-8")
    renamed = pod.replace("name: foozer\n", f"name: {name!r}\n", 1)
    assert renamed != pod
    simulation = dractl.simulate([FOLDER / "classes.yaml", FOLDER / GPUS, renamed])
    assert (bool(simulation.placements), bool(simulation.left_out)) == (is_kept, not is_kept)
