from __future__ import annotations

from dractl.report.listing import Cell, Painted, hanging, listing, prose
from dractl.report.style import Style

HEADINGS = ("NAME", "STATE", "ABOUT")
ROWS = [("a", "on", "A short sentence."), ("longer-name", "off", "Some words that need more room. " * 3)]


def test_without_a_width_each_row_is_one_line() -> None:
    first, second, third = listing(HEADINGS, ROWS, Style(width=None))
    assert first == "NAME         STATE  ABOUT"
    assert second == "a            on     A short sentence."
    assert third.startswith("longer-name  off    Some words that need more room. Some words")


def test_with_room_sentences_are_wrapped_next_to_their_row() -> None:
    lines = listing(HEADINGS, ROWS, Style(width=70))
    assert lines[2:] == [
        "longer-name  off    Some words that need more room. Some words that",
        "                    need more room. Some words that need more room.",
    ]


def test_without_room_sentences_stand_below_their_row() -> None:
    assert listing(HEADINGS, ROWS, Style(width=50)) == [
        "NAME         STATE",
        "a            on",
        "    A short sentence.",
        "longer-name  off",
        "    Some words that need more room. Some words",
        "    that need more room. Some words that need more",
        "    room.",
    ]


def test_short_sentences_stand_next_to_their_row_on_any_terminal() -> None:
    rows = [("a", "on", "x"), ("b", "off", "y")]
    assert listing(HEADINGS, rows, Style(width=20)) == [
        "NAME  STATE  ABOUT",
        "a     on     x",
        "b     off    y",
    ]


def test_a_row_without_a_sentence_ends_with_its_last_word() -> None:
    assert listing(HEADINGS, [("a", "on", "")], Style(width=None))[1] == "a     on"


def test_colour_does_not_count_as_width() -> None:
    rows: list[tuple[Cell, ...]] = [
        (Painted("a", "error"), "on", "x"),
        ("bb", Painted("off", "warning"), "y"),
    ]
    assert listing(HEADINGS, rows, Style(width=None, color=True)) == [
        "\x1b[1mNAME  STATE  ABOUT\x1b[0m",
        "\x1b[1;31ma\x1b[0m     on     x",
        "bb    \x1b[1;33moff\x1b[0m    y",
    ]


def test_what_steers_a_terminal_is_made_visible() -> None:
    assert listing(HEADINGS, [("a\x1b[2J", "on\n", "\x07")], Style(width=None))[1] == "a␛[2J  on␊    ␇"


def test_prose_is_never_wider_than_is_good_to_read() -> None:
    text = "word " * 60
    assert max(map(len, prose(text, Style(width=200)))) <= 100
    assert max(map(len, prose(text, Style(width=None)))) <= 100
    assert max(map(len, prose(text, Style(width=60), indent="  "))) <= 60
    assert all(line.startswith("  word") for line in prose(text, Style(width=60), indent="  "))


def test_prose_breaks_no_words() -> None:
    path = "spec.devices.requests[*].firstAvailable[*].selectors[*].cel.expression"
    assert prose(path, Style(width=40)) == [path]


def test_a_sentence_hangs_next_to_a_short_head_and_under_a_wide_one() -> None:
    style = Style(width=30)
    assert hanging("  node-a  ", "has no devices in usable pools", style) == [
        "  node-a  has no devices in",
        "          usable pools",
    ]
    assert hanging("  ip-10-0-12-233  ", "has no devices in usable pools", style) == [
        "  ip-10-0-12-233",
        "      has no devices in usable",
        "      pools",
    ]
