"""What compiling an expression gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dractl.cel.evaluate import Program
    from dractl.cel.meter import MeteredProgram
    from dractl.cel.types import Type


class Compiled:
    """The programs of an expression, its static type, and the highest cost that it can have."""

    __slots__ = ("height", "max_cost", "metered", "output", "program")

    def __init__(
        self,
        *,
        program: Program,
        metered: MeteredProgram,
        output: Type,
        max_cost: int,
        height: int,
    ) -> None:
        """Hold the parts."""
        self.program = program
        self.metered = metered
        self.output = output
        self.max_cost = max_cost
        self.height = height
