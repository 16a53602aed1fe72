"""``--jobs``: how many processes validate."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forking import run_dractl
from tests.paths import ROOT


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "1.5", "٣", ""])
def test_the_number_of_jobs_is_checked(tmp_path: Path, jobs: str) -> None:
    done = run_dractl(["validate", "--jobs", jobs, "."], tmp_path)
    assert (done.returncode, b"--jobs: must be auto or a number of processes" in done.stderr) == (2, True)


def test_the_command_has_the_same_output_with_two_jobs() -> None:
    folder = ROOT / "testdata" / "cases"
    runs = [run_dractl(["validate", "--jobs", jobs, "."], folder) for jobs in ("1", "2")]
    assert (runs[0].stdout, runs[0].stderr) == (runs[1].stdout, runs[1].stderr)
    assert runs[0].returncode == 1
