"""Which overload of a function a call runs: decided while planning where types are known, else per call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dractl.cel.errors import EvaluationError, StoppedError
from dractl.cel.operators import no_overload, runtime_type
from dractl.cel.overload import Overload
from dractl.cel.tree import Call
from dractl.cel.types import Type
from dractl.cel.values import Optional

Step = Callable[[list[Any]], Any]

_UNGUARDED = frozenset({"contains", "endsWith", "startsWith", "flatten"})
"""Functions that look at their arguments themselves (``DisableTypeGuards``)."""

_OPEN_KINDS = frozenset({"dyn", "any", "param"})


def matches(wanted: Type, value: Any) -> bool:
    """Whether ``value`` may stand for a parameter at run time, as ``Type.IsAssignableRuntimeType``.

    Of a list or map only the first element is looked at.
    """
    kind = wanted.kind
    if kind in _OPEN_KINDS:
        return True
    if kind == "list":
        return type(value) is list and (not value or matches(wanted.parameters[0], value[0]))
    if kind == "map":
        return isinstance(value, dict)
    if kind == "type":
        return type(value) is Type
    if wanted.name == "optional_type":
        return type(value) is Optional
    return runtime_type(value).name == wanted.name


def _is_certain(wanted: Type, static: Type | None) -> bool:
    """Whether the static type of an argument leaves no doubt, so that no check is needed per call."""
    if wanted.kind in _OPEN_KINDS:
        return True
    return static == wanted and not wanted.parameters


def called(node: Call, steps: list[Step], static: list[Type | None]) -> Step:
    """The step that evaluates the arguments and runs the overload that fits them."""
    overloads = node.overloads
    if len(overloads) == 1:
        overload = overloads[0]
        steps = stopping(overload, steps)
        if overload.function in _UNGUARDED or all(map(_is_certain, overload.parameters, static)):
            return _direct(overload, steps)
    return _checked(node.function, overloads, steps)


_MEASURED = {
    "distinct": (0,),
    "sort": (0,),
    "sort-text": (0,),
    "sort-keys": (0, 1),
    "sort-keys-text": (0, 1),
    "flatten": (1,),
}
"""The arguments whose size the server takes for the cost: where one is an error, its evaluation ends."""


def stopping(overload: Overload, steps: list[Step]) -> list[Step]:
    """The steps of a call's arguments; an error of a measured one is no error of the call but the end."""
    measured = _MEASURED.get(overload.cost, ())
    return [_ending(step, overload) if at in measured else step for at, step in enumerate(steps)]


def _ending(operand: Step, overload: Overload) -> Step:
    def step(frame: list[Any]) -> Any:
        try:
            return operand(frame)
        except EvaluationError as error:
            raise StoppedError(
                f"{error.message}; {overload.function}() of an error ends the evaluation"
            ) from None

    return step


def _direct(overload: Overload, steps: list[Step]) -> Step:
    implementation = overload.implementation
    if implementation is None:
        raise ValueError(f"the table has no implementation of {overload.id}")
    run = implementation
    if len(steps) == 1:
        only = steps[0]
        return lambda frame: run(only(frame))
    if len(steps) == 2:
        first, second = steps
        return lambda frame: run(first(frame), second(frame))
    return lambda frame: run(*[step(frame) for step in steps])


def _checked(function: str, overloads: tuple[Overload, ...], steps: list[Step]) -> Step:
    return lambda frame: run_fitting(function, overloads, [step(frame) for step in steps])


def run_fitting(function: str, overloads: tuple[Overload, ...], values: list[Any]) -> Any:
    """The result of the first overload that takes the values; raises EvaluationError if none does."""
    for overload in overloads:
        if function in _UNGUARDED or all(map(matches, overload.parameters, values)):
            run = overload.implementation
            if run is None:
                break
            return run(*values)
    return no_overload(f"{function}()", *values)
