"""An API server and a scheduler of different minors, as in the middle of an upgrade."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import dractl
from dractl.api.gates import GateError
from dractl.api.release import KNOWN, Minor, parse
from dractl.workflows.skew import SkewError, skew_warnings
from tests.forking import run_dractl
from tests.paths import ROOT
from tests.rows import each_row

DRA = {"DynamicResourceAllocation": True}

CLASS = """
apiVersion: resource.k8s.io/VERSION
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.example.com"}}]}
---
apiVersion: resource.k8s.io/VERSION
kind: ResourceClaimTemplate
metadata: {name: gpu, namespace: default}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
"""

POD = """
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: default}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: gpu}}]
  containers: [{{name: main, image: main, resources: {{claims: [{{name: gpu}}]}}}}]
"""

SLICE = """
---
apiVersion: resource.k8s.io/VERSION
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
"""

PARTITIONS = (
    SLICE
    + """\
  sharedCounters: [{name: gpu-0, counters: {memory: {value: 80Gi}}}]
  devices:
  - name: whole
    consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 80Gi}}}]
  - name: half
    consumesCounters: [{counterSet: gpu-0, counters: {memory: {value: 40Gi}}}]
"""
)
SHARED = (
    SLICE
    + """\
  devices:
  - name: nic
    allowMultipleAllocations: true
    capacity: {bandwidth: {value: "10", requestPolicy: {default: "1", validRange: {min: "1"}}}}
