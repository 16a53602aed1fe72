"""Inputs made to break a reader: each ends in one clear error, quickly; what is only large is read."""

import time

import pytest

from dractl.source.document import Document
from dractl.source.load import load_bytes, load_paths, load_text
from dractl.source.text import SourceError
from dractl.source.yaml import read_yaml
from tests.paths import ROOT
from tests.rows import each_row

FOLDER = ROOT / "testdata" / "hostile"
LIMIT = 2.0
"""Seconds of CPU time that a hostile input may take."""

FILES = {
    "alias-bomb.yaml": (8, 30, "aliases expand this document"),
    "alias-cycle.yaml": (4, 15, "contains itself"),
    "alias-unknown.yaml": (4, 11, "define &gpu before it"),
    "block-tab.yaml": (5, 1, "tab"),
    "control-character.yaml": (4, 14, "U+001B"),
    "deep-flow.yaml": (3, 262, "nested more than"),
    "deep-json.json": (1, 257, "nested more than"),
    "half-a-surrogate.yaml": (4, 10, "not a Unicode character"),
    "invalid-utf-8.yaml": (4, 11, "0xff is not valid UTF-8"),
    "latin-1.yaml": (4, 12, "0xe9 is not valid UTF-8"),
    "long-key.yaml": (3, 1, "no ':' follows"),
    "merge-list.yaml": (4, 3, "must be a mapping"),
    "nul.yaml": (4, 11, "U+0000"),
    "odd-utf-16.yaml": (5, 1, "not valid UTF-16"),
    "tab-indentation.yaml": (4, 1, "tab"),
    "template.yaml": (4, 10, "`helm template`"),
    "unclosed-bracket.yaml": (5, 5, "',' or '}'"),
    "unclosed-quote.yaml": (4, 9, 'closing "'),
    "utf-32.yaml": (1, 1, "U+0000"),
    "unknown-tag.yaml": (4, 9, "is not a valid !!int"),
}


@each_row("name", sorted(FILES))
def test_a_hostile_file_is_one_error(name: str) -> None:
    line, column, part = FILES[name]
    found = load_paths([FOLDER / name])
    (error,) = found
    assert isinstance(error, SourceError)
    assert part in error.message
    assert (error.line, error.column) == (line, column)


def test_every_hostile_file_is_listed() -> None:
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_file()) == sorted(FILES)


GENERATED: dict[str, bytes] = {
    "brackets": b"[" * 1_000_000,
    "braces": b"{" * 1_000_000,
    "braces with keys": b"{a: " * 300_000,
    "dashes": b"- " * 500_000,
    "question marks": b"? " * 500_000,
    "JSON brackets": b'{"a":' * 500_000,
    "brackets behind a question mark": b"? " + b"[" * 240_000,
    "brackets before a question mark": b"[" * 240_000 + b"?",
    "exclamation marks": b"a: " + b" !" * 120_000,
    "quotes": b'"' * 1_000_001,
    "open quote": b'a: "' + b"x" * 10_000_000,
    "spaces and a tab": b"a:\n" + b" " * 1_000_000 + b"\tb: 1",
    "ampersands": b"&a " * 300_000,
    "aliases": b"a: &a [" + b"x, " * 30_000 + b"]\nb: [" + b"*a, " * 30_000 + b"]\n",
    "exponential aliases": b"a: &a0 [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(b"b%d: &a%d [%s]\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 40)),
    "merges": b"a: &a0 {x: 1}\n"
    + b"".join(b"b%d: &a%d {<<: [%s]}\n" % (n, n, b",".join([b"*a%d" % (n - 1)] * 9)) for n in range(1, 40)),
    "binary": bytes(range(256)) * 20_000,
    "zeros": b"\0" * 5_000_000,
    "long key": b"k" * 5_000_000 + b": 1",
    "backslashes": b'a: "' + b"\\" * 1_000_001 + b'"',
    "percent signs": b"%" * 1_000_000,
    "tag": b"a: !" + b"x" * 1_000_000 + b"{ 1",
}


@each_row("name", list(GENERATED))
def test_a_large_hostile_input_is_one_error_soon(name: str) -> None:
    start = time.process_time()
    found = load_bytes(GENERATED[name], "hostile.yaml")
    assert time.process_time() - start < LIMIT
    (error,) = (part for part in found if isinstance(part, SourceError))
    assert len(error.message) < 200
    assert len(error.line_text) <= 500


LARGE: dict[str, bytes] = {
    "block scalar": b"a: |\n" + b"  some text\n" * 1_000_000,
    "quoted scalar": b'a: "' + b"x" * 10_000_000 + b'"',
    "plain scalar": b"a: " + b"x" * 10_000_000,
    "JSON string": b'{"a": "' + b"x" * 10_000_000 + b'"}',
    "digits": b"a: " + b"1" * 1_000_000,
    "comment": b"#" * 10_000_000 + b"\na: 1",
    "markers": b"---\n" * 500_000 + b"a: 1",
    "empty lines": b"\n" * 1_000_000 + b"a: 1",
    "escapes": b'a: "' + b"\\u00e9" * 500_000 + b'"',
}


@each_row("name", list(LARGE))
def test_a_large_scalar_is_read(name: str) -> None:
    start = time.process_time()
    (document,) = load_bytes(LARGE[name], "large.yaml")
    assert time.process_time() - start < LIMIT
    assert isinstance(document, Document)
    assert list(document.value) == ["a"]


@pytest.mark.parametrize("libyaml", [True, False], ids=["libyaml", "own"])
@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000, "a: " * 5000, "? " * 5000])
def test_nesting_never_ends_in_a_recursion_error(text: str, *, libyaml: bool) -> None:
    assert len(list(read_yaml(text, libyaml=libyaml))) == 1


def test_places_in_deep_values_need_no_recursion() -> None:
    (document,) = load_text("[" * 200 + "]" * 200)
    assert isinstance(document, Document)
    assert document.locate([0] * 199) == (1, 200)
