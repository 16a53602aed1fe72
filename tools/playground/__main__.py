"""Build the playground: ``python -m tools.playground --out FOLDER``.

Pyodide is the package of npm, downloaded into a temporary folder; ``--package FILE`` takes a package that is
already there. Needs Node.js.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tools.playground.build import build, size
from tools.playground.pyodide import MissingError, fetch


def main(arguments: list[str]) -> int:
    """Build the playground; the exit code is 2 if a program or the package is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.playground", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="its files are replaced")
    parser.add_argument(
        "--package", type=Path, metavar="FILE", help="the package of Pyodide, as npm packs it"
    )
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            build(options.package or fetch(Path(scratch)), options.out)
        except (MissingError, OSError, ValueError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    print(f"{options.out}: {size(options.out):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
