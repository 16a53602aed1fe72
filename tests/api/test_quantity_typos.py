"""The notations of other tools, with the quantities that were probably meant."""

from __future__ import annotations

import pytest

from dractl.api import quantity
from dractl.api.quantity_typos import advice_for
from tests.rows import each_row


@each_row(
    ("text", "meant"),
    [
        ("40GB", "40G or 40Gi"),
        ("40 GB", "40G or 40Gi"),
        ("40gb", "40G or 40Gi"),
        ("40GiB", "40Gi"),
        ("40gi", "40Gi"),
        ("1,5 Gi", "1.5Gi"),
        ("10kb", "10k or 10Ki"),
        ("10K", "10k or 10Ki"),
        ("512 MBytes", "512M or 512Mi"),
        ("100B", "100"),
        (" 7 ", "7"),
    ],
)
def test_what_was_meant(text: str, meant: str) -> None:
    assert advice_for(text) == f"did you mean {meant}?"
    for each in meant.split(" or "):
        quantity.parse(each)
    with pytest.raises(ValueError, match="did you mean"):
        quantity.parse(text)


@each_row("text", ["", "many", "Gi", "40 X", "1 2", "10ib"])
def test_what_resembles_no_quantity_gets_no_advice(text: str) -> None:
    assert advice_for(text) == ""
