"""Quantities read, compare and print as the Go library does; the columns were taken down from it."""

from __future__ import annotations

import copy

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dractl.api import quantity
from dractl.api.fixed_point import MAX_TEXT
from dractl.api.quantity import (
    Quantity,
    Rewritten,
    as_written,
    of_int,
    parse,
)
from dractl.api.quantity_grammar import BINARY_SI, DECIMAL_EXPONENT, DECIMAL_SI
from tests.rows import each_row

CANONICAL = [
    ("0", "0", DECIMAL_SI),
    ("1.5", "1500m", DECIMAL_SI),
    ("1.500", "1.500", DECIMAL_SI),
    ("1.5Gi", "1536Mi", BINARY_SI),
    ("1024", "1024", DECIMAL_SI),
    ("1024Ki", "1Mi", BINARY_SI),
    ("1000k", "1M", DECIMAL_SI),
    ("01Gi", "01Gi", BINARY_SI),
    ("+1Gi", "+1Gi", BINARY_SI),
    ("8Gi", "8Gi", BINARY_SI),
    ("0.5Ki", "512", BINARY_SI),
    ("0.0005Ki", "512m", DECIMAL_SI),
    ("12e6", "12e6", DECIMAL_EXPONENT),
    ("12E4", "120e3", DECIMAL_EXPONENT),
    ("0.1n", "1n", DECIMAL_SI),
    ("-0.1n", "-1n", DECIMAL_SI),
    ("1.0000000001", "1000000001n", DECIMAL_SI),
    ("1000E", "1", DECIMAL_SI),
    ("1024Ei", "9223372036854775807", BINARY_SI),
    ("9223372036854775808", "9223372036854775808", DECIMAL_SI),
    ("1e2000000000", "100e1999999998", DECIMAL_EXPONENT),
    (".", "0", DECIMAL_SI),
    ("+", "0", DECIMAL_SI),
    (".5", "500m", DECIMAL_SI),
    ("1.G", "1.G", DECIMAL_SI),
    ("100Gi", "100Gi", BINARY_SI),
    ("-1.5Gi", "-1536Mi", BINARY_SI),
]


@each_row(("text", "canonical", "form"), CANONICAL)
def test_text_and_format_are_those_of_go(text: str, canonical: str, form: str) -> None:
    assert (str(parse(text)), parse(text).format) == (canonical, form)


@each_row(
    "text",
    [
        "",
        "Mi.",
        "1 Gi",
        " 1",
        "1,3G",
        "200K",
        "1kk",
        "1Gi ",
        "0x10",
        "1e",
        "1ee3",
        "1e3.5",
        "-.x",
        "1_000",
        "١",
    ],
)
def test_what_go_refuses_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"quantity|suffix"):
        parse(text)


def test_a_letter_alone_has_no_digits_but_counts_as_zero() -> None:
    assert parse("Mi") == parse("k") == parse("0")


def test_without_digits_arbitrary_precision_is_refused() -> None:
    with pytest.raises(ValueError, match="no digits"):
        parse("+.e-12")


def test_a_misspelled_suffix_is_named_with_the_right_one() -> None:
    with pytest.raises(ValueError, match="did you mean 1k or 1Ki"):
        parse("1K")


def test_an_exponent_beyond_64_bits_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        parse("1e99999999999999999999")


def test_a_text_beyond_the_stated_limit_is_refused() -> None:
    assert parse("1" * MAX_TEXT).sign == 1
    with pytest.raises(ValueError, match="must have at most"):
        parse("1" * (MAX_TEXT + 1))


@each_row(
    ("text", "value", "milli"),
    [
        ("1500m", 2, 1500),
        ("-1500m", -2, -1500),
        ("1.5Gi", 1610612736, 1610612736000),
        ("-1.5Ki", -1536, -1536000),
        ("-0.0005Ki", 1, -512),
        ("1n", 1, 1),
        ("10E", 0, 0),
        ("123456789012345678k", -5670419503621183312, -7269072992350965888),
        ("9223372036854775808", -9223372036854775808, 0),
        ("1e2000000000", 0, 0),
        ("8Pi", 9007199254740992, 9007199254740992000),
    ],
)
def test_values_round_away_from_zero_and_overflow_as_in_go(text: str, value: int, milli: int) -> None:
    assert (parse(text).value, parse(text).milli_value) == (value, milli)


@each_row(
    ("text", "expected"),
    [
        ("1.5G", 1500000000),
        ("1.5Gi", None),
        ("40Gi", 42949672960),
        ("1Pi", None),
        ("99999Gi", 99999 * 2**30),
        ("100000Gi", None),
        ("500m", None),
        ("1000m", None),
        ("1.0", None),
        ("9E", 9 * 10**18),
        ("10E", None),
        ("-3k", -3000),
    ],
)
def test_only_the_scaled_form_is_an_integer(text: str, expected: int | None) -> None:
    assert parse(text).as_int64() == expected


