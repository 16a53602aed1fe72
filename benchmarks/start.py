"""Start-up: what small commands cost, compared with a Python that does nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.measuring import OURS, Row, command, compared
from benchmarks.settings import Settings
from benchmarks.validate import CLAIM

EXAMPLE = "testdata/examples/quickstart"
LINES = (
    "--version",
    "--help",
    "validate CLAIM",
    f"simulate {EXAMPLE}",
    f"cel true {EXAMPLE}",
)


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each command line."""
    claim = settings.folder / "claim.yaml"
    claim.write_text(CLAIM.format(number=0), encoding="utf-8")
    python = Path(sys.executable)
    for line in LINES:
        arguments = [str(claim) if word == "CLAIM" else word for word in line.split()]
        sides = {
            OURS: partial(command, [python.parent / "dractl", *arguments]),
            "python": partial(command, [python, "-c", "pass"]),
        }
        yield compared(f"dractl {line.replace('CLAIM', 'claim.yaml')}", sides, 3 * settings.runs)
