"""What a change leaves of a text: each case is a text, the edits, and the text after them."""

from __future__ import annotations

from textwrap import dedent

from dractl.api.edits import (
    Box,
    Deduplicate,
    Delist,
    Drop,
    Edit,
    Enclose,
    Enlist,
    Raise,
    Rename,
    Replace,
    Unbox,
    Unfold,
)
from dractl.source.editing.structure import rewritten
from tests.rows import each_row

CASES: dict[str, tuple[str, list[Edit], str]] = {
    "a plain value, with the comment behind it": (
        "a: old # why\nb:   c\n",
        [Replace(("a",), "new")],
        "a: new # why\nb:   c\n",
    ),
    "a number in quotes": ('a: "2"\n', [Replace(("a",), 2)], "a: 2\n"),
    "a quantity": ("a: 6 GiB\n", [Replace(("a",), "6Gi")], "a: 6Gi\n"),
    "a number that looks like a quantity": ("a: x\n", [Replace(("a",), "1e3")], 'a: "1e3"\n'),
    "a key": ("'A' : 1  # c\n", [Rename(("A",), "b")], "'b' : 1  # c\n"),
    "keys within each other": (
        "A:\n  B: 1\n",
        [Rename(("A",), "a"), Rename(("A", "B"), "b")],
        "a:\n  b: 1\n",
    ),
    "into an empty object": ("a: null  # c\nb: 1\n", [Enclose((), "a", ("b",))], "a:  # c\n  b: 1\n"),
    "into an object with entries": (
        "b:\n- 1\n# c\na:\n    x: 1\nd: 2\n",
        [Enclose((), "a", ("b",))],
        "# c\na:\n    x: 1\n    b:\n    - 1\nd: 2\n",
    ),
    "out of an object": (
        "a:  # c\n  b: 1  # d\n  x: 2\ne: 3\n",
        [Raise((), "a", ("b",))],
        "a:  # c\n  x: 2\nb: 1  # d\ne: 3\n",
    ),
    "into a list": ("a:\n  b: 1\n  c: 2\n", [Enlist(("a",))], "a:\n  - b: 1\n    c: 2\n"),
    "a scalar into a list": ("a: b  # c\n", [Enlist(("a",))], "a: [b]  # c\n"),
    "out of a list": ("a:\n- b: 1\n  c: 2\n", [Delist(("a",))], "a:\n  b: 1\n  c: 2\n"),
    "out of brackets": ("a: [{b: 1}]\n", [Delist(("a",))], "a: {b: 1}\n"),
    "a key twice": ("a: 1\nb: 2\na: 3\n", [Deduplicate(("a",))], "b: 2\na: 3\n"),
    "a quoted value": ("a: 'old'\n", [Replace(("a",), "new")], "a: 'new'\n"),
    "an entry goes": ("a: 1\nb: 2\n# c\nc: 3\n", [Drop(("b",))], "a: 1\n# c\nc: 3\n"),
    "the first entry of an item goes": ("- a: 1\n  b: 2\n", [Drop((0, "a"))], "- b: 2\n"),
    "the first entry of an item goes, and a comment follows": (
        "- a: 1\n  # two\n  b: 2\n",
        [Drop((0, "a"))],
        "- # two\n  b: 2\n",
    ),
    "the last entry of an item goes": ("- a: 1\n  b:\n  - x\n- c\n", [Drop((0, "b"))], "- a: 1\n- c\n"),
    "the only entry goes": ("a:\n  b: 1\nc: 2\n", [Drop(("a", "b"))], "a:\n  {}\nc: 2\n"),
    "an entry in braces goes": ("a: {b: 1, c: 2, d: 3}\n", [Drop(("a", "c"))], "a: {b: 1, d: 3}\n"),
    "the only entry in braces goes": ("a: {b: 1}\n", [Drop(("a", "b"))], "a: {}\n"),
    "the last entry in braces goes": ("a: {b: 1, c: 2}\n", [Drop(("a", "c"))], "a: {b: 1}\n"),
    "a value is boxed": (
        "m: 16Gi # all\nn: 1\n",
        [Box(("m",), "value")],
        "m:\n  value: 16Gi # all\nn: 1\n",
    ),
    "a value in braces is boxed": ("a: {m: 16Gi}\n", [Box(("a", "m"), "value")], "a: {m: {value: 16Gi}}\n"),
    "a value in JSON is boxed": (
        'a: {"m": "16Gi"}\n',
        [Box(("a", "m"), "value")],
        'a: {"m": {"value": "16Gi"}}\n',
    ),
    "a value is unboxed": ("m:\n  value: 16Gi # all\n", [Unbox(("m",), "value")], "m: 16Gi # all\n"),
    "a value with comments is unboxed": (
        "a:\n  m: # one\n    # two\n    value: 16Gi # three\n  n: 1\n",
        [Unbox(("a", "m"), "value")],
        "a:\n  # one\n  # two\n  m: 16Gi # three\n  n: 1\n",
    ),
    "fields are enclosed, with their comments": (
        """\
        # the first
        - name: a # its name
          # which
          class: gpu # why
          list:
          # inner
          - x: |
              one
                two

        - b
        """,
        [Enclose((0,), "exactly", ("class", "list"))],
        """\
        # the first
        - name: a # its name
          # which
          exactly:
            class: gpu # why
            list:
            # inner
            - x: |
                one
                  two

        - b
        """,
    ),
    "fields around the name are enclosed": (
        "- count: 1\n  name: a\n  # why\n  mode: x\n",
        [Enclose((0,), "exactly", ("count", "mode"))],
        "- name: a\n  exactly:\n    count: 1\n    # why\n    mode: x\n",
    ),
    "a comment above what comes first then": (
        "- count: 1\n  # its name\n  name: a\n",
        [Enclose((0,), "exactly", ("count",))],
        "- # its name\n  name: a\n  exactly:\n    count: 1\n",
    ),
    "all fields are enclosed": (
        "- class: a\n  count: 1\n",
        [Enclose((0,), "exactly", ("class", "count"))],
        "- exactly:\n    class: a\n    count: 1\n",
    ),
    "nothing is enclosed": ("- name: a\n", [Enclose((0,), "basic", ())], "- name: a\n  basic: {}\n"),
    "fields in braces are enclosed": (
        "- {count: 1, name: a, mode: x} # one\n",
        [Enclose((0,), "exactly", ("count", "mode"))],
        "- {name: a, exactly: {count: 1, mode: x}} # one\n",
    ),
    "fields in braces on several lines are enclosed": (
        "- {count: 1,\n  name: a,\n  mode: x}\n",
        [Enclose((0,), "exactly", ("count", "mode"))],
        "- {name: a, exactly: {count: 1, mode: x}}\n",
    ),
    "comments among fields in braces stay": (
        "- {name: a, # one\n  mode: x, # two\n  count: 1 # three\n  } # four\n",
        [Enclose((0,), "exactly", ("count", "mode"))],
        "- {name: a, # one\n  exactly: {mode: x, # two\n  count: 1} # three\n  } # four\n",
    ),
    "comments among braces that are unfolded stay": (
        "- {name: a, basic: {x: 1, # one\n  y: 2 # two\n  }}\n",
        [Unfold((0,), "basic")],
        "- {name: a, x: 1, # one\n  y: 2 # two\n  }\n",
    ),
    "comments of an unfolded block stand where it stood": (
        "- name: a\n  basic:\n  # one\n      # two\n    x: 1\n",
        [Unfold((0,), "basic")],
        "- name: a\n  # one\n  # two\n  x: 1\n",
    ),
    "a block is unfolded, with its comments": (
        "- name: a\n  basic: # parts\n    # these\n    x: 1\n    y:\n      z: 2 # two\n- b\n",
        [Unfold((0,), "basic")],
        "- name: a\n  # parts\n  # these\n  x: 1\n  y:\n    z: 2 # two\n- b\n",
    ),
    "a block that comes first is unfolded": (
        "- basic:\n    x: 1\n  name: a\n",
        [Unfold((0,), "basic")],
        "- x: 1\n  name: a\n",
    ),
    "braces in a block are unfolded": (
        "- name: a\n  basic: {x: 1, y: {z: 2}} # two\n",
        [Unfold((0,), "basic")],
        "- name: a\n  x: 1\n  y: {z: 2} # two\n",
    ),
    "braces in braces are unfolded": (
        "- {name: a, basic: {x: 1}}\n",
        [Unfold((0,), "basic")],
        "- {name: a, x: 1}\n",
    ),
    "an empty object is unfolded": ("- name: a\n  basic: {}\n", [Unfold((0,), "basic")], "- name: a\n"),
    "a deep indentation is unfolded": (
        "- name: a\n  basic:\n        x: |\n          one\n        y: 2\n",
        [Unfold((0,), "basic")],
        "- name: a\n  x: |\n    one\n  y: 2\n",
    ),
    "an entry in braces goes with its comment": (
        "a: {b: 1, # why\n  c: 2}\n",
        [Drop(("a", "b"))],
        "a: {c: 2}\n",
    ),
    "a comment above the next entry in braces stays": (
        "a: {b: 1, # why\n  # see\n  c: 2}\n",
        [Drop(("a", "b"))],
        "a: {# see\n  c: 2}\n",
    ),
    "a comment before the last entry in braces stays": (
        "a: {b: 1, # why\n  c: 2}\n",
        [Drop(("a", "c"))],
        "a: {b: 1, # why\n  }\n",
    ),
    "fields apart from each other in braces are enclosed with their comments": (
        "a: {b: 1, # why\n  c: 2, d: 3 # one, two\n  }\n",
        [Enclose(("a",), "in", ("b", "d"))],
        "a: {c: 2, in: {b: 1, # why\n  d: 3} # one, two\n  }\n",
    ),
    "a comment before the first field in braces stays": (
        "a: { # all\n  b: 1, c: 2}\n",
        [Enclose(("a",), "in", ("b",))],
        "a: { # all\n  c: 2, in: {b: 1}}\n",
    ),
    "line breaks among fields that stay together stay": (
        "a: {b: 1, c: 2,\n    d: 3}\n",
        [Enclose(("a",), "in", ("c", "d"))],
        "a: {b: 1, in: {c: 2,\n    d: 3}}\n",
    ),
    "braces with comments in a block are unfolded": (
        "a:\n  b: {c: 1, # one\n    d: 2} # two\n",
        [Unfold(("a",), "b")],
        "a:\n  c: 1 # one\n  d: 2 # two\n",
    ),
    "an object in braces is unboxed without its comments": (
        "m: {value: 1, # why\n  x: 1}\n",
        [Unbox(("m",), "value")],
        "m: 1\n",
    ),
    "a value on several lines is unboxed": (
        "m:\n  value: >-\n    1Gi\nn: 1\n",
        [Unbox(("m",), "value")],
        "m: >-\n    1Gi\nn: 1\n",
    ),
    "an object without the field is unboxed": ("m: {}\n", [Unbox(("m",), "value")], "m: null\n"),
    "a value on several lines is boxed": (
        "m: >-\n  1Gi\nn: 1\n",
        [Box(("m",), "value")],
        "m:\n  value: >-\n    1Gi\nn: 1\n",
    ),
    "a value behind an anchor changes for all aliases": (
        "- &x # one\n  b: &y old # two\n- *x # three\n",
        [Replace((0, "b"), "new"), Replace((1, "b"), "new")],
        "- &x # one\n  b: &y new # two\n- *x # three\n",
    ),
    "an alias is boxed": ("a: &x 1\nb: *x\n", [Box(("b",), "value")], "a: &x 1\nb:\n  value: *x\n"),
    "braces behind an anchor are enclosed and unfolded": (
        "- &x {b: {c: 1}, d: 2}\n- *x\n",
        [Unfold((0,), "b"), Unfold((1,), "b")],
        "- &x {c: 1, d: 2}\n- *x\n",
    ),
    "values first, then the structure": (
        "- name: a\n  basic:\n    m: 1Gi\n",
        [Unfold((0,), "basic"), Box((0, "basic", "m"), "value")],
        "- name: a\n  m:\n    value: 1Gi\n",
    ),
}


