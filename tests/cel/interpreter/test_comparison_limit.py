"""The work of nested values: what is counted, and where an evaluation ends."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from dractl.cel.common.values import Optional
from dractl.cel.compile import CelError, DeviceValue, Selector, compile_selector
from dractl.cel.interpreter.comparison_limit import weight
from tests.cel.conftest import environment


def _doubled(times: int, use: str) -> str:
    """``use`` of X, a list that holds one number in two to the power of ``times`` places."""
    names = [f"x{number}" for number in range(times)]
    bound = "cel.bind(x0, [0], " + "".join(
        f"cel.bind({name}, [{inner}, {inner}], " for inner, name in pairwise(names)
    )
    return bound + use.replace("X", names[-1]) + ")" * times


USES = {
    "X == X": True,
    "X != X": False,
    "X in [X]": True,
    '"%s".format([X]) == ""': False,
    "[X].exists(y, y == y)": True,
    "[X].distinct().size() == 1": True,
    "sets.contains(X, X)": True,
    "[X].indexOf(X) == 0": True,
    "[X].flatten(100).size() == 1": False,
    "optional.of(X) == optional.of(X)": True,
    "{1: X} == {1: X}": True,
    "{1: 1}.transformMap(k, v, X) == {1: X}": True,
    "google.protobuf.ListValue{values: X}.size() == 2": True,
}


@pytest.mark.parametrize("use", USES)
def test_shared_lists_end_the_evaluation_soon(device: DeviceValue, use: str) -> None:
    start = time.process_time()
    selector = compile_selector(_doubled(60, use), environment())
    assert isinstance(selector, Selector)
    answer = selector.evaluate(device)
    assert isinstance(answer, CelError)
    assert answer.kind == "budget"
    assert "needs more than 5,000,000 steps" in answer.message
    failure = selector.failure(device)
    assert failure is not None
    assert failure.message == answer.message
    assert selector.explainer().parts(device.fields)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("use", "answer"), USES.items())
def test_small_ones_are_answered(device: DeviceValue, use: str, *, answer: bool) -> None:
    selector = compile_selector(_doubled(8, use), environment())
    assert isinstance(selector, Selector)
    assert selector.evaluate(device) is answer


@pytest.mark.parametrize(("rounds", "ends"), [(900, False), (1800, True)])
def test_a_whole_evaluation_is_counted_and_no_more(device: DeviceValue, rounds: int, *, ends: bool) -> None:
    row = [1] * 300
    expression = f"lists.range({rounds}).all(i, [[i] + {row}] == [[i] + {row}])"
    selector = compile_selector(expression, environment())
    assert isinstance(selector, Selector)
    for _ in range(2):
        assert isinstance(selector.evaluate(device), CelError) == ends


def test_the_weight_counts_every_place() -> None:
    inner = [1, 2]
    assert weight([inner, inner], {}) == 6
    assert weight({"a": inner, "b": Optional(inner)}, {}) == 6
    assert weight([1, "text", None], {}) == 3
    assert weight("text", {}) == 0
