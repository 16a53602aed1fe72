"""What allocating costs, beside the real allocator where ``$DRACTL_ORACLE`` names the folder of its program.

    python benchmarks/allocate.py [--only PART] [--seconds N] [--quick]

The parts are ``searches`` (small worlds on which a plain search runs long), ``fleets`` (large clusters),
``growth`` (a fleet of twice the size) and ``memory``. Both sides get the same question in one run and their
results are compared. Times are CPU times, so that a busy machine does not count; that of the real allocator
is what it says it spent in it, unless its whole process took less. A real search that takes longer than
``--seconds`` is given up and shown as such. The exit code is 1 if results differ or a target is missed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import fleets

from dractl.api import gates, release
from dractl.simulation.engine.steps import allocate_steps
from tests import oracle
from tests.conformance.allocations import defaulted
from tests.conformance.verdicts import without_empty
from tests.simulation import pathologies
from tests.simulation.oracle_allocator import outcome

SEARCH_TARGET = 0.2
"""Seconds for a small world."""
FLEET_TARGET = 1.0
"""Our time as a part of the real one's."""
HEAVY_TARGET = 10.0
"""Seconds for the heaviest fleet."""
GROWTH_TARGET = 2.6
"""How many times the time per pod may grow when nodes double; twice is linear."""
ENDLESS = 10
"""Seconds that the real allocator gets for a search that it does not end."""
MEMORY_TARGET = 1024
"""MiB for 5,000 nodes."""

Row = dict[str, Any]


class Took(NamedTuple):
    """Seconds, and what came out; None: it was given up."""

    seconds: float
    steps: list[Row] | None


def ours(question: Row) -> Took:
    """The time of our allocator, without reading the objects."""
    minor = release.NEWEST
    objects = [defaulted(minor, item) for item in question["objects"]]
    steps = [
        {**step, "claims": [defaulted(minor, claim) for claim in step["claims"]]}
        for step in question["steps"]
    ]
    chosen = gates.resolve(minor, question["gates"])
    start = time.process_time()
    found = allocate_steps(objects, steps, chosen)
    return Took(time.process_time() - start, [without_empty(step) for step in found])


def real(question: Row, limit: int) -> Took | None:
    """The time of the real allocator; None if it is not at hand."""
    program = oracle.binary(str(release.NEWEST))
    if program is None:
        return None
    before = _children()
    (answer,) = oracle.ask(program, [{"op": "allocate", "timeout_s": limit, **question}])
    if answer.get("timeout"):
        return Took(float(limit), None)
    steps: list[Row] = answer["steps"]
    seconds = min(sum(step.get("seconds", 0.0) for step in steps), _children() - before)
    return Took(seconds, [without_empty(outcome(step)) for step in steps])


def _children() -> float:
    """The CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compared(name: str, question: Row, limit: int) -> tuple[Took, Took | None, bool]:
    """Ask both and print a line; whether their results are equal, as far as both have one."""
    mine, theirs = ours(question), real(question, limit)
    equal = theirs is None or theirs.steps is None or theirs.steps == mine.steps
    if theirs is None:
        shown = "real allocator not asked"
    elif theirs.steps is None:
        shown = f"real > {limit} s"
    else:
        shown = f"real {theirs.seconds:8.3f} s  ratio {mine.seconds / theirs.seconds:6.3f}"
    print(f"{mine.seconds:8.3f} s  {shown}{'' if equal else '  RESULTS DIFFER'}  {name}", flush=True)
    return mine, theirs, equal


def searches(limit: int, *, quick: bool) -> bool:
    """Small worlds; every one in a fifth of a second."""
    worlds = pathologies.small() if quick else pathologies.issue()
    # What is read once for a process is not the price of a search.
    ours(worlds[0].question())
    met = True
    asked = [(api_objects, limit) for api_objects in worlds]
    asked += [(api_objects, min(limit, ENDLESS)) for api_objects in pathologies.endless() if not quick]
    for api_objects, most in asked:
        mine, _, equal = compared(api_objects.name, api_objects.question(), most)
        met &= equal and mine.seconds < SEARCH_TARGET
    return met


def scales(*, quick: bool) -> list[fleets.KnownDevices]:
    """The fleets that are compared by the ratio."""
    part = 5 if quick else 1
    return [
        fleets.single_gpus(125 // part),
        fleets.aligned(100 // part, 200 // part),
        fleets.mixed_profiles(50 // part),
        fleets.single_gpus(5_000 // part, pods=100),
    ]


def fleets_part(limit: int, *, quick: bool) -> bool:
    """Large clusters; in less time than the real allocator."""
    met = True
    for fleet in scales(quick=quick):
        mine, theirs, equal = compared(fleet.name, fleet.question(), limit)
        met &= equal and (theirs is None or mine.seconds < FLEET_TARGET * theirs.seconds)
    heavy = fleets.prioritized(40 if quick else 200, 60 if quick else 300)
    mine, _, equal = compared(heavy.name, heavy.question(), limit)
    return met and equal and mine.seconds < HEAVY_TARGET


def growth() -> bool:
    """The time per pod when nodes double, for pods that look at every node."""
    makers: dict[str, Callable[[int], fleets.KnownDevices]] = {
        "pods with one GPU": lambda nodes: fleets.single_gpus(nodes, pods=nodes * 8),
        "partitions of mixed profiles": fleets.mixed_profiles,
    }
    met = True
    for name, make in makers.items():
        small, large = make(25), make(50)
        times = [min(ours(fleet.question()).seconds for _ in range(3)) for fleet in (small, large)]
        per_pod = [seconds / len(fleet.pods) for seconds, fleet in zip(times, (small, large), strict=True)]
        factor = per_pod[1] / per_pod[0]
        print(f"{name}: {factor:.2f} times per pod for twice the nodes")
        met &= factor < GROWTH_TARGET
    return met


def memory() -> bool:
    """The most memory that a process takes for 5,000 nodes."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure"], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    )
    used = json.loads(done.stdout)
    print(f"{used:.0f} MiB for 5,000 nodes with 8 devices and 100 pods")
    return bool(used < MEMORY_TARGET)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", choices=("searches", "fleets", "growth", "memory"))
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--quick", action="store_true", help="smaller worlds")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.measure:
        ours(fleets.single_gpus(5_000, pods=100).question())
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        return 0
    parts: dict[str, Callable[[], bool]] = {
        "searches": lambda: searches(options.seconds, quick=options.quick),
        "fleets": lambda: fleets_part(options.seconds, quick=options.quick),
        "growth": growth,
        "memory": memory,
    }
    missed = [name for name, part in parts.items() if options.only in (None, name) and not part()]
    print(f"targets: {'missed in ' + ', '.join(missed) if missed else 'met'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
