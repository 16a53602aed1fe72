"""The budget of evaluations: of each, of a run, and what compiling leaves alone."""

from __future__ import annotations

import pytest

from dractl.api import budgets
from dractl.cel.common.errors import GivenUpError, StoppedError
from dractl.cel.common.work import WORK, Work
from dractl.cel.compile import CelError, DeviceValue, Selector, compile_derived_attribute, compile_selector
from tests.cel.conftest import environment

pytestmark = pytest.mark.slow

DEAR = '"' + "a" * 8000 + '".matches("^' + "a{0,900}" * 27 + 'b$")'
LIGHT = 'device.driver == "gpu.example.com"'


def _selector(expression: str) -> Selector:
    found = compile_selector(expression, environment())
    assert isinstance(found, Selector)
    return found


def test_an_evaluation_stops_at_its_budget() -> None:
    work = Work()
    for _ in range(10):
        work.begin()
        work.spend(budgets.CEL_VALUE.value)
    with pytest.raises(GivenUpError, match="more than 5,000,000 steps for this device"):
        work.spend(1)


def test_a_run_stops_at_its_own_and_the_next_starts_afresh() -> None:
    work = Work()
    for _ in range(2):
        with work.run():
            for _ in range(4):
                work.begin()
                work.spend(budgets.CEL_VALUE.value)
            work.begin()
            work.spend(5 * 500)
            with pytest.raises(GivenUpError, match="more than 20,000,000 steps in total"):
                work.spend(1)
            assert work.left() is not None


def test_what_dumps_of_large_clusters_evaluate_is_free() -> None:
    work = Work()
    with work.run():
        for _ in range(500_000):
            work.begin()
            work.spend(500)
        assert work.left() is None


def test_a_text_that_no_server_makes_ends_the_evaluation() -> None:
    with pytest.raises(StoppedError, match="more than 10,000,000") as stopped:
        Work().spend_on_text(10_000_001)
    assert not isinstance(stopped.value, GivenUpError)


def test_light_selectors_go_on_after_dear_ones(device: DeviceValue) -> None:
    with WORK.run():
        for _ in range(6):
            answer = _selector(DEAR).evaluate(device)
            assert isinstance(answer, CelError)
            assert answer.kind == "budget"
        assert isinstance(_selector(LIGHT).evaluate(device), bool)


@pytest.mark.parametrize("rest", ["|| true", "&& false"])
def test_no_operator_absorbs_it(device: DeviceValue, rest: str) -> None:
    answer = _selector(f"({DEAR}) {rest}").evaluate(device)
    assert isinstance(answer, CelError)
    assert answer.kind == "budget"


def test_every_door_says_so(device: DeviceValue) -> None:
    selector = _selector(DEAR)
    failure = selector.failure(device)
    assert failure is not None
    assert failure.kind == "budget"
    parts = selector.explainer().parts(device.fields)
    assert any(isinstance(value, CelError) and value.kind == "budget" for value in parts[0].values)
    derived = compile_derived_attribute(DEAR, environment())
    assert not isinstance(derived, CelError)
    refused = derived.evaluate(device)
    assert isinstance(refused, CelError)
    assert refused.kind == "budget"


def test_constants_that_are_dear_are_left_to_evaluations() -> None:
    with WORK.run():
        for number in range(30):
            _selector(f'"{"a" * 9000}{number}".replace("a", "bbbbbbbb") + "x" != device.driver')
        assert WORK.left() is None
