"""The door to CEL: selectors compiled once, cached, and evaluated for one device after the other."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dractl.cel import types
from dractl.cel.check import check
from dractl.cel.cost import estimated_cost
from dractl.cel.declarations import attribute_type, declarations_of
from dractl.cel.device import DeviceValue, device_value
from dractl.cel.environment import Environment
from dractl.cel.errors import CelError, CompileError, EvaluationError
from dractl.cel.evaluate import Program, program_of
from dractl.cel.operators import type_name
from dractl.cel.parse import parse
from dractl.cel.stack import deep_stack
from dractl.cel.types import Type
from dractl.cel.validators import validate

__all__ = [
    "MAX_COST",
    "CelError",
    "DeviceValue",
    "Environment",
    "Selector",
    "compile_selector",
    "device_value",
]

MAX_COST = 1_000_000
"""Largest estimated cost that the API server takes, and the largest cost of one evaluation."""


class Selector:
    """A compiled selector."""

    __slots__ = ("_height", "_program", "expression", "max_cost", "type")

    def __init__(
        self, expression: str, program: Program, found: Type, max_cost: int | None, height: int
    ) -> None:
        """Hold what :func:`compile_selector` found."""
        self.expression = expression
        self.type = found
        self.max_cost = max_cost
        self._program = program
        self._height = height

    def evaluate(self, device: DeviceValue) -> bool | CelError:
        """Whether the selector selects ``device``, or why that cannot be said."""
        try:
            value: Any = self._program.run(device.fields)
        except EvaluationError as error:
            return CelError("runtime", error.message, error.offset)
        if value is True or value is False:
            return bool(value)
        return CelError(
            "runtime",
            f"the selector gives a value of type {type_name(value)} for this device, where true or false is needed",
        )


@lru_cache(maxsize=4096)
def compile_selector(expression: str, environment: Environment) -> Selector | CelError:
    """The selector that ``expression`` writes, or what is wrong with it.

    Mirrors ``CompileCELExpression``, but for the two limits of the API server, on length and on
    ``Selector.max_cost``, which are the caller's.
    """
    try:
        return _compiled(expression, environment)
    except CompileError as error:
        return error.error


def _compiled(expression: str, environment: Environment) -> Selector:
    declarations, functions = declarations_of(environment)
    tree = parse(expression, functions.macros, quoted_fields="quoted-fields" in functions.libraries)
    with deep_stack(tree.height):
        found = check(tree, declarations)
        validate(tree)
        if found not in (types.BOOL, attribute_type(environment)):
            raise CompileError(
                "output", f"a selector has to give true or false, not a value of type {found}", tree.offset
            )
        return Selector(expression, program_of(tree), found, estimated_cost(tree), tree.height)
