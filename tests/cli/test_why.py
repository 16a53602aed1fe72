"""``dractl why``: what it answers, and with which exit code."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.cli.cluster.why import why
from dractl.cli.cluster_options import WhyOptions
from dractl.cli.server import UsageError
from tests.forking import run_dractl
from tests.paths import ROOT
from tests.situations import FOLDER

EXAMPLES = ROOT / "testdata" / "examples"
PATHS = (str(EXAMPLES / "quickstart"), str(EXAMPLES / "pending.yaml"))
SCHEMA = json.loads((ROOT / "schemas" / "documents" / "dractl.why.1.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("evaluate", 1),
        ("default/evaluate", 1),
        ("Pod/evaluate", 1),
        ("pod/default/evaluate", 1),
        ("claim/evaluate-gpus", 1),
        ("train", 0),
        ("claim/default/large-gpu", 0),
        ("trian", 2),
        ("pod/large-gpu", 2),
        ("other/train", 2),
        ("a/b/c/d", 2),
    ],
)
def test_the_exit_code_answers_by_name(name: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions(name, PATHS)) == code
    assert bool(capsys.readouterr().out) == (code != 2)


def test_an_unknown_name_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    why(WhyOptions("evaluat", PATHS))
    assert "did you mean default/evaluate?" in capsys.readouterr().err


def test_an_unknown_node_or_device_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions("train", PATHS, node="node-aa")) == 2
    assert "did you mean node-a?" in capsys.readouterr().err
    assert why(WhyOptions("evaluate", PATHS, device="gpu-11")) == 2
    assert "did you mean gpu-1?" in capsys.readouterr().err


def test_everything_that_is_pending_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions(PATHS[0], PATHS[1:], all_pending=True, quiet=True)) == 1
    assert capsys.readouterr().out.startswith("Pending default/evaluate: no-devices: 1 of 2 nodes: ")


def test_nothing_pending_is_fine(capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions(PATHS[0], all_pending=True)) == 0
    assert "nothing is Pending" in capsys.readouterr().err


def test_nothing_is_said_to_be_pending_where_a_path_cannot_be_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert why(WhyOptions("train", PATHS[:1], all_pending=True)) == 2
    assert capsys.readouterr().err == "dractl: train: No such file or directory\n"


@pytest.mark.parametrize("options", [{}, {"node": "node-a"}, {"device": "gpu-1"}])
@pytest.mark.parametrize("name", ["evaluate", "train", "claim/large-gpu", "claim/evaluate-gpus"])
def test_documents_follow_the_schema(
    name: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    why(WhyOptions(name, PATHS, report_format="json", **options))
    jsonschema.validate(json.loads(capsys.readouterr().out), SCHEMA)


def test_a_placed_pod_is_told_why_not_another_node(capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions("train", PATHS, node="node-b")) == 0
    assert "on node node-a, and not on node-b, where it does not fit:" in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        WhyOptions(),
        WhyOptions(all_pending=True),
        WhyOptions("train"),
        WhyOptions(PATHS[0], all_pending=True, node="node-a"),
        WhyOptions(PATHS[0], all_pending=True, device="gpu-0"),
    ],
)
def test_options_that_contradict_each_other_are_refused(options: WhyOptions) -> None:
    with pytest.raises(UsageError):
        why(options)


PROVEN = (
    "admin-access",
    "capacity",
    "class-missing",
    "counters-fragmented",
    "device-taint",
    "extended-resource",
    "gate-off",
    "match-attribute",
    "memory",
    "mixed",
    "node-name",
    "prioritized-list",
    "shared-claim",
    "two-requests",
)
"""Situations with every kind of way out."""


@pytest.mark.parametrize("name", PROVEN)
def test_each_file_of_prove_places_the_pod(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.yaml"
    more = shlex.split(path.read_text(encoding="utf-8").partition("\n")[0].partition(".yaml")[2])
    run = run_dractl(["why", "--all", str(path), *more, "--prove", "proofs", "--format", "json"], tmp_path)
    (told,) = json.loads(run.stdout)["pending"]
    files = sorted((tmp_path / "proofs").iterdir())
    assert len(files) == len(told["waysOut"]) > 0
    for file in files:
        command = file.read_text(encoding="utf-8").splitlines()[1].removeprefix("# dractl ")
        arguments = [str(file) if word == "THIS-FILE" else word for word in shlex.split(command)]
        simulated = json.loads(run_dractl([*arguments, "--format", "json"], tmp_path).stdout)
        assert simulated["pending"] == []
        assert simulated["leftOut"] == []


def test_prove_overwrites_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    assert why(WhyOptions("evaluate", PATHS, prove=str(folder), quiet=True)) == 1
    first = min(folder.iterdir())
    first.write_text("mine", encoding="utf-8")
    for other in sorted(folder.iterdir())[1:]:
        other.unlink()
    with pytest.raises(UsageError, match="exists; name another folder"):
        why(WhyOptions("evaluate", PATHS, prove=str(folder), quiet=True))
    assert [path.read_text(encoding="utf-8") for path in folder.iterdir()] == ["mine"]


def test_prove_needs_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="unset shell variable"):
        why(WhyOptions("evaluate", PATHS, prove=""))
    file = tmp_path / "file"
    file.touch()
    assert why(WhyOptions("evaluate", PATHS, prove=str(file / "below"))) == 2
    assert str(file) in capsys.readouterr().err


def test_nothing_to_prove_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert why(WhyOptions("train", PATHS, prove=str(tmp_path / "proofs"))) == 0
    assert "no way out to prove" in capsys.readouterr().err


def test_native_adds_the_event(capsys: pytest.CaptureFixture[str]) -> None:
    why(WhyOptions("evaluate", PATHS, native=True))
    assert "  scheduler: 0/2 nodes are available: " in capsys.readouterr().out
    why(WhyOptions("evaluate", PATHS, native=True, report_format="json"))
    document = json.loads(capsys.readouterr().out)
    assert document["event"].startswith("0/2 nodes are available: ")
    jsonschema.validate(document, SCHEMA)


def test_quiet_tries_no_changes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dractl.workflows.questions.with_remedies", None)
    assert why(WhyOptions("evaluate", PATHS, quiet=True)) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_the_long_form_names_the_fields_of_ways_out(capsys: pytest.CaptureFixture[str]) -> None:
    why(WhyOptions("evaluate", PATHS))
    assert ", spec.spec.devices.requests[0].exactly.count)" in capsys.readouterr().out


def test_a_pod_that_was_left_out_is_told_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pod.yaml"
    path.write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: default}\nspec: {containers: x}\n",
        encoding="utf-8",
    )
    assert why(WhyOptions("one", [str(path)])) == 2
    assert "left out: Pod default/one: " in capsys.readouterr().err
    assert why(WhyOptions("one", [str(path)], quiet=True)) == 2
    assert capsys.readouterr().err.startswith("dractl: Pod default/one was left out: ")


MORE = """
apiVersion: v1
kind: Node
metadata: {name: node-1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec:
  extendedResourceName: example.com/gpu
  selectors: [{cel: {expression: "has(device.capacity['d.example.com'].m)"}}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
spec: {selectors: [{cel: {expression: "!has(device.capacity['d.example.com'].m)"}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0, capacity: {m: {value: 1Gi}}}, {name: nic-0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: three, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 3}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: default}
spec: {spec: {devices: {requests: [
  {name: gpus, exactly: {deviceClassName: gpu, count: 2}}, {name: nic, exactly: {deviceClassName: nic}}]}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: train, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers: [{name: main, image: x, resources: {claims: [{name: g}]}}]
      resourceClaims: [{name: g, resourceClaimTemplateName: t}]
---
apiVersion: v1
kind: Pod
metadata: {name: extended, namespace: default}
spec:
  containers:
  - {name: main, image: x, resources: {requests: {example.com/gpu: "2"}, limits: {example.com/gpu: "2"}}}
"""


@pytest.mark.parametrize(
    ("arguments", "code", "expected", "unexpected"),
    [
        (
            {"name": "claim/one"},
            0,
            ["not allocated: no pod refers to it", "would get:", "d.example.com/node-1/gpu-0 for request r"],
            ["Pending"],
        ),
        (
            {"name": "claim/three"},
            1,
            ["Pending default/three", "no pod refers to it", "needs 3 devices", "lower count of request r"],
            ["three-pod"],
        ),
        (
            {"name": "deployment/default/train"},
            1,
            [
                "Pending default/train-0: no-devices",
                "Pending default/train-1: no-devices, as default/train-0",
            ],
            [],
        ),
        ({"name": "deploy/train", "node": "node-1"}, 2, ["--node requires the name of a pod"], []),
        ({"name": "job/train"}, 2, ["no Job named train"], []),
        (
            {"name": "train-0", "device": "nic-0"},
            1,
            ["node-1/nic-0 on node node-1, request nic: would do alone"],
            ["request gpus: falls out"],
        ),
        (
            {"name": "extended"},
            1,
            ["request example.com/gpu of container main needs 2 devices"],
            ["container-0-request-0"],
        ),
    ],
)
def test_other_subjects(
    arguments: dict[str, Any],
    code: int,
    expected: list[str],
    unexpected: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "cluster.yaml"
    path.write_text(MORE, encoding="utf-8")
    assert why(WhyOptions(paths=[str(path)], **arguments)) == code
    printed = capsys.readouterr()
    text = printed.out + printed.err
    assert [part for part in expected if part not in text] == []
    assert [part for part in unexpected if part in text] == []
    if code != 2:
        why(WhyOptions(paths=[str(path)], report_format="json", **arguments))
        document = json.loads(capsys.readouterr().out)
        for entry in document.get("pending", [document]):
            jsonschema.validate(entry, SCHEMA)
