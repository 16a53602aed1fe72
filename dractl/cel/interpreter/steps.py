"""The steps that programs are made of, where they are more than one line: lookups and literals."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, TypeAlias

from dractl.cel.common import operators
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.native_values import plain_scalar
from dractl.cel.common.operators import equal, missing_key, no_overload, selected_if_present
from dractl.cel.common.values import NONE, Optional, Value
from dractl.cel.regex import regex

Frame: TypeAlias = list[Any]
"""What a run works on: the fields of the device, then the variables, the meter last.

Each place has a type of its own, which the type of a list cannot say.
"""

Step: TypeAlias = Callable[[Frame], Value]
"""A part of a program: from a frame to the value of the part."""


class Constant:
    """A step whose value is known while planning.

    ``literal`` ones are constants to cel-go as well; others it would compute for every device.
    """

    __slots__ = ("literal", "value")

    def __init__(self, value: Value, *, literal: bool = True) -> None:
        """Hold the value."""
        self.value = value
        self.literal = literal

    def __call__(self, _frame: Frame) -> Value:
        """The value."""
        return self.value


def is_literal(step: Step) -> bool:
    """Whether a step is a constant to cel-go."""
    return isinstance(step, Constant) and step.literal


def failing(error: EvaluationError) -> Step:
    """A step that fails for every device."""

    def step(_frame: Frame) -> Value:
        raise EvaluationError(error.message, error.offset)

    return step


def match_step(text: Step, pattern: str) -> Step:
    """A search with a pattern that is known, and good, while planning."""
    matches = matcher(pattern)
    return lambda frame: matches(text(frame))


def matcher(pattern: str) -> Callable[[Value], bool]:
    """The test whether a value matches a good pattern; raises EvaluationError for what is not a string."""
    known = regex.compiled(pattern)
    cheap, general = known.cheap, known.has_match
    quick = known.translation.pattern.search if known.translation is not None else None

    def matches(value: Value) -> bool:
        if type(value) is not str:
            value = plain_scalar(value)
            if type(value) is not str:
                no_overload("matches()", value, pattern)
        if quick is not None and len(value) <= cheap:
            return quick(value) is not None
        return general(value)

    return matches


def native_text(text: Step) -> Step:
    """The text that a pattern which is known while planning searches, as upstream takes it there.

    It asks for Go's string, which an optional string gives as well, and a type with its name.
    """
    if isinstance(text, Constant) and type(text.value) is str:
        return text

    def step(frame: Frame) -> Value:
        value = text(frame)
        if type(value) is str:
            return value
        plain = plain_scalar(value)
        return plain if type(plain) is str else value

    return step


def device(frame: Frame) -> Value:
    """The fields of the device."""
    return frame[0]


def variable(name: str) -> Step:
    """The variable ``name`` of an environment with several variables."""
    return lambda frame: frame[0][name]


def along(path: tuple[str, ...]) -> Step:
    """The lookup of ``device.attributes[a]`` or ``device.attributes[a].b``, where all are maps."""
    first, second = path[0], path[1]
    if len(path) == 2:
        return lambda frame: frame[0][first][second]
    third = path[2]

    def step(frame: Frame) -> Value:
        try:
            return frame[0][first][second][third]
        except KeyError:
            raise missing_key(third) from None

    return step


def within(value: Optional, key: Value) -> Optional:
    """The element at ``key`` of what an optional holds, as an optional."""
    if not value.has_value:
        return NONE
    present, found = selected_if_present(value.value, key)
    return Optional(found) if present else NONE


def presence(operand: Step, field: str, *, unread: bool = False) -> Step:
    """``has()``: whether an operand has a field.

    As an alternative of ``?:`` it is ``unread``: upstream answers an optional value there, which tells
    whether the field is there, if the operand is one.
    """

    def step(frame: Frame) -> Value:
        value = operand(frame)
        if type(value) is Optional:
            present = within(value, field).has_value
            return unread_presence(present) if unread else present
        return selected_if_present(value, field)[0]

    return step


def unread_presence(present: bool) -> Optional:
    """What upstream answers for a field of an optional value where nobody makes true or false of it."""
    return Optional(None) if present else NONE


def in_set(item: Step, elements: list[Value]) -> Step:
    """Membership in a list of constants, which upstream turns into a set (``maybeOptimizeSetMembership``)."""
    is_in = membership(elements)
    return lambda frame: is_in(item(frame))


def membership(elements: list[Value]) -> Callable[[Value], bool]:
    """The test whether a value is among constants."""
    strings = frozenset(element for element in elements if type(element) is str)
    others = [element for element in elements if type(element) is not str]

    def is_in(value: Value) -> bool:
        if type(value) is str:
            return value in strings
        if operators.is_unhashable(value):
            operators.not_hashable(value)
        return any(type(value) in operators.HASHED and equal(value, element) for element in others)

    return is_in


def equals_constant(operand: Step, constant: Value) -> Step:
    """Equality with a string, an int or a bool on the right side."""
    kind = type(constant)

    def step(frame: Frame) -> bool:
        value = operand(frame)
        return bool(value == constant) if type(value) is kind else equal(value, constant)

    return step


def equality(constant: Value) -> Callable[[Value], bool]:
    """The test whether a value equals a string, an int or a bool on the right side."""
    kind = type(constant)
    return lambda value: bool(value == constant) if type(value) is kind else equal(value, constant)


def int_order(function: str, right: int) -> Callable[[Value], bool]:
    """The test of an order with a constant integer on the right side."""
    order, accepted = INT_ORDERS[function], ORDERS[function]

    def is_ordered(value: Value) -> bool:
        if type(value) is int:
            return order(value, right)
        return operators.compare(value, right) in accepted

    return is_ordered


INT_ORDERS: dict[str, Callable[[int, int], bool]] = {"_<_": lt, "_<=_": le, "_>_": gt, "_>=_": ge}
ORDERS: dict[str, frozenset[int]] = {
    "_<_": frozenset({-1}),
    "_<=_": frozenset({-1, 0}),
    "_>_": frozenset({1}),
    "_>=_": frozenset({0, 1}),
}
"""The results of a comparison for which an operator holds."""


def tested(operand: Step, test: Callable[[Value], Value]) -> Step:
    """A test of what a step gives."""
    return lambda frame: test(operand(frame))


def list_with_optionals(steps: list[Step], optional: frozenset[int]) -> Step:
    """A list literal whose optional elements are left out where they have no value."""

    def step(frame: Frame) -> list[Value]:
        found = []
        for position, each in enumerate(steps):
            value = each(frame)
            if position not in optional:
                found.append(value)
            elif type(value) is not Optional:
                raise EvaluationError("expected an optional value after ? in a list")
            elif value.has_value:
                found.append(value.value)
        return found

    return step


def map_step(entries: list[tuple[Step, Step]], optional: frozenset[int]) -> Step:
    """A map literal; of equal keys the last one counts."""

    def step(frame: Frame) -> dict[Value, Value]:
        found: dict[Value, Value] = {}
        for position, (key_step, value_step) in enumerate(entries):
            key, value = key_step(frame), value_step(frame)
            if position in optional:
                if type(value) is not Optional:
                    raise EvaluationError("expected an optional value after ? in a map")
                if not value.has_value:
                    continue
                value = value.value
            found[operators.key_of(key)] = value
        return found

    return step
