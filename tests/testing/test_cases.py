"""Expectation files are read, and tried."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.scenario.reading import Faulty
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.source.document import Document
from dractl.source.load import PathError
from dractl.testing.cases import Case, Overrides, cases_in
from dractl.testing.compare import ABSENT
from dractl.testing.runner import CaseResult, Results, document, try_case
from tests.paths import ROOT

SCHEMAS = ROOT / "schemas" / "documents"
CLUSTER = """\
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
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: gpu}]
  containers: [{name: main, image: a, resources: {claims: [{name: gpu}]}}]
"""
HEAD = "schema: dractl.test/1\n"
PLACED = "expect: {pods: {train: {node: node-a, devices: {gpu/gpu: gpu.example.com/node-a/gpu-0}}}}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cluster.yaml").write_text(CLUSTER, encoding="utf-8")
    return tmp_path


def write(folder: Path, text: str, name: str = "dractl-test.yaml") -> str:
    (folder / name).write_text(HEAD + text, encoding="utf-8")
    return str(folder / name)


def cases(folder: Path, text: str, **overrides: Any) -> list[Case]:
    found = cases_in(write(folder, text), Overrides(**overrides))
    assert not isinstance(found, Faulty), found
    return found


def tried(folder: Path, text: str, **overrides: Any) -> list[CaseResult]:
    return [try_case(case, gates) for case in cases(folder, text, **overrides) for gates in case.gates]


def faults(folder: Path, text: str) -> list[tuple[int, str, str]]:
    found = cases_in(write(folder, text), Overrides())
    assert isinstance(found, Faulty), found
    return [(fault.location.line, fault.field, fault.message) for fault in found.findings if fault.location]


def test_a_file_without_cases_is_one(folder: Path) -> None:
    (case,) = cases(folder, PLACED)
    assert case.name == "dractl-test.yaml"
    kinds = [item.value.get("kind") for item in case.loaded if isinstance(item, Document)]
    assert "Pod" in kinds
    assert [str(gates.minor) for gates in case.gates] == ["1.37"]


def test_a_case_says_what_the_file_does_not(folder: Path) -> None:
    first, second = cases(
        folder,
        "kubeVersion: 1.36..1.37\nfeatureGates: {DRADeviceTaintRules: false}\nmanifests: cluster.yaml\n"
        "cases:\n- name: a\n- name: b\n  kubeVersion: ['1.35', '1.37']\n  featureGates: {}\n",
    )
    assert [str(gates.minor) for gates in first.gates] == ["1.36", "1.37"]
    assert first.gates[0].overrides == {"DRADeviceTaintRules": False}
    assert [str(gates.minor) for gates in second.gates] == ["1.35", "1.37"]
    assert second.gates[0].overrides == {}
    assert (first.at, second.at) == (("cases", 0), ("cases", 1))
    assert (second.place.line, second.place.column) == (7, 3)


def test_the_command_line_overrides(folder: Path) -> None:
    (case,) = cases(
        folder, "kubeVersion: '1.35'\nfeatureGates: {DRADeviceTaints: true}\n", minors="1.36..1.37", gates={}
    )
    assert [str(gates.minor) for gates in case.gates] == ["1.36", "1.37"]
    assert case.gates[0].overrides == {"DRADeviceTaints": True}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("expct: {}\n", (2, "expct", "unknown field 'expct'; did you mean expect?")),
        (
            "kubeVersion: 1.37\n",
            (2, "kubeVersion", "must be a string or a list, not a number; put it in quotes"),
        ),
        ("kubeVersion: '1.99'\n", (2, "kubeVersion", "unsupported Kubernetes minor '1.99'")),
        ("featureGates: {Nope: true}\n", (2, "featureGates", "unknown feature gate Nope")),
        ("namespaceLabels: {Big: {}}\n", (2, "namespaceLabels.Big", "invalid namespace 'Big'")),
        ("namespaceLabels: {a: {'b c': d}}\n", (2, "namespaceLabels.a.b c", "")),
        ("manifests: [nowhere]\n", (2, "manifests", "")),
        ("scenario: nowhere.yaml\n", (2, "scenario", "")),
        ("scenario: a\nsteps: [{drain: node-a}]\n", (3, "steps", "steps and scenario")),
        ("steps: [{drian: x}]\n", (2, "steps[0].drian", "")),
        (
            "expect: {pods: {train: {pending: nope}}}\n",
            (2, "expect.pods.train.pending", "must be a category"),
        ),
        (
            "expect: {pods: {train: {devices: {a: x}}}}\n",
            (2, "expect.pods.train.devices.a", "must be DRIVER"),
        ),
        ("expect: {refused: {claim: x}}\n", (2, "expect.refused.claim", "must be KIND NAME")),
        ("cases: [{expect: {}}]\n", (2, "cases[0]", "name is required")),
    ],
)
def test_a_fault_has_its_place(folder: Path, text: str, expected: tuple[int, str, str]) -> None:
    (found,) = faults(folder, text)
    assert found[:2] == expected[:2]
    assert expected[2] in found[2]


def test_the_faults_of_a_scenario_file_are_shown(folder: Path) -> None:
    (folder / "s.yaml").write_text("schema: dractl.scenario/1\nsteps: [{drian: x}]\n", encoding="utf-8")
    assert faults(folder, "scenario: s.yaml\n") == [
        (2, "steps[0].drian", "unknown field 'drian'; did you mean drain?")
    ]


def test_what_is_expected_comes(folder: Path) -> None:
    (found,) = tried(folder, PLACED)
    assert found.ok
    assert found.name == "dractl-test.yaml"
    assert [entry.name for entry in tried(folder, "kubeVersion: 1.36..1.37\n" + PLACED)] == [
        "dractl-test.yaml (1.36)",
        "dractl-test.yaml (1.37)",
    ]


def test_a_failure_has_its_place(folder: Path) -> None:
    (found,) = tried(folder, "expect:\n  pods:\n    train:\n      node: node-b\n")
    (failure,) = found.failures
    assert (failure.place.line, failure.place.column) == (4, 5)
    assert (failure.at, failure.mismatch.changes[0].steps) == (("expect",), ("pods", "train", "node"))


def test_expectations_stand_in_steps_too(folder: Path) -> None:
    text = (
        "steps:\n- complete: train\n"
        "  expect: {pods: {train: {devices: {gpu/gpu: gpu.example.com/node-a/gpu-0}}}}\n"
        "- delete: {kind: Pod, name: train}\nexpect: {pods: {train: {absent: true}}}\n"
    )
    (found,) = tried(folder, text)
    (failure,) = found.failures
    assert (failure.at, failure.place.line) == (("steps", 0, "expect"), 4)
    (change,) = failure.mismatch.changes
    assert change.actual is ABSENT


def test_a_step_that_cannot_be_done_is_a_failure(folder: Path) -> None:
    (found,) = tried(folder, "steps: [{complete: nobody}]\nexpect: {}\n")
    assert [failure.mismatch.note for failure in found.failures] == [
        "complete nobody: Pod default/nobody does not exist"
    ]


def test_a_scenario_is_played_before(folder: Path) -> None:
    (folder / "s.yaml").write_text("schema: dractl.scenario/1\nsteps: [{drain: node-a}]\n", encoding="utf-8")
    (found,) = tried(folder, "scenario: s.yaml\nexpect: {pods: {train: {absent: true}}, complete: true}\n")
    assert found.ok


REFUSED = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: NAME}\nspec: {}\n"


def test_a_refusal_is_named_by_the_first_expectation_after_it(folder: Path) -> None:
    (folder / "bad.yaml").write_text(REFUSED.replace("NAME", "Bad"), encoding="utf-8")
    (folder / "steps").mkdir()
    (folder / "steps" / "worse.yaml").write_text(REFUSED.replace("NAME", "Worse"), encoding="utf-8")
    steps = "manifests: [cluster.yaml, bad.yaml]\nsteps:\n- cordon: node-a\n- apply: steps/worse.yaml\n"
    both = "expect: {refused: {DeviceClass Bad: meta/name-format, DeviceClass Worse: meta/name-format}}\n"
    (found,) = tried(folder, steps + both)
    assert found.ok
    first = steps.replace(
        "- cordon: node-a\n", "- cordon: node-a\n  expect: {refused: {DeviceClass Bad: meta/name-format}}\n"
    )
    (found,) = tried(folder, first + "expect: {refused: {DeviceClass Worse: meta/name-format}}\n")
    assert found.ok
    (found,) = tried(folder, steps + "expect: {}\n")
    assert [failure.mismatch.subject for failure in found.failures] == [
        "DeviceClass Bad",
        "DeviceClass Worse",
    ]


def test_settings_that_make_no_sense_for_the_manifests_are_failures(folder: Path) -> None:
    (found,) = tried(folder, "replicas: {web: 2}\nexpect: {}\n")
    assert "unknown workload web" in found.failures[0].mismatch.note
    (found,) = tried(folder, "nodeOrder: [node-x]\nexpect: {}\n")
    assert [failure.mismatch.note for failure in found.failures] == ["unknown node: node-x"]


@pytest.mark.parametrize(
    "text", ["", "expect: {}\n", "expect: {pods: {}}\n", "steps: [{cordon: node-a, expect: {refused: {}}}]\n"]
)
def test_a_case_that_expects_nothing_fails_with_what_came(folder: Path, text: str) -> None:
    (found,) = tried(folder, text)
    (failure,) = found.failures
    assert failure.at == ("expect",)
    assert failure.mismatch.changes[0].actual["pods"]["train"]["node"] == "node-a"


def test_the_document(folder: Path) -> None:
    results = tried(folder, "expect: {pods: {train: {pending: error}}}\n")
    found = document(Results(results, ["x.yaml"]))
    assert found["summary"] == {"files": 1, "cases": 1, "failed": 1}
    assert found["updated"] == ["x.yaml"]
    (case,) = found["cases"]
    assert (case["case"], case["kubeVersion"], case["ok"]) == ("dractl-test.yaml", "1.37", False)
    first = case["mismatches"][0]["changes"][0]
    assert first == {"field": ["pods", "train", "pending"], "expected": "error"}


def test_the_document_names_the_files_that_cannot_be_used(folder: Path) -> None:
    schema = json.loads((SCHEMAS / "dractl.test-results.1.json").read_text(encoding="utf-8"))
    faulty = cases_in(write(folder, "expct: {}\n"), Overrides())
    assert isinstance(faulty, Faulty)
    missing = Faulty((), PathError("missing", "No such file"))
    found = document(Results(tried(folder, PLACED), (), {"a": faulty, "b": missing}))
    jsonschema.validate(json.loads(json.dumps(found)), schema)
    assert found["summary"] == {"files": 1, "cases": 1, "failed": 0, "errors": 2}
    first, second = found["errors"]
    assert (first["file"], first["rule"], first["location"]["line"]) == ("a", "test/format", 2)
    assert second == {"file": "b", "rule": None, "field": "", "message": "No such file", "location": None}
    assert "errors" not in document(Results(tried(folder, PLACED)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "expect:\n  pods:\n    train: {node: a}\n    default/train: {node: b}\n",
            (5, "expect.pods.default/train", "default/train duplicates train"),
        ),
        (
            "cases:\n- {name: a, expect: {complete: true}}\n- {name: a, expect: {complete: true}}\n",
            (4, "cases[1].name", "duplicate case name a"),
        ),
    ],
)
def test_a_name_stands_once(folder: Path, text: str, expected: tuple[int, str, str]) -> None:
    assert faults(folder, text) == [expected]


@pytest.mark.parametrize("rules", ["request/nam", "[request/name, request/nam]"])
def test_a_refusal_has_a_rule_that_there_is(folder: Path, rules: str) -> None:
    ((line, _, message),) = faults(folder, f"expect:\n  refused:\n    ResourceClaim bad: {rules}\n")
    assert line == 4
    assert "request/nam" in message
    assert "request/name" in message
    steps = f"steps: [{{drain: node-a, expect: {{refused: {{ResourceClaim bad: {rules}}}}}}}]\n"
    assert faults(folder, steps)[0][0] == 2


def test_manifests_hold_objects(tmp_path: Path) -> None:
    text = "expect: {complete: true}\n"
    ((line, field, message),) = faults(tmp_path, text)
    assert (line, field, message) == (1, "manifests", "no objects in .; nothing to simulate")
    ((line, _, message),) = faults(tmp_path, f"manifests: dractl-test.yaml\n{text}")
    assert (line, message) == (2, "no objects in dractl-test.yaml; nothing to simulate")
    node = "{apiVersion: v1, kind: Node, metadata: {name: a}}"
    (entry,) = tried(tmp_path, f"steps: [{{apply: {node}}}]\n{text}")
    assert entry.ok


def test_the_cases_of_a_run_share_its_search_steps(folder: Path) -> None:
    allowance = Allowance()
    (case,) = cases(folder, PLACED)
    assert try_case(case, case.gates[0], allowance).ok
    allowance.steps = 0
    found = try_case(case, case.gates[0], allowance)
    assert [failure.mismatch.note for failure in found.failures] == [
        "not tried: the run has used all its search steps"
    ]


def test_claims_without_a_pod_are_allocated_on_request(folder: Path) -> None:
    claim = (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: alone}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu}}]}}\n"
    )
    (folder / "cluster.yaml").write_text(CLUSTER.partition("---\napiVersion: v1\n")[0] + "---\n" + claim)
    allocated = "expect: {claims: {alone: {devices: {a: gpu.example.com/node-a/gpu-0}}}}\n"
    (off,) = tried(folder, allocated)
    (failure,) = off.failures
    assert failure.mismatch.note.startswith("no pod refers to the claim, so it is not allocated")
    (on,) = tried(folder, "allocateUnreferenced: true\n" + allocated)
    assert on.ok
    inherited = "allocateUnreferenced: true\ncases:\n- {name: one, " + allocated.strip() + "}\n"
    assert [case.ok for case in tried(folder, inherited)] == [True]
    overridden = inherited.replace("name: one", "name: one, allocateUnreferenced: false")
    assert [case.ok for case in tried(folder, overridden)] == [False]
