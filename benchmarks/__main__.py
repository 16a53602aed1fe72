"""All benchmarks: ``python -m benchmarks [--list] [--only NAME] [--runs N] [--write] [--check]``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType

from benchmarks.measuring import MeasureError
from benchmarks.page import Measured, checked, page, section
from benchmarks.peers import Peers
from benchmarks.settings import Settings
from benchmarks.table import BENCHMARKS, Benchmark
from dractl import __version__

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "performance.md"


def main(arguments: Sequence[str]) -> int:
    """Run the benchmarks; 1 if one failed or, with ``--check``, a ratio is above its bound."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.list:
        for benchmark in BENCHMARKS:
            print(f"{benchmark.name:10} {benchmark.what}")
        return 0
    if options.write and options.percent != 100:
        parser.error("--write needs full size")
    peers = Peers(options.peers, control_plane=options.control_plane, etcd=options.etcd)
    peers.versions["dractl"] = __version__
    measured = []
    for benchmark in BENCHMARKS:
        if not options.only or benchmark.name in options.only:
            with tempfile.TemporaryDirectory() as folder:
                settings = Settings(options.runs, options.percent, peers, Path(folder))
                measured.append(_measured(benchmark, settings))
            print(section(measured[-1]), flush=True)
    for name, reason in sorted(peers.skipped.items()):
        print(f"skipped {name}: {reason}")
    if options.write:
        PAGE.write_text(page(measured, peers.versions, peers.skipped, options.runs), encoding="utf-8")
        print(f"written: {PAGE.relative_to(ROOT)}")
    # The bounds are those of full size.
    wrong = checked(measured) if options.percent == 100 else []
    print("\n".join(wrong) if wrong else "no guarded ratio is above its bound")
    return 1 if any(each.failure for each in measured) or (options.check and wrong) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure dractl, and the programs that people use for the same.",
    )
    names = [benchmark.name for benchmark in BENCHMARKS]
    build = ROOT / "build"
    parser.add_argument("--list", action="store_true", help="list the benchmarks, and run none")
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help="run this one; repeatable"
    )
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="paired runs of each row (5)")
    parser.add_argument(
        "--percent", type=int, default=100, metavar="N", help="smaller files and clusters (100)"
    )
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 if a guarded ratio is above its bound"
    )
    parser.add_argument(
        "--peers",
        type=Path,
        default=build / "benchmarks",
        metavar="FOLDER",
        help="install other programs here",
    )
    parser.add_argument(
        "--control-plane", type=Path, default=build / "control-plane", metavar="FOLDER",
        help="programs that tools.control_plane built",
    )  # fmt: skip
    parser.add_argument("--etcd", default="etcd", metavar="PROGRAM", help="etcd for the control plane")
    return parser


def _measured(benchmark: Benchmark, settings: Settings) -> Measured:
    """Run one benchmark; what it cannot do is in ``failure``, and the others go on."""
    module = import_module(f"benchmarks.{benchmark.name}")
    rows = []
    try:
        if not hasattr(module, "rows"):
            return _printed(benchmark, module)
        for row in module.rows(settings):
            print(f"{benchmark.name}: {row.what}", file=sys.stderr, flush=True)
            rows.append(row)
    except MeasureError as error:
        return Measured(benchmark.name, benchmark.what, rows, failure=str(error))
    return Measured(benchmark.name, benchmark.what, rows)


def _printed(benchmark: Benchmark, module: ModuleType) -> Measured:
    """What the ``main`` of a module prints; an exit code other than 0 is a failure."""
    text, before = StringIO(), sys.argv
    sys.argv = [benchmark.name, *benchmark.arguments]
    try:
        with redirect_stdout(text):
            code = module.main()
    finally:
        sys.argv = before
    failure = f"exit code {code}" if code else ""
    return Measured(benchmark.name, benchmark.what, text=text.getvalue(), failure=failure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
