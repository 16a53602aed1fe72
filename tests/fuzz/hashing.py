"""Runs cases in fresh interpreters under several hash seeds, and compares what they write."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.case import Case
from tests.fuzz.faults import Fault
from tests.fuzz.running import Outcome, Runner
from tests.fuzz.sandbox import PACKAGE

__all__ = ["HASH_SEEDS", "differing"]

HASH_SEEDS = (1, 2, 3)
_SECONDS = 300


def differing(cases: Sequence[Case]) -> list[Fault | None]:
    """For each case the fault that its output depends on the hash seed; None where it does not."""
    by_seed = [_digests(cases, seed) for seed in HASH_SEEDS]
    found: list[Fault | None] = []
    for case, *digests in zip(cases, *by_seed, strict=True):
        parts = [part for part in digests[0] if len({str(digest.get(part)) for digest in digests}) > 1]
        where = f"{case.arguments[0] if case.arguments else ''} {' '.join(parts)}"
        found.append(Fault("depends on the hash seed", where) if parts else None)
    return found


def _digests(cases: Sequence[Case], seed: int) -> list[dict[str, str]]:
    """What each case wrote in one interpreter, as digests; empty for cases that it did not come to."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.hashing"],
        cwd=PACKAGE,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        input=pickle.dumps(list(cases)),
        capture_output=True,
        check=False,
        timeout=_SECONDS,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    return lines + [{}] * (len(cases) - len(lines))


def _digest(outcome: Outcome) -> dict[str, str]:
    def short(content: bytes) -> str:
        return hashlib.sha256(content).hexdigest()[:16]

    files = b"".join(
        name.encode("utf-8", "surrogateescape") + content for name, content in outcome.files.items()
    )
    return {
        "exit": f"{outcome.end.exit} {outcome.end.crash}",
        "stdout": short(outcome.stdout),
        "stderr": short(outcome.stderr),
        "files": short(files),
    }


def _main() -> None:
    cases = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - our own process sent it
    with tempfile.TemporaryDirectory(prefix="dractl-fuzz-") as home:
        runner = Runner(Path(home))
        for case in cases:
            outcome = runner.run(case)
            print(json.dumps(_digest(outcome)), flush=True)  # noqa: T201 - read by the process above


if __name__ == "__main__":
    _main()
