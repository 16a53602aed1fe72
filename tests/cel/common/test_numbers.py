"""Numbers as texts. What is read and written is what the real evaluator reads and writes."""

from __future__ import annotations

import math

import pytest

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.numbers import double_of, double_text, plain_text, signed_of, unsigned_of
from dractl.cel.common.values import Uint
from tests.rows import each_row

# The text that string() gives for double(text).
DOUBLES: list[tuple[str, str]] = [
    ("0", "0"),
    ("-0", "-0"),
    ("1", "1"),
    ("+1", "1"),
    ("1.5", "1.5"),
    ("-1.5", "-1.5"),
    (".5", "0.5"),
    ("5.", "5"),
    ("1e3", "1000"),
    ("1E3", "1000"),
    ("1e+3", "1000"),
    ("1e-3", "0.001"),
    ("1.5e300", "1.5e+300"),
    ("1e-400", "0"),
    ("4.9e-324", "5e-324"),
    ("2.2250738585072014e-308", "2.2250738585072014e-308"),
    ("0.1", "0.1"),
    ("1_000", "1000"),
    ("0x1p-2", "0.25"),
    ("0x1.8p1", "3"),
    ("0X1P+3", "8"),
    ("0x.8p0", "0.5"),
    ("0x_1p0", "1"),
    ("0x1_0p0", "16"),
    ("inf", "+Inf"),
    ("+inf", "+Inf"),
    ("-Inf", "-Inf"),
    ("INFINITY", "+Inf"),
    ("nan", "NaN"),
    ("NaN", "NaN"),
    ("9007199254740993", "9.007199254740992e+15"),
    ("123456789012345678901234567890", "1.2345678901234568e+29"),
    ("1e23", "1e+23"),
    ("1e308", "1e+308"),
    ("0x1.fffffffffffffp1023", "1.7976931348623157e+308"),
]

NO_DOUBLES = [
    "1e400",
    "-1e400",
    "1__0",
    "_1",
    "1_",
    "0x1",
    "0x1p",
    "infinit",
    "+nan",
    "-nan",
    "",
    "  1",
    "1 ",
    "1e",
    "e5",
    "1.2.3",
    "--1",
    "1f",
    "0b1",
    "0o7",
    "١",
    "1,5",
    "0x1p1024",
]

SIGNED: list[tuple[str, int]] = [
    ("0", 0),
    ("-0", 0),
    ("+7", 7),
    ("-7", -7),
    ("007", 7),
    ("9223372036854775807", 9223372036854775807),
    ("-9223372036854775808", -9223372036854775808),
]

NO_SIGNED = [
    "9223372036854775808",
    "-9223372036854775809",
    "1.0",
    "1e3",
    "0x10",
    "",
    "+",
    "-",
    "1_000",
    " 1",
    "1 ",
    "١",
    "--1",
    "+-1",
    "99999999999999999999999",
]

UNSIGNED: list[tuple[str, int]] = [
    ("0", 0),
    ("7", 7),
    ("007", 7),
    ("18446744073709551615", 18446744073709551615),
]

NO_UNSIGNED = [
    "+7",
    "-0",
    "-1",
    "18446744073709551616",
    "",
    "1u",
    "1.0",
    " 1",
]

TEXTS: list[tuple[float, str]] = [
    (0.0, "0"),
    (-0.0, "-0"),
    (1.0, "1"),
    (-1.0, "-1"),
    (1.5, "1.5"),
    (0.1, "0.1"),
    (100000.0, "100000"),
    (999999.0, "999999"),
    (1000000.0, "1e+06"),
    (1234567.0, "1.234567e+06"),
    (0.0001, "0.0001"),
    (1e-05, "1e-05"),
    (0.00012345, "0.00012345"),
    (10000000000.0, "1e+10"),
    (1e20, "1e+20"),
    (1e21, "1e+21"),
    (1e22, "1e+22"),
    (1e23, "1e+23"),
    (1e-07, "1e-07"),
    (1.5e-07, "1.5e-07"),
    (123456.789, "123456.789"),
    (1234567.891, "1.234567891e+06"),
    (5e-324, "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308"),
    (9007199254740992.0, "9.007199254740992e+15"),
    (3.0000000000000004, "3.0000000000000004"),
    (100.0, "100"),
    (1e100, "1e+100"),
    (0.5, "0.5"),
    (2.5e-05, "2.5e-05"),
]

PLAIN = [
    (0.0, "0"),
    (-0.0, "-0"),
    (1.0, "1"),
    (-1.5, "-1.5"),
    (1e-09, "0.000000001"),
    (1.5e-07, "0.00000015"),
    (123456.789, "123456.789"),
    (1e21, "1000000000000000000000"),
    (9223372036.854776, "9223372036.854776"),
]


@each_row(("text", "shown"), DOUBLES)
def test_a_double_is_read_as_go_reads_it(text: str, shown: str) -> None:
    assert double_text(double_of(text)) == shown


@each_row("text", NO_DOUBLES)
def test_what_is_no_double_is_an_error(text: str) -> None:
    with pytest.raises(EvaluationError) as raised:
        double_of(text)
    assert repr(text) in raised.value.message


def test_the_value_of_a_text_is_the_nearest_double() -> None:
    assert double_of("0.1") == 0.1
    assert double_of("0x1.8p1") == 3.0
    assert double_of("1e-400") == 0.0
    assert math.copysign(1, double_of("-0")) == -1
    assert math.isnan(double_of("nan"))
    assert double_of("-INF") == -math.inf


@each_row(("text", "number"), SIGNED)
def test_an_integer_is_read_in_base_ten(text: str, number: int) -> None:
    found = signed_of(text)
    assert found == number
    assert type(found) is int


@each_row("text", [*NO_SIGNED, "1" * 5000])
def test_what_is_no_int64_is_an_error(text: str) -> None:
    with pytest.raises(EvaluationError, match="is not a 64-bit integer"):
        signed_of(text)


@each_row(("text", "number"), UNSIGNED)
def test_an_unsigned_integer_takes_no_sign(text: str, number: int) -> None:
    found = unsigned_of(text)
    assert found == number
    assert type(found) is Uint


@each_row("text", [*NO_UNSIGNED, "1" * 5000])
def test_what_is_no_uint64_is_an_error(text: str) -> None:
    with pytest.raises(EvaluationError, match="is not an unsigned 64-bit integer"):
        unsigned_of(text)


@each_row(("number", "text"), TEXTS)
def test_a_double_is_written_with_as_few_digits_as_needed(number: float, text: str) -> None:
    assert double_text(number) == text


def test_doubles_that_are_no_numbers_have_names() -> None:
    assert double_text(math.inf) == "+Inf"
    assert double_text(-math.inf) == "-Inf"
    assert double_text(math.nan) == "NaN"


@each_row(("number", "text"), PLAIN)
def test_a_double_can_be_written_without_an_exponent(number: float, text: str) -> None:
    assert plain_text(number) == text
