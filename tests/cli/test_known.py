"""What a user knows already: a baseline, a world, names of objects elsewhere, the name of standard input."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dractl.cli.cluster_options import SimulateOptions
from dractl.cli.options import ValidateOptions
from dractl.cli.reference import list_gates
from dractl.cli.reference_options import GatesOptions
from dractl.cli.server import UsageError
from dractl.cli.simulate import simulate
from dractl.cli.validate import validate
from tests.paths import ROOT

QUICKSTART = ROOT / "testdata" / "examples" / "quickstart"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: a}
spec:
  devices:
    requests:
    - {name: Gpu, exactly: {deviceClassName: gpu.nvidia.com}}
"""
CLASS = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: %s}\nspec: {}\n"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: a}
spec:
  nodeName: ""
  containers: [{name: c, image: i, resources: {claims: [{name: c}]}}]
  resourceClaims: [{name: c, resourceClaimName: other}]
"""


@pytest.fixture
def claim(tmp_path: Path) -> str:
    file = tmp_path / "claim.yaml"
    file.write_text(CLAIM, encoding="utf-8")
    return str(file)


def _use_stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


def test_a_baseline_is_written_and_then_known(
    claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "base.json")
    assert validate(ValidateOptions([claim], baseline=file, write_baseline=True)) == 0
    assert capsys.readouterr() == ("", f"dractl: {file}: 1 entry written\n")
    assert validate(ValidateOptions([claim], baseline=file, strict=True)) == 0
    assert "; 1 in the baseline\n" in capsys.readouterr().out
    assert validate(ValidateOptions([claim], baseline=file, kube_version="1.34..1.36")) == 0
    assert "; 1 in the baseline\n" in capsys.readouterr().out
    (tmp_path / "claim.yaml").write_text(CLAIM.replace("Gpu", "gpu"), encoding="utf-8")
    assert validate(ValidateOptions([claim], baseline=file)) == 0
    assert validate(ValidateOptions([claim], baseline=file, strict=True)) == 1
    assert "[baseline/stale]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"write_baseline": True}, "--write-baseline: requires --baseline FILE"),
        ({"baseline": "gone/base.json"}, "--baseline: gone/base.json: No such file or directory"),
        ({"external": ["gpu"]}, "--external: expected KIND/NAME or KIND/NAMESPACE/NAME, got 'gpu'"),
        ({"external": ["DeviceClas/a"]}, "--external: .*did you mean DeviceClass"),
        ({"world": ["gone"]}, "--world: gone: No such file or directory"),
        ({"world": [""]}, "--world: expected a path"),
        ({"per_file_ignores": ["x"]}, "--per-file-ignores: expected GLOB:ID"),
        ({"per_file_ignores": ["*.yaml:request/nam"]}, "--per-file-ignores: unknown rule request/nam"),
        ({"stdin_filename": "x"}, "--stdin-filename: requires - among the paths"),
    ],
)
def test_what_makes_no_sense_is_rejected(claim: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        validate(ValidateOptions([claim], **options))


def test_a_baseline_never_replaces_an_input(claim: str) -> None:
    with pytest.raises(UsageError, match=r"--baseline: .* is also an input"):
        validate(ValidateOptions([claim], baseline=claim, write_baseline=True))


def test_a_comment_silences_in_each_minor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "claim.yaml"
    ignored = "    - name: Gpu  # dractl: ignore[request/name] an old name\n      exactly:"
    file.write_text(CLAIM.replace("    - {name: Gpu, exactly:", ignored).replace("}}\n", "}\n"), "utf-8")
    assert validate(ValidateOptions([str(file)])) == 0
    assert "; 1 suppressed by comments\n" in capsys.readouterr().out
    assert validate(ValidateOptions([str(file)], kube_version="1.34..1.36", report_format=["json"])) == 0
    summaries = json.loads(capsys.readouterr().out)["summaries"]
    assert [summary["suppressed"] for summary in summaries.values()] == [1, 1, 1]


def test_the_world_is_checked_against_and_not_reported(
    claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    world = tmp_path / "world"
    world.mkdir()
    (world / "classes.yaml").write_text(CLASS % "BAD" + "---\n" + CLASS % "gpu.nvidia.com", "utf-8")
    own = tmp_path / "class.yaml"
    own.write_text(CLASS % "other", encoding="utf-8")
    options: dict[str, Any] = {"ignore": ["request/name"], "strict": True, "closed_world": True}
    assert validate(ValidateOptions([claim, str(own)], **options)) == 1
    assert "[across/class-missing]" in capsys.readouterr().out
    assert validate(ValidateOptions([claim, str(own)], world=[str(world)], **options)) == 0
    assert "in 2 objects of 2 files" in capsys.readouterr().out
    # An object of the input replaces that of the world, so nothing is there twice.
    (world / "other.yaml").write_text(CLASS % "other", encoding="utf-8")
    assert validate(ValidateOptions([claim, str(own)], world=[str(world)], **options)) == 0
    over = ValidateOptions([claim], world=[str(world)], kube_version="1.35..1.36", **options)
    assert validate(over) == 0


@pytest.mark.parametrize(
    ("external", "code"),
    [("DeviceClass/*.nvidia.com,ResourceClaim/a/*", 0), ("ResourceClaim/b/other", 1), ("DeviceClass/x", 1)],
)
def test_objects_elsewhere_are_not_missing(claim: str, tmp_path: Path, external: str, code: int) -> None:
    (tmp_path / "class.yaml").write_text(CLASS % "other" + "---\n" + POD, encoding="utf-8")
    options: dict[str, Any] = {"ignore": ["request/name"], "strict": True, "closed_world": True}
    paths = [claim, str(tmp_path / "class.yaml")]
    assert validate(ValidateOptions(paths, external=[external], **options)) == code


def test_a_simulation_uses_the_devices_of_the_world(capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(path.name for path in QUICKSTART.iterdir())
    pods = [name for name in names if "pod" in name or "claim" in name or "train" in name]
    assert pods, names
    own = [str(QUICKSTART / name) for name in pods]
    assert simulate(SimulateOptions(own, quiet=True)) == 1
    capsys.readouterr()
    assert simulate(SimulateOptions(own, world=[str(QUICKSTART)], quiet=True)) == 0
    assert capsys.readouterr() == ("", "")


def test_standard_input_has_the_name_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _use_stdin(monkeypatch, CLAIM)
    options: dict[str, Any] = {
        "stdin_filename": "apps/gpu.yaml",
        "per_file_ignores": ["apps/*:request/count-all"],
    }
    assert validate(ValidateOptions(["-"], **options)) == 1
    assert capsys.readouterr().out.startswith("apps/gpu.yaml:7:8: error: spec.devices.requests[0].name: ")
    _use_stdin(monkeypatch, CLAIM)
    assert (
        validate(ValidateOptions(["-"], stdin_filename="a/b.yaml", per_file_ignores=["a/*:request/*"])) == 0
    )


HELM = "---\n# Source: gpu/templates/claim.yaml\n" + CLAIM
KUSTOMIZE = CLAIM.replace(
    "namespace: a}", 'namespace: a, annotations: {config.kubernetes.io/origin: "path: base/gpu.yaml\\n"}}'
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (HELM, "gpu/templates/claim.yaml"),
        (KUSTOMIZE, "base/gpu.yaml"),
        ("---\n# Source: gpu/templates/x.yaml\na: [\n", "gpu/templates/x.yaml"),
        (HELM.replace("gpu/t", "\x1b[31m::error::"), "␛[31m"),
    ],
)
def test_a_finding_names_the_template(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, source: str
) -> None:
    if "\x1b" in text:
        text = text.replace("\x1b", "\N{ESCAPE}")
        source = "error"
    _use_stdin(monkeypatch, text)
    assert validate(ValidateOptions(["-"])) == 1
    out = capsys.readouterr().out
    assert source in out.splitlines()[0]
    assert "\x1b" not in out
    _use_stdin(monkeypatch, text)
    if source != "error":
        assert validate(ValidateOptions(["-"], report_format=["json"])) == 1
        assert json.loads(capsys.readouterr().out)["findings"][0]["renderedFrom"] == source


def test_other_commands_write_several_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gates.json"
    assert list_gates(GatesOptions(report_format=["text", f"json={file}"])) == 0
    assert json.loads(file.read_text(encoding="utf-8"))["schema"] == "dractl.gates/1"
    assert "DynamicResourceAllocation" in capsys.readouterr().out
    state = tmp_path / "state.yaml"
    wanted = [f"yaml={state}", f"json={tmp_path / 'state.json'}"]
    assert simulate(SimulateOptions([str(QUICKSTART)], report_format=wanted)) == 0
    assert capsys.readouterr().out.startswith("POD")
    assert "kind: ResourceClaim" in state.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="--save-state: must differ"):
        simulate(SimulateOptions([str(QUICKSTART)], report_format=wanted, save_state=str(state)))
