"""What type errors advise: another minor, another form, another name."""

from __future__ import annotations

import pytest

from dractl.cel.checker.advice import nearest
from dractl.cel.compile import CelError, compile_selector
from tests.cel.conftest import environment
from tests.rows import each_row


def _message(expression: str, minor: str = "1.37", *, stored: bool = False) -> str:
    error = compile_selector(expression, environment(minor, stored=stored))
    assert isinstance(error, CelError), expression
    return error.message


@each_row(
    ("expression", "minor", "stored", "message"),
    [
        (
            "[1].sort() == [1]",
            "1.33",
            False,
            "unknown function sort in 1.33: the API server supports it since 1.35",
        ),
        (
            "[1].sort() == [1]",
            "1.33",
            True,
            "unknown function sort in 1.33: the scheduler supports it since 1.34",
        ),
        (
            "lists.range(1) == []",
            "1.34",
            False,
            "unknown function lists.range in 1.34: the API server supports it",
        ),
        (
            "[1].sortBy(x, x) == [1]",
            "1.31",
            True,
            "sortBy in 1.31: the scheduler supports it since 1.34",
        ),
        ("{}.transformMap(k, v, v) == {}", "1.31", False, "in 1.31: the API server supports it since 1.33"),
        ("[1].existsOne(i, x, x == 1)", "1.31", True, "in 1.31: the scheduler supports it since 1.32"),
        (
            "[1].first().hasValue()",
            "1.32",
            False,
            "first in 1.32: the API server supports it since 1.33",
        ),
        (
            "[1].includes(1)",
            "1.35",
            False,
            "unknown function includes in 1.35: the feature gate DRAListTypeAttributes enables it since 1.36",
        ),
        (
            "[1].includes(1)",
            "1.35",
            True,
            "unknown function includes in 1.35: the scheduler supports it since 1.36",
        ),
        (
            "semver('v1', true).major() == 1",
            "1.32",
            False,
            "semver() does not accept a string and a bool in 1.32: the API server supports it since 1.34; ",
        ),
    ],
)
def test_what_other_minors_have_is_named_with_them(
    expression: str, minor: str, stored: bool, message: str
) -> None:
    assert message in _message(expression, minor, stored=stored)


@each_row(
    ("expression", "message"),
    [
        ("[1].all(x)", "write all as `value.all(x, …)` or `value.all(k, v, …)`"),
        ("has(1, 2)", "write has as `has(value.field)`"),
        ("cel.bind(x, 1)", "write cel.bind as `cel.bind(name, value, expression)`"),
        ("[1].exists_one(x)", "write exists_one as `value.exists_one(x, …)` or `value.exists_one(k, v, …)`"),
        ("[1].map(x) == []", "write map as `value.map(x, …)` or `value.map(x, …, …)`"),
        ("bind(x, 1, x)", "unknown function bind; did you mean cel.bind?"),
    ],
)
def test_macros_are_shown_as_they_are_written(expression: str, message: str) -> None:
    assert _message(expression) == message


def test_a_macro_of_two_variables_has_one_form_where_the_minor_knows_no_other() -> None:
    assert _message("[1].all(x)", "1.32") == "write all as `value.all(x, …)`"


@each_row(
    ("expression", "message"),
    [
        ("device.driver.toLowerCase() == 'a'", "did you mean lowerAscii?"),
        ("device.driver.startswith('a')", "did you mean startsWith?"),
        ("len(device.driver) == 1", "did you mean size?"),
        ("optional.of(1).value_or(2) == 1", "did you mean orValue?"),
        ("[1].exist(x, x == 1)", "did you mean exists?"),
        ("sets.contain([1], [1])", "unknown function sets.contain; did you mean sets.contains?"),
        ("[1].any(x, x == 1)", "did you mean exists?"),
    ],
)
def test_the_nearest_name_is_advised(expression: str, message: str) -> None:
    assert _message(expression).endswith(message)


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("math.greatest(1, 2) == 2", "math.greatest"),
        ("foo(1)", "foo"),
        ("base64.encode(b'a') == 'a'", "base64.encode"),
    ],
)
def test_nothing_far_is_advised(expression: str, name: str) -> None:
    assert _message(expression) == f"unknown function {name}"


def test_the_function_is_reported_before_its_arguments() -> None:
    assert _message("[1].tranform(x, x)") == "unknown function tranform; did you mean transformMap?"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("[1].sum(2) == 3", "sum() does not accept an int; available: list(int).sum() -> int"),
        (
            "'a'.sort() == 1",
            "sort() does not exist for a string; available: list(int).sort() -> list(int); list(uint).sort()",
        ),
        (
            "size() == 1",
            "size() requires an argument; available: size(bytes) -> int; bytes.size() -> int; size(list(A))",
        ),
    ],
)
def test_signatures_for_the_same_value_are_named_or_a_few(expression: str, message: str) -> None:
    found = _message(expression)
    assert found.startswith(message)
    assert found == message or found.endswith("; and 5 more")


def test_half_a_variable_of_1_30_gets_its_other_half() -> None:
    error = compile_selector('attributes.strin["a"] == "b"', environment("1.30"))
    assert error == CelError("type", "unknown variable attributes.strin; did you mean attributes.string?", 0)


def test_names_are_near_whatever_their_case() -> None:
    assert nearest("isgreaterthan", ["isLessThan", "isGreaterThan"]) == "did you mean isGreaterThan?"
    assert nearest("sort", ["or", "_||_"]) == ""
