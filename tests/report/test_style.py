from __future__ import annotations

import pytest

from dractl.report.style import PLAIN, Style, printable, sentence


def test_without_colour_nothing_is_painted() -> None:
    assert PLAIN.paint("error", "error:") == "error:"


def test_with_colour_the_text_is_between_escapes() -> None:
    assert Style(color=True).paint("error", "error:") == "\x1b[1;31merror:\x1b[0m"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("größe 漢字", "größe 漢字"),
        ("a\x1b[31mb", "a␛[31mb"),
        ("two\nlines", "two␊lines"),
        ("nul\0", "nul␀"),
        ("c1\x9b", "c1\ufffd"),
        ("del\x7f", "del\ufffd"),
        ("turned\u202ebackwards", "turned\ufffdbackwards"),
        ("half \ud800 a pair", "half \ufffd a pair"),
    ],
)
def test_what_steers_a_terminal_is_shown_instead(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_sentence_is_no_longer_than_anybody_reads() -> None:
    assert sentence("a\nb") == "a␊b"
    assert sentence("x" * 2000) == "x" * 2000
    assert sentence("x" * 10_000_000) == "x" * 2000 + "…"
