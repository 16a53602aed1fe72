"""One step for an attribute and its test gives what the steps that it stands for give."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.tree import Call, Node, Select
from dractl.cel.common.values import DefaultMap, FieldMap
from dractl.cel.compile import Selector, compile_selector
from dractl.cel.interpreter.evaluate import Planner
from dractl.cel.interpreter.fast_paths import fused_call, fused_presence
from tests.cel.conftest import environment
from tests.cel.costs import D
from tests.rows import each_row

VALUES: list[Any] = [
    "A100",
    "",
    "x" * 5000,
    5,
    0,
    -1,
    2**63 - 1,
    True,
    False,
    1.5,
    None,
    [1],
    ["A100"],
    {"a": 1},
]

TESTS = [
    f'{D}.x == "A100"',
    f"{D}.x == 5",
    f"{D}.x == true",
    f"{D}.x < 5",
    f"{D}.x <= 5",
    f"{D}.x > 5",
    f"{D}.x >= 5",
    f'{D}.x in ["A100", "B"]',
    f"{D}.x in [5, 7]",
    f"{D}.x in [true]",
    f"{D}.x in [1.5]",
    f'{D}.x.matches("^A[0-9]+$")',
    f'{D}.x.matches("")',
    f'{D}.x.contains("1")',
    f'{D}.x.startsWith("A")',
    f'{D}.x.endsWith("0")',
]


def _tree(expression: str) -> Node:
    selector = compile_selector(expression, environment())
    assert isinstance(selector, Selector), selector
    return selector.tree


def _frame(**attributes: Any) -> list[Any]:
    return [{"attributes": DefaultMap({"gpu.example.com": FieldMap(attributes)})}]


def _outcome(step: Any, frame: list[Any]) -> Any:
    try:
        return step(frame)
    except (EvaluationError, StoppedError) as error:
        return type(error), error.message


@each_row("expression", TESTS)
def test_both_ways_give_the_same(expression: str) -> None:
    tree = _tree(expression)
    assert isinstance(tree, Call)
    fused, plain = fused_call(tree), Planner(EvalOptions(), folds=False).plan(tree)
    assert fused is not None
    for value in VALUES:
        assert _outcome(fused, _frame(x=value)) == _outcome(plain, _frame(x=value)), value
    assert _outcome(fused, _frame()) == _outcome(plain, _frame())
    assert _outcome(fused, [{"attributes": DefaultMap()}]) == _outcome(plain, [{"attributes": DefaultMap()}])


def test_a_missing_name_is_reported() -> None:
    tree = _tree(f'{D}.zz == "a"')
    assert isinstance(tree, Call)
    step = fused_call(tree)
    assert step is not None
    with pytest.raises(EvaluationError, match="no such key: 'zz'"):
        step(_frame(x=1))


@each_row(
    "expression",
    [
        'device.driver == "a"',
        f"{D}.x == {D}.y",
        f'"a" == {D}.x',
        f"{D}.x == 1.5",
        f"{D}.x == null",
        f"{D}.x < 1.5",
        f"{D}.x in []",
        f'{D}.x in ["a", device.driver]',
        f'{D}.x in {{"a": 1}}',
        f"{D}.x in {D}.y",
        f"{D}.x.matches({D}.y)",
        f'{D}.x.matches("(a+)+$")',
        f"{D}.x.startsWith({D}.y)",
        f'{D}[device.driver] == "a"',
        f"{D}.x.y == 1",
        f"{D} == {{}}",
    ],
)
def test_other_calls_are_planned_as_ever(expression: str) -> None:
    tree = _tree(expression)
    assert isinstance(tree, Call)
    assert fused_call(tree) is None


def test_presence_of_a_name() -> None:
    tree = _tree(f"has({D}.x)")
    assert isinstance(tree, Select)
    step = fused_presence(tree)
    assert step is not None
    assert step(_frame(x=None)) is True
    assert step(_frame()) is False
    assert step([{"attributes": DefaultMap()}]) is False


@pytest.mark.parametrize("expression", ['has({"a": 1}.a)', f"has({D}.x.y)", "has(device.attributes)"])
def test_presence_of_other_fields_is_planned_as_ever(expression: str) -> None:
    tree = _tree(expression)
    assert isinstance(tree, Select)
    assert fused_presence(tree) is None
