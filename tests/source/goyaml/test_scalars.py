"""Scalars as they are written; the expected values are those of the real code."""

import pytest

from dractl.source.goyaml.cursor import Cursor
from dractl.source.goyaml.scalars import end_line, read_block, read_plain, read_quoted, value_of
from dractl.source.reading import Halt
from tests.rows import each_row


@each_row(
    ("text", "value"),
    [
        ("''", ""),
        ("'it''s'", "it's"),
        ("'a\\n'", "a\\n"),
        ("'a\n\n  b'", "a\nb"),
        ('"a\n  b"', "a b"),
        ('"a  \n  b"', "a b"),
        ('"a \\\n  b"', "a b"),
        ('"a\\\n\n  b"', "a\nb"),
        ('"\\0\\a\\b\\t\\\t\\n\\v\\f\\r\\e\\ \\"\\\'\\\\"', "\0\a\b\t\t\n\v\f\r\x1b \"'\\"),
        ('"\\N\\_\\L\\P"', "\x85\xa0\u2028\u2029"),
        ('"\\x41\\u00e9\\U0001F600"', "Aé\U0001f600"),
        ('"a\u2028b"', "a\u2028b"),
        ('"a\x85b"', "a b"),
        ('" a\t"', " a\t"),
    ],
)
def test_quoted(text: str, value: str) -> None:
    cursor = Cursor(text + " # rest")
    assert value_of(read_quoted(cursor)) == value
    assert cursor.at == len(text)


@each_row(
    ("text", "offset", "part"),
    [
        ("'abc", 0, "closing '"),
        ('"a\n--- b', 0, 'closing "'),
        ('"a\\/b"', 2, "unknown escape \\/"),
        ('"\\x4g"', 1, "2 hexadecimal digits"),
        ('"\\ud800"', 1, "not a Unicode character"),
        ('"\\U00110000"', 1, "not a Unicode character"),
        ('"\\u12', 1, "4 hexadecimal digits"),
    ],
)
def test_quoted_that_is_refused(text: str, offset: int, part: str) -> None:
    with pytest.raises(Halt, match=r".") as caught:
        read_quoted(Cursor(text))
    assert caught.value.fault.offset == offset
    assert part in caught.value.fault.message


@each_row(
    ("text", "value", "rest"),
    [
        ("a b", "a b", ""),
        ("a:b", "a:b", ""),
        ("a: b", "a", ": b"),
        ("a #c", "a", "#c"),
        ("a#c", "a#c", ""),
        ("a\n  b\n\n  c", "a b\nc", ""),
        ("a\nb", "a", "b"),
        ("a\n--- ", "a", "--- "),
        ("a, [b]", "a, [b]", ""),
    ],
)
def test_plain_in_a_block(text: str, value: str, rest: str) -> None:
    cursor = Cursor(text)
    pieces, _ = read_plain(cursor, 0, is_flow=False)
    assert value_of(pieces) == value
    assert text[cursor.at :] == rest


@each_row(("text", "value"), [("a, b", "a"), ("a]", "a"), ("a?b", "a"), ("a:,b", "a:"), ("a\nb}", "a b")])
def test_plain_in_brackets(text: str, value: str) -> None:
    assert value_of(read_plain(Cursor(text), 4, is_flow=True)[0]) == value


def test_plain_tells_of_line_breaks_behind_it() -> None:
    assert read_plain(Cursor("a\nb"), 0, is_flow=False)[1]
    assert not read_plain(Cursor("a b"), 0, is_flow=False)[1]


@each_row(
    ("text", "value"),
    [
        ("|\n  a\n   b\n", "a\n b\n"),
        ("|-\n  a\n\n", "a"),
        ("|+\n  a\n\n", "a\n\n"),
        ("|\n\n  a\n", "\na\n"),
        ("|  # comment\n  a\n", "a\n"),
        ("|2\n    a\n", "  a\n"),
        ("|1-\n  a\n", " a"),
        ("|-1\n  a\n", " a"),
        (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
        (">\n  a\n   b\n  c\n", "a\n b\nc\n"),
        ("|", ""),
        ("|\n", ""),
        ("|\n  a", "a"),
        ("|\n  a\nb: 1", "a\n"),
        ("|\n  a\r\n  b\r\n", "a\nb\n"),
    ],
)
def test_blocks(text: str, value: str) -> None:
    assert value_of(read_block(Cursor(text), 0)) == value


@each_row(
    ("text", "offset"), [("|0\n a", 0), ("|12\n a", 0), ("|+1-\n a", 0), ("| a\n", 0), ("|\n \ta\n", 3)]
)
def test_blocks_that_are_refused(text: str, offset: int) -> None:
    with pytest.raises(Halt) as caught:
        read_block(Cursor(text), 0)
    assert caught.value.fault.offset == offset


def test_a_tab_does_not_indent_a_plain_scalar() -> None:
    with pytest.raises(Halt, match="tab"):
        read_plain(Cursor("a\n\tb"), 2, is_flow=False)


def test_pieces_say_where_they_are_from() -> None:
    text = "'a''b\n c'"
    assert read_quoted(Cursor(text)) == [("a", 1), ("'", 2), ("b", 4), (" ", 5), ("c", 7)]


def test_the_end_of_a_line() -> None:
    cursor = Cursor("  # c\nb")
    end_line(cursor, 0)
    assert cursor.at == 6
    with pytest.raises(Halt, match="only a comment"):
        end_line(cursor, 6)
