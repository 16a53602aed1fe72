"""Scalars as they reach the server: quantities, and how long raw values are."""

from __future__ import annotations

from typing import Any

from dractl.versions.scalars import AsSent, decode_quantity, length_as_written
from tests.rows import each_row


@each_row(
    ("value", "length"),
    [
        ({}, 2),
        ({"a": "x", "b": [1, 2]}, 19),
        ({"a": "<>&"}, 8 + 3 * 6),
        ({"a": "\u2028é"}, 8 + 6 + 2),
        ({"a": "\n\x01"}, 8 + 2 + 6),
        ({"a": [1.0, 1.5, -2.0, 1e3]}, len('{"a":[1,1.5,-2,1000]}')),
        (
            {"a": [1e-7, 1e-6, 0.00012, -2.5e-5, 1e-10, -0.0, 1e21, 1.5e300]},
            len('{"a":[1e-7,0.000001,0.00012,-0.000025,1e-10,-0,1e+21,1.5e+300]}'),
        ),
        (AsSent({"a": "x"}, 12), 12),
    ],
)
def test_what_reaches_the_server_is_compact_unless_it_comes_as_it_is(value: Any, length: int) -> None:
    assert length_as_written(value) == length


@each_row("space", [" ", "   ", "\u0085", "\u00a0", "\u1680", "\u2003", "\u202f", "\u205f", "\u3000"])
def test_white_space_around_a_quantity_goes(space: str) -> None:
    for text in (f"{space}1Gi", f"1Gi{space}", f"{space}1Gi{space}"):
        assert decode_quantity(text) == ("1Gi", None)


@each_row("space", ["\t", "\n", "\v", "\f", "\r", "\x1c", "\u180e", "\u200b", "\u2028", "\ufeff"])
def test_what_clients_escape_and_what_is_no_space_stays(space: str) -> None:
    for text in (f"{space}1", f"1{space}"):
        assert decode_quantity(text)[1] is not None


@each_row("text", ["", " ", "1 Gi", "- 1", " 1 2 "])
def test_spaces_within_a_quantity_are_wrong(text: str) -> None:
    value, wrong = decode_quantity(text)
    assert value is None
    assert wrong is not None
    assert "without spaces" in wrong or "did you mean 1Gi?" in wrong
