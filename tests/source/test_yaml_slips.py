"""The mistakes behind most syntax errors of YAML: each message names the line and where it belongs."""

from __future__ import annotations

import pytest

from dractl.source.load import load_text
from dractl.source.text import SourceError
from tests.rows import each_row


def _message(text: str) -> str:
    (error,) = load_text(text)
    assert isinstance(error, SourceError)
    return error.message


@each_row(
    ("text", "message"),
    [
        ("a: 1\n b: 2\n", "`b` is indented by 1 space; do not indent it, like `a` in line 1"),
        (
            "x:\n- a: 1\n  b: 2\n     # comment\n\n   c: 3\n",
            "`c` is indented by 3 spaces; indent it by 2, like `b` in line 3",
        ),
        ("x:\n  - a: 1\n   b: 2\n", "`b` starts in column 4; start it in column 5, like `a` in line 2"),
        ("x:\n  - a: 1\n  b: 2\n", "`b` starts in column 3; start it in column 5, like `a` in line 2"),
        ("x:\n  y:\n    a: 1\n   b: 2\n", "`b` is indented by 3 spaces; indent it by 4, like `a` in line 3"),
        (
            "x:\n      y:\n    - a: 1\n",
            "this item is indented by 4 spaces; indent it by at least 6, like its list `y` in line 2",
        ),
        ("x:\n-a: 1\n b: 2\n", "add a space after the hyphen in line 2: `- a: 1`"),
        ("a:b\nc: 1\n", "add a space after the colon in line 1: `a: b`"),
        ("x: 1\na:b\nc: 1\n", "add a space after the colon in line 2: `a: b`"),
        ("x:\n  a: |\n  text\nb: 1\n", "indent the text under `a: |` by more than 2 spaces"),
        ("a: b ? c : d\n", "the value of `a` contains `: `; quote it, or write it under `a: |`"),
        (
            'a: "x["y"]"\n',
            "the second \" ends the string; put ' around the whole text, or write the text under `a: |`",
        ),
        (
            "a: 'x['y']'\n",
            "the second ' ends the string; put \" around the whole text, or write the text under `a: |`",
        ),
        ("a: \"x[\"y\"] == 'z'\"\n", 'the second " ends the string; write the text under `a: |`'),
        ("---\na: 1\n---\nb: 1\n c: 1\n", "`c` is indented by 1 space; do not indent it, like `b` in line 4"),
    ],
)  # fmt: skip
def test_the_line_to_move_or_to_quote(text: str, message: str) -> None:
    errors = [item for item in load_text(text) if isinstance(item, SourceError)]
    assert [error.message for error in errors] == [message]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (": a\n", "expected 'key: value' at the same indentation"),
        ("- a\nb: c\n", "expected '- ' at the same indentation, or the end of the list"),
        ("a: b\nc\nd: e", "expected a key, 'name: value', but no ':' follows"),
    ],
)
def test_where_the_cause_is_unclear_the_message_of_the_parser_stays(text: str, message: str) -> None:
    assert _message(text) == message


def test_the_advice_can_be_followed() -> None:
    broken = "x:\n  - a: 1\n   b: 2\n"
    assert _message(broken).endswith("start it in column 5, like `a` in line 2")
    (document,) = load_text(broken.replace("   b", "    b"))
    assert not isinstance(document, SourceError)
    assert document.value == {"x": [{"a": 1, "b": 2}]}
