"""The command line of the fuzzer: ``python -m tests.fuzz --minutes N [--seed S] [--keep FOLDER]``."""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
from pathlib import Path

from tests.fuzz.campaign import Campaign
from tests.fuzz.case import Case, read_folder
from tests.fuzz.commands import Maker
from tests.fuzz.corpus import corpus
from tests.fuzz.keeping import Keeper
from tests.fuzz.workers import Pool, Worker


def main(arguments: list[str]) -> int:
    """Run a campaign, or one case, and answer the exit code: 1 if there are faults."""
    options = _parser().parse_args(arguments)
    if options.replay is not None:
        return _replay(options.replay)
    seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    maker = Maker(seed, corpus())
    if options.show is not None:
        _show(maker.case(options.show))
        return 0
    folder = Path(options.keep or tempfile.mkdtemp(prefix="dractl-faults-"))
    print(f"seed {seed}; faults are kept in {folder}", flush=True)
    keeper = Keeper(folder)
    helper, pool = Worker(), Pool(maker, options.jobs)
    try:
        campaign = Campaign(keeper, helper, lambda line: print(line, flush=True))
        totals = campaign.run(pool.verdicts(), options.minutes * 60)
    finally:
        pool.close()
        helper.close()
    print("\n".join(totals.lines(len(keeper))))
    return int(len(keeper) > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description="Run dractl on hostile inputs and report what goes wrong."
    )
    parser.add_argument("--minutes", type=float, default=1.0, help="CPU minutes of the workers (1)")
    parser.add_argument("--seed", type=int, help="the same cases as another run with this seed")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes (1)")
    parser.add_argument("--keep", metavar="FOLDER", help="where the cases of faults are kept")
    parser.add_argument("--replay", metavar="FOLDER", help="run one kept case and print its faults")
    parser.add_argument("--show", metavar="NUMBER", type=int, help="print the case with this number")
    return parser


def _replay(folder: str) -> int:
    worker = Worker()
    try:
        verdict = worker.run(read_folder(Path(folder)).case)
    finally:
        worker.close()
    for fault in verdict.faults:
        print(f"{fault.kind}: {fault.where}\n{fault.text}")
    print(f"{verdict.cpu:.2f} s CPU, {verdict.memory >> 20} MiB, {len(verdict.faults)} faults")
    return int(bool(verdict.faults))


def _show(case: Case) -> None:
    print(ascii(case.line))
    for name, content in case.files.items():
        print(f"--- {name!a}: {len(content)} bytes{' (standard input)' if name == case.stdin else ''}")
        print(ascii(content[:2000].decode("utf-8", "replace")).replace("\\n", "\n"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
