"""Bytes to text, and offsets to lines."""

import pytest

from dractl.source import text as text_module
from dractl.source.text import SourceError, SourceText, decode
from tests.rows import each_row


def decoded(data: bytes) -> str:
    source = decode(data, "a.yaml")
    assert isinstance(source, SourceText)
    return source.text


@each_row(
    "data",
    [
        "é: 1\n".encode(),
        b"\xef\xbb\xbf" + "é: 1\n".encode(),
        b"\xff\xfe" + "é: 1\n".encode("utf-16-le"),
        b"\xfe\xff" + "é: 1\n".encode("utf-16-be"),
    ],
)
def test_encodings_that_go_yaml_knows(data: bytes) -> None:
    assert decoded(data) == "é: 1\n"


def test_nothing_is_an_empty_text() -> None:
    assert decoded(b"") == ""


@each_row(
    ("data", "line", "column", "part"),
    [
        (b"a: 1\nb: \xff\n", 2, 4, "0xff is not valid UTF-8"),
        (b"a: \xc3", 1, 4, "0xc3 is not valid UTF-8"),
        ("a: é\n".encode() + b"b: \xed\xa0\x80\n", 2, 4, "0xed is not valid UTF-8"),
        (b"\xff\xfe" + "a\n".encode("utf-16-le") + b"\x00\xd8", 2, 1, "not valid UTF-16"),
        (b"\xfe\xff\x00", 1, 1, "not valid UTF-16"),
    ],
)
def test_invalid_bytes_are_one_error_at_their_place(data: bytes, line: int, column: int, part: str) -> None:
    error = decode(data, "bad.yaml")
    assert isinstance(error, SourceError)
    assert (error.file, error.line, error.column) == ("bad.yaml", line, column)
    assert part in error.message


@each_row(
    ("data", "message"),
    [
        (b"\x7fELF\x02\x01\x00\x00\xff", "the file is binary, not text; expected YAML or JSON"),
        (b"\x1f\x8b\x08\x00", "the file is compressed (gzip), not text; unpack it first"),
        (b"PK\x03\x04\xff", "the file is compressed (zip), not text; unpack it first"),
        ("kind: é\n".encode("utf-16-le"), "the file is UTF-16 without a byte order mark; save it as UTF-8"),
        ("kind: é\n".encode("utf-16-be"), "the file is UTF-16 without a byte order mark; save it as UTF-8"),
    ],
)
def test_what_is_not_text_is_called_by_its_name(data: bytes, message: str) -> None:
    assert decode(data, "a.yaml") == SourceError("a.yaml", 1, 1, message)


def test_the_largest_input_is_read_and_no_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "MAX_BYTES", 8)
    assert decoded(b"a: 12345") == "a: 12345"
    error = decode(b"a: 123456", "large.yaml")
    assert isinstance(error, SourceError)
    assert "larger than" in error.message


def test_places_count_lines_as_editors_do() -> None:
    source = SourceText("a\r\nbc\rd\u2028e\n\nf", "a.yaml")
    places = {source.text[offset]: source.place(offset) for offset in range(len(source.text))}
    assert places["a"] == (1, 1)
    assert places["c"] == (2, 2)
    assert places["d"] == (3, 1)
    assert places["e"] == (3, 3)
    assert places["f"] == (5, 1)


def test_a_place_behind_the_last_character() -> None:
    assert SourceText("a: 1\n", "a.yaml").place(5) == (2, 1)
    assert SourceText("", "a.yaml").place(0) == (1, 1)


@each_row(("number", "line"), [(0, ""), (1, "a: 1"), (2, "b: 2"), (3, "c: 3"), (4, "")])
def test_lines_come_without_their_breaks(number: int, line: str) -> None:
    assert SourceText("a: 1\r\nb: 2\nc: 3", "a.yaml").line(number) == line


def test_an_error_carries_its_line() -> None:
    assert SourceText("a: 1\nb: 2\n", "x.yaml").error(8, "no", 3) == SourceError(
        "x.yaml", 2, 4, "no", 3, "b: 2"
    )


@each_row(
    ("data", "encoding"),
    [
        (b"a", "utf-8"),
        (b"\xef\xbb\xbfa", "utf-8-sig"),
        (b"\xff\xfea\0", "utf-16-le"),
        (b"\xfe\xff\0a", "utf-16-be"),
    ],
)
def test_a_text_knows_how_it_was_written(data: bytes, encoding: str) -> None:
    source = decode(data, "a.yaml")
    assert isinstance(source, SourceText)
    assert source.encoding == encoding
