from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dractl.cli.cluster_options import SimulateOptions
from dractl.cli.server import UsageError
from dractl.cli.simulate import simulate
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"
QUICKSTART = str(EXAMPLES / "quickstart")
PENDING = str(EXAMPLES / "pending.yaml")
BROKEN = str(EXAMPLES / "broken.yaml")


@pytest.mark.parametrize(
    ("paths", "code"),
    [([QUICKSTART], 0), ([QUICKSTART, PENDING], 1), ([QUICKSTART, BROKEN], 1), ([QUICKSTART, "missing"], 2)],
)
def test_the_exit_code(paths: list[str], code: int) -> None:
    assert simulate(SimulateOptions(paths, quiet=True)) == code


def test_quiet_says_nothing_where_all_have_their_devices(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(SimulateOptions([QUICKSTART], quiet=True)) == 0
    assert capsys.readouterr() == ("", "")


def test_formats_for_programs_leave_the_rest_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(SimulateOptions([QUICKSTART, PENDING], report_format="json")) == 1
    written = capsys.readouterr()
    assert len(json.loads(written.out)["placements"]) == 4
    assert written.err.startswith("dractl: default/evaluate stays Pending: ")
    assert simulate(SimulateOptions([QUICKSTART, PENDING], report_format="yaml", quiet=True)) == 1
    assert capsys.readouterr().err == ""


def test_the_yaml_can_be_simulated_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, again = tmp_path / "saved.yaml", tmp_path / "again.yaml"
    assert simulate(SimulateOptions([QUICKSTART], report_format="yaml", output=str(saved))) == 0
    assert simulate(SimulateOptions([str(saved)], report_format="yaml", output=str(again))) == 0
    assert again.read_bytes() == saved.read_bytes()
    assert capsys.readouterr() == ("", "")


def test_a_node_that_is_not_there_cannot_be_preferred() -> None:
    with pytest.raises(UsageError, match="--node-order: unknown node: node-x, node-y"):
        simulate(SimulateOptions([QUICKSTART], node_order=["node-x,node-a", "node-y"]))


def test_only_a_workload_has_replicas() -> None:
    with pytest.raises(UsageError, match="--replicas: unknown workload train"):
        simulate(SimulateOptions([QUICKSTART], replicas=["train=2"]))


def test_the_state_is_saved_next_to_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, again = tmp_path / "saved.yaml", tmp_path / "again.yaml"
    assert simulate(SimulateOptions([QUICKSTART, PENDING], save_state=str(saved))) == 1
    first = capsys.readouterr().out
    assert simulate(SimulateOptions([str(saved)], save_state=str(again))) == 1
    assert capsys.readouterr().out == first
    assert again.read_bytes() == saved.read_bytes()


def test_the_state_does_not_overwrite_what_is_read_or_written(tmp_path: Path) -> None:
    state = tmp_path / "state.yaml"
    assert simulate(SimulateOptions([QUICKSTART], save_state=str(state), quiet=True)) == 0
    with pytest.raises(UsageError, match=r"--save-state: .* is also an input and would be overwritten"):
        simulate(SimulateOptions([str(state)], save_state=str(state)))
    for option in (str(state), "-", ""):
        with pytest.raises(UsageError, match="--save-state: must differ from --output"):
            simulate(SimulateOptions([QUICKSTART], save_state=option, output=str(state)))


def test_a_state_that_cannot_be_saved_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate(SimulateOptions([QUICKSTART], save_state=str(tmp_path / "no" / "folder.yaml"))) == 2
    assert "its folder does not exist" in capsys.readouterr().err


def test_neither_a_scenario_nor_what_its_steps_name_is_overwritten(tmp_path: Path) -> None:
    node, story = tmp_path / "node.yaml", tmp_path / "story.yaml"
    node.write_text("apiVersion: v1\nkind: Node\nmetadata: {name: node-z}\n", encoding="utf-8")
    story.write_text("schema: dractl.scenario/1\nsteps: [{apply: node.yaml}]\n", encoding="utf-8")
    before = node.read_bytes(), story.read_bytes()
    for file in (str(node), str(story)):
        with pytest.raises(UsageError, match=r"--output: .*would be overwritten"):
            simulate(SimulateOptions([QUICKSTART], scenario=[str(story)], output=file))
        with pytest.raises(UsageError, match=r"--save-state: .*would be overwritten"):
            simulate(SimulateOptions([QUICKSTART], scenario=[str(story)], save_state=file))
    assert (node.read_bytes(), story.read_bytes()) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "No resources found\n",
            "1:1: warning: the document is a single value, not an object, and is skipped",
        ),
        ("[]\n", "1:1: warning: the document is a list, not an object, and is skipped"),
        ("{}\n", "1:1: warning: the document has neither apiVersion nor kind and is skipped"),
        (
            "apiVersion: v1\nkind: List\nitems: [3]\n",
            "3:9: warning: the document is a single value, not an object, and is skipped",
        ),
        ("schema: dractl.scenario/1\nsteps: []\n", ""),
    ],
)
def test_what_is_no_object_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    file = tmp_path / "in.yaml"
    file.write_text(text, encoding="utf-8")
    assert simulate(SimulateOptions([str(file)])) == 0
    said = capsys.readouterr().err
    assert message in said
    assert bool(message) is bool(said)
    assert simulate(SimulateOptions([str(file)], quiet=True)) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scenario": "-"}, "--scenario: standard input can hold the objects or the scenario, not both"),
        ({"scenario": ["a", "b"]}, "--scenario: only one scenario can run at a time"),
        ({"node_order": ["node-b,node-a,,"]}, "--node-order: empty node name"),
        ({"node_order": [""]}, "--node-order: empty node name"),
        ({"node_order": ["node-b,node-a", "node-b"]}, "--node-order: duplicate node: node-b"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        simulate(SimulateOptions(["-"], **options))


def test_claims_without_a_pod_are_named_and_allocated_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = tmp_path / "claim.yaml"
    claim.write_text(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: alone}\n"
        "spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu, count: 99}}]}}\n"
    )
    paths = [QUICKSTART, str(claim)]
    assert simulate(SimulateOptions(paths)) == 0
    written = capsys.readouterr().out
    assert "info: 1 claim that no pod refers to stays unallocated: default/alone; allocate it with" in written
    assert simulate(SimulateOptions(paths, allocate_unreferenced=True)) == 1
    written = capsys.readouterr().out
    assert "Pending claim default/alone: error" in written
    assert "--allocate-unreferenced" not in written
    assert simulate(SimulateOptions(paths, report_format="json")) == 0
    (note,) = json.loads(capsys.readouterr().out)["notes"]
    assert (note["code"], note["severity"], note["claims"]) == (
        "unreferenced-claims", "info", ["default/alone"]
    )  # fmt: skip


