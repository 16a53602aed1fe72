"""Steps that charge the cost tracker of an evaluation: selections, presence tests, accumulators.

The tracker is the last entry of a frame. Which step is charged for what, the planner in ``cost_tracker``
decides.
"""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import selected, selected_if_present
from dractl.cel.common.values import NONE, Optional, Value
from dractl.cel.interpreter.steps import Constant, Frame, Step, unread_presence


def located(step: Step, offset: int) -> Step:
    """``step``, whose errors get the offset ``offset`` unless an inner step has set one."""

    def run(frame: Frame) -> Value:
        try:
            return step(frame)
        except EvaluationError as error:
            if error.offset is None:
                error.offset = offset
            raise

    return run


def reader(slot: int) -> Step:
    """Reads a variable of a comprehension; the attribute that it is part of is charged, not the read."""
    return lambda frame: frame[slot]


def accumulated(slot: int) -> Step:
    """Reads an accumulator, which may be the error of an earlier round."""

    def step(frame: Frame) -> Value:
        value = frame[slot]
        if isinstance(value, EvaluationError):
            raise value
        return value

    return step


def charged_after(step: Step, cost: int) -> Step:
    """``step``, charged whether it succeeds or fails: attributes in every minor, literals up to 1.37."""

    def charged(frame: Frame) -> Value:
        # ``CostObserver`` is called after a step with its value, and an error is a value there.
        try:
            value = step(frame)
        except EvaluationError:
            frame[-1].add(cost)
            raise
        frame[-1].add(cost)
        return value

    return charged


def charged_on_success(step: Step, cost: int) -> Step:
    """``step``, charged only if it succeeds, as literals since 1.38."""

    def charged(frame: Frame) -> Value:
        value = step(frame)
        frame[-1].add(cost)
        return value

    return charged


def look(frame: Frame, value: Value, key: Step) -> tuple[bool, Value]:
    """Whether ``value`` has something at a key, and what."""
    return selected_if_present(value, key(frame))


def charged_look(frame: Frame, value: Value, key: Step) -> tuple[bool, Value]:
    """As since 1.38, which charges for what cannot be found out as for what is there."""
    try:
        return selected_if_present(value, key(frame))
    except EvaluationError:
        frame[-1].add(1)
        raise


Look = Callable[[Frame, Value, Step], "tuple[bool, Value]"]


def selection(operand: Step, key: Step, look: Look, *, optional: bool = False) -> Step:
    """One selection: charged where it happens, and not where an optional ends the chain.

    ``look`` tells whether there is something at a key, and what.
    """

    def step(frame: Frame) -> Value:
        value = operand(frame)
        if type(value) is Optional:
            if not value.has_value:
                return NONE
            # The key comes first: a lost value is missed only when it is looked into.
            index = key(frame)
            present, found = look(frame, value.value, lambda _frame: index)
        elif optional:
            present, found = look(frame, value, key)
        else:
            try:
                index = key(frame)
            except EvaluationError:
                frame[-1].add(1)
                raise
            frame[-1].add(1)
            return selected(value, index)
        # A qualifier is observed only where it was applied (``tracker.cost++``), so a missing optional field
        # is free.
        if not present:
            return NONE
        frame[-1].add(1)
        return Optional(found)

    return step


def presence(operand: Step, field: str, look: Look, *, unread: bool = False) -> Step:
    """``has()``; for ``unread`` see ``presence`` of the plain evaluator, for ``look`` see ``selection``."""
    key = Constant(field)

    def step(frame: Frame) -> Value:
        value = operand(frame)
        # Charged like a selection; ``_attribute`` leaves out the cost of the whole in return, so that
        # ``has(x.f)`` costs as much as ``x``.
        if type(value) is not Optional:
            frame[-1].add(1)
            return selected_if_present(value, field)[0]
        present = value.has_value and look(frame, value.value, key)[0]
        if present:
            frame[-1].add(1)
        return unread_presence(present) if unread else present

    return step


def not_strictly_false(operand: Step) -> Step:
    """Whether a loop goes on: an error does not stop it."""

    def step(frame: Frame) -> bool:
        try:
            value = operand(frame)
        except EvaluationError:
            value = True
        frame[-1].add(1)
        return value is not False

    return step
