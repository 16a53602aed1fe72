"""Texts to tokens."""

import pytest

from dractl.source.goyaml.tokens import Scanner
from dractl.source.reading import Halt
from tests.rows import each_row


def kinds(text: str) -> list[str]:
    """The kinds of all tokens, with the text of scalars."""
    scanner = Scanner(text)
    found: list[str] = []
    while True:
        token = scanner.take()
        if token.kind == "stream-end":
            return found
        found.append(repr(token.value) if token.kind == "scalar" else token.kind)


@each_row(
    ("text", "expected"),
    [
        ("", []),
        ("# c\n", []),
        ("a: b", ["block-mapping", "key", "'a'", "value", "'b'", "block-end"]),
        ("- a\n- b", ["block-list", "block-entry", "'a'", "block-entry", "'b'", "block-end"]),
        ("a:\n- b", ["block-mapping", "key", "'a'", "value", "block-entry", "'b'", "block-end"]),
        ("{a: b,}", ["flow-mapping", "key", "'a'", "value", "'b'", "flow-entry", "flow-mapping-end"]),
        (
            "[a]: b",
            ["block-mapping", "key", "flow-list", "'a'", "flow-list-end", "value", "'b'", "block-end"],
        ),
        ("[]: b", ["flow-list", "flow-list-end", "key", "block-mapping", "value", "'b'", "block-end"]),
        ("? a\n: b", ["block-mapping", "key", "'a'", "value", "'b'", "block-end"]),
        ("[a?b]", ["flow-list", "'a'", "key", "'b'", "flow-list-end"]),
        ("&a !b *c", ["anchor", "tag", "alias"]),
        ("--- a\n...\n%YAML 1.1\n", ["document-start", "'a'", "document-end", "version"]),
        ("a:\t1", ["block-mapping", "key", "'a'", "value", "'1'", "block-end"]),
        (
            "- - a",
            ["block-list", "block-entry", "block-list", "block-entry", "'a'", "block-end", "block-end"],
        ),
        ("|\n a\n", ["'a\\n'"]),
        (("k" * 1024) + ": 1", ["block-mapping", "key", repr("k" * 1024), "value", "'1'", "block-end"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


@each_row(
    ("text", "offset", "part"),
    [
        ("a: b: c", 4, "unexpected ':'"),
        ("a: - b", 3, "list item"),
        ("a: ? b", 3, "'? '"),
        ("a: b\nc\nd: e", 5, "no ':' follows"),
        ("a: 1\n" + ("k" * 1025) + ": 1", 5, "no ':' follows"),
        ("\ta: 1", 0, "tab"),
        ("@a", 0, "'@'"),
        ("a: `b", 3, "'`'"),
        ("%x", 0, "directive"),
    ],
)
def test_refused(text: str, offset: int, part: str) -> None:
    with pytest.raises(Halt) as caught:
        kinds(text)
    assert caught.value.fault.offset == offset
    assert part in caught.value.fault.message


def test_peeking_takes_nothing() -> None:
    scanner = Scanner("a: b")
    assert scanner.peek() is scanner.peek()
    assert scanner.take().kind == "block-mapping"
    assert scanner.peek().kind == "key"


def test_tokens_know_where_they_start() -> None:
    scanner = Scanner("a: 'b'\n")
    assert [scanner.take().start for _ in range(6)] == [0, 0, 0, 1, 3, 7]
