"""Which overload of a function a call runs: decided while planning where types are known, else per call."""

from __future__ import annotations

from dractl.api.quantity import Quantity
from dractl.api.semver import Semver
from dractl.cel.common.device_paths import device_path
from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.operators import described, no_overload, runtime_type
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, Ident, Literal, Node, Select, operands_of
from dractl.cel.common.types import (
    BOOL,
    BYTES,
    DEVICE,
    DOUBLE,
    DURATION,
    INT,
    QUANTITY,
    SEMVER,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
)
from dractl.cel.common.values import Duration, Optional, Timestamp, Uint, Value
from dractl.cel.interpreter.steps import Constant, Frame, Step

_UNGUARDED = frozenset({"contains", "endsWith", "startsWith", "flatten"})
"""Functions that look at their arguments themselves (``DisableTypeGuards``)."""

_OPEN_KINDS = frozenset({"dyn", "any", "param"})


def matches(wanted: Type, value: Value) -> bool:
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


def called(node: Call, steps: list[Step], *, measures_errors: bool = True) -> Step:
    """The step that evaluates the arguments and runs the overload that fits them.

    ``measures_errors``: an argument that is measured ends the evaluation if it fails, as up to 1.37.
    """
    overloads = node.overloads
    if len(overloads) != 1:
        return _checked(node.function, overloads, steps)
    overload = overloads[0]
    steps = _stopping(overload, steps, measures_errors=measures_errors)
    if overload.function in _UNGUARDED or all(map(_surely_is, operands_of(node), overload.parameters)):
        return _direct(overload, steps)
    if len(steps) <= 2:
        return _guarded(overload, steps)
    return _checked(node.function, overloads, steps)


def _surely_is(node: Node, wanted: Type) -> bool:
    """Whether no value of ``node`` can be of another type, so that no check is needed per call."""
    if wanted.kind in _OPEN_KINDS:
        return True
    return node.type == wanted and not wanted.parameters and _is_certain(node)


_SELECTING = frozenset({"max", "min", "sum"})
"""Functions whose result comes out of a list, of which only the first element was looked at."""

_CALCULATING = frozenset({"_+_", "_-_", "_*_", "_/_", "_%_", "-_"})
"""Operators that do with values whatever they can, whatever the type checker expected."""


def _is_certain(node: Node) -> bool:
    """Whether the static type of ``node`` holds at run time.

    The type checker takes ``dyn`` for what a type parameter stands for already, so that
    ``(["a"] + dyn([1]))[1]`` is a string to it.
    """
    if isinstance(node, Literal):
        return True
    if isinstance(node, Call):
        if node.function in _CALCULATING:
            return all(map(_is_certain, node.args))
        results = [overload.result for overload in node.overloads]
        return node.function not in _SELECTING and not any(
            result.parameters or result.kind in _OPEN_KINDS for result in results
        )
    if isinstance(node, Select) and isinstance(node.operand, Ident) and node.operand.type == DEVICE:
        return True
    path = device_path(node)
    return path is not None and path[0] == "capacity" and len(path) == 3


_MEASURED: dict[str, dict[int, type]] = {
    "distinct": {0: list},
    "distinct-1.37": {0: list},
    "sort": {0: list},
    "sort-text": {0: list},
    "sort-keys": {0: object, 1: list},
    "sort-keys-text": {0: object, 1: list},
    "flatten": {1: int},
    "flatten-1.36": {1: int},
}


def measured(overloads: tuple[Overload, ...]) -> dict[int, type]:
    """The arguments that the server asks for their size, and the class that they have to be of.

    It asks without looking, to charge a call: where one of them is an error or of another class, the
    evaluation ends. The keys to sort by are an error where the list is one, so that this may be of any class.
    """
    if len(overloads) != 1:
        return {}
    count = len(overloads[0].parameters)
    return {at: kind for at, kind in _MEASURED.get(overloads[0].cost, {}).items() if at < count}


def check_measured(overload: Overload, value: Value, kind: type) -> None:
    """Raise StoppedError for a value that cannot be measured; an EvaluationError stands for an error."""
    if isinstance(value, EvaluationError):
        raise StoppedError(f"{value.message}; {overload.function}() of an error fails")
    if kind is not object and type(value) is not kind:
        problem = f"{overload.function}() does not accept {described(value)}"
        raise StoppedError(f"{problem}, so evaluation fails")


def _stopping(overload: Overload, steps: list[Step], *, measures_errors: bool) -> list[Step]:
    """The steps of a call's arguments, where those that are measured end the evaluation if they cannot be."""
    ending = measured((overload,))
    if not ending:
        return steps
    return [
        _measuring(step, overload, ending[at], errors=measures_errors) if at in ending else step
        for at, step in enumerate(steps)
    ]


def _measuring(operand: Step, overload: Overload, kind: type, *, errors: bool) -> Step:
    def step(frame: Frame) -> Value:
        value: Value
        try:
            value = operand(frame)
        except EvaluationError as error:
            if not errors:
                raise
            value = error
        check_measured(overload, value, kind)
        return value

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
        if isinstance(second, Constant):
            constant = second.value
            return lambda frame: run(first(frame), constant)
        return lambda frame: run(first(frame), second(frame))
    return lambda frame: run(*[step(frame) for step in steps])


_CLASSES: dict[Type, type] = {
    BOOL: bool,
    BYTES: bytes,
    DOUBLE: float,
    DURATION: Duration,
    INT: int,
    QUANTITY: Quantity,
    SEMVER: Semver,
    STRING: str,
    TIMESTAMP: Timestamp,
    UINT: Uint,
}
"""The Python class of most values of a type; what is of another class is looked at more closely."""


def _guarded(overload: Overload, steps: list[Step]) -> Step:
    implementation = overload.implementation
    if implementation is None:
        raise ValueError(f"the table has no implementation of {overload.id}")
    run = implementation
    function, overloads = overload.function, (overload,)
    classes = [_CLASSES.get(wanted) for wanted in overload.parameters]
    if len(steps) == 1:
        only, kind = steps[0], classes[0]

        def unary(frame: Frame) -> Value:
            value = only(frame)
            return run(value) if type(value) is kind else run_fitting(function, overloads, [value])

        return unary
    first, second = steps
    left, right = classes
    if isinstance(second, Constant) and type(second.value) is right:
        constant = second.value

        def with_constant(frame: Frame) -> Value:
            value = first(frame)
            if type(value) is left:
                return run(value, constant)
            return run_fitting(function, overloads, [value, constant])

        return with_constant

    def binary(frame: Frame) -> Value:
        one, other = first(frame), second(frame)
        if type(one) is left and type(other) is right:
            return run(one, other)
        return run_fitting(function, overloads, [one, other])

    return binary


def _checked(function: str, overloads: tuple[Overload, ...], steps: list[Step]) -> Step:
    return lambda frame: run_fitting(function, overloads, [step(frame) for step in steps])


def run_fitting(function: str, overloads: tuple[Overload, ...], values: list[Value]) -> Value:
    """The result of the first overload that takes the values; raises EvaluationError if none does."""
    for overload in overloads:
        if function in _UNGUARDED or all(map(matches, overload.parameters, values)):
            run = overload.implementation
            if run is None:
                break
            return run(*values)
    return no_overload(f"{function}()", *values)