"""
)


def cluster(devices: str, *pods: str, version: str = "v1") -> str:
    return (CLASS + devices).replace("VERSION", version) + "".join(POD.format(name=name) for name in pods)


def devices_of(simulation: Any) -> dict[str | None, str]:
    return {row.pod: row.device for row in simulation.placements}


def simulate(text: str, kube_version: str, scheduler_version: str, **arguments: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dractl.simulate(
            text, kube_version=kube_version, scheduler_version=scheduler_version, **arguments
        )


def test_a_scheduler_that_knows_no_counters_gives_out_overlapping_partitions() -> None:
    text = cluster(PARTITIONS, "a", "b", version="v1beta2")
    on = DRA | {"DRAPartitionableDevices": True}
    alone = dractl.simulate(text, kube_version="1.33", feature_gates=on)
    assert devices_of(alone) == {"default/a": "whole"}
    assert [row.pod for row in alone.pending] == ["default/b"]
    skewed = simulate(text, "1.33", "1.32", feature_gates=on)
    assert devices_of(skewed) == {"default/a": "whole", "default/b": "half"}
    assert [(found.rule, found.field) for found in skewed.findings] == [
        ("simulate/skew", "spec.sharedCounters"),
        ("simulate/skew", "spec.devices[0].consumesCounters"),
    ]
    assert "(1 more like this)" in skewed.findings[1].message


def test_a_scheduler_that_knows_no_sharing_allocates_a_shared_device_once() -> None:
    text = cluster(SHARED, "a", "b")
    on = {"DRAConsumableCapacity": True}
    alone = dractl.simulate(text, kube_version="1.34", feature_gates=on)
    assert devices_of(alone) == {"default/a": "nic", "default/b": "nic"}
    skewed = simulate(text, "1.34", "1.33", feature_gates=on, scheduler_feature_gates=DRA)
    assert devices_of(skewed) == {"default/a": "nic"}
    (pending,) = skewed.pending
    assert pending.category == "no-devices"


def test_a_scheduler_refuses_a_constraint_that_it_does_not_know() -> None:
    text = cluster(SHARED, "a").replace(
        "deviceClassName: gpu}}]", "deviceClassName: gpu}}], constraints: [{distinctAttribute: a.com/b}]"
    )
    on = {"DRAConsumableCapacity": True}
    (pending,) = simulate(text, "1.34", "1.33", feature_gates=on, scheduler_feature_gates=DRA).pending
    assert pending.category == "error"
    assert "unsupported constraint type" in pending.message


def test_what_the_scheduler_does_not_see_stays_in_the_objects() -> None:
    text = cluster(SHARED, "a").replace("deviceClassName: gpu}", "deviceClassName: gpu, capacity: CAPACITY}")
    text = text.replace("CAPACITY", '{requests: {bandwidth: "4"}}')
    on = {"DRAConsumableCapacity": True}
    found = simulate(text, "1.34", "1.33", feature_gates=on, scheduler_feature_gates=DRA)
    by_kind = {item["kind"]: item for item in found.objects}
    (device,) = by_kind["ResourceSlice"]["spec"]["devices"]
    assert device["allowMultipleAllocations"] is True
    (request,) = by_kind["ResourceClaim"]["spec"]["devices"]["requests"]
    assert request["exactly"]["capacity"] == {"requests": {"bandwidth": "4"}}
    (result,) = by_kind["ResourceClaim"]["status"]["allocation"]["devices"]["results"]
    assert result["device"] == "nic"
    assert "consumedCapacity" not in result


def test_a_given_claim_keeps_its_fields_with_its_new_status() -> None:
    claim = """
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: mine, namespace: default}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu, capacity: {requests: {bandwidth: "4"}}}}]
"""
    pod = POD.format(name="a").replace("resourceClaimTemplateName: gpu", "resourceClaimName: mine")
    found = simulate(
        cluster(SHARED) + claim + pod,
        "1.34",
        "1.33",
        feature_gates={"DRAConsumableCapacity": True},
        scheduler_feature_gates=DRA,
    )
    assert devices_of(found) == {"default/a": "nic"}
    (item,) = (item for item in found.objects if item["kind"] == "ResourceClaim")
    (request,) = item["spec"]["devices"]["requests"]
    assert request["exactly"]["capacity"] == {"requests": {"bandwidth": "4"}}
    assert item["status"]["allocation"]


def test_gates_of_the_server_hold_for_the_scheduler_as_far_as_it_has_them() -> None:
    text = cluster(SHARED, "a", "b")
    on = {"DRAConsumableCapacity": True}
    # The scheduler has its own defaults: DRA was off in 1.33, and pods run without their devices.
    off = simulate(text, "1.34", "1.33", feature_gates=on)
    assert (off.placements, off.pending) == ((), ())
    assert "because its feature gate DynamicResourceAllocation is off" in off.findings[-1].message
    (claims,) = {len(item["spec"]["resourceClaims"]) for item in off.objects if item["kind"] == "Pod"}
    assert claims == 1
    forgotten = dractl.simulate(
        text, kube_version="1.35", feature_gates=on, scheduler_feature_gates={"DRAConsumableCapacity": False}
    )
    assert devices_of(forgotten) == {"default/a": "nic"}
    assert forgotten.findings == ()
    with pytest.raises(GateError, match=r"DRAConsumableCapacity does not exist in 1\.33"):
        simulate(text, "1.34", "1.33", scheduler_feature_gates=on)


def test_a_claim_is_not_allocated_while_dra_is_off_in_the_scheduler() -> None:
    claim = (
        CLASS.replace("VERSION", "v1").replace("ClaimTemplate", "Claim").replace("spec: {spec: ", "spec: ")
    )
    (left_out,) = simulate(claim.replace("}}]}}}", "}}]}}"), "1.34", "1.33").left_out
    assert left_out.reason == (
        "claims are not allocated while the feature gate DynamicResourceAllocation of the 1.33 "
        "scheduler is off"
    )


@each_row(
    ("server", "scheduler", "words"),
    [
        ("1.37", "1.37", []),
        ("1.37.1", "1.37.0", []),
        ("1.37", "1.36", []),
        ("1.37", "1.35", ["not a supported version skew"]),
        ("1.36", "1.37", ["not a supported version skew"]),
        ("1.34", "1.33", ["only with --runtime-config=resource.k8s.io/v1beta1=true"]),
        ("1.35", "1.33", ["not a supported version skew", "only with --runtime-config"]),
    ],
)
def test_unsupported_pairs_are_warned_about(server: str, scheduler: str, words: list[str]) -> None:
    found = list(skew_warnings(parse(server), parse(scheduler)))
    assert len(found) == len(words)
    assert all(word in text for word, text in zip(words, found, strict=True))


def test_python_warns_too() -> None:
    with pytest.warns(UserWarning, match="not a supported version skew"):
        dractl.simulate("", kube_version="1.37", scheduler_version="1.35")


def test_a_scheduler_whose_api_version_the_server_lacks_schedules_nothing() -> None:
    def is_possible(server: Minor, scheduler: Minor) -> bool:
        try:
            list(skew_warnings(server, scheduler))
        except SkewError:
            return False
        return True

    pairs = {(str(server), str(scheduler)) for server in KNOWN for scheduler in KNOWN}
    impossible = {pair for pair in pairs if not is_possible(parse(pair[0]), parse(pair[1]))}
    assert ("1.33", "1.34") in impossible
    assert ("1.31", "1.30") in impossible
    assert ("1.34", "1.33") not in impossible
    assert not {(one, other) for one, other in impossible if one == other}
    with pytest.raises(
        SkewError, match=r"a 1.34 scheduler reads resource.k8s.io/v1, which a 1.33 API server"
    ):
        simulate("", "1.33", "1.34")


@each_row("server", KNOWN[1:])
def test_the_minor_itself_as_scheduler_changes_nothing(server: Minor) -> None:
    text = cluster(PARTITIONS, "a", "b", version="v1beta2" if server >= parse("1.33") else "v1beta1")
    text = text if server >= parse("1.32") else ""
    plain = dractl.simulate(text, kube_version=str(server)).to_dict()
    skewed = simulate(text, str(server), str(server)).to_dict()
    assert skewed.pop("schedulerVersion") == str(server)
    assert skewed.pop("schedulerFeatureGates") == {}
    assert skewed == plain


def test_documents_and_the_last_line_name_the_scheduler(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))
    options = ["simulate", "all.yaml", "--kube-version", "1.36", "--scheduler-version", "1.35"]
    done = run_dractl([*options, "--format", "json"], tmp_path)
    document = json.loads(done.stdout)
    assert (document["kubeVersion"], document["schedulerVersion"]) == ("1.36", "1.35")
    schema = json.loads((ROOT / "schemas" / "documents" / "dractl.simulate.1.json").read_text())
    jsonschema.validate(document, schema)
    assert b"(Kubernetes 1.36, scheduler 1.35)" in run_dractl(options, tmp_path).stdout


def test_a_scenario_plays_with_both(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))
    (tmp_path / "more.yaml").write_text(POD.format(name="b"))
    (tmp_path / "story.yaml").write_text("schema: dractl.scenario/1\nsteps: [{apply: more.yaml}]\n")
    options = [
        "simulate",
        "all.yaml",
        "--scenario",
        "story.yaml",
        "--format",
        "json",
        "--kube-version",
        "1.34",
    ]
    gates = ["--feature-gates", "DRAConsumableCapacity=true"]
    older = ["--scheduler-version", "1.33", "--scheduler-feature-gates", "DynamicResourceAllocation=true"]
    last = json.loads(run_dractl([*options, *gates], tmp_path).stdout)["states"][-1]
    assert len(last["placements"]) == 2
    document = json.loads(run_dractl([*options, *gates, *older], tmp_path).stdout)
    assert document["schedulerVersion"] == "1.33"
    assert len(document["states"][-1]["placements"]) == 1
    schema = json.loads((ROOT / "schemas" / "documents" / "dractl.simulate-scenario.1.json").read_text())
    jsonschema.validate(document, schema)


def test_wrong_options_are_named(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))

    def stderr(*options: str) -> str:
        done = run_dractl(["simulate", "all.yaml", *options], tmp_path)
        assert done.returncode == 2
        return done.stderr.decode()

    assert "--scheduler-version: unsupported Kubernetes minor" in stderr("--scheduler-version", "1.2")
    assert "--scheduler-version: a 1.33 scheduler" not in stderr("--scheduler-version", "1.30")
    assert "--scheduler-feature-gates: " in stderr("--scheduler-feature-gates", "DRANone=true")


OLDER = 'schedulerVersion: "1.33"\nschedulerFeatureGates: {DynamicResourceAllocation: true}\n'


def test_a_scenario_may_state_the_scheduler(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))
    (tmp_path / "more.yaml").write_text(POD.format(name="b"))
    (tmp_path / "story.yaml").write_text(f"schema: dractl.scenario/1\n{OLDER}steps: [{{apply: more.yaml}}]\n")
    options = ["simulate", "all.yaml", "--scenario", "story.yaml", "--format", "json", "--feature-gates"]
    options += ["DRAConsumableCapacity=true", "--kube-version"]
    document = json.loads(run_dractl([*options, "1.34"], tmp_path).stdout)
    assert document["schedulerVersion"] == "1.33"
    assert document["schedulerFeatureGates"]["DynamicResourceAllocation"] is True
    assert len(document["states"][-1]["placements"]) == 1
    overriding = ["--scheduler-version", "1.34", "--scheduler-feature-gates", "DRAConsumableCapacity=false"]
    document = json.loads(run_dractl([*options, "1.34", *overriding], tmp_path).stdout)
    assert document["schedulerVersion"] == "1.34"
    assert document["schedulerFeatureGates"]["DRAConsumableCapacity"] is False
    done = run_dractl([*options, "1.36"], tmp_path)
    assert b"warning: a 1.33 scheduler with a 1.36 API server is not a supported version skew" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('schedulerVersion: "1.2"', "story.yaml:2:1: error: schedulerVersion: unsupported Kubernetes minor"),
        ("schedulerVersion: 1.36", "must be a string, not a number; put it in quotes"),
        ("schedulerVersion: 1.35..1.36", "must be a minor such as '1.37', or a patch"),
        (
            'schedulerVersion: "1.38"',
            "--scenario: schedulerVersion: a 1.38 scheduler reads resource.k8s.io/v1",
        ),
        ("schedulerFeatureGates: {DRANone: true}", "--scenario: schedulerFeatureGates: unknown feature gate"),
    ],
)
def test_a_scheduler_that_a_scenario_cannot_have(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))
    (tmp_path / "story.yaml").write_text(f"schema: dractl.scenario/1\n{line}\nsteps: [{{cordon: node-a}}]\n")
    done = run_dractl(
        ["simulate", "all.yaml", "--scenario", "story.yaml", "--kube-version", "1.33"], tmp_path
    )
    assert (done.returncode, message in done.stderr.decode()) == (2, True), done.stderr.decode()


EXPECTED = """schema: dractl.test/1
kubeVersion: ["1.34"]
featureGates: {DRAConsumableCapacity: true}
manifests: all.yaml
cases:
- name: same
  expect: {pods: {a: {node: node-a}, b: {node: node-a}}}
