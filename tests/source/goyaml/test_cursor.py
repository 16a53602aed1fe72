"""Moving through a text."""

from dractl.source.goyaml.cursor import SPACES, TO_BREAK, Cursor
from tests.rows import each_row


def test_it_starts_anywhere_with_its_column() -> None:
    assert Cursor("ab\ncd\n", 4).column == 1
    assert Cursor("ab\rcd", 3).column == 0
    assert Cursor("ab", 1).column == 1


@each_row(
    ("text", "kept", "at"),
    [
        ("\n", "\n", 1),
        ("\r\n", "\n", 2),
        ("\r", "\n", 1),
        ("\x85", "\n", 1),
        ("\u2028", "\u2028", 1),
        ("\u2029", "\u2029", 1),
    ],
)
def test_line_breaks(text: str, kept: str, at: int) -> None:
    cursor = Cursor(text)
    assert cursor.read_break() == kept
    assert (cursor.at, cursor.line, cursor.column) == (at, 1, 0)


def test_skipping() -> None:
    cursor = Cursor("  ab\n")
    assert cursor.skip(SPACES) == "  "
    assert cursor.skip(SPACES) == ""
    assert cursor.skip(TO_BREAK) == "ab"
    assert cursor.character == "\n"


def test_the_end_is_a_nul() -> None:
    cursor = Cursor("")
    assert cursor.character == "\0"
    assert cursor.skip(TO_BREAK) == ""


@each_row(
    ("text", "at", "answer"),
    [
        ("---", 0, True),
        ("... ", 0, True),
        ("--- a", 0, True),
        ("----", 0, False),
        (" ---", 1, False),
        ("a\n---\n", 2, True),
    ],
)
def test_document_markers(text: str, at: int, *, answer: bool) -> None:
    assert Cursor(text, at).is_document_marker() is answer