@each_row(("text", "edits", "expected"), CASES.values())
def test_an_edit(text: str, edits: list[Edit], expected: str) -> None:
    assert rewritten(dedent(text), {0: edits}) == dedent(expected)


@each_row(("text", "edits", "expected"), CASES.values())
def test_an_edit_of_a_text_with_other_line_ends(text: str, edits: list[Edit], expected: str) -> None:
    changed = rewritten(dedent(text).replace("\n", "\r\n"), {0: edits})
    assert changed == dedent(expected).replace("\n", "\r\n")


def test_each_document_has_its_edits() -> None:
    edits: dict[int, list[Edit]] = {1: [Replace(("a",), "x")]}
    assert rewritten("a: 1\n--- # two\na: 2\n", edits) == "a: 1\n--- # two\na: x\n"


@each_row(
    ("text", "edit"),
    [
        ("a: &x {b: 1}\nc: *x\n", Drop(("c", "b"))),
        ("x: &x {b: 1}\na:\n  <<: *x\n  c: 1\n", Enclose(("a",), "in", ("c",))),
        ("a: {b: 1 # why\n  , c: 2, d: 3}\n", Enclose(("a",), "in", ("b", "d"))),
        ("a: {m: >-\n  1Gi}\n", Box(("a", "m"), "value")),
        ("a: >-\n  b\n", Replace(("a",), "x")),
        ("- a\n", Drop((1, "b"))),
        ("a: 1\n", Drop(("b", "c"))),
        ("a: &x {b: 1}\nc: {d: *x}\n", Unfold(("c",), "d")),
        ("a: 1\na: 2\n", Drop(("a",))),
        ("a: 1\n", Drop(("b",))),
        ("a: [\n", Drop(("a",))),
        ("a: {b: 1}\n", Raise((), "a", ("b",))),
        ("a:\n  b: 1\n", Raise((), "a", ("b",))),
        ("a: |\n  b\n", Enlist(("a",))),
        ("a: [1, 2]\n", Delist(("a",))),
        ("a: 1\n", Deduplicate(("a",))),
        ("a: 1\na: 2\na: 3\n", Deduplicate(("a",))),
        ("&x a: 1\n", Rename(("a",), "b")),
        ("a: [1]\nb: 1\n", Enclose((), "a", ("b",))),
    ],
)
def test_where_a_change_would_be_a_guess_there_is_none(text: str, edit: Edit) -> None:
    assert rewritten(text, {0: [edit]}) is None
