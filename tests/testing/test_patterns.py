"""Patterns, counts, selectors and attributes in place of exact devices."""

from __future__ import annotations

from pathlib import Path

import pytest

from dractl.scenario.reading import Faulty
from dractl.testing.cases import Overrides, cases_in
from dractl.testing.compare import Change
from dractl.testing.inventory import Inventory
from dractl.testing.patterns import differences, is_pattern, matches, ways_out_missing
from dractl.testing.runner import try_case

CLUSTER = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: old}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: racks/a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gone}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: racks/a, generation: 2, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {numa: {int: 0}, gpu.example.com/model: {string: big}, uuid: {string: u-0}}
    capacity: {memory: {value: 80Gi}}
  - name: gpu-1
    attributes: {numa: {int: 0}, model: {string: big}, uuid: {string: u-1}}
    capacity: {memory: {value: 80Gi}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpus}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu, count: 2}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
---
apiVersion: v1
kind: Pod
metadata: {name: wait}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""
BOTH = ["gpu.example.com/racks/a/gpu-0", "gpu.example.com/racks/a/gpu-1"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER, encoding="utf-8")
    return tmp_path


def changes(folder: Path, pod: str) -> list[Change]:
    file = folder / "dractl-test.yaml"
    file.write_text(f"schema: dractl.test/1\nexpect: {{pods: {pod}}}\n", encoding="utf-8")
    cases = cases_in(str(file), Overrides())
    assert not isinstance(cases, Faulty), cases
    ((gates,), (case,)) = cases[0].gates, cases
    return [change for failure in try_case(case, gates).failures for change in failure.mismatch.changes]


@pytest.mark.parametrize(
    ("pattern", "device", "expected"),
    [
        ("gpu.example.com/*/gpu-0", BOTH[0], True),
        ("*/racks/*/gpu-?", BOTH[0], True),
        ("*/*/gpu-[1-9]", BOTH[0], False),
        ("*/gpu-0", BOTH[0], False),
        ("gpu.*/racks/a/GPU-0", BOTH[0], False),
        (BOTH[0], BOTH[0], True),
    ],
)
def test_each_part_of_a_name_has_its_pattern(pattern: str, device: str, expected: bool) -> None:
    assert matches(pattern, device) is expected


@pytest.mark.parametrize(
    "devices",
    [
        "['*/*/gpu-*', '*/*/gpu-*']",
        "['*/*/*', '*/*/gpu-0']",
        "['*/*/gpu-1', '*/*/gpu-?']",
        f"[{BOTH[1]}, '*/racks/*/*']",
        "{}",
        "{count: 2}",
        "{match: '*/*/gpu-*'}",
        "{match: ['*/*/gpu-0', '*/*/gpu-1'], count: 2}",
        "{where: \"device.attributes['gpu.example.com'].model == 'big'\"}",
        "{where: [\"device.driver != ''\", \"'memory' in device.capacity['gpu.example.com']\"]}",
        "{same: gpu.example.com/numa, distinct: uuid}",
        "{same: [numa, model]}",
    ],
)
def test_devices_that_meet_the_conditions(folder: Path, devices: str) -> None:
    assert changes(folder, f"{{train: {{devices: {{gpu/gpu: {devices}}}}}}}") == []


@pytest.mark.parametrize(
    ("devices", "field", "actual"),
    [
        ("'*/*/gpu-*'", (), BOTH),
        ("['*/*/gpu-0', '*/*/gpu-0']", (), BOTH),
        ("{match: '*/*/gpu-1'}", ("match",), BOTH[:1]),
        ("{count: 1}", ("count",), 2),
        (
            "{where: \"device.attributes['gpu.example.com'].uuid == 'u-0'\"}",
            ("where",),
            [f"{BOTH[1]} is not selected"],
        ),
        (
            "{where: \"device.attributes['gpu.example.com'].nope == 'x'\"}",
            ("where",),
            [
                f"{name} fails: no such key: 'nope'; "
                "guard it with `has(...)`, or use `.?` with `orValue(...)`"
                for name in BOTH
            ],
        ),
        ("{same: uuid}", ("same",), [f"{BOTH[0]} has u-0", f"{BOTH[1]} has u-1"]),
        ("{same: other.example.com/numa}", ("same",), [f"{name} has no value" for name in BOTH]),
        ("{distinct: [uuid, numa]}", ("distinct",), [f"{name} has 0" for name in BOTH]),
    ],
)
def test_devices_that_do_not(folder: Path, devices: str, field: tuple[str, ...], actual: object) -> None:
    (change,) = changes(folder, f"{{train: {{devices: {{gpu/gpu: {devices}}}}}}}")
    assert change.steps == ("pods", "train", "devices", "gpu/gpu", *field)
    assert change.actual == actual
    assert change.is_kept is (field != ("count",))