- name: older
  SCHEDULER
  expect: {pods: {a: {node: node-a}, b: {pending: no-devices}}}
"""


@pytest.mark.parametrize("is_inherited", [False, True])
def test_an_expectation_file_may_state_the_scheduler(tmp_path: Path, is_inherited: bool) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a", "b"))
    (tmp_path / "story.yaml").write_text(f"schema: dractl.scenario/1\n{OLDER}steps: [{{uncordon: node-a}}]\n")
    stated = "scenario: story.yaml" if is_inherited else OLDER.replace("\n", "\n  ").strip()
    (tmp_path / "test.yaml").write_text(EXPECTED.replace("SCHEDULER", stated))
    done = run_dractl(["test", "test.yaml", "--format", "json"], tmp_path)
    document = json.loads(done.stdout)
    schema = json.loads((ROOT / "schemas" / "documents" / "dractl.test-results.1.json").read_text())
    jsonschema.validate(document, schema)
    assert [(case["ok"], case.get("schedulerVersion")) for case in document["cases"]] == [
        (True, None),
        (True, "1.33"),
    ]
    place = b"scenario" if is_inherited else b"schedulerVersion"
    assert b"warning: cases[1].%s: a 1.33 scheduler reads resource.k8s.io/v1beta1" % place in done.stderr
    assert run_dractl(["test", "test.yaml", "--quiet"], tmp_path).stderr == b""
    done = run_dractl(["test", "test.yaml", "--kube-version", "1.36"], tmp_path)
    assert b"a 1.33 scheduler with a 1.36 API server is not a supported version skew" in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'schedulerVersion: "1.35"',
            "schedulerVersion: a 1.35 scheduler reads resource.k8s.io/v1, which a 1.33",
        ),
        ("schedulerFeatureGates: {DRANone: true}", "schedulerFeatureGates: unknown feature gate"),
    ],
)
def test_a_scheduler_that_a_case_cannot_have(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "all.yaml").write_text(cluster(SHARED, "a"))
    (tmp_path / "test.yaml").write_text(
        f'schema: dractl.test/1\nmanifests: all.yaml\nkubeVersion: "1.33"\n{line}\nexpect: {{}}\n'
    )
    done = run_dractl(["test", "test.yaml"], tmp_path)
    assert (done.returncode, message in done.stderr.decode()) == (2, True), done.stderr.decode()
