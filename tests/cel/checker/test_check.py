"""The type check: what compiles in which environment, and what an error says and where it stands."""

from __future__ import annotations

import pytest

from dractl.cel.compile import CelError, Selector, compile_derived_attribute, compile_selector
from tests.cel.conftest import environment
from tests.rows import each_row


def _error(expression: str, minor: str = "1.37", *, stored: bool = True, **gates: bool) -> CelError:
    error = compile_selector(expression, environment(minor, stored=stored, **gates))
    assert isinstance(error, CelError), expression
    return error


def _compiles(expression: str, minor: str = "1.37", *, stored: bool = True, **gates: bool) -> bool:
    return isinstance(compile_selector(expression, environment(minor, stored=stored, **gates)), Selector)


@each_row(
    ("expression", "offset", "part"),
    [
        ("devic.driver == 'a'", 0, "unknown variable devic; did you mean device?"),
        ("device.atributes.size() == 1", 7, "unknown field atributes; did you mean attributes?"),
        ("has(device.nosuch)", 11, "unknown field nosuch"),
        ('device["driver"] == "a"', 6, "the device has no keys; write `device.driver`"),
        (
            "device.attributes[1].size() == 0",
            17,
            "a key of this map must be a string, got an int; an attribute is",
        ),
        ("device.driver.x == 1", 14, ".x selects a field, but a string has no fields"),
        ('"a".sizes() == 1', 4, "unknown function sizes; did you mean size?"),
        ("nope(1)", 0, "unknown function nope"),
        ("size == 1", 0, "size is a function and requires arguments"),
        ("size(1) == 1", 0, "size() does not accept an int; available: "),
        (
            "'a'.contains(1)",
            4,
            "available: string.contains(string) -> bool",
        ),
        ("1 == 1.0", 2, "== cannot compare an int with a double; convert one side"),
        ("1 == 'a'", 2, "== cannot compare an int with a string"),
        ("!1", 0, "! requires a bool, got an int"),
        ("1 && true", 0, "&& requires a bool on both sides, got an int"),
        ('device.capacity["a"].m == "1Gi"', 23, 'write `device.capacity["a"].m == quantity("1Gi")`'),
        (
            'device.capacity["a"].m > quantity("1")',
            23,
            '; write `device.capacity["a"].m.isGreaterThan(quantity("1"))`',
        ),
        (
            'device.capacity["a"].m >= quantity("1")',
            23,
            '; write `device.capacity["a"].m.compareTo(quantity("1")) >= 0`',
        ),
        ('device.capacity["a"].m > "1"', 23, '; write `device.capacity["a"].m.isGreaterThan(quantity("1"))`'),
        ('device.capacity["a"].m.isGreaterThan("1")', 23, '; write `isGreaterThan(quantity("1"))`'),
        (
            'device.attributes["m"] == "x"',
            17,
            'an attribute requires its domain, usually the driver: write `device.attributes["DOMAIN"].m`',
        ),
        (
            'device.attributes["a.io"] == "x"',
            17,
            '`a.io` is only the domain; add the name: `device.attributes["a.io"].NAME`',
        ),
        ('device.capacity["a.io/m"] == "x"', 15, 'two keys: write `device.capacity["a.io"].m`'),
        ('device.attributes["a"].m.isGreaterThan(3)', 25, "; compare numbers with `>`"),
        (
            'quantity("1").sign() == 1',
            14,
            "sign() is a function; available: sign(kubernetes.Quantity) -> int",
        ),
        ("[1, 'a'].size() == 2", 4, "values of a list or map must have one type"),
        ("{1: 'a', 'b': 'c'}.size() == 2", 9, "values of a list or map must have one type"),
        (
            '[device.attributes["a"].x, 1].size() == 2',
            27,
            "this is an int, after a value of unknown type (dyn)",
        ),
        ("'abc'.matches('(')", 14, "a ( is not closed"),
        ("'abc'.matches('a{1001}')", 14, "greater than 1000"),
        ("duration('1d') == duration('24h')", 9, "is not a duration"),
        ("timestamp('yesterday').getHours() == 1", 10, "is not a timestamp"),
        ("'%d'.format(['a']) == ''", 13, "%d does not accept a string"),
        ("'%d %d'.format([1]) == ''", 15, "requires 2 arguments, got 1"),
        ("'%y'.format([1]) == ''", 0, "unknown format clause %y"),
        ("device.driver.exists(x, true)", 7, "exists requires a list or map"),
        ("[?1].size() == 1", 2, "expected an optional value after ?"),
        ("nosuch.Message{}", 0, "unknown message type nosuch.Message"),
        ("google.protobuf.Int32Value{x: 1} == 1", 27, "has no field x"),
        ("google.protobuf.Int32Value{value: 'a'} == 1", 34, "must be an int, got a string"),
    ],
)
def test_type_errors_say_what_is_wrong_and_where(expression: str, offset: int, part: str) -> None:
    error = _error(expression)
    assert (error.kind, error.offset) == ("type", offset), error
    assert part in error.message


