"""No report goes into a file that the run reads, whichever option names either."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.forking import as_text, run_dractl
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"


@pytest.mark.parametrize(
    "line",
    [
        "diff broken.yaml pending.yaml --format json=broken.yaml",
        "diff broken.yaml pending.yaml --format text=pending.yaml",
        "diff broken.yaml pending.yaml --output pending.yaml",
        "diff broken.yaml broken.yaml --with pending.yaml --format markdown=pending.yaml --output out.txt",
        "driver check quickstart --old pending.yaml --format json=pending.yaml",
        "validate pending.yaml --old broken.yaml --format json=broken.yaml",
        "validate pending.yaml --old broken.yaml --output broken.yaml",
    ],
)
def test_no_input_is_overwritten(tmp_path: Path, line: str) -> None:
    for name in ("broken.yaml", "pending.yaml"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    shutil.copytree(EXAMPLES / "quickstart", tmp_path / "quickstart")
    done = as_text(run_dractl(line.split(), tmp_path))
    assert (done.returncode, "would be overwritten" in done.stderr) == (2, True)
    for name in ("broken.yaml", "pending.yaml"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


@pytest.mark.parametrize(
    "option",
    [
        "--output=dractl.toml",
        "--output=./base/../dractl.toml",
        "--format=json=dractl.toml",
        "--baseline=dractl.toml",
    ],
)
def test_the_configuration_is_not_overwritten(tmp_path: Path, option: str) -> None:
    shutil.copy(EXAMPLES / "broken.yaml", tmp_path)
    (tmp_path / "base").mkdir()
    config = tmp_path / "dractl.toml"
    config.write_text('kube-version = "1.36"\n', encoding="utf-8")
    done = as_text(run_dractl(["validate", "broken.yaml", option], tmp_path))
    assert (done.returncode, "would be overwritten" in done.stderr) == (2, True)
    assert config.read_text(encoding="utf-8") == 'kube-version = "1.36"\n'


@pytest.mark.parametrize("option", ["--output=base.json", "--format=json=./base.json"])
@pytest.mark.parametrize("write", [[], ["--write-baseline"]])
def test_no_report_replaces_the_baseline(tmp_path: Path, option: str, write: list[str]) -> None:
    shutil.copy(EXAMPLES / "broken.yaml", tmp_path)
    known = ["validate", "broken.yaml", "--baseline", "base.json"]
    if not write:
        assert run_dractl([*known, "--write-baseline"], tmp_path).returncode == 0
    before = sorted(file.name for file in tmp_path.iterdir())
    done = as_text(run_dractl([*known, *write, option], tmp_path))
    assert (done.returncode, "is also the baseline" in done.stderr) == (2, True)
    assert sorted(file.name for file in tmp_path.iterdir()) == before


def test_a_baseline_never_replaces_something_else(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "broken.yaml", tmp_path)
    notes = tmp_path / "notes.txt"
    notes.write_text("do not lose this\n", encoding="utf-8")
    line = ["validate", "broken.yaml", "--write-baseline", "--baseline"]
    done = as_text(run_dractl([*line, "notes.txt"], tmp_path))
    assert done.returncode == 2
    assert done.stderr.endswith("; delete it, or name another file\n")
    assert notes.read_text(encoding="utf-8") == "do not lose this\n"
    notes.write_bytes(b"")
    for name in ("notes.txt", "notes.txt", "new.json"):
        assert run_dractl([*line, name], tmp_path).returncode == 0


def test_a_test_that_cannot_be_read_leaves_the_last_report(tmp_path: Path) -> None:
    report = tmp_path / "report.txt"
    report.write_text("the last one\n", encoding="utf-8")
    done = as_text(run_dractl(["test", "gone", "--output", "report.txt"], tmp_path))
    assert (done.returncode, done.stderr) == (2, "dractl: gone: No such file or directory\n")
    assert report.read_text(encoding="utf-8") == "the last one\n"