@each_row(
    ("text", "expected"),
    [
        ("1500m", 1.5),
        ("1.5Gi", 1610612736.0),
        ("1e400", float("inf")),
        ("-2", -2.0),
        ("1n", 1e-9),
        ("-1e2000", float("-inf")),
    ],
)
def test_floats_are_approximate(text: str, expected: float) -> None:
    assert parse(text).as_float() == expected


@each_row(
    ("left", "right", "total", "difference"),
    [
        ("1Gi", "1Gi", "2Gi", "0"),
        ("0", "1Gi", "1Gi", "-1Gi"),
        ("1", "1Gi", "1073741825", "-1073741823"),
        ("1Gi", "1", "1073741825", "1073741823"),
        ("1Ki", "0.5", "1024500m", "1023500m"),
        ("9E", "9E", "18E", "0"),
        ("1e3", "1", "1001", "999"),
        ("1n", "1E", "1000000000000000000000000001n", "-999999999999999999999999999n"),
    ],
)
def test_sums_keep_the_format_of_the_left(left: str, right: str, total: str, difference: str) -> None:
    assert str(parse(left).add(parse(right))) == total
    assert str(parse(left).subtract(parse(right))) == difference


def test_a_sum_that_overflows_is_exact_and_no_integer() -> None:
    total = parse("9223372036854775807").add(parse("1"))
    assert total.exact
    assert str(total) == "9223372036854775808"
    assert total.as_int64() is None


def test_sums_of_parts_too_far_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="magnitudes differ too much"):
        parse("1e2000000000").add(parse("1"))


def test_sums_cannot_grow_beyond_their_limit() -> None:
    total = parse("1e1900").add(parse("1")).add(parse("1e1999"))
    with pytest.raises(ValueError, match="too many digits"):
        total.add(Quantity(10**1900, 1000))


def test_order_is_by_value_even_where_exponents_are_huge() -> None:
    texts = [
        "-1e2000000000",
        "-1",
        "-1n",
        "0",
        "1n",
        "999m",
        "1",
        "1Ki",
        "1025",
        "1e2000000000",
        "2e2000000000",
    ]
    ordered = [parse(text) for text in texts]
    assert sorted([*ordered[5:], *ordered[:5]]) == ordered
    assert parse("40Gi") == parse("42949672960")
    assert hash(parse("40Gi")) == hash(parse("42949672960"))
    assert parse("1") != "1"


def test_numbers_and_negation() -> None:
    assert str(of_int(1536, BINARY_SI)) == "1536"
    assert str(of_int(2048, BINARY_SI)) == "2Ki"
    assert str(parse("1.5Gi").negated()) == "-1536Mi"
    assert repr(parse("1.5Gi")) == "Quantity('1536Mi')"
    assert [parse(text).sign for text in ("-1", "0", "1n")] == [-1, 0, 1]
    assert str(quantity.ZERO) == "0"


@each_row(
    ("text", "value", "milli"),
    [
        ("-500m", 1, -500),
        ("-1500m", 0, -1500),
        ("10E", -8446744073709551616, 0),
        ("1e19", -9223372036854775808, -9223372036854775808),
        ("-1e19", -9223372036854775808, -9223372036854775808),
        ("3e20", -9223372036854775808, -9223372036854775808),
        ("123456789012345678901234567890", -4362896299872285998, 8982045596877734992),
    ],
)
def test_values_after_a_comparison_with_a_huge_number(text: str, value: int, milli: int) -> None:
    number = parse(text).after_comparison(parse("7Ei"))
    assert (number.value, number.milli_value) == (value, milli)


def test_a_comparison_changes_neither_the_quantity_nor_a_huge_one() -> None:
    half, huge = parse("-500m"), parse("7Ei")
    assert half.after_comparison(parse("2")).value == -1
    assert half.after_comparison(huge) == half
    assert huge.after_comparison(half) is huge


_numbers = st.builds(
    Quantity,
    st.integers(-(10**20), 10**20),
    st.integers(-9, 12),
    exact=st.booleans(),
    form=st.just(DECIMAL_EXPONENT),
)


@given(_numbers)
def test_parsing_undoes_printing(number: Quantity) -> None:
    assert parse(str(number)) == number


@given(_numbers, _numbers)
def test_order_is_total_and_sums_undo_differences(left: Quantity, right: Quantity) -> None:
    assert left.compare(right) == -right.compare(left)
    assert (left == right) == (left.compare(right) == 0)
    # The negative of the least int64 is itself there, so that its difference is a sum.
    assume(right.unscaled != -(2**63) or left.exact or right.exact)
    assert left.subtract(right).add(right) == left


def test_a_rewritten_text_is_the_canonical_one_and_remembers_the_other() -> None:
    text = Rewritten("1", "1000m")
    assert text == "1"
    assert {text: 0} == {"1": 0}
    assert (as_written(text).unscaled, as_written(text).scale) == (1000, -3)
    assert as_written("1k") == parse("1000")
    assert copy.deepcopy([text])[0].written == "1000m"
