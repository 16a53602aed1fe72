"""The steps of operators that do not simply compute something of all their operands."""

from __future__ import annotations

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import equal, no_overload
from dractl.cel.common.values import Optional, Value
from dractl.cel.interpreter.steps import Frame, Step


def logic(operator: str, left: Step, right: Step, *, decisive: bool) -> Step:
    """``&&`` or ``||``: a decisive operand wins over an error of the other one."""

    def step(frame: Frame) -> bool:
        try:
            first: object = left(frame)
        except EvaluationError:
            other: object = right(frame)
            if other is decisive:
                return decisive
            raise
        if first is decisive:
            return decisive
        second: object = right(frame)
        if second is decisive:
            return decisive
        if type(first) is not bool or type(second) is not bool:
            no_overload(operator, first, second)
        return not decisive

    return step


def choice(condition: Step, first: Step, second: Step) -> Step:
    """``condition ? first : second``, of which only one alternative is evaluated."""

    def step(frame: Frame) -> Value:
        answer = condition(frame)
        if answer is True:
            return first(frame)
        if answer is False:
            return second(frame)
        return no_overload("?:", answer)

    return step


def difference(left: Step, right: Step) -> Step:
    """``left != right``, which is true of what cannot be compared."""

    def step(frame: Frame) -> bool:
        first, second = left(frame), right(frame)
        try:
            return not equal(first, second)
        except EvaluationError:
            return True

    return step


def negation(operand: Step) -> Step:
    """``!operand``."""

    def step(frame: Frame) -> bool:
        value = operand(frame)
        if type(value) is not bool:
            no_overload("!", value)
        return not value

    return step


def or_other(function: str, target: Step, other: Step, *, lenient: bool = False) -> Step:
    """``or()`` and ``orValue()``: ``other`` is evaluated only without a value.

    ``lenient`` ones give a target that is not optional as it is.
    """
    unwraps = function == "orValue"

    def step(frame: Frame) -> Value:
        value = target(frame)
        if type(value) is not Optional:
            return value if lenient else no_overload(function, value)
        if value.has_value:
            return value.value if unwraps else value
        return other(frame)

    return step
