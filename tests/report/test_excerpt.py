from __future__ import annotations

from unicodedata import east_asian_width

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dractl.report.excerpt import excerpt


def _under_mark(line: str, column: int, width: int) -> str:
    """The character that stands above the mark, counted in terminal columns."""
    shown, indent = excerpt(line, column, width)
    position = 0
    for character in shown:
        if position == len(indent):
            return character
        position += 2 if east_asian_width(character) in "WF" else 1
    return ""


def test_a_short_line_is_shown_as_it_is() -> None:
    assert excerpt("  - name: gpu", 5, 80) == ("  - name: gpu", "    ")


def test_a_tab_is_an_arrow_with_blanks_to_its_stop() -> None:
    assert excerpt("\tx: 1", 2, 80) == ("→   x: 1", "    ")
    assert excerpt("ab\tx: 1", 4, 80) == ("ab→ x: 1", "    ")


def test_wide_characters_take_two_columns() -> None:
    assert excerpt("漢字: x", 3, 80).indent == "    "


def test_combining_characters_take_none() -> None:
    assert excerpt("e\u0301x", 3, 80).indent == " "


def test_a_place_behind_the_end_is_the_end() -> None:
    assert excerpt("abc", 99, 80) == ("abc", "   ")


def test_control_characters_are_seen() -> None:
    assert excerpt("a\x1b[2Jb", 1, 80).line == "a␛[2Jb"


@pytest.mark.parametrize("column", [1, 10, 5_000, 9_999, 10_000])
@pytest.mark.parametrize("width", [20, 76, 116])
def test_a_long_line_is_cut_around_the_mark(column: int, width: int) -> None:
    line = "".join(chr(ord("a") + number % 26) for number in range(10_000))
    shown, indent = excerpt(line, column, width)
    assert len(shown) <= width
    assert shown[len(indent)] == line[column - 1]
    assert shown.startswith("…") == (column > 10)
    assert shown.endswith("…") == (column < 9_990)


def test_a_line_of_ten_megabytes_takes_no_time() -> None:
    shown, _ = excerpt("x" * 10_000_000, 5_000_000, 80)
    assert len(shown) == 80


@given(st.text(alphabet="ab\t漢é 字-", max_size=300), st.integers(1, 320), st.integers(20, 120))
def test_the_mark_stands_under_its_character(line: str, column: int, width: int) -> None:
    if column > len(line) or line[column - 1] in "\t " or not line[column - 1 :].strip():
        return
    assert _under_mark(line, column, width) == line[column - 1]


@given(st.text(alphabet="ab\t漢é 字-\x1b\u202e\r", max_size=400), st.integers(1, 420), st.integers(20, 120))
def test_an_excerpt_never_is_wider_than_asked(line: str, column: int, width: int) -> None:
    shown, indent = excerpt(line, column, width)
    assert sum(2 if east_asian_width(character) in "WF" else 1 for character in shown) <= width
    assert len(indent) < width
    assert shown.isprintable()
