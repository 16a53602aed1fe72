"""Calls that are charged: what they compute, and in which order arguments and cost come."""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common import arithmetic, operators
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import equal, no_overload
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, Ident
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.dispatch import check_measured, run_fitting
from dractl.cel.interpreter.evaluate import ARITHMETIC
from dractl.cel.interpreter.runtime_cost import failing_rule
from dractl.cel.interpreter.steps import ORDERS, Frame, Step


def _differ(left: Value, right: Value) -> bool:
    try:
        return not equal(left, right)
    # ``evalNe`` compares the result of ``Equal`` with true, and an error is not true.
    except EvaluationError:
        return True


def _not(value: Value) -> bool:
    if type(value) is not bool:
        no_overload("!", value)
    return value is False


def _inserted(target: dict[Value, Value], *added: Value) -> dict[Value, Value]:
    entries = {operators.key_of(added[0]): added[1]} if len(added) == 2 else added[0]
    if not isinstance(entries, dict):
        no_overload("transformMapEntry", entries)
    for key, value in entries.items():
        if key in target:
            raise EvaluationError(f"duplicate map key {key!r}")
        target[key] = value
    return target


_OPERATIONS: dict[str, Callable[..., Value]] = {
    **ARITHMETIC,
    "_==_": equal,
    "_!=_": _differ,
    "!_": _not,
    "-_": arithmetic.negate,
    "@in": operators.contains,
    "cel.@mapInsert": _inserted,
}


def operation_of(node: Call) -> Callable[..., Value]:
    """What a call computes from its arguments."""
    if node.function == "_+_" and isinstance(node.args[0], Ident) and node.args[0].name == "@result":
        return _appended
    found = _OPERATIONS.get(node.function)
    if found is not None:
        return found
    accepted = ORDERS.get(node.function)
    if accepted is not None:
        return lambda left, right: operators.compare(left, right) in accepted
    return lambda *values: run_fitting(node.function, node.overloads, list(values))


def _appended(left: Value, right: Value) -> Value:
    """``left + right`` where nobody else sees the left list: in place, as upstream's mutable lists."""
    # Copying would take time by the square of the length: ``map`` and ``filter`` add each element this way.
    if type(left) is list and type(right) is list:
        WORK.spend(len(right))
        left += right
        return left
    return arithmetic.add(left, right)


Rule = Callable[["list[Value]", Value], int]


def measuring_rule(rule: Rule, overload: Overload, kinds: dict[int, type]) -> Rule:
    """``rule`` for a call whose cost needs the size of some arguments, which ends it if they have none."""

    def measuring(values: list[Value], result: Value) -> int:
        for position, kind in kinds.items():
            check_measured(overload, values[position], kind)
        return rule(values, result)

    return measuring


def lazy_call(operation: Callable[..., Value], steps: list[Step], rule: Rule) -> Step:
    """A call that evaluates no argument after one that fails."""

    def step(frame: Frame) -> Value:
        # If an earlier argument fails, nothing is charged: ``dropArgs`` does not find the later ones on its
        # stack. If the last one fails, all are there, and the error counts as a value of the size 1.
        values = [argument(frame) for argument in steps[:-1]]
        try:
            values.append(steps[-1](frame))
        except EvaluationError as error:
            frame[-1].add(rule([*values, error], error))
            raise
        try:
            result = operation(*values)
        except EvaluationError as error:
            frame[-1].add(rule(values, error))
            raise
        frame[-1].add(rule(values, result))
        return result

    return step


_CHARGED_FOR_ERRORS = frozenset({"_==_", "_!=_", "!_"})
"""Operators that cost something even if an operand fails, in every minor."""


def strict_call(node: Call, operation: Callable[..., Value], steps: list[Step], rule: Rule) -> Step:
    """A call that ends at the first argument that fails, and then costs nothing."""
    failing = failing_rule(node.overloads)
    charges = node.function in _CHARGED_FOR_ERRORS

    def step(frame: Frame) -> Value:
        values: list[Value] = []
        try:
            for argument in steps:
                values.append(argument(frame))  # noqa: PERF401 - those before an error count
        except EvaluationError as error:
            if charges:
                # The rule reads all positions, also those that were not evaluated; an error has the size 1.
                missing = [error] * (len(steps) - len(values))
                frame[-1].add(rule([*values, *missing], error))
            raise
        try:
            result = operation(*values)
        except EvaluationError as error:
            frame[-1].add(failing(values, error))
            raise
        frame[-1].add(rule(values, result))
        return result

    return step


def eager_call(operation: Callable[..., Value], steps: list[Step], rule: Rule) -> Step:
    """A call that evaluates all its arguments, whatever happens."""

    def step(frame: Frame) -> Value:
        values: list[Value] = []
        failed: EvaluationError | None = None
        # ``evalBinary`` and ``evalUnary`` evaluate all operands before they look for errors, and so charge
        # for all.
        for argument in steps:
            try:
                values.append(argument(frame))
            except EvaluationError as error:
                failed = failed or error
                values.append(error)
        try:
            if failed is not None:
                raise failed
            result = operation(*values)
        except EvaluationError as error:
            frame[-1].add(rule(values, error))
            raise
        frame[-1].add(rule(values, result))
        return result

    return step
