"""``dractl why``: what it answers, and with which exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dractl.cli.cluster.why import why
from dractl.cli.options import WhyOptions
from dractl.cli.server import UsageError
from tests.paths import ROOT

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
