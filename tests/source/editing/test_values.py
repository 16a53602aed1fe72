"""Values change in a text, and the rest of it stays."""

from __future__ import annotations

from typing import Any

from dractl.source.editing.values import REMOVED, Edit, rewritten
from tests.rows import each_row

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


@each_row(
    ("steps", "value", "before", "after"),
    [
        (("a",), "2", "a: 1 # one", 'a: "2" # one'),
        (("b", "c"), "new", "c: 'x'   # see", "c: 'new'   # see"),
        (("b", "d", 1), "r", "[p, q]", "[p, r]"),
        (("b", "d", 0), "yes", "[p, q]", '["yes", q]'),
        (("b", "e", 0, "g"), "w", "g: z", "g: w"),
        (("b", "e", 0, "f"), "w", "- f: y", "- f: w"),
        (("h", "j", "k"), "new thing", "k: old", 'k: "new thing"'),
        (("b", "e", 0, "g"), REMOVED, "    g: z\n", ""),
        (("b", "c"), REMOVED, "  c: 'x'   # see\n", ""),
        (("b", "e", 0, "m"), True, "    g: z\n", "    g: z\n    m: true\n"),
        (("b", "k", "m"), "v", "    g: z\n", "    g: z\n  k:\n    m: v\n"),
        (("b", "d"), ["p"], "d: [p, q]", "d: [p]"),
        (("z",), {"k": "x"}, "# flow\n", "# flow\nz:\n  k: x\n"),
        (("h", "j"), REMOVED, "{i: 1, j: {k: old}} # flow", "{i: 1} # flow"),
        (("h", "j", "m"), ["a: b"], "{k: old}", '{k: old, m: ["a: b"]}'),
        (
            ("h", "i"),
            "l" * 120,
            "h: {i: 1, j: {k: old}} # flow",
            f"h: {{i: {'l' * 120}, j: {{k: old}}}} # flow",
        ),
        (
            ("h", "m"),
            "l" * 120,
            "h: {i: 1, j: {k: old}} # flow",
            f"h:  # flow\n  i: 1\n  j:\n    k: old\n  m: {'l' * 120}",
        ),
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
    assert rewritten("a: &x {b: 1}\nd: [&y 1, *y]\n", [Edit(("d",), ["2"])]) is None


def test_json_stays_json() -> None:
    tight = '{"a":{"b":"x"}}'
    assert rewritten(tight, [Edit(("a", "b"), "y")]) == '{"a":{"b":"y"}}'
    assert rewritten(tight, [Edit(("a", "b"), True)]) == '{"a":{"b":true}}'
    assert rewritten(tight, [Edit(("a", "c"), ["z"])]) == '{"a":{"b":"x","c":["z"]}}'
    assert rewritten('\ufeff{\n  "a": "x"\n}\n', [Edit(("b",), "y")]) == (
        '\ufeff{\n  "a": "x",\n  "b": "y"\n}\n'
    )


def test_a_number_in_json_becomes_a_quoted_text() -> None:
    assert rewritten('{"a":   1}', [Edit(("a",), "x")]) == '{"a": "x"}'
    assert rewritten('{"a":   1}', [Edit(("a",), False)]) == '{"a":   false}'


def test_line_ends_stay() -> None:
    text = "a: # one\r\n  b: 1\r\nc: 2"
    assert rewritten(text, [Edit(("a", "d"), ["v", "w"]), Edit(("e",), "z")]) == (
        "a: # one\r\n  b: 1\r\n  d:\r\n  - v\r\n  - w\r\nc: 2\r\ne: z\r\n"
    )


def test_a_rare_line_break_is_part_of_a_value() -> None:
    text = 'a: "x\u2028y"\nb: old\n'
    assert rewritten(text, [Edit(("b",), "new")]) == text.replace("old", "new")


def test_the_first_entry_of_an_item_goes_and_the_rest_stays() -> None:
    assert rewritten("a:\n- b: 1 # b\n  c: 2 # c\n", [Edit(("a", 0, "b"), REMOVED)]) == "a:\n- c: 2 # c\n"


def test_a_mapping_on_the_line_of_its_item_gives_way_to_a_text() -> None:
    assert rewritten("a:\n- b: 1 # b\n- c\n", [Edit(("a", 0), "x")]) == "a:\n- x # b\n- c\n"


def test_quotes_stay() -> None:
    assert rewritten('a: "x" # c\n', [Edit(("a",), "y")]) == 'a: "y" # c\n'
    assert rewritten("a: 'x'\n", [Edit(("a",), "it's")]) == "a: 'it''s'\n"
    assert rewritten('a: "x"\n', [Edit(("a",), True)]) == "a: true\n"


SHARED = """\
# first
- &e # shared
  m: {k: old} # why
# second
- *e
"""


def test_what_all_aliases_agree_about_is_changed_at_its_anchor() -> None:
    text = "l:\n" + SHARED
    both = [Edit(("l", 0, "m", "k"), "new"), Edit(("l", 1, "m", "k"), "new")]
    assert rewritten(text, both) == text.replace("old", "new")
    assert rewritten(text, both[:1]) is None
    scalar = "a: &n old # one\nb: *n\n"
    edits = [Edit(("a",), "new"), Edit(("b",), "new")]
    assert rewritten(scalar, edits) == "a: &n new # one\nb: *n\n"


def test_an_alias_alone_gives_way_to_a_value_of_its_own() -> None:
    text = "a: &x\n  b: old\nc: *x # see a\nd: 1 # last\n"
    assert rewritten(text, [Edit(("c", "b"), "new")]) == ("a: &x\n  b: old\nc:\n  b: new\nd: 1 # last\n")
