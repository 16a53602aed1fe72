"""Measured rows as Markdown: the page docs/performance.md, and what a terminal shows."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.measuring import OURS, Figure, Row
from benchmarks.table import BENCHMARKS, GUARDS, Guard

__all__ = ["Measured", "checked", "page", "section"]

_HEAD = ("| measured | program | CPU | peak memory | dractl / program |", "|---|---|---|---|---|")


class Measured(NamedTuple):
    """What a benchmark found: its rows, or the text that its module prints; or why there is nothing."""

    name: str
    what: str
    rows: Sequence[Row] = ()
    text: str = ""
    failure: str = ""


def section(measured: Measured) -> str:
    """One benchmark in Markdown."""
    lines = [f"## {measured.name}", "", f"{measured.what[0].upper()}{measured.what[1:]}.", ""]
    if measured.rows:
        lines += [*_HEAD, *(line for row in measured.rows for line in _lines(row)), ""]
    if measured.text:
        lines += ["```text", measured.text.rstrip(), "```", ""]
    if measured.failure:
        lines += [f"Failed: {measured.failure}", ""]
    return "\n".join(lines)


def _lines(row: Row) -> Iterator[str]:
    what = row.what.replace("|", "\\|") + (f" ({row.remark})" if row.remark else "")
    for name, figure in row.figures.items():
        ratio = row.ratios.get(name)
        shown = "" if ratio is None else f"{'< ' if figure.is_cut else ''}{_ratio(ratio)}"
        memory = "" if figure.memory is None else f"{figure.memory:,.0f} MiB"
        program = f"**{name}**" if name == OURS else name
        yield f"| {what} | {program} | {_time(figure)} | {memory} | {shown} |"
        what = ""


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.4f}"


def _time(figure: Figure) -> str:
    """Three significant digits, in the unit that fits."""
    shown = "> " if figure.is_cut else ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if figure.cpu >= size:
            value = figure.cpu / size
            return f"{shown}{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {unit}"
    return f"{shown}{figure.cpu * 1e6:.{0 if figure.cpu >= 1e-5 else 1}f} µs"


def page(
    measured: Sequence[Measured], versions: Mapping[str, str], skipped: Mapping[str, str], runs: int
) -> str:
    """All of it, with the date, the state of the repository, the machine, and the versions."""
    lines = [
        "# Performance",
        "",
        "<!-- written by python -m benchmarks --write -->",
        "",
        f"Measured on {datetime.now(tz=UTC):%Y-%m-%d}, {_commit()}, on {os.cpu_count()} cores",
        f"({_processor()}) with Python {platform.python_version()}.",
        f"The load was {os.getloadavg()[0]:.1f} at the end: other processes slow all programs.",
        "",
        f"CPU is user and system time of whole processes, the median of {runs} or more rounds. Programs take",
        "turns, so that a busy machine slows all of them, and the last column is the median of the paired",
        "ratios: below 1 dractl needs less. Single searches and workloads are measured once.",
        "[Benchmarks](contributing/benchmarks.md) shows how to repeat it.",
        "",
        "| program | version |",
        "|---|---|",
        *(f"| {name} | {version} |" for name, version in sorted(versions.items())),
        *(f"| {name} | skipped: {reason} |" for name, reason in sorted(skipped.items())),
        "",
    ]
    if missing := [each.name for each in BENCHMARKS if each.name not in {one.name for one in measured}]:
        lines += [f"Not measured this time: {', '.join(missing)}.", ""]
    return "\n".join([*lines, *map(section, measured)]).rstrip() + "\n"


def _commit() -> str:
    folder = Path(__file__).parent
    shown = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=12"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"commit {shown.stdout.strip()}" if shown.returncode == 0 else "an unknown commit"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next(
        (line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine()
    )


def checked(measured: Sequence[Measured]) -> list[str]:
    """What is wrong: ratios above their bounds, and benchmarks that failed."""
    wrong = [f"{each.name}: {each.failure}" for each in measured if each.failure]
    for each in measured:
        for row in each.rows:
            wrong += [_exceeded(guard, row) for guard in GUARDS if _is_exceeded(guard, each.name, row)]
    return wrong


def _is_exceeded(guard: Guard, benchmark: str, row: Row) -> bool:
    ratio = row.ratios.get(guard.other)
    return (
        guard.benchmark == benchmark
        and row.what.startswith(guard.row)
        and ratio is not None
        and ratio > guard.most
    )


def _exceeded(guard: Guard, row: Row) -> str:
    ratio = row.ratios[guard.other]
    return f"{guard.benchmark}: {row.what}: {ratio:.3g} times {guard.other} (at most {guard.most:.3g})"
