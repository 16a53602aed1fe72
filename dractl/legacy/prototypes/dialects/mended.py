"""An object in the words of a later state, with a note of where everything stood in the written one."""

from __future__ import annotations

from dractl.api.json_types import JsonDict
from dractl.api.path import Steps
from dractl.legacy.prototypes.dialects.faults import Fault

__all__ = ["Mended"]


class Mended:
    """An object in the words of the last state; ``source`` tells where something of it stood."""

    __slots__ = ("_moves", "_placed", "faults", "value")

    def __init__(self, value: JsonDict) -> None:
        """Start with an object as it was written."""
        self.value = value
        self.faults: list[Fault] = []
        self._moves: list[tuple[Steps, Steps]] = []
        self._placed: dict[Steps, Steps] = {}

    def moved(self, now: Steps, before: Steps) -> None:
        """Note that the value at ``now`` was at ``before``."""
        self._moves.append((now, before))

    def placed(self, now: Steps, written: Steps) -> None:
        """Note that the value at ``now`` was written at ``written``, which is no matter of other moves."""
        self._placed[now] = written

    def source(self, steps: Steps) -> Steps:
        """Where in the written object the steps lead; the latest move counts first."""
        for length in range(len(steps), 0, -1):
            if steps[:length] in self._placed:
                return (*self._placed[steps[:length]], *steps[length:])
        for now, before in reversed(self._moves):
            if steps[: len(now)] == now:
                steps = (*before, *steps[len(now) :])
        return steps
