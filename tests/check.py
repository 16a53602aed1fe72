"""All checks of the project: ``python -m tests.check``, with ``--fix`` for what can be mended.

Each step runs even if one before it failed; the exit code is 1 if any did.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import NamedTuple

from tests.paths import ROOT

SOURCES = ("dractl", "tests", "benchmarks", "tools")


class Step(NamedTuple):
    """One check: its name, its command line, and the command line that mends what it finds, if any."""

    name: str
    command: tuple[str, ...]
    fix: tuple[str, ...] | None = None


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """The command line of a module, in the interpreter that runs the checks."""
    return (sys.executable, "-m", module, *arguments)


STEPS = (
    Step("format", python("ruff", "format", "--check", *SOURCES), python("ruff", "format", *SOURCES)),
    Step("lint", python("ruff", "check", *SOURCES), python("ruff", "check", "--fix", *SOURCES)),
    Step("types", python("mypy")),
    Step("layers", python("pytest", "tests/test_layers.py")),
    Step("drift", python("tests.drift"), python("tests.drift", "--fix")),
    Step("tests", python("pytest", "-n", "auto", "--ignore=tests/test_layers.py")),
    Step("slow", python("pytest", "-m", "slow", "-n", "auto")),
)


def run(step: Step, *, fix: bool) -> bool:
    """Run one step, say how it went, and answer whether it passed."""
    print(f"== {step.name}", flush=True)
    started = time.monotonic()
    command = step.fix if fix and step.fix is not None else step.command
    passed = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    print(f"== {step.name}: {'ok' if passed else 'FAILED'} ({time.monotonic() - started:.0f} s)", flush=True)
    return passed


def main(arguments: list[str]) -> int:
    """Run the steps that ``arguments`` ask for."""
    parser = argparse.ArgumentParser(prog="python -m tests.check", description=__doc__)
    parser.add_argument("--fix", action="store_true", help="mend what can be mended")
    parser.add_argument(
        "steps", nargs="*", metavar="STEP", help="only these: " + ", ".join(s.name for s in STEPS)
    )
    options = parser.parse_args(arguments)
    unknown = set(options.steps) - {step.name for step in STEPS}
    if unknown:
        parser.error(f"no step is called {', '.join(sorted(unknown))}")
    wanted = [step for step in STEPS if not options.steps or step.name in options.steps]
    failed = [step.name for step in wanted if not run(step, fix=options.fix)]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
