from __future__ import annotations

from dractl.report.style import PLAIN, Style, brief, path, printable, sentence, text_of
from tests.rows import each_row


def test_without_colour_nothing_is_painted() -> None:
    assert PLAIN.paint("error", "error:") == "error:"


def test_with_colour_the_text_is_between_escapes() -> None:
    assert Style(color=True).paint("error", "error:") == "\x1b[1;31merror:\x1b[0m"


@each_row(
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
        ("zero\u200bwidth, tag \U000e0041", "zero\ufffdwidth, tag \ufffd"),
        ("soft\u00adhyphen, filler \u3164", "soft\ufffdhyphen, filler \ufffd"),
        ("a ##vso[x]y ##[z]", "a \ufffd#vso[x]y \ufffd#[z]"),
        ("half \ud800 a pair", "half \ufffd a pair"),
    ],
)
def test_what_steers_a_terminal_is_shown_instead(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_sentence_is_no_longer_than_anybody_reads() -> None:
    assert sentence("a\nb") == "a␊b"
    assert sentence("x" * 2000) == "x" * 2000
    assert sentence("x" * 10_000_000) == "x" * 2000 + "… (cut after 2,000 characters)"


def test_a_name_is_cut_sooner() -> None:
    assert brief("x" * 400) == "x" * 400
    assert brief("x" * 10_000_000) == "x" * 400 + "… (cut after 400 characters)"


def test_a_path_begins_no_command() -> None:
    assert path("::error::x.yaml") == "./::error::x.yaml"
    assert path("##vso[x]y") == "./\ufffd#vso[x]y"
    assert path("a/b.yaml") == "a/b.yaml"


def test_no_line_of_a_text_begins_a_command() -> None:
    assert text_of(["a", "  ::x", Style(color=True).paint("bold", "::y")]) == (
        "a\n  \ufffd:x\n\x1b[1m\ufffd:y\x1b[0m\n"
    )
