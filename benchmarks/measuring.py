"""What a run costs, and how runs are compared: they take turns, so that a busy machine slows all of them."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["OURS", "Figure", "MeasureError", "Row", "command", "compared", "inside", "row_of", "timed"]

OURS = "dractl"
_LAUNCH = str(Path(__file__).with_name("launch.py"))
_ROOT = Path(__file__).parent.parent


class MeasureError(RuntimeError):
    """A command that did not do what is measured: another exit code, or another result."""


class Figure(NamedTuple):
    """CPU seconds of one run, and its peak memory in MiB if it was a process of its own.

    ``is_cut``: it was stopped after so many seconds, without a result.
    """

    cpu: float
    memory: float | None = None
    is_cut: bool = False


class Row(NamedTuple):
    """What was measured: the medians by program, and for each other program the median of the paired ratios.

    A ratio is the CPU time of the first program, which is dractl, divided by that of the other.
    """

    what: str
    figures: dict[str, Figure]
    ratios: dict[str, float]
    remark: str = ""


def compared(what: str, sides: Mapping[str, Callable[[], Figure]], runs: int, remark: str = "") -> Row:
    """Run all sides in turn, so many times after one that does not count if several do."""
    rounds = [{name: run() for name, run in sides.items()} for _ in range(runs + (runs > 1))]
    return row_of(what, rounds[runs > 1 :], remark)


def row_of(what: str, rounds: Sequence[Mapping[str, Figure]], remark: str = "") -> Row:
    """The row of rounds that were measured, each with the same programs, dractl's first."""
    first, *others = rounds[0]
    figures = {name: _median([each[name] for each in rounds]) for name in rounds[0]}
    ratios = {
        other: statistics.median(each[first].cpu / max(each[other].cpu, 1e-9) for each in rounds)
        for other in others
    }
    return Row(what, figures, ratios, remark)


def _median(figures: Sequence[Figure]) -> Figure:
    memory = [figure.memory for figure in figures if figure.memory is not None]
    return Figure(
        statistics.median(figure.cpu for figure in figures),
        statistics.median(memory) if memory else None,
        is_cut=any(figure.is_cut for figure in figures),
    )


def timed(run: Callable[[], object]) -> Figure:
    """What a call in this process costs."""
    start = time.process_time()
    run()
    return Figure(time.process_time() - start)


def command(arguments: Sequence[str | Path], *, codes: Sequence[int] = (0,)) -> Figure:
    """What one run of a command costs; raises MeasureError if its exit code is another."""
    return _run(arguments, codes)[0]


def inside(module: str, *arguments: str) -> Figure:
    """What ``module`` measures in a process of its own: it prints CPU seconds, and its memory is measured."""
    figure, written = _run([sys.executable, "-m", f"benchmarks.{module}", *arguments], (0,))
    return Figure(json.loads(written.splitlines()[-1]), figure.memory)


def _run(arguments: Sequence[str | Path], codes: Sequence[int]) -> tuple[Figure, str]:
    # Compiled modules and buffered output are what a user has.
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out"
        launch = [sys.executable, "-I", "-S", _LAUNCH, str(output), *map(str, arguments)]
        done = subprocess.run(launch, env=environment, cwd=_ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MeasureError(f"{arguments[0]}: {done.stderr.splitlines()[-1]}")
        used = json.loads(done.stdout)
        written = output.read_text(encoding="utf-8", errors="replace")
        if used["code"] not in codes:
            said = Path(f"{output}.err").read_text(encoding="utf-8", errors="replace") or written
            raise MeasureError(f"{Path(arguments[0]).name}: exit code {used['code']}: {said.strip()[-300:]}")
    return Figure(used["cpu"], used["memory"]), written
