"""Tokens to parts of documents."""

import pytest

from dractl.source.goyaml.grammar import parts
from dractl.source.reading import Halt, Part
from tests.rows import each_row


def shown(text: str) -> str:
    """All parts in short: ``{``, ``[``, ``.`` for an end, scalars by their text, ``*`` for an alias."""
    signs = {"mapping": "{", "list": "[", "end": ".", "document": "---", "document-end": "..."}
    return " ".join(
        signs.get(part.kind) or ("*" if part.kind == "alias" else "") + (part.value or "~")
        for part in parts(text)
    )


@each_row(
    ("text", "expected"),
    [
        ("", ""),
        ("a", "--- a ..."),
        ("---\n---\n", "--- ~ ... --- ~ ..."),
        ("a: 1\nb:\nc: [x, {y: z}]\n", "--- { a 1 b ~ c [ x { y z . . . ..."),
        ("a:\n- b\n-\n-\nc: d\n", "--- { a [ b ~ ~ . c d . ..."),
        ("- - a\n-\n  b: c\n", "--- [ [ a . { b c . . ..."),
        ("[a: b, c, ? d : e, ? f]", "--- [ { a b . c { d e . { f ~ . . ..."),
        ("{a, b: , ? d, ? : e}", "--- { a ~ b ~ d ~ ~ e . ..."),
        ("{}", "--- { . ..."),
        ("? a\n? b\n: c\n", "--- { a ~ b c . ..."),
        ("? - a\n: - b\n", "--- { [ a . [ b . . ..."),
        ("? \n: a\n", "--- { ~ a . ..."),
        ("&a {b: *a}\n", "--- { b *a . ..."),
        ("a: !x\nb: &y\n", "--- { a ~ b ~ . ..."),
        ("a\n...\n...\n--- b\n", "--- a ... --- b ..."),
        ("a\n%YAML 1.1\n", "--- a %YAML 1.1 ..."),
        ("%YAML 1.1\n---\na\n", "--- a ..."),
    ],
)
def test_parts(text: str, expected: str) -> None:
    assert shown(text) == expected


@each_row(
    ("text", "anchor", "tag", "is_plain"),
    [
        ("a", "", "", True),
        ("'a'", "", "", False),
        ("&x !!str a", "x", "tag:yaml.org,2002:str", False),
        ("!y &x a", "x", "!y", False),
        ("! a", "", "!", False),
        ("!<z> a", "", "z", False),
        ("&x", "x", "", True),
        ("%TAG !e! tag:e,\n---\n!e!f a", "", "tag:e,f", False),
        ("%TAG ! tag:e,\n---\n!f a", "", "tag:e,f", False),
    ],
)
def test_properties(text: str, anchor: str, tag: str, *, is_plain: bool) -> None:
    (scalar,) = (part for part in parts(text) if part.kind == "scalar")
    assert (scalar.anchor, scalar.tag, scalar.is_plain) == (anchor, tag, is_plain)


def test_offsets_are_those_of_the_properties() -> None:
    assert [part for part in parts("a: &x b") if part.kind == "scalar"] == [
        Part("scalar", 0, "a", is_plain=True),
        Part("scalar", 3, "b", "x", is_plain=True),
    ]


@each_row(
    ("text", "offset", "part"),
    [
        ("a: 1\n b: 2\n", 7, "unexpected ':'"),
        ("- a\nb: c\n", 4, "expected '- ' at the same indentation"),
        ("a: 1\n- b\n", 5, "is a line above indented too little"),
        ("x:\n- a: 1\nb: 2\n- a: 3\n", 15, "is a line above indented too little"),
        (" a: 1\nb: 2\n", 6, "indent it like the first line"),
        ("[a b: c", 7, "',' or ']'"),
        ("{a: b c: d", 7, "',' or '}'"),
        ("[a", 2, "',' or ']'"),
        ("{a", 2, "',' or '}'"),
        ("[,]", 1, "value is missing"),
        ("a: ]", 3, "value is missing"),
        ("[- a]", 1, "list item"),
        ("!e!x a", 0, "not declared"),
        ("%YAML 1.2\n---\na", 0, "1.1"),
        ("%YAML 1.1\n%YAML 1.1\n---\na", 10, "once"),
        ("%TAG ! a\n%TAG ! b\n---\na", 9, "twice"),
        ("%YAML 1.1\na", 10, "start the next one with '---'"),
        ("a\n...\nb\n", 6, "'---'"),
        (": a\n", 0, "expected 'key: value' at the same indentation"),
        ("'a' 'b'", 4, "'---'"),
    ],
)
def test_refused(text: str, offset: int, part: str) -> None:
    with pytest.raises(Halt) as caught:
        shown(text)
    fault = caught.value.fault
    assert part in fault.message
    assert fault.offset == offset
