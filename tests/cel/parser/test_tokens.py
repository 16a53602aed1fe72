"""Tokens: where each stands, and what strings and bytes stand for."""

from __future__ import annotations

import pytest

from dractl.cel.common.errors import CompileError
from dractl.cel.parser.tokens import MAX_LENGTH, Token, bytes_value, string_value, tokens_of
from tests.rows import each_row


def _kinds(expression: str) -> list[str]:
    return [token.kind for token in tokens_of(expression)[0]]


@each_row(
    ("expression", "kinds"),
    [
        ("", ["end"]),
        ("a.b", ["name", ".", "name", "end"]),
        ("a.?b[?1]", ["name", ".", "?", "name", "[", "?", "int", "]", "end"]),
        ("1 1u 0x1F 0xFFu", ["int", "uint", "int", "uint", "end"]),
        ("1.5 .5 1e3 1.5E-3", ["float", "float", "float", "float", "end"]),
        ("'a' \"b\" r'c' '''d'''", ["string", "string", "string", "string", "end"]),
        ("b'a' br'b' rb'c'", ["bytes", "bytes", "name", "string", "end"]),
        ("a&&b||!c", ["name", "&&", "name", "||", "!", "name", "end"]),
        (
            "a<=b>=c==d!=e<f>g",
            ["name", "<=", "name", ">=", "name", "==", "name", "!=", "name", "<", "name", ">", "name", "end"],
        ),
        ("true false null in", ["true", "false", "null", "in", "end"]),
        ("a // b && c\n== d", ["name", "==", "name", "end"]),
        ("-1", ["-", "int", "end"]),
        ("{a: 1}", ["{", "name", ":", "int", "}", "end"]),
    ],
)
def test_kinds(expression: str, kinds: list[str]) -> None:
    assert _kinds(expression) == kinds


def test_places_are_those_of_the_text() -> None:
    found, _ = tokens_of(" a  + // why\n\t'b' ")
    assert [(token.text, token.offset) for token in found] == [("a", 1), ("+", 4), ("'b'", 14), ("", 17)]


@each_row(("expression", "end"), [("a ", 1), ("a // b\n", 1), ("a\n\n", 1), (" ", 0), ("", 0)])
def test_the_end_is_behind_the_last_token(expression: str, end: int) -> None:
    assert tokens_of(expression)[0][-1] == Token("end", "", end)


@each_row(("expression", "depth"), [("a", 0), ("(a)", 1), ("([{}])", 3), ("() ()", 1), ("'(((' + \"[\"", 0)])
def test_how_deep_brackets_nest(expression: str, depth: int) -> None:
    assert tokens_of(expression)[1] == depth


@each_row(
    ("expression", "offset", "part"),
    [
        ("a = b", 2, "use `==` for equality"),
        ("a & b", 2, "use `&&` as the logical operator"),
        ("'abc", 0, "this string is not closed with '"),
        ('a == "b', 5, 'this string is not closed with "'),
        ("a == 'b\n'", 5, "not closed"),
        ("a # b", 2, "unexpected character `#`"),
        ("ä", 0, "unexpected character `ä`"),
    ],
)
def test_what_starts_no_token(expression: str, offset: int, part: str) -> None:
    with pytest.raises(CompileError) as raised:
        tokens_of(expression)
    assert raised.value.error.kind == "syntax"
    assert raised.value.error.offset == offset
    assert part in raised.value.error.message


def test_what_is_too_long_is_not_read() -> None:
    tokens_of("1" * MAX_LENGTH)
    with pytest.raises(CompileError, match="must have at most 100000 characters"):
        tokens_of("1" * (MAX_LENGTH + 1))


@each_row(
    ("text", "value"),
    [
        ("'a'", "a"),
        ('"a\'b"', "a'b"),
        (r"'\a\b\f\n\r\t\v\\\?\"\'\`'", "\a\b\f\n\r\t\v\\?\"'`"),
        (r"'\x41\u00e9\U0001F600\101'", "Aé😀A"),
        (r"r'\n'", r"\n"),
        (r'R"\x"', r"\x"),
        ("'''a\n'b'''", "a\n'b"),
        ('"""a\r\nb\rc"""', "a\nb\nc"),
        ("''", ""),
        ("''''''", ""),
    ],
)
def test_strings(text: str, value: str) -> None:
    assert string_value(Token("string", text, 0), surrogates=False) == value


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (r"'\z'", r"unknown escape sequence \z"),
        (r"'\ud800'", "is not a Unicode character"),
        (r"'\U00110000'", "not a Unicode"),
    ],
)
def test_escapes_that_are_none(text: str, part: str) -> None:
    with pytest.raises(CompileError) as raised:
        string_value(Token("string", text, 7), surrogates=False)
    assert part in raised.value.error.message
    assert raised.value.error.offset == 7


@each_row(
    ("text", "value"),
    [
        ("b'abc'", b"abc"),
        ("b'ü'", b"\xc3\xbc"),
        (r"b'\xff\377\x00'", b"\xff\xff\x00"),
        (r"br'\xff'", rb"\xff"),
        (r"b'\n'", b"\n"),
    ],
)
def test_bytes(text: str, value: bytes) -> None:
    assert bytes_value(Token("bytes", text, 0)) == value


def test_bytes_have_no_characters_by_number() -> None:
    with pytest.raises(CompileError, match="not allowed in bytes"):
        bytes_value(Token("bytes", r"b'\u00e9'", 0))


def test_a_surrogate_is_replaced_where_it_is_allowed() -> None:
    assert string_value(Token("string", r"'a\ud800\udc00b'", 0), surrogates=True) == "a\ufffd\ufffdb"
    with pytest.raises(CompileError):
        string_value(Token("string", r"'\U00110000'", 0), surrogates=True)
