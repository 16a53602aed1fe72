"""The allocator, compared with the real one: small worlds with long searches, and large clusters.

Both get the same question and their results have to be equal. The time of the real allocator is what it
reports, unless its whole process took less; a search that takes it too long is stopped.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import fleets
from benchmarks.measuring import OURS, Figure, MeasureError, Row, row_of
from benchmarks.peers import GO_CODE
from benchmarks.settings import Settings
from dractl.api import gates, release
from dractl.simulation.engine.steps import allocate_steps
from tests import oracle
from tests.conformance.allocations import defaulted
from tests.conformance.verdicts import without_empty
from tests.simulation import pathologies
from tests.simulation.oracle_allocator import outcome

LONGEST = 60
"""Seconds after which the real allocator is stopped."""
ENDLESS = 10
"""The same for a search that it does not end."""

Question = dict[str, Any]


class Took(NamedTuple):
    """Seconds, and what came out; None: it was stopped."""

    seconds: float
    steps: list[Question] | None


def ours(question: Question) -> Took:
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


def real(program: Path, question: Question, limit: int) -> Took:
    """The time of the real allocator."""
    before = _children()
    (answer,) = oracle.ask(program, [{"op": "allocate", "timeout_s": limit, **question}])
    if answer.get("timeout"):
        return Took(float(limit), None)
    steps: list[Question] = answer["steps"]
    seconds = min(sum(step.get("seconds", 0.0) for step in steps), _children() - before)
    return Took(seconds, [without_empty(outcome(step)) for step in steps])


def _children() -> float:
    """The CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _round(name: str, question: Question, program: Path | None, limit: int) -> dict[str, Figure]:
    """Ask both; raises MeasureError if their results differ."""
    mine = ours(question)
    figures = {OURS: Figure(mine.seconds)}
    if program is not None:
        theirs = real(program, question, limit)
        if theirs.steps not in (None, mine.steps):
            raise MeasureError(f"{name}: the results differ")
        figures[GO_CODE] = Figure(theirs.seconds, is_cut=theirs.steps is None)
    return figures


def rows(settings: Settings) -> Iterator[Row]:
    """Searches, clusters, and the time per pod when nodes double."""
    program = settings.peers.go_code()
    worlds = [(world, LONGEST) for world in pathologies.issue()]
    worlds += [(world, ENDLESS) for world in pathologies.endless()]
    if settings.percent < 100:
        worlds = [(world, LONGEST) for world in pathologies.small()]
    # What is read once for a process is not the price of a search.
    ours(worlds[0][0].question())
    for world, limit in worlds:
        yield row_of(f"search: {world.name}", [_round(world.name, world.question(), program, limit)])
    for fleet in _fleets(settings.scaled):
        rounds = [
            _round(fleet.name, fleet.question(), program, LONGEST) for _ in range(min(settings.runs, 3))
        ]
        yield row_of(f"cluster: {fleet.name}", rounds)
    heavy = fleets.prioritized(settings.scaled(200), settings.scaled(300))
    yield row_of(f"prioritized: {heavy.name}", [_round(heavy.name, heavy.question(), program, LONGEST)])
    yield from _growth(settings)


def _fleets(scaled: Callable[[int], int]) -> Iterator[fleets.KnownDevices]:
    yield fleets.single_gpus(scaled(125))
    yield fleets.aligned(scaled(100), scaled(200))
    yield fleets.mixed_profiles(scaled(50))
    yield fleets.single_gpus(scaled(5_000), pods=scaled(100))


def _growth(settings: Settings) -> Iterator[Row]:
    """The time per pod when nodes double, for pods that look at every node."""
    makers: dict[str, Callable[[int], fleets.KnownDevices]] = {
        "pods with one GPU": lambda nodes: fleets.single_gpus(nodes, pods=nodes * 8),
        "partitions of mixed profiles": fleets.mixed_profiles,
    }
    for name, make in makers.items():
        sides = {OURS: partial(_per_pod, make, 50), "half the nodes": partial(_per_pod, make, 25)}
        rounds = [{side: run() for side, run in sides.items()} for _ in range(settings.runs)]
        yield row_of(f"time per pod: {name}, 50 nodes", rounds)


def _per_pod(make: Callable[[int], fleets.KnownDevices], nodes: int) -> Figure:
    fleet = make(nodes)
    return Figure(ours(fleet.question()).seconds / len(fleet.pods))
