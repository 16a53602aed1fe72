"""Another implementation of CEL as a second opinion on plain expressions; docs/cel.md says why only that."""

from __future__ import annotations

import random
from typing import Any

import celpy
import celpy.evaluation
import pytest

from dractl.cel.compile import CelError, DerivedAttribute, DeviceValue, compile_derived_attribute
from tests.cel.conftest import environment

DISAGREEMENTS = [
    # A string that + made has no methods there.
    ("('a' + 'b').contains('a')", "fails", True),
]
"""Where cel-python is wrong on the plain subset: expression, its answer, ours (which is the server's)."""


class _Plain:
    """Makes expressions of integers, strings, bools, lists and macros, without attributes or extensions."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - nothing depends on it being secret

    def make_bool(self, depth: int) -> str:
        if depth == 0:
            return self._text("true", "false")
        deeper = depth - 1
        operator = self._of("==", "!=", "<", "<=", ">", ">=")
        kind = self._of(self.make_int, self.make_string)
        method = self._text("contains", "startsWith", "endsWith")
        macro = self._text("all", "exists", "exists_one")
        return self._text(
            f"({kind(deeper)} {operator} {kind(deeper)})",
            f"({self.make_bool(deeper)} && {self.make_bool(deeper)})",
            f"({self.make_bool(deeper)} || {self.make_bool(deeper)})",
            f"!({self.make_bool(deeper)})",
            f"({self.make_bool(deeper)} ? {self.make_bool(deeper)} : {self.make_bool(deeper)})",
            f"({self.make_int(deeper)} in {self.make_list(deeper)})",
            f"{self.make_string(0)}.{method}({self.make_string(deeper)})",
            f"{self.make_list(deeper)}.{macro}(x, x {operator} {self.make_int(0)})",
        )

    def make_int(self, depth: int) -> str:
        if depth == 0:
            return self._text("0", "1", "2", "7", "-3", "100")
        deeper = depth - 1
        return self._text(
            f"({self.make_int(deeper)} {self._of('+', '-', '*')} {self.make_int(deeper)})",
            f"size({self._of(self.make_string, self.make_list)(deeper)})",
            f"({self.make_bool(deeper)} ? {self.make_int(deeper)} : {self.make_int(deeper)})",
            f"{{'a': {self.make_int(deeper)}}}['a']",
        )

    def make_string(self, depth: int) -> str:
        if depth == 0:
            return self._text("''", "'a'", "'abc'", '"b"', "'Ü'")
        deeper = depth - 1
        return self._text(
            f"({self.make_string(deeper)} + {self.make_string(deeper)})",
            f"string({self.make_int(deeper)})",
            f"({self.make_bool(deeper)} ? {self.make_string(deeper)} : {self.make_string(deeper)})",
        )

    def make_list(self, depth: int) -> str:
        if depth == 0:
            return self._text("[1]", "[1, 2, 3]", "[3, 1, 2]")
        deeper = depth - 1
        return self._text(
            f"[{self.make_int(deeper)}, {self.make_int(deeper)}]",
            f"({self.make_list(deeper)} + {self.make_list(deeper)})",
            f"{self.make_list(deeper)}.map(x, x + {self.make_int(0)})",
            f"{self.make_list(deeper)}.filter(x, x > {self.make_int(0)})",
        )

    def _text(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _of(self, *choices: Any) -> Any:
        return self._random.choice(choices)


def _theirs(expression: str) -> Any:
    environment_of_celpy = celpy.Environment()
    try:
        return bool(environment_of_celpy.program(environment_of_celpy.compile(expression)).evaluate({}))
    except celpy.evaluation.CELEvalError:
        return "fails"


def _ours(expression: str, device: DeviceValue) -> Any:
    compiled = compile_derived_attribute(expression, environment())
    assert isinstance(compiled, DerivedAttribute), compiled
    answer = compiled.evaluate(device)
    return "fails" if isinstance(answer, CelError) else answer


@pytest.mark.parametrize("seed", range(3))
def test_both_agree_on_plain_expressions(device: DeviceValue, seed: int) -> None:
    maker = _Plain(seed)
    expressions = [maker.make_bool(2) for _ in range(150)]
    differing = [
        (expression, theirs, ours)
        for expression in expressions
        if (theirs := _theirs(expression)) != (ours := _ours(expression, device))
    ]
    assert differing == []


@pytest.mark.parametrize(("expression", "theirs", "ours"), DISAGREEMENTS)
def test_known_disagreements_are_still_there(
    device: DeviceValue, expression: str, theirs: Any, ours: Any
) -> None:
    assert (_theirs(expression), _ours(expression, device)) == (theirs, ours)
