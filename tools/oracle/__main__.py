"""Build the oracles: ``python -m tools.oracle build [MINOR…] [--into FOLDER]``; see README.md.

The exit code is 1 if a build failed, and 2 for an unknown minor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.paths import ROOT
from tools.kubernetes.releases import RELEASES, UnknownReleaseError, find
from tools.kubernetes.toolchain import BuildError
from tools.oracle.build import build


def main(arguments: Sequence[str]) -> int:
    """Build the oracles that are asked for, one after the other; a failure does not keep the next from it."""
    parser = argparse.ArgumentParser(prog="python -m tools.oracle", description=__doc__.partition("\n")[0])
    building = parser.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "build", help="build oracles"
    )
    building.add_argument(
        "minors",
        nargs="*",
        metavar="MINOR",
        help="1.37, or a patch release such as 1.37.2 (default: all minors)",
    )
    building.add_argument(
        "--into", type=Path, default=ROOT / "build" / "oracle", metavar="FOLDER", help="default: build/oracle"
    )
    building.add_argument(
        "--go", default="go", metavar="PROGRAM", help="another Go toolchain than the one on PATH"
    )
    options = parser.parse_args(arguments)
    try:
        releases = [find(text) for text in options.minors or RELEASES]
    except UnknownReleaseError as error:
        building.error(str(error))
    failed = 0
    for release in releases:
        started = time.monotonic()
        try:
            built = build(release, options.into, go=options.go)
        except BuildError as error:
            failed += 1
            print(f"oracle-{release.minor} of {release.version}: {error}", file=sys.stderr)
        else:
            print(f"{built} of {release.version}: {time.monotonic() - started:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