@each_row(
    ("expression", "shown"),
    [
        ("device.driver", "string"),
        ("1", "int"),
        ('device.attributes["a"]', "map(string, dyn)"),
        ('device.capacity["a"].m', "kubernetes.Quantity"),
        ("[1]", "list(int)"),
        ("optional.of(1)", "optional_type(int)"),
    ],
)
def test_a_selector_has_to_be_a_condition(expression: str, shown: str) -> None:
    error = _error(expression)
    assert error.kind == "output"
    assert shown in error.message


@each_row(
    "expression",
    [
        "true",
        'device.attributes["a"].x',
        'true ? device.attributes["a"].x : false',
        'device.attributes["a"].?x.orValue(false)',
        'device.attributes["a"].x == "5" && device.attributes["a"].x == 5',
        "1 < 2.5 && 1 < 2u",
        '[device.attributes["a"].x, device.attributes["b"].y].size() == 2',
        "[] == [1]",
        "{} == {'a': 1}",
        "[[], [1]].size() == 2",
        "type(1) == int",
        "type(timestamp(0)) == google.protobuf.Timestamp",
        "'%s %d'.format(['a', 1]) == ''",
        "optional.none().orValue(1) == 1",
        "device.attributes.all(d, device.attributes[d].all(k, k != ''))",
        "(true ? null : null) == null",
        'quantity("1") == null || true',
    ],
)
def test_what_compiles(expression: str) -> None:
    assert _compiles(expression)


def test_attributes_can_be_iterated_over_with_lists_only() -> None:
    expression = 'device.attributes["a"].x.exists(y, y == 1)'
    assert _compiles(expression, "1.37", stored=True)
    assert not _compiles(expression, "1.37", stored=False)
    assert _compiles(expression, "1.37", stored=False, DRAListTypeAttributes=True)
    assert _compiles(expression, "1.36", stored=True, DRAListTypeAttributes=True)
    assert not _compiles(expression, "1.36", stored=True)
    assert not _compiles(expression, "1.35", stored=True)


@each_row(
    ("expression", "new", "stored"),
    [
        ("format.uuid().validate('').hasValue()", "1.32", "1.31"),
        ("[1].all(i, x, true)", "1.33", "1.32"),
        ("isSemver('1', true)", "1.34", "1.33"),
        ("lists.range(1) == [0]", "1.35", "1.34"),
        ("[1].sortBy(x, x) == [1]", "1.35", "1.34"),
        ("[1].first().hasValue()", "1.33", "1.33"),
        ("'a'.includes('a')", "", "1.36"),
        ("device.allowMultipleAllocations", "1.36", "1.34"),
        ("isSemver('1')", "1.31", "1.31"),
        ("cel.bind(x, 1, x == 1)", "1.31", "1.31"),
    ],
)
def test_functions_come_with_their_minor(expression: str, new: str, stored: str) -> None:
    minors = [f"1.{minor}" for minor in range(31, 38)]
    having_new = [minor for minor in minors if _compiles(expression, minor, stored=False)]
    having_stored = [minor for minor in minors if _compiles(expression, minor, stored=True)]
    assert having_new == (minors[minors.index(new) :] if new else [])
    assert having_stored == minors[minors.index(stored) :]


def test_a_gate_brings_includes_to_new_expressions() -> None:
    assert _compiles("'a'.includes('a')", "1.37", stored=False, DRAListTypeAttributes=True)


@each_row(
    ("expression", "compiles"),
    [
        ("1", True),
        ("device.driver", True),
        ("true", True),
        ("semver('1.0.0')", True),
        ("[1, 2]", True),
        ('device.attributes["a"].x', True),
        ("1.5", False),
        ("quantity('1')", False),
        ("[[1]]", False),
        ("device.attributes", False),
    ],
)
def test_derived_attributes_are_scalars_or_lists(expression: str, compiles: bool) -> None:
    found = compile_derived_attribute(expression, environment())
    assert isinstance(found, CelError) != compiles
    if isinstance(found, CelError):
        assert found.kind == "output"


def test_derived_lists_need_their_gate_when_new() -> None:
    assert isinstance(compile_derived_attribute("[1]", environment(stored=False)), CelError)
    on = environment(stored=False, DRAListTypeAttributes=True)
    assert not isinstance(compile_derived_attribute("[1]", on), CelError)


def test_long_messages_are_shortened() -> None:
    error = _error(f"int('{'9' * 5000}') == 1")
    assert len(error.message) < 700


@pytest.mark.parametrize(
    ("minor", "message"),
    [
        ("1.37", "unknown variable foo; the only variable is device"),
        ("1.30", "unknown variable foo; the variables are attributes.bool, attributes.int, "),
    ],
)
def test_the_variables_of_a_minor_are_named(minor: str, message: str) -> None:
    found = compile_selector("foo", environment(minor))
    assert isinstance(found, CelError)
    assert found.message.startswith(message)


@pytest.mark.parametrize(
    ("expression", "offset", "part"),
    [
        ("'abc'.find('(?=a)') == ''", 6, "look-around"),
        ("int('x') == 1", 0, "is not a 64-bit integer"),
        ("{'a': 1}[dyn(b'a')] == 1", 9, "a bytes value cannot be a key"),
    ],
)
def test_constant_parts_fail_when_the_program_is_made(expression: str, offset: int, part: str) -> None:
    error = compile_selector(expression, environment("1.37"))
    assert isinstance(error, CelError)
    assert (error.kind, error.offset) == ("program", offset), error
    assert part in error.message
