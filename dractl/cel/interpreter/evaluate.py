"""From a checked tree to a Python function over a frame, which is called for one device after the other.

A frame is a list: the device's fields, then one slot per variable that macros bind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from dractl.cel.common import arithmetic, operators
from dractl.cel.common.device_paths import device_path
from dractl.cel.common.errors import CompileError, EvaluationError, StoppedError
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.operators import equal, missing_key, selected, selected_if_present
from dractl.cel.common.tree import (
    Call,
    Comprehension,
    Ident,
    ListNode,
    Literal,
    MapNode,
    Node,
    Select,
    StructNode,
    is_attribute,
    operands_of,
)
from dractl.cel.common.types import DEVICE
from dractl.cel.common.values import NONE, FieldMap, Optional, Value
from dractl.cel.interpreter import operator_steps
from dractl.cel.interpreter.comparison_limit import is_deep, weighed
from dractl.cel.interpreter.comprehensions import NO_TYPES, fold_of
from dractl.cel.interpreter.dispatch import called
from dractl.cel.interpreter.fast_paths import fused_call, fused_presence
from dractl.cel.interpreter.message_values import message_step
from dractl.cel.interpreter.mutable_quantities import own_fields
from dractl.cel.interpreter.native_optionals import read_natively
from dractl.cel.interpreter.steps import (
    ORDERS,
    Constant,
    Frame,
    Step,
    along,
    device,
    equals_constant,
    failing,
    in_set,
    int_order,
    is_literal,
    list_with_optionals,
    map_step,
    match_step,
    native_text,
    presence,
    tested,
    variable,
    within,
)
from dractl.cel.regex import regex

UNSET = object()
"""What a bound variable's slot holds until the variable is read: bindings are lazy."""

ARITHMETIC = {
    "_+_": arithmetic.add,
    "_-_": arithmetic.subtract,
    "_*_": arithmetic.multiply,
    "_/_": arithmetic.divide,
    "_%_": arithmetic.modulo,
}


class Program:
    """A compiled expression: call ``step`` with a frame from ``frame``."""

    __slots__ = ("changes_quantities", "slots", "step")

    def __init__(self, step: Step, slots: int, *, changes_quantities: bool) -> None:
        """Hold the function and the number of slots of its frames."""
        self.step = step
        self.slots = slots
        self.changes_quantities = changes_quantities

    @property
    def direct(self) -> tuple[Step | None, tuple[Value, ...]]:
        """The step, and what follows the fields in its frames; no step where more than that is to be done."""
        return None if self.changes_quantities else self.step, (UNSET,) * self.slots

    def run(self, fields: dict[str, Value]) -> Value:
        """The value for a device with these fields; raises EvaluationError and StoppedError."""
        if self.changes_quantities:
            fields = own_fields(fields)
        return self.step([fields] if self.slots == 0 else [fields, *[UNSET] * self.slots])


def program_of(tree: Node, options: EvalOptions, *, folds: bool) -> Program:
    """Compile a checked tree; ``folds`` computes whatever does not depend on the device once and for all.

    Where evaluations change quantities or count their work, none can be computed before.

    Raises CompileError where cel-go fails to build the program: a conversion of a constant that fails.
    """
    planner = Planner(options, folds=folds and not options.mutable_quantities and not options.weighs)
    step = planner.plan(tree)
    return Program(step, planner.slots, changes_quantities=options.mutable_quantities)


