"""Expectations that come from Python: checked like those of a file, and compared with a simulation."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.api.path import path_text
from dractl.cel.compile import CelError
from dractl.scenario.schema import problems
from dractl.simulation.engine.report import Simulation
from dractl.testing.actual import Observed
from dractl.testing.compare import Mismatch, mismatches
from dractl.testing.format import TESTS
from dractl.testing.patterns import where_of

__all__ = ["unmet"]


def unmet(pod: str, facts: Mapping[str, object], simulation: Simulation) -> list[Mismatch]:
    """Where a pod, and the objects that are rejected, are not as expected; ``facts`` are as in a file.

    Raises ValueError for facts that an expectation file could not have.
    """
    schema = {**TESTS["$defs"]["expectedPod"], "$defs": TESTS["$defs"]}
    plain = {name: _plain(value) for name, value in facts.items()}
    for problem in problems(schema, plain):
        raise ValueError(f"{path_text(problem.steps)}: {problem.message}")
    expected = {"pods": {pod: plain}}
    observed = Observed(simulation)
    for steps, expression in where_of(expected):
        compiled = observed.inventory.compiled(expression)
        if isinstance(compiled, CelError):
            message = f"{path_text(steps[2:])}: does not compile: {compiled.message}"
            raise ValueError(message)  # noqa: TRY004 - the expression is wrong, not its type
    return list(mismatches(expected, observed))


def _plain(value: object) -> object:
    """A value as YAML has it: any sequence is a list, any mapping a dict."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
