"""Evaluation that counts its cost as the server's interpreter does, and stops at the limit.

Slower than ``dractl.cel.interpreter.evaluate``, whose steps it takes over where nothing is charged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from dractl.cel.common import operators
from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.native_values import plain_scalar
from dractl.cel.common.tree import (
    Call,
    Comprehension,
    Ident,
    ListNode,
    MapNode,
    Node,
    Select,
    StructNode,
    as_call,
    is_attribute,
)
from dractl.cel.common.values import Value
from dractl.cel.interpreter.comprehensions import binding_of, pairs_of
from dractl.cel.interpreter.dispatch import measured
from dractl.cel.interpreter.evaluate import PATTERNS, Planner
from dractl.cel.interpreter.metered_calls import (
    eager_call,
    lazy_call,
    measuring_rule,
    operation_of,
    strict_call,
)
from dractl.cel.interpreter.metered_steps import (
    Look,
    accumulated,
    charged_after,
    charged_look,
    charged_on_success,
    located,
    look,
    not_strictly_false,
    presence,
    reader,
    selection,
)
from dractl.cel.interpreter.mutable_quantities import own_fields
from dractl.cel.interpreter.operator_steps import choice
from dractl.cel.interpreter.runtime_cost import rule_of
from dractl.cel.interpreter.steps import Constant, Frame, Step, is_literal
from dractl.cel.parser.macros import UNUSED

# The same as in the estimate: ``ListCreateBaseCost`` and so on.
_LITERAL_COSTS: dict[type[Node], int] = {ListNode: 10, MapNode: 30, StructNode: 40}
_SINGLETONS = frozenset({"size", "matches", "sort"})
"""Functions with one implementation for all their overloads; the operators have one, too."""

_OF_ANY_ARITY = frozenset({"format"})
"""Functions that upstream binds for any number of arguments, which it stops evaluating at the first error."""

# ``CostObserver`` only drops the operands of ``evalAnd`` and ``evalOr``; ``or`` and ``orValue`` are steps of
# their own, not calls.
_UNCHARGED = frozenset({"_&&_", "_||_", "or", "orValue"})


class CostTracker:
    """The cost so far, and the limit."""

    __slots__ = ("cost", "limit")

    def __init__(self, limit: int) -> None:
        """Start at nothing."""
        self.cost = 0
        self.limit = limit

    def add(self, cost: int) -> None:
        """Charge a step; raises StoppedError above the limit."""
        self.cost += cost
        if not 0 <= self.cost <= self.limit:
            # A negative cost, which some rules of old minors lead to, is a huge one upstream.
            self.cost %= 2**64
            raise StoppedError(f"evaluation stopped: it costs more than {self.limit:,}")


class MeteredProgram:
    """A compiled expression whose evaluations are charged."""

    __slots__ = ("_options", "_slots", "_step")

    def __init__(self, tree: Node, options: EvalOptions) -> None:
        """Compile a tree that the plain planner could compile."""
        self._options = options
        planner = _MeteredPlanner(options)
        self._step = planner.plan(tree)
        self._slots = planner.slots

    def run(self, fields: dict[str, Value], meter: CostTracker) -> Value:
        """The value for a device; raises EvaluationError, and StoppedError above the meter's limit."""
        # ``Quantity.Cmp`` changes its receiver; the next evaluation must see the device unchanged.
        if self._options.mutable_quantities:
            fields = own_fields(fields)
        return self._step([fields, *[None] * self._slots, meter])


