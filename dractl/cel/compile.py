"""The door to CEL: selectors compiled once, cached, and evaluated for one device after the other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from dractl.cel.common.device import DeviceValue, device_value
from dractl.cel.common.environment import MAX_COST, Environment
from dractl.cel.common.errors import CelError, CompileError, EvaluationError, StoppedError, failure_of
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.program import Compiled

if TYPE_CHECKING:
    from dractl.cel.common.tree import Node
    from dractl.cel.interpreter.explain import Explainer

__all__ = [
    "MAX_COST",
    "CelError",
    "DerivedAttribute",
    "DeviceValue",
    "Environment",
    "Selector",
    "compile_derived_attribute",
    "compile_selector",
    "device_value",
]

_DEEP = 100

_STEPS_OF_COST = 10
"""Steps of one unit of cost where it is counted: 2 us at worst."""


class _Expression:
    """What selectors and derived attributes have in common: evaluation within the server's limit."""

    __slots__ = ("_compiled", "_counts", "_slots", "_step", "expression", "max_cost")

    def __init__(self, expression: str, compiled: Compiled) -> None:
        """Hold what compiling found."""
        self.expression = expression
        self.max_cost: int | None = compiled.max_cost
        self._compiled = compiled
        # Whatever cannot cost more than the limit is evaluated without counting.
        self._counts = compiled.max_cost > MAX_COST or compiled.depth > _DEEP
        step, self._slots = compiled.program.direct
        self._step = None if self._counts else step

    @property
    def output_type(self) -> str:
        """The static type, as CEL writes it."""
        return str(self._compiled.output)

    @property
    def tree(self) -> Node:
        """The checked tree, to be read only."""
        return self._compiled.tree

    def explainer(self) -> Explainer:
        """The same expression, telling the values of the parts; for one whose cost stays within the limit."""
        from dractl.cel.interpreter.explain import Explainer  # few ask why

        return Explainer(self.expression, self._compiled)

    def cost_error(self) -> CelError | None:
        """Why the API server refuses the expression for its estimated cost; None if it does not.

        Mirrors the check of ``MaxCost`` against ``CELSelectorExpressionMaxCost``.
        """
        if self.max_cost is None or self.max_cost <= MAX_COST:
            return None
        from dractl.cel.checker.operands import Texts  # hardly any expression is refused
        from dractl.cel.cost.cost_hint import dearest

        cost_hint = dearest(self._compiled.tree, Texts(self.expression))
        message = (
            f"the expression is too complex: its worst-case cost is {self.max_cost}; at most {MAX_COST} is "
            "allowed"
        )
        return CelError(
            "cost", f"{message}; {cost_hint.advice}" if cost_hint.advice else message, cost_hint.offset
        )

    def failure(self, device: DeviceValue) -> CelError | None:
        """Why evaluating for ``device`` fails, and where in the expression; None if it does not."""
        value = self._metered(device)[0]
        return value if isinstance(value, CelError) else None

    def cost_of(self, device: DeviceValue) -> int:
        """What evaluating for ``device`` costs; just above ``MAX_COST`` if it is stopped there."""
        return self._metered(device)[1]

    def _value(self, device: DeviceValue) -> Value:
        """The value for a device, or the error."""
        if self._counts:
            return self._metered(device)[0]
        WORK.begin()
        try:
            if self._step is None:
                return self._compiled.program.run(device.fields)
            return self._step([device.fields, *self._slots] if self._slots else device.frame)
        except (EvaluationError, StoppedError) as error:
            return failure_of(error)

    def _metered(self, device: DeviceValue) -> tuple[Value, int]:
        from dractl.cel.common.stack import deep_stack  # loaded with the first expression
        from dractl.cel.interpreter.cost_tracker import CostTracker  # loaded with the first expression

        WORK.begin()
        meter = CostTracker(MAX_COST)
        refusal = WORK.left()
        if refusal is not None:
            return refusal, 0
        compiled = self._compiled
        with deep_stack(compiled.depth):
            try:
                value = compiled.metered.run(device.fields, meter)
            except (EvaluationError, StoppedError) as error:
                value = failure_of(error)
        WORK.add(min(meter.cost, MAX_COST) * _STEPS_OF_COST)
        return value, meter.cost


class Selector(_Expression):
    """A compiled selector."""

    __slots__ = ()

    def evaluate(self, device: DeviceValue) -> bool | CelError:
        """Whether the selector selects ``device``, or why that cannot be said."""
        # One call less for what nearly every selector is.
        if self._step is None or self._slots:
            value = self._value(device)
        else:
            WORK.begin()
            try:
                value = self._step(device.frame)
            except (EvaluationError, StoppedError) as error:
                return failure_of(error)
        if value is True or value is False or type(value) is CelError:
            answer: bool | CelError = value
            return answer
        return _converted(value)


def _converted(value: Value) -> bool | CelError:
    """A value that is not true or false as plain Go has it, which is so of an optional one."""
    from dractl.cel.common.format_value import shown  # selectors nearly always give a bool
    from dractl.cel.common.native_values import attribute_value  # selectors nearly always give a bool

    try:
        plain: object = attribute_value(value)
    except EvaluationError as error:
        return failure_of(error)
    if type(plain) is bool:
        return plain
    message = f"the selector must evaluate to true or false, but for this device it is {shown(value)}"
    return CelError("runtime", message)


class DerivedAttribute(_Expression):
    """A compiled expression of a derived attribute (1.37, alpha)."""

    __slots__ = ()

    def evaluate(self, device: DeviceValue) -> Value:
        """The value for ``device``, or a CelError; as ``attribute_value`` gives it."""
        from dractl.cel.common.native_values import attribute_value  # few claims derive attributes

        value = self._value(device)
        return value if isinstance(value, CelError) else attribute_value(value)


@lru_cache(maxsize=4096)
def compile_selector(expression: str, environment: Environment) -> Selector | CelError:
    """The selector that ``expression`` writes, or what is wrong with it.

    Mirrors ``CompileCELExpression``, but for the two limits of the API server, on length and on
    ``Selector.max_cost``, which are the caller's.
    """
    found = _compiled(expression, environment, derived=False)
    return found if isinstance(found, CelError) else Selector(expression, found)


@lru_cache(maxsize=1024)
def compile_derived_attribute(expression: str, environment: Environment) -> DerivedAttribute | CelError:
    """The derived attribute that ``expression`` writes, or what is wrong with it; see compile_selector."""
    found = _compiled(expression, environment, derived=True)
    return found if isinstance(found, CelError) else DerivedAttribute(expression, found)


def _compiled(expression: str, environment: Environment, *, derived: bool) -> Compiled | CelError:
    from dractl.cel.pipeline import compiled  # runs without expressions need none of it

    try:
        return compiled(expression, environment, derived=derived)
    except CompileError as error:
        from dractl.cel.parser.slips import advised  # most expressions compile

        return advised(error.error, expression)
