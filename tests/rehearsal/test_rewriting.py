"""Values change in a text, and the rest of it stays."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.rehearsal.rewriting import REMOVED, Edit, rewritten

TEXT = """\
# head
a: 1 # one
b:
  c: 'x'   # see
  d: [p, q]
  # about e
  e:
  - f: y
    g: z
# tail
h: {i: 1, j: {k: old}} # flow
"""


@pytest.mark.parametrize(
    ("steps", "value", "before", "after"),
    [
        (("a",), "2", "a: 1 # one", 'a: "2" # one'),
        (("b", "c"), "new", "c: 'x'   # see", "c: new   # see"),
        (("b", "d", 1), "r", "[p, q]", "[p, r]"),
        (("b", "d", 0), "yes", "[p, q]", '["yes", q]'),
        (("b", "e", 0, "g"), "w", "g: z", "g: w"),
        (("b", "e", 0, "f"), "w", "- f: y", "- f: w"),
        (("h", "j", "k"), "new thing", "k: old", 'k: "new thing"'),
        (("b", "e", 0, "g"), REMOVED, "    g: z\n", ""),
        (("b", "c"), REMOVED, "  c: 'x'   # see\n", ""),
        (("b", "e", 0, "m"), True, "    g: z\n", "    g: z\n    m: true\n"),
        (("b", "k", "m"), "v", "    g: z\n", "    g: z\n  k:\n    m: v\n"),
        (("b", "d"), ["p"], "d: [p, q]", "d:\n  - p"),
        (("z",), {"k": "x"}, "# flow\n", "# flow\nz:\n  k: x\n"),
        (("h", "j"), REMOVED, "h: {i: 1, j: {k: old}} # flow\n", "h:\n  i: 1\n"),
        (("b",), REMOVED, TEXT[TEXT.index("b:") : TEXT.index("# tail")], ""),
    ],
)
def test_only_what_changes_is_written(steps: tuple[Any, ...], value: Any, before: str, after: str) -> None:
    assert rewritten(TEXT, [Edit(steps, value)]) == TEXT.replace(before, after, 1)


def test_what_says_so_already_is_left_alone() -> None:
    assert rewritten(TEXT, [Edit(("b", "c"), "x"), Edit(("gone",), REMOVED)]) == TEXT


def test_a_mapping_without_entries_goes() -> None:
    assert rewritten("a:\n  b:\n    c: 1\n  d: 2\n", [Edit(("a", "b", "c"), REMOVED)]) == "a:\n  d: 2\n"
    edits = [Edit(("a", "b"), REMOVED), Edit(("a", "c"), "x")]
    assert rewritten("a:\n  # keep\n  b: 1\n", edits) == "a:\n  # keep\n  c: x\n"


def test_edits_follow_each_other() -> None:
    edits = [Edit(("a", "p"), REMOVED), Edit(("a", "q"), "1"), Edit(("a", "r"), ["s", "t"])]
    text = "a:\n  # keep\n  p: x\n"
    assert rewritten(text, edits) == 'a:\n  # keep\n  q: "1"\n  r:\n  - s\n  - t\n'


def test_a_text_without_a_last_line_break_gets_one() -> None:
    assert rewritten("a: 1", [Edit(("b",), "x")]) == "a: 1\nb: x\n"


def test_json_is_edited_where_it_can_be() -> None:
    assert rewritten('{"a": "x", "b": 1}', [Edit(("a",), "on")]) == '{"a": "on", "b": 1}'


def test_what_cannot_be_done_without_a_guess_is_not_done() -> None:
    assert rewritten("a: &x {b: 1}\nc: *x\n", [Edit(("c", "b"), "2")]) in (
        None,
        'a: &x {b: 1}\nc:\n  b: "2"\n',
    )
    assert rewritten("a: 1\n---\nb: 1\n", [Edit(("a",), "2")]) is None
    assert rewritten("a: [", [Edit(("a",), "2")]) is None
    assert rewritten("{a: {b: 1}}\n", [Edit(("a", "c"), "2")]) is None