def test_only_some_pods_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [QUICKSTART, PENDING]
    assert simulate(SimulateOptions(paths, pod=["train", "default/chat"])) == 0
    written = capsys.readouterr().out
    assert "default/search" not in written
    assert "2 pods with devices, 0 pending" in written
    assert simulate(SimulateOptions(paths, pod=["evaluate"], report_format="json")) == 1
    document = json.loads(capsys.readouterr().out)
    assert ([row["pod"] for row in document["pending"]], document["placements"]) == (["default/evaluate"], [])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pod": ["trian"]}, "--pod: unknown pod: default/trian; did you mean default/train?"),
        ({"pod": ["ml/train"]}, "--pod: unknown pod: ml/train"),
        ({"pod": [" "]}, "--pod: empty pod name"),
        ({"pod": ["train"], "scenario": ["s.yaml"]}, "--pod: scenarios report all pods"),
    ],
)
def test_a_pod_must_exist(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("?", "[?]")):
        simulate(SimulateOptions([QUICKSTART], **options))


def test_the_scheduler_s_own_words_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    paths = [QUICKSTART, PENDING]
    said = "scheduler: 0/2 nodes are available: 2 cannot allocate all claims."
    assert simulate(SimulateOptions(paths, native=True, kube_version="1.36")) == 1
    written = capsys.readouterr().out
    assert (
        f"{said} still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not" in written
    )
    assert simulate(SimulateOptions(paths, native=True, pod=["evaluate"], quiet=True)) == 1
    assert f"{said} preemption:" in capsys.readouterr().out
    assert simulate(SimulateOptions(paths)) == 1
    assert "scheduler:" not in capsys.readouterr().out
