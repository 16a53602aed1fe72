"""Which part of an expression costs too much, and what is advised instead."""

from __future__ import annotations

import pytest

from dractl.cel.compile import CelError, Selector, compile_selector
from tests.cel.conftest import environment
from tests.cel.costs import C, D
from tests.rows import each_row

LOOPS = f"{D}.all(a, {D}.all(b, {D}.all(c, {D}.all(d, a != b))))"
UNKNOWN = "the server has no size limit for the operands here"


def _error(expression: str, minor: str = "1.37") -> CelError | None:
    selector = compile_selector(expression, environment(minor))
    assert isinstance(selector, Selector), selector
    return selector.cost_error()


@each_row(
    ("expression", "part", "advice"),
    [
        (
            f'{C}.memory != quantity("1Gi")',
            "!= quantity",
            f'write `!({C}.memory == quantity("1Gi"))`: the server estimates a lower cost',
        ),
        (
            f'true && {C}.memory != quantity("1Gi")',
            "!= quantity",
            f'write `!({C}.memory == quantity("1Gi"))`: the server estimates a lower cost',
        ),
        (f"type({D}.model) == string || {D}.index == 1", "== string", UNKNOWN),
        ('device.driver == "a" && ["a", "b"].join() == "ab"', ".join", UNKNOWN),
        (f"{D}.links.all(x, x.matches('^a'))", ".matches", UNKNOWN),
        (
            f"device.driver == 'a' && {LOOPS}",
            ".all",
            "nested loops multiply the maximum number of elements",
        ),
    ],
)
def test_the_dear_part_is_named(expression: str, part: str, advice: str) -> None:
    error = _error(expression)
    assert error is not None
    assert error.kind == "cost"
    assert error.offset is not None
    at = expression.index(part)
    assert at <= error.offset <= at + len(part)
    assert error.message.endswith(f"at most 1000000 is allowed; {advice}")


def test_where_only_the_sum_is_too_much_the_whole_is() -> None:
    one = f"{D}.all(a, {D}.all(b, {D}.all(c, a != b || b != c)))"
    expression = f"{one} || {one} || {one} || {one}"
    error = _error(expression)
    assert error is not None
    assert error.message.endswith("is allowed")
    assert error.offset is not None
    assert expression[error.offset :].startswith("||")


@pytest.mark.parametrize(
    "expression", ["true", f'!({C}.memory == quantity("1Gi"))', f"{D}.all(a, {D}.all(b, a != b))"]
)
def test_what_costs_little_is_no_error(expression: str) -> None:
    assert _error(expression) is None


def test_the_minors_that_estimate_by_paths_name_a_part_as_well() -> None:
    error = _error(f'{C}.memory != quantity("1Gi")', "1.32")
    assert error is not None
    assert "worst-case cost is" in error.message
