"""The benchmarks run, and everything in their clusters gets its devices; sizes are small here."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from benchmarks import __main__ as command_line
from benchmarks.measuring import OURS, Figure, MeasureError, Row, command, compared, row_of
from benchmarks.page import Measured, checked, page, section
from benchmarks.peers import Peers
from benchmarks.settings import Settings
from benchmarks.table import BENCHMARKS, GUARDS, Benchmark
from tests.paths import ROOT

FAST = {"start", "load", "dump", "simulate", "schedule"}


def test_each_benchmark_has_a_module_and_each_module_a_benchmark() -> None:
    modules = {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
    parts = {"__init__", "__main__", "fleets", "launch", "measuring", "page", "peers", "settings", "table"}
    assert modules - parts == {benchmark.name for benchmark in BENCHMARKS}
    assert {guard.benchmark for guard in GUARDS} <= modules


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [b.name for b in BENCHMARKS]


def test_a_page_is_of_full_size() -> None:
    with pytest.raises(SystemExit):
        command_line.main(["--write", "--percent", "1"])


def test_programs_take_turns_and_ratios_are_paired() -> None:
    order: list[str] = []

    def run(name: str, seconds: float) -> Figure:
        order.append(name)
        return Figure(seconds * len(order))

    row = compared("x", {OURS: partial(run, "a", 1.0), "b": partial(run, "b", 2.0)}, 2)
    assert order == ["a", "b"] * 3  # the first round does not count
    assert row.figures == {OURS: Figure(4.0), "b": Figure(10.0)}
    assert row.ratios == {"b": pytest.approx((3 / 8 + 5 / 12) / 2)}


def test_a_command_is_measured_in_a_process_of_its_own() -> None:
    small = command([sys.executable, "-I", "-S", "-c", "pass"])
    large = command([sys.executable, "-I", "-S", "-c", "x = b'x' * 100_000_000"])
    assert small.memory is not None
    assert large.memory is not None
    assert small.memory < 50
    assert large.memory > 95
    assert 0 < small.cpu < 60
    with pytest.raises(MeasureError, match="exit code 3: no"):
        command([sys.executable, "-c", "import sys; print('no', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(MeasureError, match="no-such-command"):
        command(["no-such-command"])


def test_a_ratio_above_its_bound_is_named() -> None:
    guard = GUARDS[0]
    row = row_of(guard.row, [{OURS: Figure(guard.most + 1), guard.other: Figure(1.0)}])
    measured = Measured(guard.benchmark, "what", [row])
    assert len(checked([measured])) == 1
    assert checked([measured._replace(name="other")]) == []
    assert checked([measured._replace(failure="broken")])[0] == f"{guard.benchmark}: broken"


def test_the_page_has_figures_versions_and_what_is_missing() -> None:
    figures = {OURS: Figure(0.0123, 40.0), "other": Figure(60.0, is_cut=True), "third": Figure(2e-6)}
    measured = [Measured("a", "what", [Row("a | b", figures, {"other": 0.0002, "third": 2.0}, "once")])]
    text = page(measured, {"dractl": "1"}, {"kubeconform": "Go is not installed"}, 5)
    assert "| kubeconform | skipped: Go is not installed |" in text
    assert r"| a \| b (once) | **dractl** | 12.3 ms | 40 MiB |  |" in text
    assert "|  | other | > 60.0 s |  | < 0.0002 |" in text
    assert "|  | third | 2.0 µs |  | 2.00 |" in text
    assert "Not measured this time: start, validate, load" in text
    assert re.search(r"Measured on \d{4}-\d\d-\d\d, .*commit", text)
    assert section(Measured("a", "what", failure="exit code 1")).endswith("Failed: exit code 1\n")


def test_a_module_that_only_prints_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "printing.py").write_text("def main():\n    print('text')\n    return 1\n", encoding="utf-8")
    monkeypatch.setattr("benchmarks.__path__", [str(tmp_path)])
    settings = Settings(1, 1, Peers(tmp_path, control_plane=tmp_path, etcd="no-such-etcd"), tmp_path)
    found = command_line._measured(Benchmark("printing", "what"), settings)
    assert (found.text, found.failure) == ("text\n", "exit code 1")


def test_what_is_missing_is_skipped_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DRACTL_ORACLE", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    peers = Peers(tmp_path, control_plane=tmp_path, etcd="no-such-etcd")
    assert (peers.from_go("kubeconform"), peers.go_code(), peers.control_plane()) == (None, None, None)
    assert set(peers.skipped) == {"kubeconform", "Kubernetes' Go code", "kube-scheduler"}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FAST))
def test_a_benchmark_runs(name: str) -> None:
    line = [sys.executable, "-m", "benchmarks", "--only", name, "--percent", "2", "--runs", "1"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| **dractl** |" in done.stdout
