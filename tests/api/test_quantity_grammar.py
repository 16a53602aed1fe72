"""Texts of quantities, split as the API server splits them."""

from __future__ import annotations

import pytest

from dractl.api.quantity_grammar import (
    BINARY_SI,
    DECIMAL_EXPONENT,
    DECIMAL_SI,
    split_text,
    suffix_of,
)
from tests.rows import each_row


@each_row(
    ("text", "parts"),
    [
        ("1.5Gi", (False, "1.5", "1", "5", "Gi")),
        ("-01.50m", (True, "-01.50", "1", "50", "m")),
        ("+000", (False, "0", "0", "", "")),
        (".5e-3", (False, ".5", "0", "5", "e-3")),
        ("12E4", (False, "12", "12", "", "E4")),
    ],
)
def test_a_text_is_split_into_its_parts(text: str, parts: tuple[bool, str, str, str, str]) -> None:
    assert split_text(text) == parts


@each_row("text", ["1 Gi", "1,5", "one", "1e+3x"])
def test_other_characters_are_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        split_text(text)


@each_row(
    ("suffix", "meaning"),
    [
        ("", (10, 0, DECIMAL_SI)),
        ("m", (10, -3, DECIMAL_SI)),
        ("E", (10, 18, DECIMAL_SI)),
        ("Gi", (2, 30, BINARY_SI)),
        ("e-3", (10, -3, DECIMAL_EXPONENT)),
        ("E4", (10, 4, DECIMAL_EXPONENT)),
        # Upstream keeps the lower 32 bits of an exponent.
        ("e4294967297", (10, 1, DECIMAL_EXPONENT)),
    ],
)
def test_a_suffix_has_a_base_an_exponent_and_a_format(suffix: str, meaning: tuple[int, int, str]) -> None:
    assert suffix_of(f"1{suffix}", suffix) == meaning


@each_row("suffix", ["K", "e", "gi", "e9223372036854775808"])
def test_an_unknown_suffix_is_an_error(suffix: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        suffix_of(f"1{suffix}", suffix)
