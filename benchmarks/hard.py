"""What hard searches cost in every minor: many things for few devices, and one thing too many.

    python -m benchmarks.hard [--minor M ...] [--above SECONDS]

Prints CPU seconds, how the search ended and the steps of a plain search for every world that took longer
than ``--above``; the exit code is 1 if a search reached the limit of its steps.
"""

from __future__ import annotations

import argparse
import sys
import time

from dractl.api import release
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.search import search
from tests.simulation.hard_worlds import of_minor, written
from tests.simulation.oracle_allocator import searches_of

MINORS = [str(minor) for minor in release.KNOWN if minor >= release.parse("1.31")]


def main() -> int:
    """Time every world of every minor."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minor", action="append", choices=MINORS)
    parser.add_argument("--above", type=float, default=0.2)
    chosen = parser.parse_args()
    is_over = False
    for kube in chosen.minor or MINORS:
        for world in of_minor(kube):
            for arguments in searches_of(written(world.question(), kube), kube):
                start = time.process_time()
                end = search(*arguments)
                took = time.process_time() - start
                is_limit = isinstance(end, Fatal) and end.is_timeout
                is_over |= is_limit
                if took > chosen.above or is_limit:
                    how = "limit" if is_limit else type(end).__name__
                    print(f"{kube}  {took:6.2f} s  {how:8}  {world.name}", flush=True)
    return int(is_over)


if __name__ == "__main__":
    sys.exit(main())
