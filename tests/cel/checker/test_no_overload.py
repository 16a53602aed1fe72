"""Operators and functions that do not accept their operands: plain words first, CEL's types last."""

from __future__ import annotations

from dractl.cel.compile import CelError, compile_selector
from tests.cel.conftest import environment
from tests.rows import each_row


def _error(expression: str, *, stored: bool = True) -> CelError:
    error = compile_selector(expression, environment("1.37", stored=stored))
    assert isinstance(error, CelError), expression
    return error


_CAPACITY = 'device.capacity["a"].m'
_VERSION = 'device.attributes["a"].v'


@each_row(
    ("expression", "problem", "advice", "native"),
    [
        (
            f"{_CAPACITY} > 40",
            "> cannot compare a quantity with an int",
            f'write `{_CAPACITY}.isGreaterThan(quantity("40"))`',
            "kubernetes.Quantity > int",
        ),
        (
            f"{_CAPACITY} >= size('ab')",
            ">= cannot compare a quantity with an int",
            f"write `{_CAPACITY}.compareTo(quantity(string(size('ab')))) >= 0`",
            "kubernetes.Quantity >= int",
        ),
        (
            f"{_VERSION} < semver('2.0.0')",
            "< cannot compare versions",
            f"write `{_VERSION}.isLessThan(semver('2.0.0'))`",
            "dyn < kubernetes.Semver",
        ),
        (
            "semver('1.0.0') > quantity('1')",
            "> cannot compare a version with a quantity",
            "",
            "kubernetes.Semver > kubernetes.Quantity",
        ),
        (
            "semver('1.0.0') < '1.4'",
            "< cannot compare a version with a string",
            'write a version as `semver("1.0.0")`',
            "kubernetes.Semver < string",
        ),
        (
            f"{_CAPACITY} + {_CAPACITY} == quantity('1')",
            "+ cannot be applied to quantities",
            f"write `{_CAPACITY}.add({_CAPACITY})`",
            "kubernetes.Quantity + kubernetes.Quantity",
        ),
        (
            f"(true ? {_CAPACITY} : {_CAPACITY}) > 1",
            "> cannot compare a quantity with an int",
            f'write `(true ? {_CAPACITY} : {_CAPACITY}).isGreaterThan(quantity("1"))`',
            "kubernetes.Quantity > int",
        ),
        (
            'device.attributes["a"].?x == "y"',
            "== cannot compare an optional value with a string",
            'give it a default: `device.attributes["a"].?x.orValue("")`',
            "optional_type(dyn) == string",
        ),
        (
            "device.driver in 'ab'",
            "in requires a list or map on its right, got a string",
            "write `'ab'.contains(device.driver)`",
            "",
        ),
        (
            "1 in ['a']",
            "in cannot find an int: the values of the list have another type",
            "",
            "int in list(string)",
        ),
        ("-device.driver == 1", "- requires a number, got a string", "", ""),
        ("true ? 1 : 'a'", "the two results of ?: must have one type, got an int and a string", "", ""),
        ("'a' ? 1 : 2", "the condition before ? must be a bool, got a string", "", ""),
        ("'a'[0] == 'a'", "a string has no keys", "", ""),
        ("[1]['a'] == 1", "the index of a list must be an int, got a string", "", "list(int)[string]"),
        ("1 < '2'", "< cannot compare an int with a string", "remove the quotes from '2'", ""),
        (
            "1 + 'a' == 'b'",
            "+ cannot be applied to an int and a string",
            "convert the number with `string()`",
            "",
        ),
        ("duration('1s') > 1", "> cannot compare a duration with an int", "", ""),
        (
            "device == 'x'",
            "== cannot compare the device with a string",
            "select a field, such as `device.driver`",
            "kubernetes.DRADevice == string",
        ),
        (
            "device.attributes == 'x'",
            "== cannot compare a map with a string",
            'an attribute is `device.attributes["DOMAIN"].NAME`, a capacity `device.capacity["DOMAIN"].NAME`',
            "map(string, map(string, dyn)) == string",
        ),
        (
            'device.attributes["a.io/numa-0"] == 1',
            'domain and name are two keys: write `device.attributes["a.io"]["numa-0"]`',
            "",
            "map(string, dyn) == int",
        ),
    ],
)
def test_operators_name_their_operands_in_plain_words(
    expression: str, problem: str, advice: str, native: str
) -> None:
    message = problem + (f"; {advice}" if advice else "") + (f" ({native})" if native else "")
    assert _error(expression).message == message


@each_row(
    ("expression", "message"),
    [
        (
            f"{_VERSION}.isGreaterThan('1.4.0')",
            "write `isGreaterThan(semver('1.4.0'))` (dyn.isGreaterThan(string))",
        ),
        (
            f"{_VERSION}.isGreaterThan('4Gi')",
            "write `isGreaterThan(quantity('4Gi'))` (dyn.isGreaterThan(string))",
        ),
        (
            f"{_VERSION}.isGreaterThan('v1')",
            '; write a version as `semver("1.0.0")`, a quantity as `quantity("1Gi")` (dyn.',
        ),
        (
            f"{_CAPACITY}.compareTo(4) == 0",
            'write `compareTo(quantity("4"))` (kubernetes.Quantity.compareTo(int))',
        ),
        (f"{_VERSION}.isLessThan(4)", "compare numbers with `<` (dyn.isLessThan(int))"),
        ("quantity(5) == quantity('5')", 'quote it: `quantity("5")` (quantity(int))'),
        (f"int({_CAPACITY}) == 1", f"write `{_CAPACITY}.asInteger()` (int(kubernetes.Quantity))"),
        ("device.driver.matches(1)", "available: string.matches(string) -> bool"),
        ("isLessThan(quantity('1'), quantity('2'))", "isLessThan() is a method; available: "),
        (
            'device.attributes["m"].isLessThan(semver("1.0.0"))',
            'write `device.attributes["DOMAIN"].m` (map(string, dyn).isLessThan(kubernetes.Semver))',
        ),
    ],
)
def test_functions_advise_what_to_write(expression: str, message: str) -> None:
    assert message in _error(expression).message


def test_a_long_operand_is_not_repeated() -> None:
    message = _error(f"device.capacity['{'a' * 100}'].m > 1").message
    assert 'write `….isGreaterThan(quantity("1"))`' in message


def test_one_message_serves_api_server_and_scheduler() -> None:
    expression = 'device.attributes["m"] == "x"'
    assert _error(expression, stored=True) == _error(expression, stored=False)


def test_a_macro_names_its_condition() -> None:
    message = _error("device.attributes['a'].exists(x, x)").message
    assert message == "the condition of this macro must be a bool, got a string"
