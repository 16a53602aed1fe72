"""The loops that macros stand for, each run as Python would write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from dractl.cel.common.errors import CompileError, EvaluationError
from dractl.cel.common.operators import described, key_of, no_overload, value_of_key
from dractl.cel.common.tree import Call, Comprehension, ListNode, Node, as_call
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.comparison_limit import steps_of_round
from dractl.cel.interpreter.steps import Frame, Step


class Planning(Protocol):
    """What a fold needs of the planner."""

    def plan(self, node: Node) -> Step:
        """The step that computes ``node``."""
        ...

    def bind(self, names: dict[str, Step]) -> None:
        """Open a scope with these variables."""
        ...

    def unbind(self) -> None:
        """Close the innermost scope."""
        ...

    def slot(self) -> int:
        """A new slot of the frame."""
        ...


def _reader(slot: int) -> Step:
    return lambda frame: frame[slot]


def fold_of(node: Comprehension, planner: Planning) -> Step:
    """The step that runs the macro ``node`` stands for."""
    if node.variable.startswith("#"):
        return binding_of(node, planner)
    iterate = planner.plan(node.range)
    slots = [planner.slot()]
    names = {node.variable: _reader(slots[0])}
    if node.variable2 is not None:
        slots.append(planner.slot())
        names[node.variable2] = _reader(slots[1])
    planner.bind(names)
    first = slots[0]
    if node.variable2 is None and node.macro in _DECISIVE:
        quantified = _simple_quantifier(node, planner, iterate, first)
        planner.unbind()
        return quantified
    loop = _LOOPS[node.macro](node, planner)
    planner.unbind()
    second = slots[1] if len(slots) > 1 else 0
    steps = steps_of_round(node)

    def run(frame: Frame) -> Value:
        pairs = pairs_of(iterate(frame), two=second > 0)
        WORK.spend(len(pairs) * steps)
        return loop(frame, first, second, pairs)

    return run


def _items(value: Value) -> list[Value]:
    """What a macro with one variable runs over: the elements of a list, the keys of a map."""
    if type(value) is list:
        return value
    if isinstance(value, dict):
        return [value_of_key(key) for key in value]
    raise EvaluationError(f"{described(value)} is not a list or map")


def pairs_of(value: Value, *, two: bool) -> list[tuple[Value, Value]]:
    """What a macro with one or two variables runs over."""
    return _pairs(value) if two else [(item, None) for item in _items(value)]


def _pairs(value: Value) -> list[tuple[Value, Value]]:
    """What a macro with two variables runs over: positions or keys, with their values."""
    if type(value) is list:
        return list(enumerate(value))
    if isinstance(value, dict):
        return [(value_of_key(key), item) for key, item in value.items()]
    raise EvaluationError(f"{described(value)} is not a list or map")


Loop = Callable[[Frame, int, int, "list[tuple[Value, Value]]"], Value]


NO_TYPES = "a macro variable cannot be a type: the server fails to read it"


def binding_of(node: Comprehension, planner: Planning) -> Step:
    """A name for a value, which is computed when the name is first read."""
    if node.initial.type is not None and node.initial.type.kind == "type":
        raise CompileError("program", NO_TYPES, node.initial.offset)
    initial = planner.plan(node.initial)
    slot = planner.slot()
    unset = _UNSET

    def read(frame: Frame) -> Value:
        value = frame[slot]
        if value is unset:
            try:
                value = initial(frame)
            except EvaluationError as error:
                value = error
            frame[slot] = value
        if isinstance(value, EvaluationError):
            raise value
        return value

    planner.bind({node.accumulator: read})
    result = planner.plan(node.result)
    planner.unbind()

    steps = steps_of_round(node)

    def step(frame: Frame) -> Value:
        # A macro may write what is bound more than once, so that nested ones take twice the steps each.
        WORK.spend(steps)
        frame[slot] = unset
        return result(frame)

    return step


_UNSET = object()


_DECISIVE = {"all": False, "exists": True}
"""What a single element has to give to decide these macros."""


def _simple_quantifier(node: Comprehension, planner: Planning, iterate: Step, slot: int) -> Step:
    """``exists`` and ``all`` with one variable, by far the most frequent loops."""
    decisive = _DECISIVE[node.macro]
    body = planner.plan(as_call(node.step).args[1])
    steps = steps_of_round(node)

    def step(frame: Frame) -> bool:
        failed: EvaluationError | None = None
        found = iterate(frame)
        values = found if type(found) is list else _items(found)
        WORK.spend(len(values) * steps)
        for item in values:
            frame[slot] = item
            try:
                answer: object = body(frame)
                if answer is decisive:
                    return decisive
                if type(answer) is not bool:
                    no_overload(node.macro, answer)
            except EvaluationError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return not decisive

    return step


def _quantifier(node: Comprehension, planner: Planning) -> Loop:
    """``exists`` and ``all`` with two variables: a decisive element wins over errors of the others."""
    decisive = _DECISIVE[node.macro]
    body = planner.plan(as_call(node.step).args[1])

    def loop(frame: Frame, first: int, second: int, pairs: list[tuple[Value, Value]]) -> bool:
        failed: EvaluationError | None = None
        for item, other in pairs:
            frame[first] = item
            if second:
                frame[second] = other
            try:
                answer: object = body(frame)
                if answer is decisive:
                    return decisive
                if type(answer) is not bool:
                    no_overload(node.macro, answer)
            except EvaluationError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return not decisive

    return loop


def _exists_one(node: Comprehension, planner: Planning) -> Loop:
    body = planner.plan(as_call(node.step).args[0])

    def loop(frame: Frame, first: int, second: int, pairs: list[tuple[Value, Value]]) -> bool:
        count = 0
        for item, other in pairs:
            frame[first] = item
            if second:
                frame[second] = other
            count += _true(body(frame), node.macro)
        return count == 1

    return loop


def _true(answer: Value, macro: str) -> bool:
    if type(answer) is not bool:
        no_overload(macro, answer)
    return answer is True


def _collected(node: Comprehension, planner: Planning) -> Loop:
    """``map``, ``filter`` and ``transformList``: a list of what each element gives."""
    condition, inserted = _parts(node, planner)
    body = inserted[0]

    def loop(frame: Frame, first: int, second: int, pairs: list[tuple[Value, Value]]) -> list[Value]:
        found = []
        for item, other in pairs:
            frame[first] = item
            if second:
                frame[second] = other
            if condition is None or _true(condition(frame), node.macro):
                found.append(body(frame))
        return found

    return loop


def _transformed_map(node: Comprehension, planner: Planning) -> Loop:
    """``transformMap`` and ``transformMapEntry``: a map of what each entry gives."""
    condition, inserted = _parts(node, planner)
    entry = len(inserted) == 1

    def loop(frame: Frame, first: int, second: int, pairs: list[tuple[Value, Value]]) -> dict[Value, Value]:
        found: dict[Value, Value] = {}
        for item, other in pairs:
            frame[first] = item
            frame[second] = other
            if condition is not None and not _true(condition(frame), node.macro):
                continue
            value = inserted[-1](frame)
            additions = value if entry else {key_of(item): value}
            if not isinstance(additions, dict):
                no_overload(node.macro, value)
            for key, added in additions.items():
                if key in found:
                    raise EvaluationError(f"{node.macro} produces the key {value_of_key(key)!r} twice")
                found[key] = added
        return found

    return loop


def _parts(node: Comprehension, planner: Planning) -> tuple[Step | None, list[Step]]:
    """The condition of a collecting fold, if it has one, and what it collects."""
    step = node.step
    condition = None
    if isinstance(step, Call) and step.function == "_?_:_":
        condition = planner.plan(step.args[0])
        step = step.args[1]
    call = as_call(step)
    if call.function == "cel.@mapInsert":
        return condition, [planner.plan(arg) for arg in call.args[1:]]
    collected = call.args[1]
    if not isinstance(collected, ListNode):
        raise TypeError("a collecting macro adds a list")
    return condition, [planner.plan(collected.elements[0])]


_LOOPS: dict[str, Callable[[Comprehension, Planning], Loop]] = {
    "all": _quantifier,
    "exists": _quantifier,
    "exists_one": _exists_one,
    "existsOne": _exists_one,
    "map": _collected,
    "filter": _collected,
    "sortBy": _collected,
    "transformList": _collected,
    "transformMap": _transformed_map,
    "transformMapEntry": _transformed_map,
}
