"""What compiling an expression gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dractl.cel.common.eval_options import EvalOptions
    from dractl.cel.common.tree import Node
    from dractl.cel.common.types import Type
    from dractl.cel.interpreter.cost_tracker import MeteredProgram
    from dractl.cel.interpreter.evaluate import Program


class Compiled:
    """The program of an expression, its static type, and the highest cost that it can have."""

    __slots__ = ("_metered", "depth", "max_cost", "options", "output", "program", "tree")

    def __init__(
        self, *, tree: Node, depth: int, program: Program, output: Type, max_cost: int, options: EvalOptions
    ) -> None:
        """Hold the parts."""
        self.tree = tree
        self.depth = depth
        self.program = program
        self.output = output
        self.max_cost = max_cost
        self.options = options
        self._metered: MeteredProgram | None = None

    @property
    def metered(self) -> MeteredProgram:
        """The program that counts its cost, made when it is first needed."""
        if self._metered is None:
            from dractl.cel.interpreter.cost_tracker import (
                MeteredProgram,
            )  # most expressions need no counting

            self._metered = MeteredProgram(self.tree, self.options)
        return self._metered
