"""Operators that do not always look at all of their operands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cel.costs import D

# What the real code of 1.37 says for the device of conftest.py.

LOGIC: list[tuple[str, str]] = [
    ("true && true", "true"),
    ("true && false", "false"),
    ("false && true", "false"),
    ("true || false", "true"),
    ("false || false", "false"),
    (f"{D}.healthy && true", "true"),
    (f"{D}.nosuch == 1 && false", "false"),
    (f"false && {D}.nosuch == 1", "false"),
    (f"{D}.nosuch == 1 && true", "fails"),
    (f"true && {D}.nosuch == 1", "fails"),
    (f"{D}.nosuch == 1 || true", "true"),
    (f"true || {D}.nosuch == 1", "true"),
    (f"{D}.nosuch == 1 || false", "fails"),
    (f"{D}.index && true", "fails"),
    (f"{D}.index && false", "false"),
    (f"false && {D}.index", "false"),
    (f"true || {D}.model", "true"),
    (f"{D}.model || true", "true"),
    (f"{D}.model || false", "fails"),
    (f"{D}.model && {D}.index", "fails"),
    (f"!{D}.healthy", "false"),
    (f"!{D}.index", "fails"),
    ("!!true", "true"),
    (f"!({D}.nosuch == 1)", "fails"),
    (f"{D}.nosuch == 1 && {D}.other == 1", "fails"),
]

CHOICES: list[tuple[str, str]] = [
    ("true ? true : false", "true"),
    ("false ? true : false", "false"),
    (f"{D}.healthy ? true : {D}.nosuch == 1", "true"),
    (f"false ? {D}.nosuch == 1 : true", "true"),
    (f"{D}.nosuch == 1 ? true : true", "fails"),
    (f"{D}.index ? true : false", "fails"),
    (f"(true ? {D}.index : 5) == 3", "true"),
    (f"({D}.healthy ? {D} : device.attributes[\"other.org\"]).model == 'A100'", "true"),
    (f"(false ? {D} : device.attributes[\"other.org\"]).model == 'X1'", "true"),
    (f"has((true ? {D} : {{}}).model)", "true"),
]


@pytest.mark.parametrize(("expression", "verdict"), LOGIC)
def test_a_decisive_operand_wins(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict


@pytest.mark.parametrize(("expression", "verdict"), CHOICES)
def test_one_alternative_counts(verdict_of: Callable[[str], str], expression: str, verdict: str) -> None:
    assert verdict_of(expression) == verdict
