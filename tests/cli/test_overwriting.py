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
