"""Excerpts that stand for longer ones, and for changes."""

from __future__ import annotations

import pytest

from dractl.admission.framework.rule import Example
from tests.rows import each_row


@each_row(
    ("text", "whole"),
    [
        ("a: 1", "a: 1"),
        ("a: <3 times x>", "a: xxx"),
        ("[<2 times {name: gpu-#}, >]", "[{name: gpu-0}, {name: gpu-1}, ]"),
        ("[<2 times a#: {<2 times c#, >}, >]", "[a0: {c0, c1, }, a1: {c0, c1, }, ]"),
        ("a < 3 times # >", "a < 3 times # >"),
    ],
)
def test_repetitions_are_written_out(text: str, whole: str) -> None:
    example = Example(True, text)
    assert example.expanded_text == whole
    assert example.is_short is (text != whole)


@pytest.mark.parametrize(
    ("text", "is_update"),
    [
        ("spec: {}\n", False),
        ("spec: {}\n---\nspec: {a: 1}\n", True),
        ("kind: Namespace\nmetadata: {name: a}\n---\nspec: {}\n", False),
    ],
)
def test_two_objects_are_a_change(text: str, is_update: bool) -> None:
    assert Example(True, text).is_update is is_update
