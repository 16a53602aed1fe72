"""What can be wrong with a selector: one value for every kind of error, and how it travels inside."""

from __future__ import annotations

from typing import Literal

from dractl.records import NamedTuple

Kind = Literal["syntax", "type", "output", "program", "cost", "runtime", "budget"]


class CelError(NamedTuple):
    """What is wrong with an expression, or with its evaluation for one device.

    ``syntax`` and ``type`` mean that it does not compile, ``output`` that it compiles to something that is
    not a selector, ``program`` that a constant part of it fails when the program is made, ``cost`` that it
    may take too long, ``runtime`` that it fails for this device, ``budget`` that dractl gave up on it, so
    that its value is unknown. ``offset`` counts characters from the start of the expression; None where no
    place is to blame.
    """

    kind: Kind
    message: str
    offset: int | None = None


_LONGEST = 600


def shortened(message: str) -> str:
    """A message without the middle of what makes it too long to be read."""
    if len(message) <= _LONGEST:
        return message
    return f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 3 :]}"


class CompileError(Exception):
    """Carries an error from wherever an expression is compiled up to the door."""

    def __init__(self, kind: Kind, message: str, offset: int | None = None) -> None:
        """Hold the error to be reported."""
        super().__init__(message)
        self.error = CelError(kind, shortened(message), offset)


class StoppedError(Exception):
    """Carries the end of an evaluation that no operator absorbs."""

    def __init__(self, message: str) -> None:
        """Hold the message."""
        super().__init__(message)
        self.message = message


class GivenUpError(StoppedError):
    """Carries the end of an evaluation at a limit of dractl's own: the value is unknown."""


class EvaluationError(Exception):
    """Carries a run-time error up to the operator that absorbs it, or to the door."""

    def __init__(self, message: str, offset: int | None = None) -> None:
        """Hold the message; ``offset`` is filled in by the node that fails."""
        super().__init__(message)
        self.message = message
        self.offset = offset


def failure_of(error: EvaluationError | StoppedError) -> CelError:
    """The value that stands for an evaluation that ended so."""
    message = shortened(error.message)
    if isinstance(error, EvaluationError):
        return CelError("runtime", message, error.offset)
    return CelError("budget" if isinstance(error, GivenUpError) else "runtime", message)
