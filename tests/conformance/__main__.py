"""``python -m tests.conformance PATH…``: prints what differs, then one line for each file."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from tests.conformance.difference import OTHER, Difference
from tests.conformance.known import read_known, write_known
from tests.conformance.sources import Row, Source, UnknownFormatError, sources


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
    lines = [state.run(source) for source in found]
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
    return parser.parse_args(arguments)


class _State:
    """What was seen so far, over all files."""

    def __init__(self, known: frozenset[str], show: int) -> None:
        self.known = known
        self.show = show
        self.causes: dict[str, str] = {}
        self.surprises: list[str] = []
        self.mended: list[str] = []

    def run(self, source: Source) -> str:
        passed = failed = 0
        for row in source.rows:
            difference = _checked(row)
            if difference is None:
                passed += 1
                if row.id in self.known:
                    self.mended.append(row.id)
                continue
            failed += 1
            self.causes[row.id] = difference.cause
            if row.id not in self.known:
                self._surprise(row, difference)
        return f"{source.name}: {passed} passed, {failed} failed"

    def _surprise(self, row: Row, difference: Difference) -> None:
        self.surprises.append(row.id)
        if len(self.surprises) <= self.show:
            expected = json.dumps(difference.expected, default=str)
            got = json.dumps(difference.got, default=str)
            print(f"{row.id} ({difference.cause})\n  expected {expected}\n  got      {got}")

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


def _checked(row: Row) -> Difference | None:
    try:
        return row.check(row.data)
    except Exception as error:  # a crash is a difference like any other, and must not hide the next row
        return Difference("an answer", f"{type(error).__name__}: {error}", OTHER)


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
