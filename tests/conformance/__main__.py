"""``python -m tests.conformance PATH…``: prints what differs, then one line for each file.

Rows are checked by as many processes as there are processors; what is printed has the order of the rows.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import NamedTuple

from tests.conformance.difference import OTHER, Difference
from tests.conformance.known import read_known, write_known
from tests.conformance.sources import Row, Source, UnknownFormatError, sources

PART = 20
"""Rows that a process checks at a time: few, as some take a hundred times as long as others."""


class Outcome(NamedTuple):
    """Why a row differs, with both sides as JSON."""

    cause: str
    expected: str
    got: str


_rows: list[Row] = []
"""All rows of the run; processes that check them inherit the list."""


def main(arguments: list[str] | None = None) -> int:
    """Run the rows below the paths; 1 if one differs and is not known, or is known and passes."""
    options = _options(arguments)
    known = read_known(options.known) if options.known and options.known.is_file() else frozenset()
    try:
        found = [source for path in options.paths for source in sources(path)]
    except UnknownFormatError as error:
        print(error, file=sys.stderr)
        return 2
    state = _State(known, options.show)
    outcomes = _outcomes([row for source in found for row in source.rows], options.jobs)
    lines = [state.run(source, outcomes) for source in found]
    print(*lines, sep="\n")
    if options.record_known:
        write_known(options.record_known, state.causes)
        return 0
    for text in state.complaints():
        print(text)
    return 1 if state.surprises or state.mended else 0


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file of rows, or a folder")
    parser.add_argument("--show", type=int, default=10, help="how many differing rows to print (10)")
    parser.add_argument("--known", type=Path, help="a file with the ids of known differences")
    parser.add_argument("--record-known", type=Path, metavar="FILE", help="write the ids that differ now")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one a processor)")
    return parser.parse_args(arguments)


def _outcomes(rows: list[Row], jobs: int) -> Iterator[Outcome | None]:
    """What came of each row, in their order; None for one that passed."""
    if jobs == 1 or len(rows) <= PART or "fork" not in get_all_start_methods():
        yield from map(_checked, rows)
        return
    _rows[:] = rows
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        for part in pool.map(_checked_part, range(0, len(rows), PART)):
            yield from part


def _checked_part(start: int) -> list[Outcome | None]:
    return [_checked(row) for row in _rows[start : start + PART]]


class _State:
    """What was seen so far, over all files."""

    def __init__(self, known: frozenset[str], show: int) -> None:
        self.known = known
        self.show = show
        self.causes: dict[str, str] = {}
        self.surprises: list[str] = []
        self.mended: list[str] = []

    def run(self, source: Source, outcomes: Iterator[Outcome | None]) -> str:
        passed = failed = 0
        for row in source.rows:
            outcome = next(outcomes)
            if outcome is None:
                passed += 1
                if row.id in self.known:
                    self.mended.append(row.id)
                continue
            failed += 1
            self.causes[row.id] = outcome.cause
            if row.id not in self.known:
                self._surprise(row, outcome)
        return f"{source.name}: {passed} passed, {failed} failed"

    def _surprise(self, row: Row, outcome: Outcome) -> None:
        self.surprises.append(row.id)
        if len(self.surprises) <= self.show:
            print(f"{row.id} ({outcome.cause})\n  expected {outcome.expected}\n  got      {outcome.got}")

    def complaints(self) -> list[str]:
        found = []
        if self.surprises:
            hidden = max(0, len(self.surprises) - self.show)
            more = f" ({hidden} of them not shown)" if hidden else ""
            found.append(f"{len(self.surprises)} rows differ and are not known to{more}")
        if self.mended:
            found.append(
                f"{len(self.mended)} rows are listed as known differences and pass: {self.mended[:20]}"
            )
        return found


def _checked(row: Row) -> Outcome | None:
    try:
        difference = row.check(row.data)
    except Exception as error:  # a crash is a difference like any other, and must not hide the next row
        difference = Difference("an answer", f"{type(error).__name__}: {error}", OTHER)
    if difference is None:
        return None
    expected, got = (json.dumps(side, default=str) for side in (difference.expected, difference.got))
    return Outcome(difference.cause, expected, got)


def _run() -> int:
    """Run, and end quietly where whoever reads the output has seen enough, as ``head`` has."""
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be written at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(_run())
