"""What a text of strangers must not do to a terminal or a CI."""

from __future__ import annotations

import json
import unicodedata
from xml.etree import ElementTree as ET

import yaml
from hypothesis import given
from hypothesis import strategies as st

from dractl.api import characters
from tests.rows import each_row

HIDDEN = (
    *("\x00", "\x1b", "\x7f", "\x85", "\x9b", "\xad", "\u034f", "\u061c", "\u115f", "\u17b4", "\u180e"),
    *("\u200b", "\u200d", "\u200f", "\u2028", "\u2029", "\u202e", "\u2060", "\u2064", "\u2066", "\u206f"),
    *("\u3164", "\ue000", "\ufdd0", "\ufe0f", "\ufeff", "\ufff9", "\uffa0", "\U000e0041", "\U000e0100"),
    *("\U0010fffd", "\U000fffff"),
)
COMMANDS = (
    "::error title=approved::all checks passed",
    " \t\u3000::stop-commands::x",
    "##vso[task.setvariable variable=x]y",
    "a ##vso[task.complete result=Succeeded;]b",
    "x##[set-env name=A]b",
    "##teamcity[buildStatus status='SUCCESS']",
)


def _finds_command(line: str) -> bool:
    """Whether a CI service takes a line for a command."""
    anywhere = ("##[", "##vso[", "##teamcity[")
    return line.strip().startswith("::") or any(word in line for word in anywhere)


@each_row("character", HIDDEN)
def test_what_cannot_be_seen_is_shown_as_something_that_can(character: str) -> None:
    assert not characters.is_plain(character)
    (seen,) = characters.shown(character)
    assert characters.is_plain(seen)


def test_letters_of_all_scripts_are_shown() -> None:
    text = "größe 漢字 かな हिन्दी ไทย עברית العربية 한국어 e\u0301 🙂 ✔\ufe0f \u3000"
    assert "".join(characters.shown(text)) == text


def test_whole_categories_are_not_shown() -> None:
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
            assert not characters.is_plain(character), hex(code)


def test_marks_do_not_pile_up() -> None:
    assert "".join(characters.shown("a" + "\u0301" * 100)) == "a" + "\u0301" * 8 + "\ufffd" * 92


@each_row("line", COMMANDS)
def test_no_line_is_a_command(line: str) -> None:
    quiet = characters.quieted(line)
    assert _finds_command(line)
    assert not _finds_command(quiet)
    assert len(quiet) == len(line)
    assert characters.has_command(line)


@each_row("line", ["    | a ## b [c]", "a::b::c", "std::vector", "# [x]", "error: ::", "--- a", "ok 1"])
def test_other_lines_hold_no_command(line: str) -> None:
    assert not characters.has_command(line)


@each_row("line", ["--- group", "+++", "^^^ +++", "section_start:1:a", "travis_fold:start:a"])
def test_a_line_opens_no_group_of_a_log(line: str) -> None:
    assert characters.quieted(line) == "\ufffd" + line[1:]
    assert characters.quieted(f"\x1b[1m{line}") == f"\x1b[1m\ufffd{line[1:]}"


@given(st.text(st.sampled_from("#[:ave o\\\"'\u202e\U000e0041\x9bé\r\n"), max_size=30))
def test_documents_are_lossless_and_quiet(text: str) -> None:
    written = characters.escaped(json.dumps({"a": text}, ensure_ascii=False), pairs=True)
    assert json.loads(written) == {"a": text}
    in_yaml = characters.escaped(json.dumps(text, ensure_ascii=False), pairs=False)
    assert yaml.safe_load(in_yaml) == text
    element = ET.Element("a")
    element.text = text
    document = characters.referenced(ET.tostring(element, encoding="unicode"))
    assert (ET.fromstring(document).text or "") == text  # noqa: S314 - our own
    for line in (written, in_yaml, *document.split("\n")):
        assert not _finds_command(line)
        assert all(map(characters.is_plain, line))


@each_row(
    "name",
    [
        *(
            "::error title=x::y.yaml",
            "##vso[x]y.yaml",
            " ::a",
            "-o.yaml",
            "--- a.yaml",
            "^^^ +++",
            "\n::error::x",
        ),
        *("ok 1.yaml", "not ok.yaml", "1..4", "Bail out!.yaml", "section_start:1:a", "travis_fold:start:a"),
    ],
)
def test_a_path_that_could_begin_a_command_shows_its_folder(name: str) -> None:
    assert characters.path_shown(name) == f"./{name}"


@each_row("name", ["a.yaml", "/a/::b", "./::a", "../a", "my file.yaml", "größe.yaml", "<stdin>", "ok.d/a"])
def test_other_paths_are_as_they_are_named(name: str) -> None:
    shown = characters.path_shown(name)
    assert shown == (f"./{name}" if name.startswith("ok") else name)


def test_a_tab_is_a_reference_in_xml() -> None:
    assert characters.referenced('<a b="\t">\t</a>\n') == '<a b="&#9;">&#9;</a>\n'