class Planner:
    """Plans the nodes of one tree."""

    def __init__(self, options: EvalOptions, *, folds: bool) -> None:
        """Start without any variable; see program_of for ``folds``."""
        self.slots = 0
        self._options = options
        self._folds = folds
        self._steps: dict[Node, Step] = {}
        self._scopes: list[dict[str, Step]] = []
        self._by_class: dict[type, Callable[..., Step]] = {
            Literal: lambda node: Constant(node.value),
            Ident: self._ident,
            Select: self._select,
            Call: self._call,
            ListNode: self._list,
            MapNode: self._map,
            StructNode: self._struct,
            Comprehension: self._comprehension,
        }
        self._calls: dict[str, Callable[[Call], Step]] = {
            "_&&_": lambda node: self._logic(node, decisive=False),
            "_||_": lambda node: self._logic(node, decisive=True),
            "_?_:_": self._conditional,
            "_==_": self._equals,
            "_!=_": self._differs,
            "_[_]": self._index,
            "_[?_]": self._optional_index,
            "_?._": self._optional_index,
            "@in": self._in,
            "!_": self._not,
            "-_": lambda node: self._unary(node, arithmetic.negate),
            "or": self._or,
            "orValue": self._or,
        }

    def plan(self, node: Node) -> Step:
        """The step that computes ``node``; one that hangs in the tree twice is planned once."""
        step = self._steps.get(node)
        if step is None:
            step = self._steps[node] = self._planned(node)
        return step

    def _planned(self, node: Node) -> Step:
        return self._by_class[type(node)](node)

    def operands(self, node: Call) -> list[Step]:
        """The steps of all that a call is applied to, counting their work where that is needed."""
        steps = [self.plan(operand) for operand in operands_of(node)]
        if not self._options.weighs or not is_deep(node):
            return steps
        return [weighed(step, node.function) for step in steps]

    # Names and fields

    def bind(self, names: dict[str, Step]) -> None:
        """Open a scope in which the variables are read by these steps."""
        self._scopes.append(names)

    def unbind(self) -> None:
        """Close the innermost scope."""
        self._scopes.pop()

    def slot(self) -> int:
        """A new slot of the frame."""
        self.slots += 1
        return self.slots

    def _ident(self, node: Ident) -> Step:
        if node.value is not None:
            return Constant(node.value)
        for scope in reversed(self._scopes):
            if node.name in scope:
                if node.type is not None and node.type.kind == "type":
                    raise CompileError("program", NO_TYPES, node.offset)
                return self.read(scope[node.name])
        return device if node.type == DEVICE or "." not in node.name else variable(node.name)

    def read(self, step: Step) -> Step:
        """``step`` where upstream reads its value as an attribute."""
        return read_natively(step) if self._options.native_optionals else step

    def _selected(self, node: Node) -> Step:
        """The step of an operand that upstream makes an attribute of, if it is none."""
        return self.plan(node) if is_attribute(node) else self.read(self.plan(node))

    def _select(self, node: Select) -> Step:
        if node.resolved is not None:
            return self._ident(node.resolved)
        if node.test_only:
            fused = fused_presence(node) if self._folds else None
            return fused or presence(self._selected(node.operand), node.field)
        return self._selection(node.operand, node.field)

    def _index(self, node: Call) -> Step:
        key = self._key(node)
        if isinstance(key, Constant) and type(key.value) is str:
            return self._selection(node.args[0], key.value)
        operand = self._selected(node.args[0])

        def step(frame: Frame) -> Value:
            value = operand(frame)
            if type(value) is Optional:
                return within(value, key(frame)) if value.has_value else NONE
            return selected(value, key(frame))

        return step

    def _key(self, node: Call) -> Step:
        key = self.plan(node.args[1])
        if isinstance(key, Constant) and key.literal and type(key.value) not in operators.QUALIFIERS:
            problem = f"{operators.described(key.value)} cannot be a key"
            raise CompileError("program", problem, node.args[1].offset)
        return key

    def _selection(self, operand: Node, key: str) -> Step:
        """A field or constant key; chains from ``device`` are looked up at one go."""
        path = device_path(operand)
        if path is not None and len(path) <= 2:
            return along((*path, key))
        if isinstance(operand, Ident) and operand.type == DEVICE and operand.value is None:
            return lambda frame: frame[0][key]
        step = self._selected(operand)

        def select(frame: Frame) -> Value:
            value = step(frame)
            if type(value) is dict or type(value) is FieldMap:
                if key in value:
                    return value[key]
                raise missing_key(key)
            if type(value) is Optional:
                return within(value, key)
            return selected(value, key)

        return select

    def _optional_index(self, node: Call) -> Step:
        operand, key = self._selected(node.args[0]), self._key(node)

        def step(frame: Frame) -> Value:
            value = operand(frame)
            if type(value) is Optional:
                return within(value, key(frame)) if value.has_value else NONE
            present, found = selected_if_present(value, key(frame))
            return Optional(found) if present else NONE

        return step

    # Operators

    def _call(self, node: Call) -> Step:
        fused = fused_call(node) if self._folds else None
        if fused is not None:
            return fused
        special = self._calls.get(node.function)
        if special is not None and (node.target is None or node.function in {"or", "orValue"}):
            return special(node)
        if node.function in ARITHMETIC:
            return self._binary(node, ARITHMETIC[node.function])
        if node.function in ORDERS:
            return self._order(node)
        return self._function(node)

    def _function(self, node: Call) -> Step:
        steps = self.operands(node)
        pattern = steps[1] if node.function in PATTERNS else None
        if pattern is not None and isinstance(pattern, Constant) and pattern.literal:
            text = cast("str", pattern.value)
            problem = regex.problem_of(text)
            if problem is not None:
                raise CompileError("program", problem, node.offset)
            if node.function == "matches":
                return match_step(steps[0], text)
            steps[0] = native_text(steps[0])
        step = called(node, steps, measures_errors=not self._options.charges_successes)
        if not steps or not all(isinstance(each, Constant) for each in steps):
            return step
        converts = node.function in operators.CONVERSIONS and len(steps) == 1 and is_literal(steps[0])
        if not (converts or self._folds):
            return step
        try:
            return Constant(step([]), literal=converts)
        except EvaluationError as error:
            if converts:
                raise CompileError("program", error.message, node.offset) from None
            return failing(error)
        except StoppedError:
            return step

    def _logic(self, node: Call, *, decisive: bool) -> Step:
        left, right = self.plan(node.args[0]), self.plan(node.args[1])
        return operator_steps.logic(node.function.strip("_"), left, right, decisive=decisive)

    def _conditional(self, node: Call) -> Step:
        condition = self.plan(node.args[0])
        first, second = self._alternative(node.args[1]), self._alternative(node.args[2])
        return operator_steps.choice(condition, first, second)

    def _alternative(self, node: Node) -> Step:
        if isinstance(node, Select) and node.test_only and device_path(node.operand) is None:
            return presence(self._selected(node.operand), node.field, unread=True)
        return self._selected(node)

    def _equals(self, node: Call) -> Step:
        left, right = self.operands(node)
        if isinstance(right, Constant) and type(right.value) in {str, int, bool}:
            return equals_constant(left, right.value)
        return lambda frame: equal(left(frame), right(frame))

    def _differs(self, node: Call) -> Step:
        return operator_steps.difference(*self.operands(node))

    def _in(self, node: Call) -> Step:
        item, container = self.operands(node)
        single = len(node.overloads) == 1 and node.overloads[0].id == "in_list"
        if single and isinstance(container, Constant) and container.literal:
            if not container.value:
                return Constant(False)
            elements = cast("list[Value]", container.value)
            if all(type(element) in operators.HASHED for element in elements):
                return in_set(item, elements)
        return lambda frame: operators.contains(item(frame), container(frame))

    def _not(self, node: Call) -> Step:
        return operator_steps.negation(self.plan(node.args[0]))

    def _unary(self, node: Call, operation: Callable[[Value], Value]) -> Step:
        operand = self.plan(node.args[0])
        return lambda frame: operation(operand(frame))

    def _binary(self, node: Call, operation: Callable[[Value, Value], Value]) -> Step:
        left, right = self.plan(node.args[0]), self.plan(node.args[1])
        return lambda frame: operation(left(frame), right(frame))

    def _order(self, node: Call) -> Step:
        left, right = self.plan(node.args[0]), self.plan(node.args[1])
        if isinstance(right, Constant) and type(right.value) is int:
            return tested(left, int_order(node.function, right.value))
        accepted = ORDERS[node.function]
        return lambda frame: operators.compare(left(frame), right(frame)) in accepted

    def _or(self, node: Call) -> Step:
        target, other = (self.plan(operand) for operand in operands_of(node))
        return operator_steps.or_other(node.function, target, other, lenient=self._options.lenient_or)

    # Literals

    def _list(self, node: ListNode) -> Step:
        steps = [self.plan(element) for element in node.elements]
        if node.optional:
            return list_with_optionals(steps, node.optional)
        if all(isinstance(step, Constant) for step in steps):
            return Constant([step([]) for step in steps], literal=all(map(is_literal, steps)))
        return lambda frame: [step(frame) for step in steps]

    def _map(self, node: MapNode) -> Step:
        entries = [(self.plan(key), self.plan(value)) for key, value in node.entries]
        step = map_step(entries, node.optional)
        if all(isinstance(key, Constant) and isinstance(value, Constant) for key, value in entries):
            literal = all(is_literal(key) and is_literal(value) for key, value in entries)
            try:
                return Constant(step([]), literal=literal)
            except EvaluationError as error:
                return failing(error)
            except StoppedError as error:
                if literal:
                    raise CompileError("program", error.message, node.offset) from None
        return step

    def _struct(self, node: StructNode) -> Step:
        fields: list[tuple[str, Step, bool]] = []
        for _, field, value, optional in node.fields:
            step = self.plan(value)
            if self._options.weighs:
                step = weighed(step, node.name)
            fields.append((field, step, optional))
        return message_step(node.name, fields)

    def _comprehension(self, node: Comprehension) -> Step:
        return fold_of(node, self)


PATTERNS = frozenset({"find", "findAll", "matches"})
