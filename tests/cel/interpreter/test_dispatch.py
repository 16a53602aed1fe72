"""Which overload runs, and that no value reaches one that is not made for it."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity, semver
from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.overload import overload
from dractl.cel.common.types import (
    ANY,
    BOOL,
    DYN,
    INT,
    QUANTITY,
    SEMVER,
    STRING,
    TYPE,
    UINT,
    list_of,
    map_of,
    optional_of,
)
from dractl.cel.common.values import NONE, FieldMap, SumQuantity, Uint
from dractl.cel.compile import CelError, DerivedAttribute, DeviceValue, compile_derived_attribute
from dractl.cel.interpreter.dispatch import check_measured, matches, measured, run_fitting
from tests.cel.conftest import environment
from tests.cel.costs import D
from tests.rows import each_row

MATCHES: list[tuple[Any, Any, bool]] = [
    (INT, 5, True),
    (INT, Uint(5), False),
    (INT, True, False),
    (INT, 5.0, False),
    (UINT, Uint(5), True),
    (BOOL, True, True),
    (STRING, "a", True),
    (STRING, 5, False),
    (DYN, 5, True),
    (ANY, None, True),
    (QUANTITY, quantity.parse("1"), True),
    (QUANTITY, SumQuantity(1), True),
    (QUANTITY, semver.parse("1.0.0"), False),
    (SEMVER, semver.parse("1.0.0"), True),
    (list_of(INT), [], True),
    (list_of(INT), [1, "a"], True),
    (list_of(INT), ["a", 1], False),
    (list_of(INT), {}, False),
    (list_of(list_of(INT)), [[1]], True),
    (list_of(list_of(INT)), [["a"]], False),
    (map_of(STRING, INT), {"a": "b"}, True),
    (map_of(STRING, INT), FieldMap(), True),
    (map_of(STRING, INT), [], False),
    (optional_of(INT), NONE, True),
    (optional_of(INT), 5, False),
    (TYPE, INT, True),
    (TYPE, 5, False),
]


@each_row(("wanted", "value", "answer"), MATCHES)
def test_a_value_is_looked_at_as_far_as_upstream_does(wanted: Any, value: Any, answer: bool) -> None:
    assert matches(wanted, value) is answer


def test_the_first_overload_that_fits_runs() -> None:
    rows = (
        overload("f", "f_int", "(int) -> string", lambda value: f"int {value}"),
        overload("f", "f_list", "(list(A)) -> string", lambda value: f"list {value}"),
    )
    assert run_fitting("f", rows, [5]) == "int 5"
    assert run_fitting("f", rows, [[5]]) == "list [5]"
    with pytest.raises(EvaluationError, match=r"f\(\) does not accept a string"):
        run_fitting("f", rows, ["a"])


def test_a_row_without_implementation_runs_nothing() -> None:
    with pytest.raises(EvaluationError):
        run_fitting("f", (overload("f", "f_int", "(int) -> string"),), [5])


def test_what_is_measured_has_to_have_a_size() -> None:
    row = overload("distinct", "list_distinct", "list(T).() -> list(T)", cost="distinct")
    assert measured((row,)) == {0: list}
    assert measured((row, row)) == {}
    check_measured(row, [1], list)
    with pytest.raises(StoppedError, match=r"no; distinct\(\) of an error fails"):
        check_measured(row, EvaluationError("no"), list)
    with pytest.raises(StoppedError, match=r"distinct\(\) does not accept a string, so evaluation fails"):
        check_measured(row, "abc", list)


def test_flatten_measures_its_depth_only_if_there_is_one() -> None:
    rows = [
        overload("flatten", "list_flatten", "list(list(T)).() -> list(T)", cost="flatten"),
        overload("flatten", "list_flatten_int", "list(dyn).(int) -> list(dyn)", cost="flatten"),
    ]
    assert [measured((row,)) for row in rows] == [{}, {1: int}]


# The type checker takes dyn for whatever a type parameter stands for: in each of these a value is not what it
# expects. The real evaluator fails, or gives what stands here.
UNSOUND: list[tuple[str, Any]] = [
    ('(["a"] + dyn([1]))[1].substring(1)', "fails"),
    ('(["a"] + dyn([1]))[1].lowerAscii()', "fails"),
    ('(["a"] + dyn([1]))[1].trim()', "fails"),
    ('(["a"] + dyn([1]))[1].split(",")', "fails"),
    ('(["a"] + dyn([1]))[1].replace("a", "b")', "fails"),
    ('(["a"] + dyn([1]))[1].indexOf("a")', "fails"),
    ('(["a"] + dyn([1]))[1].startsWith("a")', "fails"),
    ('(["a"] + dyn([1]))[1].matches("a")', "fails"),
    ('(["a"] + dyn([1]))[1].find("a")', "fails"),
    ('(["a"] + dyn([1])).join()', "fails"),
    ('ip((["a"] + dyn([1]))[1]).family()', "fails"),
    ('quantity((["a"] + dyn([1]))[1]).isInteger()', "fails"),
    ('timestamp((["a"] + dyn([1]))[1]).getHours()', "fails"),
    ('int((["a"] + dyn([1]))[1])', "fails"),
    ('string(([1] + dyn(["a"]))[1])', "fails"),
    ('([0] + dyn(["a"]))[1] < 5', "fails"),
    ('([0] + dyn(["a"]))[1] + 5', "fails"),
    ('([0] + dyn(["a"]))[1] == 5', False),
    ('([1] + dyn(["a"])).max()', 1),
    ('([1] + dyn(["a"])).sum()', "fails"),
    ('([1] + dyn(["a"])).isSorted()', True),
    ('([1] + dyn(["a"])).sort()', "fails"),
    ('([1] + dyn(["a"])).max() + 1', 2),
    ('((["a"] + dyn([1]))[1] + (["b"] + dyn([2]))[1])', 3),
    (f'{D}.ports.sortBy(x, "a").transformList(k, x, string(x))', "fails"),
    (f'{D}.ports.sortBy(x, "a").map(x, x + 1)', [4, 2, 3]),
]


@pytest.mark.parametrize(("expression", "expected"), UNSOUND)
def test_a_wrong_expectation_of_the_type_checker_does_no_harm(
    device: DeviceValue, expression: str, expected: Any
) -> None:
    compiled = compile_derived_attribute(expression, environment())
    assert isinstance(compiled, DerivedAttribute), compiled
    answer = compiled.evaluate(device)
    assert ("fails" if isinstance(answer, CelError) else answer) == expected
    # Counting its cost it has to give the same.
    failure = compiled.failure(device)
    assert (failure is not None) == (expected == "fails")
