"""Edits with ranges: as small as they can be, and none where the text would mean something else."""

from __future__ import annotations

import pytest

from dractl.api import budgets
from dractl.api.edits import Drop, Edit, Rename, Replace
from dractl.finding import Applicability, Fix, TextEdit
from dractl.lint.fixes.text_edits import fix_of, with_fixes
from dractl.source.document import Document
from dractl.source.load import load_text
from tests.rows import each_row

TEXT = "x: 1\n---\na: one  # c\nb:\n  c: 2\n"


def _document(text: str, number: int) -> Document:
    item = load_text(text)[number]
    assert isinstance(item, Document)
    return item


def _fix(text: str, number: int, *changes: Edit) -> Fix | None:
    return fix_of(_document(text, number), changes, Applicability.SAFE, "do it")


@pytest.mark.parametrize(
    ("change", "edit"),
    [
        (Rename(("a",), "aa"), TextEdit((3, 2), (3, 2), "a")),
        (Replace(("b", "c"), 3), TextEdit((5, 6), (5, 7), "3")),
        (Drop(("b",)), TextEdit((4, 1), (6, 1), "")),
    ],
)
def test_places_are_those_of_the_file(change: Edit, edit: TextEdit) -> None:
    fix = _fix(TEXT, 1, change)
    assert fix is not None
    assert (fix.edits, fix.changes) == ((edit,), (change,))


def test_steps_of_an_item_are_those_of_its_list() -> None:
    text = "kind: List\nitems:\n- kind: A\n- kind: B\n"
    fix = _fix(text, 1, Rename(("kind",), "Kind"))
    assert fix is not None
    assert fix.edits == (TextEdit((4, 3), (4, 4), "K"),)
    assert with_fixes(text, [fix]) == text.replace("kind: B", "Kind: B")


def test_fixes_apply_to_a_piece_of_the_file_together() -> None:
    fixes = [_fix(TEXT, 1, Rename(("a",), "z")), _fix(TEXT, 1, Replace(("b", "c"), 3))]
    start = TEXT.index("a:")
    known = [fix for fix in fixes if fix is not None]
    assert with_fixes(TEXT, known, start) == "z: one  # c\nb:\n  c: 3\n"


def test_fixes_of_one_place_do_not_go_together() -> None:
    fixes = [_fix("a: 1\n", 0, Replace(("a",), value)) for value in (2, 3)]
    assert with_fixes("a: 1\n", [fix for fix in fixes if fix is not None]) is None


@each_row(
    "change",
    [Rename(("a",), "b"), Drop(("a", "d")), Replace(("b", "c"), "&x"), Rename(("z",), "y")],
)
def test_there_is_no_fix_that_means_something_else(change: Edit) -> None:
    fix = _fix("a: 1\nb: {c: *a}\n".replace("*a", "1"), 0, change)
    assert fix is None or (isinstance(change, Replace) and fix.edits[0].text == '"&x"')


def test_a_long_document_is_not_read_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "FIX_TEXT", budgets.FIX_TEXT._replace(value=20))
    document = _document("a: 1\nb: 2\nc: 3\n", 0)
    found = [fix_of(document, [Replace((key,), 4)], Applicability.SAFE, "do it") is not None for key in "aba"]
    assert found == [True, False, True]
