"""Dumps are read line by line as the parser reads them, or not at all."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from dractl.source.block_yaml import read_blocks
from dractl.source.document import Document
from dractl.source.marks import Deferred
from dractl.source.reading import Reading
from dractl.source.split import documents_of
from dractl.source.text import SourceText
from dractl.source.yaml import read_yaml

ITEM = """\
- apiVersion: v1
  kind: Node
  metadata:
    annotations:
      example.com/as-json: |
        {"a":1}
      example.com/note: 'it''s: #1'
      example.com/quoted: "a\\n\\"b\\""
    creationTimestamp: "2026-03-01T08:00:00Z"
    managedFields:
    - apiVersion: v1
      fieldsV1:
        f:metadata:
          f:labels:
            .: {}
            f:example.com/app: {}
          k:{"uid":"0123"}: {}
        'k:{"name":"a b"}':
          f:image: {}
        v:"kept": {}
      manager: kubectl
    name: node-a
  spec: {}
  status:
    sizes: [1, 2]
    numbers:
    - 1
    - -1.5
    - 1e3
    - null
    - - a
      - b: 1
"""
PLAIN = ITEM.replace("    sizes: [1, 2]\n", "    sizes: []\n")
HEAD, TAIL = "apiVersion: v1\nitems:\n", 'kind: List\nmetadata:\n  resourceVersion: ""\n'


def _all_marks(mark: Any) -> Any:
    """The marks with those that were not made yet."""
    if isinstance(mark, Deferred):
        made = mark.made()
        assert mark.start == (made[0] if isinstance(made, list | tuple) else made)
        mark = made
    return [_all_marks(part) for part in mark] if isinstance(mark, list) else mark


def _agrees(text: str) -> bool:
    """Whether a text is read line by line, and then as the parser reads it, places and all."""
    found = read_blocks(text, libyaml=True)
    if found is None:
        return False
    (expected,) = read_yaml(text)
    assert isinstance(expected, Reading)
    assert json.dumps(found.value) == json.dumps(expected.value)
    mark = found.mark() if callable(found.mark) else found.mark
    assert _all_marks(mark) == expected.mark
    assert found.duplicates == expected.duplicates
    return True


def test_dumps_are_read_as_the_parser_reads_them() -> None:
    odd = ITEM.replace("  spec: {}\n", "  spec: {}\n  spec: # twice\n    a: folded\n     text\n")
    for items in (PLAIN, PLAIN * 3, ITEM, PLAIN + ITEM + odd, "- 1\n- null\n- - a\n- {}\n"):
        assert _agrees(HEAD + items + TAIL)
        assert _agrees(HEAD + items)
    assert _agrees("kind: List\nitems:\n" + PLAIN + "a: b")
    assert _agrees(PLAIN[2:].replace("\n  ", "\n"))


def test_what_may_mean_another_thing_is_left_to_the_parser() -> None:
    for line in (
        *("  a: *x", "  a: &x 1", "  a: !x 1", "  a: b: c", "  a: b #c", "  a: 'x", "  a: é", "  a:\t1"),
        *("  a: |+\n    b\n", "  a: |\n\n    b", "  a: .inf", "  <<: {}", "  null: 1", "  ? a", "\n", "# c"),
        *("  a: |\n    b", "  a: b\n   c: d", " a: b", "  kind: Node", "  a", "-", "--- a", '  a: "\\/"'),
    ):
        text = f"apiVersion: v1\nkind: Node\nspec:\n  kind: x\n{line}"
        assert not _agrees(text), line


@pytest.mark.parametrize(
    "text",
    [
        HEAD + PLAIN + "- a: *x\n" + TAIL,
        HEAD + PLAIN + "- a: &x 1\nb: *x\n",
        HEAD + PLAIN + "- 'a\n- b'\n" + TAIL,
        HEAD + PLAIN + "items: []\n",
        HEAD + PLAIN + "-\n" + TAIL + ":",
        HEAD + "- a: " + "[" * 400 + "\n" + TAIL,
        "%TAG ! a\n---\n" + HEAD + PLAIN,
        "a: 'b\nitems:\n- c'\n",
    ],
)
def test_what_hangs_together_is_read_together(text: str) -> None:
    assert not _agrees(text)


_KEYS = ("a{}", "b.c/{}", "f:c{}", '"d{}"', 'k:{{"e":"{}"}}', "'g h {}'", "{}", "a", "-x")
_USUAL = ("x", "1", "true", '""', "'a''b'", "{}", "[]", "a b", "", "null", "0x1f", "x:y", "a#b", "|", "|-")
_ODD = ("a #b", "[1]", ">", "- 1", "*a", "&a", "é", "'a", "a: b", "1e400")


class _Texts:
    """Random block YAML, nearly all of it as Kubernetes writes it."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - no secrets

    def lines(self, column: int, depth: int, first: str = "") -> list[str]:
        """The lines of a collection whose keys or dashes are at a column."""
        chance = self._random
        found: list[str] = []
        is_list = chance.random() < 0.3
        for number in range(chance.randint(1, 4)):
            start = first if first and not number else " " * column
            if is_list:
                if depth and chance.random() < 0.5:
                    found += self.lines(column + 2, depth - 1, f"{start}- ")
                else:
                    found.append(f"{start}- {chance.choice(_USUAL[:8])}")
                continue
            name = chance.choice(_KEYS if chance.random() < 0.05 else _KEYS[:6]).format(number)
            key = f"{start}{name}:"
            if depth and chance.random() < 0.5:
                inner = self.lines(column + 2, depth - 1)
                found += (
                    [key, *(line[2:] for line in inner)] if inner[0].lstrip()[0] == "-" else [key, *inner]
                )
                continue
            value = chance.choice(_ODD if chance.random() < 0.02 else _USUAL)
            found.append(f"{key} {value}" if value else key)
            if value[:1] == "|" or chance.random() < 0.01:
                found += [f"{' ' * (column + 2)}text: {number}", *([""] * chance.randint(0, 1))]
        return found

    def next(self) -> str:
        """A text: a list of items, or something else."""
        chance = self._random
        text = "\n".join(self.lines(0, 4)) + "\n"
        if chance.random() < 0.6:
            items = (self.lines(2, 3, "- ") for _ in range(chance.randint(1, 4)))
            text = HEAD + "".join("\n".join(item) + "\n" for item in items) + TAIL
        if chance.random() < 0.3:
            at = chance.randrange(len(text))
            text = (
                text[:at] + chance.choice((" ", "\n", "- ", ":", "#", "'", '"', "\t", "*a", "|")) + text[at:]
            )
        return text


def test_random_texts_are_read_as_the_parser_reads_them() -> None:
    texts = _Texts(1)
    assert sum(_agrees(texts.next()) for _ in range(400)) > 100


def _long(text: str) -> list[Any]:
    """The documents of a list that is long enough to be read line by line."""
    return documents_of(SourceText(HEAD + text * (40_000 // len(text)) + TAIL, "dump.yaml"))


def test_places_in_a_long_dump_are_those_of_the_text() -> None:
    found = _long(ITEM)
    first, second, *_, last = found
    assert all(isinstance(item, Document) for item in found)
    assert last.value == first.value
    assert first.locate(("metadata", "name")) == (24, 5)
    assert second.locate(()) == (3 + ITEM.count("\n"), 3)
    assert second.locate_value(("status", "sizes", 1)) == (27 + ITEM.count("\n"), 16)
    assert first.root.locate(("kind",)) == (3 + ITEM.count("\n") * len(found), 1)


def test_a_repeated_key_in_a_long_dump_is_found() -> None:
    found = _long(ITEM.replace("  spec: {}\n", "  spec: {}\n  spec: {}\n"))
    assert {item.duplicates for item in found} == {(("spec",),)}
