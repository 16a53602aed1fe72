"""Generate the data of a minor in ``dractl/api/data``: ``python -m tools.api_data [MINOR…] [--check]``.

Prints what differs from the data so far, and with ``--decide`` what a person decides. The exit code is 1 if
Go failed or, with ``--check``, if something differs, and 2 for an unknown minor.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.paths import ROOT
from tools.api_data import published, tables
from tools.api_data.decisions import Change, Data, Decision, decisions
from tools.api_data.declarations import UnreadableSourceError
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError, find
from tools.kubernetes.toolchain import BuildError, Go

_MOST = 20


def main(arguments: Sequence[str]) -> int:
    """Generate the data of the minors that are asked for, oldest first."""
    parser = argparse.ArgumentParser(prog="python -m tools.api_data", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "minors",
        nargs="*",
        metavar="MINOR",
        help="1.37, or a patch release such as 1.37.2 (default: all minors)",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit with 1 if something differs"
    )
    parser.add_argument("--decide", action="store_true", help="also print what a person decides")
    parser.add_argument(
        "--go", default="go", metavar="PROGRAM", help="another Go toolchain than the one on PATH"
    )
    options = parser.parse_args(arguments)
    try:
        releases = [find(text) for text in options.minors or RELEASES]
    except UnknownReleaseError as error:
        parser.error(str(error))
    differs = False
    try:
        toolchain = Go(options.go, ROOT / "build" / "go")
        for release in releases:
            found = published.read(release, toolchain)
            data = tables.generate(found)
            differs |= write(data, check=options.check)
            if options.decide:
                show(decide(found, data, toolchain))
    except (BuildError, UnreadableSourceError) as error:
        print(error, file=sys.stderr)
        return 1
    return int(differs and options.check)


def write(data: Data, *, check: bool = False, folder: Path = tables.FOLDER) -> bool:
    """Write the files that differ (none with ``check``), and print how; returns whether any differs."""
    minor = data.fields["minor"]
    differs = False
    for name, text in tables.texts(data).items():
        path = folder / name
        old = path.read_text(encoding="utf-8") if path.is_file() else None
        if old == text:
            print(f"{minor} {name}: the same")
            continue
        differs = True
        if not check:
            path.write_text(text, encoding="utf-8")
        found = tables.differences(old, text) if old is not None else [f"{len(text.splitlines())} lines"]
        print(f"{minor} {name}: {'new' if old is None else 'differs'}")
        print_some(found)
    return differs


def decide(found: published.Published, data: Data, toolchain: Go) -> list[Decision]:
    """What a person decides about a release: compares it with that of the minor before, if there is one."""
    previous = tables.previous_minor(found.release.minor)
    row: Release | None = RELEASES.get(previous or "")
    if previous is None or row is None:
        return []
    before = published.read(row, toolchain)
    return decisions(Change(found, before, data, tables.read(f"fields/{previous}.json")))


def show(found: Iterable[Decision]) -> None:
    """Print decisions by topic."""
    print("\nA person decides:")
    for decision in found:
        print(f"\n{decision.topic} ({len(decision.items)}): {decision.advice}")
        print_some(decision.items, most=200)


def print_some(items: Sequence[str], most: int = _MOST) -> None:
    """Print a list, cut off after ``most`` items."""
    for item in items[:most]:
        print(f"  {item}")
    if len(items) > most:
        print(f"  and {len(items) - most} more")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