class _MeteredPlanner(Planner):
    """Plans like the plain planner, charging as ``CostTracker.Observe`` does.

    What cel-go resolves as one attribute, a chain of selections, costs one for each selection and one for
    the whole; ``_chain`` plans it without the one for the whole.
    """

    def __init__(self, options: EvalOptions) -> None:
        super().__init__(options, folds=False)
        self._chains: dict[Node, Step] = {}
        self._look: Look = charged_look if options.charges_successes else look

    def _planned(self, node: Node) -> Step:
        """The step that computes ``node``, charges it, and notes where it failed."""
        step = self._charged(node)
        return step if is_literal(step) else located(step, node.offset)

    def _charged(self, node: Node) -> Step:
        if is_attribute(node):
            return self._attribute(node)
        if isinstance(node, Call) and node.function not in _UNCHARGED:
            return self._charged_call(node)
        step = super()._planned(node)
        cost = _LITERAL_COSTS.get(type(node))
        if cost is None or (is_literal(step) and not isinstance(node, StructNode)):
            return step
        return (charged_on_success if self._options.charges_successes else charged_after)(step, cost)

    # Chains of selections

    def _attribute(self, node: Node) -> Step:
        chain = self._chain(node)
        # What is selected from a choice belongs to it, and a choice costs nothing as a whole; upstream takes
        # one off for a presence test nevertheless.
        chosen = _begins_with_choice(node)
        tested = isinstance(node, Select) and node.test_only
        extra = (0 if chosen else 1) - (1 if tested else 0)
        return charged_after(chain, extra) if extra else chain

    def _operand(self, node: Node) -> Step:
        return self._chain(node) if is_attribute(node) else self.read(self.plan(node))

    def _chain(self, node: Node) -> Step:
        known = self._chains.get(node)
        if known is None:
            known = self._chains[node] = located(self._new_chain(node), node.offset)
        return known

    def _new_chain(self, node: Node) -> Step:
        if isinstance(node, Ident):
            return super()._planned(node)
        if isinstance(node, Select):
            if node.resolved is not None:
                return super()._planned(node.resolved)
            operand = self._operand(node.operand)
            return (
                presence(operand, node.field, self._look)
                if node.test_only
                else selection(operand, Constant(node.field), self._look)
            )
        if not isinstance(node, Call):
            raise TypeError("only selections make chains")
        if node.function == "_?_:_":
            return self._choice(node)
        operand, key = self._operand(node.args[0]), self._operand(node.args[1])
        return selection(operand, key, self._look, optional=node.function != "_[_]")

    def _choice(self, node: Call) -> Step:
        condition = self.plan(node.args[0])
        return choice(condition, self._alternative(node.args[1]), self._alternative(node.args[2]))

    def _alternative(self, node: Node) -> Step:
        if isinstance(node, Select) and node.test_only:
            return located(
                presence(self._operand(node.operand), node.field, self._look, unread=True),
                node.offset,
            )
        return self._operand(node)

    # Calls

    def _charged_call(self, node: Call) -> Step:
        steps = self.operands(node)
        if node.function in operators.CONVERSIONS and len(steps) == 1 and is_literal(steps[0]):
            # Computed while planning, where the plain planner has refused what fails.
            return Constant(operation_of(node)(steps[0]([])))
        if node.function == "@not_strictly_false":
            return not_strictly_false(steps[0])
        if node.function == "@in" and _is_set(node, steps[1]):
            return self._in_set(steps)
        # A call with a pattern known while planning is rebuilt there as one of any number of arguments.
        prepared = node.function in PATTERNS and is_literal(steps[1])
        chosen = len(node.overloads) > 1 and node.function not in _SINGLETONS and node.function[0].isalpha()
        operation, rule = operation_of(node), rule_of(node.overloads)
        if prepared:
            operation = _of_native_text(operation)
        if self._options.charges_successes:
            kinds = measured(node.overloads)
            charged = measuring_rule(rule, node.overloads[0], kinds) if kinds else rule
            return strict_call(node, operation, steps, charged)
        if prepared or chosen or len(steps) > 2 or node.function in _OF_ANY_ARITY:
            return lazy_call(operation, steps, rule)
        kinds = measured(node.overloads)
        return eager_call(operation, steps, measuring_rule(rule, node.overloads[0], kinds) if kinds else rule)

    @staticmethod
    def _in_set(steps: list[Step]) -> Step:
        item, container = steps
        if not container([]):
            return Constant(False)

        def step(frame: Frame) -> bool:
            value = item(frame)
            if operators.is_unhashable(value):
                operators.not_hashable(value)
            return operators.contains(value, container(frame))

        return step

    # Comprehensions

    def _comprehension(self, node: Comprehension) -> Step:
        if node.variable == UNUSED:
            return binding_of(node, self)
        iterate, initial = self.plan(node.range), self.plan(node.initial)
        accumulator = self.slot()
        first, second = self.slot(), self.slot() if node.variable2 is not None else 0
        names = {node.variable: reader(first)}
        if node.variable2 is not None:
            names[node.variable2] = reader(second)
        self.bind({node.accumulator: accumulated(accumulator)})
        self.bind(names)
        condition, body = self.plan(node.condition), self._body(node)
        self.unbind()
        result = self.plan(node.result)
        self.unbind()

        def step(frame: Frame) -> Value:
            pairs = pairs_of(iterate(frame), two=node.variable2 is not None)
            start = initial(frame)
            # The body appends in place, and a literal is built once for all evaluations.
            frame[accumulator] = start.copy() if isinstance(start, (list, dict)) else start
            for item, other in pairs:
                frame[first] = item
                if second:
                    frame[second] = other
                # ``evalFold`` ends only if the condition is false, and goes on if it is an error.
                try:
                    if condition(frame) is False:
                        break
                except EvaluationError:
                    pass
                try:
                    frame[accumulator] = body(frame)
                except EvaluationError as error:
                    frame[accumulator] = error
            return result(frame)

        return step

    def _body(self, node: Comprehension) -> Step:
        return self.plan(node.step)


def _of_native_text(operation: Callable[..., Value]) -> Callable[..., Value]:
    """A search that takes for a text whatever ``native_text`` does."""

    def searched(value: Value, *others: Value) -> Value:
        plain = value if type(value) is str else plain_scalar(value)
        return operation(plain if type(plain) is str else value, *others)

    return searched


def _is_set(node: Call, container: Step) -> bool:
    """Whether cel-go turns a list to look in into a set."""
    if len(node.overloads) != 1 or node.overloads[0].id != "in_list" or not is_literal(container):
        return False
    return all(type(element) in operators.HASHED for element in cast("list[Value]", container([])))


def _begins_with_choice(node: Node) -> bool:
    """Whether a chain of selections starts at ``?:``."""
    while is_attribute(node) and not isinstance(node, Ident):
        if isinstance(node, Select):
            node = node.operand
            continue
        call = as_call(node)
        if call.function == "_?_:_":
            return True
        node = call.args[0]
    return False
