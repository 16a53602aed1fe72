"""Every row and case that the project ships, as one test each."""

import os
import subprocess
import sys

import pytest

from tests.conformance.known import read_known
from tests.conformance.sources import Row, sources
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "conformance"
KNOWN = FOLDER / "known-differences.txt"


def _rows() -> list[Row]:
    return [row for source in sources(FOLDER) for row in source.rows]


@pytest.mark.parametrize("row", _rows(), ids=lambda row: row.id)
def test_row(row: Row) -> None:
    difference = row.check(row.data)
    if row.id in read_known(KNOWN):
        assert difference is not None, (
            "a row that is listed as a known difference passes; take it off the list"
        )
    else:
        assert difference is None, f"expected {difference.expected}, got {difference.got}"


def test_a_reader_that_has_seen_enough_ends_the_run_quietly() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    command = [sys.executable, "-m", "tests.conformance", str(FOLDER / "resourceclass")]
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run(
            command, stdout=closed, stderr=subprocess.PIPE, cwd=FOLDER.parent.parent, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"")