def test_containers_have_patterns_too(folder: Path) -> None:
    assert changes(folder, "{train: {containers: {main: {count: 2, same: numa}}}}") == []
    (change,) = changes(folder, "{train: {containers: {main: ['*/*/gpu-*']}}}")
    assert change.actual == BOTH


def test_conditions_need_a_device(folder: Path) -> None:
    found = changes(folder, "{wait: {devices: {gpu/gpu: {where: device.driver == 'gpu.example.com'}}}}")
    assert [change.steps[2:] for change in found] == [("pending",), ("devices", "gpu/gpu")]
    assert changes(folder, "{wait: {pending: no-devices, devices: {gpu/gpu: {count: 0}}}}") == []


def test_when_it_would_fit_and_what_helps(folder: Path) -> None:
    assert changes(folder, "{wait: {when: busy, waysOut: [free, {kind: free, object: default/*}]}}") == []
    found = changes(folder, "{wait: {when: never, waysOut: [{kind: count, to: 9}]}}")
    assert [(change.steps[-1], change.is_kept) for change in found] == [("when", False), ("waysOut", True)]
    assert found[0].actual == "busy"
    assert {way["kind"] for way in found[1].actual} >= {"free"}
    assert [change.steps[-1] for change in changes(folder, "{train: {when: busy}}")] == ["when"]


def test_an_expectation_that_cannot_be_met_is_a_fault_at_its_place(folder: Path) -> None:
    file = folder / "dractl-test.yaml"
    for text, message in {
        "{where: device.nope == 1}": "does not compile (1.37): ",
        "{were: x}": "unknown field 'were'; did you mean where?",
        "{match: gpu-0}": "must be DRIVER/POOL/DEVICE",
        "{count: -1}": "must be 0 or more",
        "3": "must be a string, a list or a mapping, not a number",
    }.items():
        file.write_text(
            f"schema: dractl.test/1\nexpect:\n  pods:\n    train:\n      devices: {{a/b: {text}}}\n",
            encoding="utf-8",
        )
        found = cases_in(str(file), Overrides())
        assert isinstance(found, Faulty)
        (fault,) = found.findings
        assert message in fault.message
        assert fault.location is not None
        assert fault.location.line == 5


def test_names_without_a_wildcard_are_exact(folder: Path) -> None:
    assert not is_pattern(BOTH)
    assert is_pattern(["a/b/c", "a/b/*"])
    (change,) = changes(folder, "{train: {devices: {gpu/gpu: gpu.example.com/racks/a/gpu-9}}}")
    assert not change.is_kept


def test_many_patterns_are_assigned_quickly() -> None:
    import dractl

    devices = [f"d/p/gpu-{number}" for number in range(32)]
    patterns = ["*/*/*"] * 31 + ["*/*/nic-*"]
    inventory = Inventory(dractl.simulate(CLUSTER))
    assert [each.actual for each in differences(patterns, devices, inventory)] == [devices]
    assert list(differences([*patterns[:31], devices[0]], devices, inventory)) == []


def test_a_way_out_is_found_by_its_fields() -> None:
    ways = [{"kind": "count", "object": "ml/a", "field": "spec.x", "from": 4, "to": 2}]
    assert not ways_out_missing(["count", {"object": "ml/*", "to": 2}], ways)
    assert ways_out_missing([{"kind": "count", "to": 3}], ways)
    assert ways_out_missing(["free"], ways)
