"""Every row and case that the project ships."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import __main__ as runner
from tests.conformance.known import read_known
from tests.conformance.sources import Row, sources
from tests.paths import ROOT

FOLDER = ROOT / "testdata" / "conformance"
KNOWN = FOLDER / "known-differences.txt"


PART = 100
"""How many rows of a file one test runs: a test of its own for each would cost more than the row."""


_LONG = frozenset(
    {
        "allocate-1.34.jsonl",
        "allocate-1.38.jsonl",
        "allocate-patches.jsonl",
        *(f"scenario-random-1.{minor}.jsonl" for minor in (33, 34, 35, 36)),
        *(f"validate-1.{minor}.jsonl" for minor in range(31, 37)),
    }
)
"""Files whose first rows take a second, and are much like those of another minor."""


def _parts() -> Iterator[Any]:
    """Where the rows stand; they are read when their test runs."""
    for folder in sorted({path.parent for path in FOLDER.rglob("*.yaml")}):
        yield from _parts_of(folder, len(list(folder.glob("*.yaml"))))
    for file in sorted(FOLDER.rglob("*.jsonl")):
        yield from _parts_of(file, len(file.read_bytes().splitlines()))


def _parts_of(path: Path, rows: int) -> Iterator[Any]:
    for start in range(0, rows, PART):
        # The runner, python -m tests.conformance, checks all rows in every CI run.
        marks = [pytest.mark.slow] if start or path.name in _LONG else []
        yield pytest.param(path, start, id=f"{path.name}-{start}", marks=marks)


@cache
def _read(path: Path) -> list[Row]:
    return next(sources(path)).rows


@pytest.mark.parametrize(("path", "start"), list(_parts()))
def test_rows(path: Path, start: int) -> None:
    known = read_known(KNOWN)
    rows = _read(path)[start : start + PART]
    found = {row.id: row.check(row.data) for row in rows}
    surprises = {name: told for name, told in found.items() if told is not None and name not in known}
    assert surprises == {}
    mended = [name for name, told in found.items() if told is None and name in known]
    assert mended == [], "these pass; take them off the list of known differences"


def test_no_row_is_left_out() -> None:
    parts = {(path, start) for path, start in (each.values for each in _parts())}
    rows = [(Path(source.name), len(source.rows)) for source in sources(FOLDER)]
    assert parts == {(path, start) for path, number in rows for start in range(0, number, PART)}


def test_several_processes_print_what_one_prints(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "resourceclass")
    written = []
    for jobs in ("1", "2"):
        # Without the list of known differences some rows are printed.
        code = runner.main([path, str(FOLDER / "scenario-1.37.jsonl"), "--jobs", jobs])
        written.append((code, capsys.readouterr().out))
    assert written[0] == written[1]
    assert written[0][1].count(" passed, ") == 2


def test_a_reader_that_has_seen_enough_ends_the_run_quietly() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    command = [sys.executable, "-m", "tests.conformance", str(FOLDER / "resourceclass")]
    with os.fdopen(theirs, "wb") as closed:
        done = subprocess.run(
            command, stdout=closed, stderr=subprocess.PIPE, cwd=FOLDER.parent.parent, check=False
        )
    assert (done.returncode, done.stderr) == (1, b"")
