"""What servers since 1.38 keep of a quantity, and where those before do not come back."""

from __future__ import annotations

import pytest

from dractl.api import quantity, release
from dractl.api.quantity_reading import is_endless, reader_of, shortened
from tests.rows import each_row


# What a server of 1.38.0-beta.0 stores for the text.
@each_row(
    ("text", "stored"),
    [
        ("1.5Gi", "1536Mi"),
        ("31007729116423734271.466649316816348317938k", "31007729116423734271466649317u"),
        ("775175787782867550102277768374523", "775175787782867550102277768380k"),
        ("-775175787782867550102277768374523", "-775175787782867550102277768380k"),
        ("1234567890123456789012345678901Ki", "9223372036854775807"),
        ("1.234567890123456789012345678901Ki", "1264197519487n"),
        ("0.005e2147483647", "50e2147483643"),
        ("12345678901234567890e99999999999", "123456789012345678900e1215752190"),
        ("1e-2147483647", "1e-9"),
        ("1e4294967297", "10"),
        ("000000000000000000000000000000001.0000000000000000000000000000000", "1"),
    ],
)
def test_what_is_stored_since_1_38(text: str, stored: str) -> None:
    assert str(reader_of(release.at("1.38"))(text)) == stored


@each_row("text", ["1e2147483648", "1e-2147483648", "0e2147483648", "1e9223372036854775808", "x", ""])
def test_what_is_no_quantity_since_1_38(text: str) -> None:
    with pytest.raises(ValueError, match=r"exponent|quantity|suffix|empty"):
        reader_of(release.at("1.38"))(text)


def test_servers_before_keep_all_digits() -> None:
    text = "31007729116423734271.466649316816348317938k"
    assert str(reader_of(release.at("1.37"))(text)) == "31007729116423734271466649316817n"


def test_nothing_is_dropped_without_need() -> None:
    assert shortened("12345678901234567890123456789") == "12345678901234567890123456789"
    assert shortened(f"1.{'0' * 40}") == f"1.{'0' * 28}"
    assert quantity.parse(shortened(f"{'9' * 30}.5")) == quantity.parse("1e30")


# Measured with servers of 1.37: all that is endless took more than 25 seconds, the others less than four.
@each_row(
    ("text", "expected"),
    [
        ("1e2147483647", False),
        ("1e4294967297", False),
        ("0e2147483648", False),
        ("1234567890123456789e10000", False),
        ("1234567890123456789e50000", False),
        ("12345678901234567890123n", False),
        ("1e-10000000", False),
        ("1e2147483648", True),
        ("1e-2147483648", True),
        ("1e-100000000", True),
        ("0.1e-99999999", True),
        ("1234567890123456789e1000000", True),
        ("1234567890123456789e-100000000", True),
        ("no quantity", False),
    ],
)
def test_where_servers_up_to_1_37_do_not_come_back(text: str, expected: bool) -> None:
    assert is_endless(text) is expected
