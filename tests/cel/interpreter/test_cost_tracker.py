"""Evaluation that counts: where the cost arises, where it stops, and where an error comes from."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.compile import MAX_COST, CelError, DerivedAttribute, DeviceValue, compile_derived_attribute
from dractl.cel.interpreter.cost_tracker import CostTracker, MeteredProgram
from tests.cel.conftest import environment
from tests.cel.costs import C, D


def _compiled(expression: str) -> DerivedAttribute:
    compiled = compile_derived_attribute(expression, environment())
    assert isinstance(compiled, DerivedAttribute), compiled
    return compiled


def _run(expression: str, device: DeviceValue, limit: int = MAX_COST) -> tuple[Any, int]:
    """The value, or the exception, and the cost at the end."""
    meter = CostTracker(limit)
    program = MeteredProgram(_compiled(expression).tree, EvalOptions())
    try:
        return program.run(device.fields, meter), meter.cost
    except (EvaluationError, StoppedError) as error:
        return error, meter.cost


def test_a_meter_adds_up_to_its_limit() -> None:
    meter = CostTracker(10)
    meter.add(4)
    meter.add(6)
    assert meter.cost == 10
    with pytest.raises(StoppedError, match="evaluation stopped: it costs more than 10"):
        meter.add(1)
    assert meter.cost == 11


def test_a_cost_below_nothing_is_a_huge_one() -> None:
    meter = CostTracker(10)
    with pytest.raises(StoppedError):
        meter.add(-3)
    assert meter.cost == 2**64 - 3


# What the real code counts, for errors and values alike.
COUNTED: list[tuple[str, int]] = [
    ("1", 0),
    ("[1, 2]", 0),
    ("[device.driver]", 12),
    ("{'a': 1}.a", 2),
    ("{'a': device.driver}.a", 34),
    (f"{D}.model", 4),
    (f"{D}.zz", 4),
    (f"{D}.zz.a", 4),
    (f"has({D}.zz)", 3),
    (f"has({D}.zz.a)", 3),
    (f"{D}.?zz.hasValue()", 4),
    (f"{D}.?model.hasValue()", 5),
    (f"{D}[?'zz'].orValue(1)", 3),
    (f"{D}.?links[?0].value()", 6),
    (f"{D}.?zz[?1 + 1].hasValue()", 4),
    (f"true ? {D}.model : {D}.zz", 3),
    (f"(true ? {D} : {D}).model", 3),
    (f"has((true ? {D} : {D}).model)", 2),
    ("true || 1 / 0 == 1", 0),
    ("1 / 0 == 1 || true", 2),
    ("1 / 0 == 1 || false", 2),
    ("[1, 2].all(x, x > 5)", 8),
    ("[1, 2].exists(x, x > 5)", 13),
    ("[1, 2].map(x, x + 1)", 29),
    ("[1, 1 / 0].size()", 12),
    ("[1, 2, 3].exists_one(x, x == 2)", 10),
    ("cel.bind(x, 5, x + x)", 3),
    ("cel.bind(x, 1 / 0, x == x || true)", 4),
    ("optional.of(1).optMap(x, x + 1).value()", 8),
    ("google.protobuf.Int64Value{value: 1}", 40),
    ("int('5')", 0),
    ("int(string(5))", 0),
    (f"{D}.model in ['a', 'b']", 4),
    (f"{D}.version in [semver('1.0.0')]", 16),
    (f"{C}.memory.compareTo(quantity('1Gi'))", 6),
    ("device.driver.matches('a')", 4),
    ("device.driver.substring(99)", 4),
    (f"{D}.zz.format([{D}.index]) != ''", 4),
    (f"{D}.zz.format([1 / 0]) != ''", 4),
    (f"{D}.zz.format([]) == 'a'", 5),
    (f"{D}.zz.format({D}.zz) == 'a' || true", 5),
    (f"({D}.zz + 'a').format([{D}.index]) != ''", 5),
    (f"dyn({D}.zz).format([{D}.index]) != ''", 5),
    ("[3, 1].sort()", 19),
    ("['b', 'a'].sort()", 19),
    ("[3, 1].sortBy(x, -x)", 50),
    ("[1, 2].transformMap(i, v, v > 1, v)[1]", 11),
    ("{'a': 1}.transformMapEntry(k, v, {k: v}).a", 37),
]


@pytest.mark.parametrize(("expression", "cost"), COUNTED)
def test_what_is_evaluated_is_charged(device: DeviceValue, expression: str, cost: int) -> None:
    assert _run(expression, device)[1] == cost


@pytest.mark.parametrize(
    "expression",
    [
        "[1, 2, 3].all(x, [4, 5].exists(y, y == 5))",
        f"{D}.links.map(x, x + 'a')",
        f"{D}.all(k, k != 'z')",
        "'abc'.replace('', 'abcdefghij').matches('z+')",
    ],
)
def test_an_evaluation_stops_within_one_step_of_its_limit(device: DeviceValue, expression: str) -> None:
    value, whole = _run(expression, device)
    assert not isinstance(value, Exception)
    for limit in range(whole):
        value, cost = _run(expression, device, limit)
        assert isinstance(value, StoppedError)
        assert limit < cost <= whole
    assert not isinstance(_run(expression, device, whole)[0], Exception)


def test_what_stops_is_not_absorbed(device: DeviceValue) -> None:
    value, cost = _run("[1, 2, 3].all(x, x > 0) || true", device, 5)
    assert isinstance(value, StoppedError)
    assert cost == 6


PLACES = [
    (f"{D}.zz == 1", len(D) + 1),
    ("1 / 0 == 1", 2),
    ("[1, 2].all(x, x / 0 > 1)", 16),
    ("[1][5] == 1", 3),
    ("'abc'.substring(9) == 'a'", 6),
    ("true ? 1 / 0 : 2", 9),
    ("{'a': 1 / 0}.a == 1", 8),
    ("cel.bind(x, 1 / 0, x == 1)", 14),
]
"""An expression that fails, and the place of the operator or the name that does."""


@pytest.mark.parametrize(("expression", "offset"), PLACES)
def test_an_error_says_where_it_comes_from(device: DeviceValue, expression: str, offset: int) -> None:
    failure = _compiled(expression).failure(device)
    assert isinstance(failure, CelError)
    assert failure.offset == offset


def test_what_does_not_fail_has_no_failure(device: DeviceValue) -> None:
    assert _compiled("1 + 1").failure(device) is None


def test_loops_do_not_share_what_they_collect(device: DeviceValue) -> None:
    program = MeteredProgram(_compiled("[1, 2].map(x, [x].map(y, y)[0])").tree, EvalOptions())
    for _ in range(2):
        assert program.run(device.fields, CostTracker(MAX_COST)) == [1, 2]
