"""Add a minor: ``python -m tools.new_minor MINOR [--dry-run]``; see docs/contributing/add-a-minor.md.

Writes the data and the rows, builds the oracle, asks it what the oracle of the minor before was asked, and
prints what a person decides and what differs. A second run changes nothing and continues where the first one
stopped. The exit code is 1 if Go failed or the minor is not published, and 2 for an unknown minor.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.paths import ROOT
from tools.api_data import published, report, tables
from tools.api_data.decisions import Data
from tools.api_data.declarations import UnreadableSourceError
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError
from tools.kubernetes.toolchain import BuildError, Go
from tools.new_minor import replay, rows, verify, versions
from tools.new_minor.advice import advice
from tools.new_minor.questions import recorded
from tools.oracle.build import MODULES, build

_RELEASES = ROOT / "tools" / "kubernetes" / "releases.py"
_KNOWN = ROOT / "dractl" / "api" / "release.py"
_PAGE = ROOT / "tools" / "oracle" / "README.md"
_RETRIES = 5
"""How many modules without a published version are replaced before the build is given up."""

_SAMPLES = 3


class Run(NamedTuple):
    """What a run works with: the toolchain, its name, the folder of the oracles, and whether it writes."""

    toolchain: Go
    go: str
    oracles: Path
    dry: bool


def main(arguments: Sequence[str]) -> int:
    """Add the minor that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tools.new_minor", description=__doc__.partition("\n")[0])
    parser.add_argument("minor", metavar="MINOR", help="1.39, or a version such as 1.39.0-beta.0")
    parser.add_argument(
        "--dry-run", action="store_true", help="write and build nothing; print what would change"
    )
    parser.add_argument(
        "--into",
        type=Path,
        default=ROOT / "build" / "oracle",
        metavar="FOLDER",
        help="the folder of the oracles (default: build/oracle)",
    )
    parser.add_argument(
        "--go", default="go", metavar="PROGRAM", help="another Go toolchain than the one on PATH"
    )
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        run = Run(Go(options.go, ROOT / "build" / "go"), options.go, options.into, options.dry_run)
        release = versions.row_of(options.minor, run.toolchain)
        _add(release, run)
    except UnknownReleaseError as error:
        parser.error(str(error))
    except (BuildError, UnreadableSourceError, rows.UnknownFormError, versions.NotPublishedError) as error:
        print(f"{options.minor}: {error}", file=sys.stderr)
        return 1
    print(f"\n{time.monotonic() - started:.0f} s")
    return 0


def _add(release: Release, run: Run) -> None:
    _heading(f"Kubernetes {release.version}: data")
    found = published.read(release, run.toolchain)
    data = tables.generate(found)
    decisions = report.decide(found, data, run.toolchain)
    report.write(data, check=run.dry)

    _heading("Rows")
    _write_rows(release, run)
    served = found.versions("resource")
    _edit(_PAGE, lambda text: rows.with_page_row(text, release, served), release, run)
    if not run.dry:
        _heading("Generated files")
        subprocess.run([sys.executable, "-m", "tests.drift", "--fix"], cwd=ROOT, check=False)

    report.show(decisions)

    previous = tables.previous_minor(release.minor)
    before = RELEASES.get(previous or "")
    _heading("Oracles")
    release = built(release, run)
    _verify(release, data, run)
    if before is not None:
        if not _program(before, run).is_file():
            built(before, run)
        _replay(before, release, run)
    _next_steps(release, run)


def _heading(text: str) -> None:
    print(f"\n== {text}", flush=True)


def _write_rows(release: Release, run: Run) -> None:
    """Add the rows of a release to the Python files, if they do not have them yet."""
    if RELEASES.get(release.minor) != release:
        _edit(_RELEASES, lambda text: rows.with_release(text, release), release, run)
    _edit(_KNOWN, lambda text: rows.with_minor(text, release), release, run)


def _edit(path: Path, edit: Callable[[str], str], release: Release, run: Run) -> None:
    text = path.read_text(encoding="utf-8")
    new = edit(text)
    if new != text and not run.dry:
        path.write_text(new, encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {'the same' if new == text else 'a row for ' + release.version}")


def _program(release: Release, run: Run) -> Path:
    return run.oracles / f"oracle-{release.minor}"


def built(release: Release, run: Run) -> Release:
    """Build an oracle; returns the release, with older versions of modules that are not published.

    Raises BuildError after it has printed what to do.
    """
    if run.dry:
        print(f"{_program(release, run)}: {'is there' if _program(release, run).is_file() else 'not built'}")
        return release
    for _ in range(_RETRIES):
        try:
            started = time.monotonic()
            built = build(release, run.oracles, go=run.go)
        except BuildError as error:
            other = versions.replaced(error.output, release, run.toolchain)
            if other is None:
                for sentence in advice(f"{error}\n{error.output}", release):
                    print(f"  {sentence}")
                raise
            print(f"  not published, so replaced: {dict(other.replaced)}")
            release = other
            # The derived go.mod is written once: this one has other rows.
            (run.oracles / MODULES / f"{release.version}.mod").unlink(missing_ok=True)
            _write_rows(release, run)
        else:
            print(f"{built} of {release.version}: {time.monotonic() - started:.0f} s", flush=True)
            return release
    raise BuildError(f"the oracle of {release.version} needs too many modules that are not published")


def _verify(release: Release, data: Data, run: Run) -> None:
    program = _program(release, run)
    if program.is_file():
        differing = list(verify.other_gates(program, data.gates, release.minor))
        print(f"gates.json: {len(differing)} differences to the oracle")
        report.print_some(differing)


def _replay(before: Release, release: Release, run: Run) -> None:
    old, new = (_program(each, run) for each in (before, release))
    _heading(f"Recorded inputs: {before.version} -> {release.version}")
    if not (old.is_file() and new.is_file()):
        print("not asked: an oracle is missing")
        return
    questions = recorded()
    answered, differences = replay.replay(old, new, questions)
    print(f"{answered} of {len(questions)} questions answered by both, {len(differences)} differ")
    for group, found in replay.grouped(differences).items():
        print(f"\n{group} ({sum(map(len, found.values()))})")
        report.print_some(
            [f"{len(names)}: {what}  [{', '.join(names[:_SAMPLES])}]" for what, names in found.items()],
            most=40,
        )


def _next_steps(release: Release, run: Run) -> None:
    minor = release.minor
    print(
        f"\nNext: take the decisions, add rules with since={minor}, then\n"
        f"  export DRACTL_ORACLE={run.oracles}\n"
        f"  python -m tests.record {minor}\n"
        f"  python -m tests.conformance testdata/conformance\n"
        f'  DRACTL_FUZZ_CASES=2000 python -m pytest -k "differential and {minor}"'
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
