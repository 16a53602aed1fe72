"""The benchmarks run, and everything in their clusters gets its devices; sizes are small here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.slow

FOLDER = ROOT / "benchmarks"


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=FOLDER.parent)


def test_clusters_of_the_shapes_of_scheduler_perf_are_filled() -> None:
    done = run("schedule.py", "--scale", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == 13
    assert all(line.endswith(" 0 without devices") for line in lines)


def test_whole_simulations_give_every_pod_its_device() -> None:
    done = run("simulate.py", "--nodes", "12", "--pods", "4", "--yaml")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split("  ")[-1].split(":")[0] for line in lines[:4]] == ["alike", "spread", "loaded", "full"]
    assert lines[4].endswith("for twice the nodes")
    assert lines[5].endswith("reading it from YAML")


def test_a_dump_is_read_and_simulated(tmp_path: Path) -> None:
    dump = tmp_path / "dump.yaml"
    done = run("dump.py", "--nodes", "2", "--keep", str(dump))
    assert done.returncode == 0, done.stdout + done.stderr
    # Eight devices on each of two nodes, half of them in use, do not do for forty pods that wait.
    assert "exit code 1" in done.stdout
    assert "managedFields:" in dump.read_text(encoding="utf-8")
