"""Generate the data of a minor in ``dractl/api/data``: ``python -m tools.api_data [MINOR…] [--check]``.

Prints what differs from the data so far, and with ``--decide`` what a person decides. The exit code is 1 if
Go failed or, with ``--check``, if something differs, and 2 for an unknown minor.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.paths import ROOT
from tools.api_data import published, tables
from tools.api_data.declarations import UnreadableSourceError
from tools.api_data.report import decide, show, write
from tools.kubernetes.releases import RELEASES, UnknownReleaseError, find
from tools.kubernetes.toolchain import BuildError, Go


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
