"""Random expressions, judged by the real Kubernetes code where it is at hand (``$DRACTL_ORACLE``)."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import gates, release
from dractl.cel.compile import CelError, Environment, Selector, compile_selector, device_value
from tests import oracle
from tests.cel.expressions import DEVICES, Generator

UNLIMITED = 2**64 - 1
GATES: tuple[dict[str, bool], ...] = (
    {},
    {},
    {"DRAListTypeAttributes": True},
    {"DRAConsumableCapacity": False},
)
PROGRAM = oracle.binary("1.37")


def _verdict(answer: dict[str, Any]) -> Any:
    """Whether an expression compiles, its highest cost, and what it gives for each device."""
    if answer.get("compile_error"):
        return "does not compile"
    devices = ["fails" if device.get("error") else device["match"] for device in answer["devices"]]
    return answer.get("max_cost", UNLIMITED), devices


def _ours(expression: str, environment: Environment) -> Any:
    selector = compile_selector(expression, environment)
    if not isinstance(selector, Selector):
        return "does not compile"
    answers: list[Any] = []
    for device in DEVICES:
        value = device_value(device["driver"], device)
        answer = value if isinstance(value, CelError) else selector.evaluate(value)
        answers.append("fails" if isinstance(answer, CelError) else answer)
    return selector.max_cost, answers


@pytest.mark.skipif(
    PROGRAM is None, reason="the real code of 1.37 is not at hand: $DRACTL_ORACLE names no folder"
)
@pytest.mark.parametrize("seed", range(4))
def test_random_expressions_get_the_real_verdict(seed: int) -> None:
    assert PROGRAM is not None
    generator = Generator(seed)
    cases = [(generator.expression(), number % 2 == 0, GATES[number % 4]) for number in range(400)]
    answers = oracle.ask(
        PROGRAM,
        [
            {
                "op": "cel",
                "expression": expression,
                "devices": list(DEVICES),
                "env": "stored" if stored else "new",
                "gates": overrides,
            }
            for expression, stored, overrides in cases
        ],
    )
    differing = []
    for (expression, stored, overrides), answer in zip(cases, answers, strict=True):
        environment = Environment(release.NEWEST, gates.resolve(release.NEWEST, overrides), stored)
        expected, got = _verdict(answer), _ours(expression, environment)
        if expected != got:
            differing.append((expression, stored, overrides, expected, got))
    assert differing == []


def test_the_generator_makes_all_sorts_of_expressions() -> None:
    generator = Generator(0)
    texts = [generator.expression() for _ in range(300)]
    environment = Environment(release.NEWEST, gates.resolve(release.NEWEST), stored=True)
    compiled = [text for text in texts if isinstance(compile_selector(text, environment), Selector)]
    assert 0.5 < len(compiled) / len(texts) < 0.95
    assert len(set(texts)) > 250


def test_equal_seeds_make_equal_expressions() -> None:
    assert [Generator(5).expression() for _ in range(3)] == [Generator(5).expression() for _ in range(3)]
