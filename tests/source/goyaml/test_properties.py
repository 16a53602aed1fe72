"""Directives, anchors and tags."""

import pytest

from dractl.source.goyaml.cursor import Cursor
from dractl.source.goyaml.properties import read_anchor, read_directive, read_tag
from dractl.source.reading import Halt
from tests.rows import each_row


@each_row(
    ("text", "token"),
    [
        ("%YAML 1.1\n", ("version", "1.1", "")),
        ("%YAML  01.2 # c\n", ("version", "1.2", "")),
        ("%TAG ! tag:x,2000:\n", ("tag-directive", "!", "tag:x,2000:")),
        ("%TAG !e!\t!my- \n", ("tag-directive", "!e!", "!my-")),
        ("%TAG !! %41\n", ("tag-directive", "!!", "A")),
    ],
)
def test_directives(text: str, token: tuple[str, str, str]) -> None:
    cursor = Cursor(text)
    assert read_directive(cursor) == token
    assert cursor.at == len(text)


@each_row(
    "text",
    [
        "%",
        "%FOO x\n",
        "%YAML\n",
        "%YAML 1\n",
        "%YAML 1.111\n",
        "%YAML 1.1 x\n",
        "%TAG !a x\n",
        "%TAG a b\n",
        "%TAG !\n",
        "%TAG !!x\n",
        "%TAG ! \n",
        "%TAG ! %zz\n",
    ],
)
def test_directives_that_are_refused(text: str) -> None:
    with pytest.raises(Halt):
        read_directive(Cursor(text))


@each_row(("text", "name"), [("&a b", "a"), ("*a_1-,", "a_1-"), ("&a]", "a"), ("*a", "a")])
def test_anchors(text: str, name: str) -> None:
    assert read_anchor(Cursor(text)) == name


@each_row(
    ("text", "what"), [("& a", "an anchor"), ("*", "an alias"), ("&a.b", "an anchor"), ("*é", "an alias")]
)
def test_anchors_that_are_refused(text: str, what: str) -> None:
    with pytest.raises(Halt, match=what):
        read_anchor(Cursor(text))


@each_row(
    ("text", "tag"),
    [
        ("!a b", ("!", "a")),
        ("! b", ("", "!")),
        ("!!str b", ("!!", "str")),
        ("!e!x b", ("!e!", "x")),
        ("!<tag:x> b", ("", "tag:x")),
        ("!a, b", ("!", "a,")),
        ("!a] b", ("!", "a]")),
        ("!a%C3%A9 b", ("!", "aé")),
    ],
)
def test_tags(text: str, tag: tuple[str, str]) -> None:
    cursor = Cursor(text)
    assert read_tag(cursor) == tag
    assert cursor.character == " "


@each_row("text", ["!<a b", "!<> b", "!a{ b", "!!", "!a%4 b", "!a%ff b", '!"a"'])
def test_tags_that_are_refused(text: str) -> None:
    with pytest.raises(Halt):
        read_tag(Cursor(text))
