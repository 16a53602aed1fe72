from __future__ import annotations

import pytest

from dractl.api.edits import Drop, Edit, Enclose, Replace, Unfold
from dractl.source.roundtrip import rewritten


def test_comments_and_anchors_stay() -> None:
    text = "# top\na:\n  - &one {name: x, count: 1} # one\n  - *one\n"
    edits: list[Edit] = [Enclose(("a", position), "exactly", ("count",)) for position in (0, 1)]
    assert rewritten(text, {0: edits}) == (
        "# top\na:\n  - &one {name: x, exactly: {count: 1}} # one\n  - *one\n"
    )


@pytest.mark.parametrize("indent", ["", "  "])
def test_lists_keep_their_indentation(indent: str) -> None:
    text = f"a:\n{indent}- b: 1 # b\n{indent}  c: {{d: 1}}\n"
    assert rewritten(text, {0: [Unfold(("a", 0), "c")]}) == f"a:\n{indent}- b: 1 # b\n{indent}  d: 1\n"


def test_only_the_documents_meant_change() -> None:
    text = "---\na: 'x'\n---\na: \"y\"\nb: 1\n"
    assert rewritten(text, {1: [Drop(("b",))]}) == "---\na: 'x'\n---\na: \"y\"\n"


@pytest.mark.parametrize(
    ("text", "edit"), [("a: [\n", Replace(("a",), "x")), ("a: 1\n", Drop(("b", "c"))), ("", Drop(("b",)))]
)
def test_what_the_library_cannot_do_is_left(text: str, edit: Edit) -> None:
    assert rewritten(text, {0: [edit]}) is None
