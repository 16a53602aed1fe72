"""The work of evaluations, counted in steps, so that no expression keeps a run busy.

The cost that Kubernetes charges does not bound it: matching a pattern, joining lists or comparing what they
hold can take any time at no cost. A step is about what one node of an expression takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dractl.api import budgets
from dractl.cel.common.errors import CelError, GivenUpError, StoppedError, failure_of
from dractl.records import NamedTuple

__all__ = ["WORK", "Spent", "Work"]

_FREE = 500
"""Steps of each evaluation that the run's budget is not charged: dumps have 40,000 devices and more."""

_LONGEST = 10_000_000
"""Characters of the longest string: reading a longer one costs more than an evaluation may in Kubernetes."""

_UNBOUNDED = 2**62
_COMPILING = 20_000
"""Steps that computing the constant parts of an expression may take; the rest is left to evaluations."""


class Spent(NamedTuple):
    """Steps that were taken, and those that evaluations were granted."""

    steps: int
    granted: int


class Work:
    """The steps of a run, and where the evaluation that runs has to stop."""

    __slots__ = ("_end", "_granted", "_spent")

    def __init__(self) -> None:
        """Start outside of any run, where each evaluation is for itself."""
        self._spent = 0
        self._granted = _UNBOUNDED
        self._end = budgets.CEL_VALUE.value

    @contextmanager
    def run(self) -> Iterator[None]:
        """A run, whose evaluations have a budget in common; one within another has its own."""
        before = (self._spent, self._granted, self._end)
        self._spent, self._granted = 0, budgets.CEL_RUN.value
        try:
            yield
        finally:
            self._spent, self._granted, self._end = before

    def begin(self) -> None:
        """Start an evaluation."""
        self._granted += _FREE
        self._end = min(self._spent + budgets.CEL_VALUE.value, self._granted)

    def spend(self, steps: int) -> None:
        """Count steps before they are taken; raises GivenUpError if they are too many."""
        self._spent += steps
        if self._spent > self._end:
            raise self._given_up()

    def add(self, steps: int) -> None:
        """Count steps that were taken, within another limit."""
        self._spent = min(self._spent + steps, self._granted)

    @property
    def spent(self) -> Spent:
        """The work of the run so far."""
        return Spent(self._spent, self._granted)

    def since(self, before: Spent) -> Spent:
        """The work of the run after ``before``."""
        return Spent(self._spent - before.steps, self._granted - before.granted)

    def take(self, more: Spent) -> None:
        """Count the work that another process did for this run."""
        self._spent += more.steps
        self._granted += more.granted

    def reset(self, before: Spent) -> None:
        """Go back to an earlier state of the run."""
        self._spent, self._granted = before

    @property
    def is_spent(self) -> bool:
        """Whether the run took more steps than it would be granted without any evaluation."""
        return self._spent > budgets.CEL_RUN.value

    def left(self) -> CelError | None:
        """Why no evaluation may start that counts its steps in the end only; None if one may."""
        return failure_of(self._given_up()) if self._spent >= self._granted else None

    def spend_on_text(self, length: int) -> None:
        """Count the work of making a text; raises StoppedError for one that no server makes."""
        if length > _LONGEST:
            raise StoppedError(
                f"evaluation stopped: a string would have {length:,} characters, more than {_LONGEST:,}"
            )
        self.spend(length >> 2)

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Computing the constants of an expression: no part of the run, as it is compiled once for all."""
        before = (self._spent, self._granted, self._end)
        self._spent, self._granted, self._end = 0, _UNBOUNDED, _COMPILING
        try:
            yield
        finally:
            self._spent, self._granted, self._end = before

    def _given_up(self) -> GivenUpError:
        row = budgets.CEL_RUN if self._end == self._granted else budgets.CEL_VALUE
        self._spent = self._end
        return GivenUpError(row.message())


WORK = Work()
"""Of this process, in which one run follows the other."""
