"""The values of the parts of an expression in one evaluation, for whoever asks why it gives what it gives."""

from __future__ import annotations

from contextlib import suppress

from dractl.cel.common import types
from dractl.cel.common.errors import CelError, EvaluationError, StoppedError, failure_of
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.format_value import shown
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.tree import Call, Ident, Node, Select
from dractl.cel.common.values import Value
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.evaluate import UNSET, Planner
from dractl.cel.interpreter.mutable_quantities import own_fields
from dractl.cel.interpreter.program import Compiled
from dractl.cel.interpreter.steps import Constant, Frame, Step
from dractl.cel.parser.spans import Spans, written_below
from dractl.records import NamedTuple

__all__ = ["Explainer", "Part"]

_KEPT = 4
"""Values of a part that are kept; the body of a macro has one for each element."""

_CHAINS = frozenset({"_&&_", "_||_"})
_OF_DEVICE = frozenset({"attributes", "capacity"})


class Part(NamedTuple):
    """A part of an expression: where it is, how deep, and its first values or errors of one evaluation.

    ``times`` counts its evaluations: 0 where it was not needed, more than one inside of macros.
    """

    depth: int
    start: int
    end: int
    text: str
    values: tuple[Value, ...]
    times: int


class _Record:
    """What a part gave in the evaluation that runs."""

    __slots__ = ("times", "values")

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.times = 0

    def add(self, value: Value) -> None:
        self.times += 1
        if len(self.values) < _KEPT:
            self.values.append(value)


class _RecordingPlanner(Planner):
    """Plans like the plain planner; a step that is no constant remembers what it gave, or where it failed."""

    def __init__(self, options: EvalOptions) -> None:
        super().__init__(options, folds=False)
        self.records: dict[Node, _Record] = {}

    def _planned(self, node: Node) -> Step:
        step = super()._planned(node)
        if isinstance(step, Constant):
            return step
        record = self.records[node] = _Record()

        def recorded(frame: Frame) -> Value:
            try:
                value = step(frame)
            except EvaluationError as error:
                if error.offset is None:
                    error.offset = node.offset
                record.add(failure_of(error))
                raise
            except StoppedError as error:
                record.add(failure_of(error))
                raise
            record.add(value)
            return value

        return recorded


class Explainer:
    """A checked expression that tells the values of the parts.

    Nothing is charged, so that it is for expressions only that stay within the limit of costs.
    """

    __slots__ = ("_compiled", "_planner", "_spans", "_step")

    def __init__(self, expression: str, compiled: Compiled) -> None:
        """Plan what ``expression`` was compiled to."""
        self._compiled = compiled
        self._spans = Spans(expression)
        self._planner = _RecordingPlanner(compiled.options)
        with deep_stack(compiled.depth):
            self._step = self._planner.plan(compiled.tree)

    def parts(self, fields: dict[str, Value]) -> list[Part]:
        """The parts in the evaluation for a device with these fields, the whole first, then what is under it.

        Literals are left out, and so are the maps that lead to an attribute.
        """
        for record in self._planner.records.values():
            record.values, record.times = [], 0
        if self._compiled.options.mutable_quantities:
            fields = own_fields(fields)
        WORK.begin()
        with deep_stack(self._compiled.depth):
            # What fails is told by the parts.
            with suppress(EvaluationError, StoppedError):
                self._step([fields, *[UNSET] * self._planner.slots])
            found: list[Part] = []
            self._collect(self._compiled.tree, 0, found)
        return found

    def _collect(self, node: Node, depth: int, found: list[Part]) -> None:
        record = self._planner.records.get(node)
        if record is None:
            return
        below = depth
        if not isinstance(node, Ident) and not _leads_to_attributes(node):
            span = self._spans.of(node)
            part = Part(depth, *span, self._spans.text(node), tuple(record.values), record.times)
            if not _says_itself(part) and (record.times or not _is_constant(node)):
                found.append(part)
                below = depth + 1
        if record.times:
            for term in _terms(node):
                self._collect(term, below, found)


def _says_itself(part: Part) -> bool:
    """Whether the text of a part is how its value is written: a quantity of a constant, and the like."""
    if part.times != 1 or isinstance(part.values[0], CelError):
        return False
    return shown(part.values[0]) == part.text


def _is_constant(node: Node) -> bool:
    """Whether nothing in a node has a name: then nobody asks why it was not needed."""
    return not isinstance(node, Ident) and all(map(_is_constant, written_below(node)))


def _terms(node: Node) -> list[Node]:
    """The parts under a node; a chain of one logic operator, a tree inside, is flat as it was written."""
    if not isinstance(node, Call) or node.function not in _CHAINS:
        return written_below(node)
    terms: list[Node] = []
    for part in written_below(node):
        is_same = isinstance(part, Call) and part.function == node.function
        terms += _terms(part) if is_same else [part]
    return terms


def _leads_to_attributes(node: Node) -> bool:
    """Whether a node is ``device.attributes``, or what that has of one domain, or the like for capacity."""
    if _is_of_device(node):
        return True
    if isinstance(node, Select):
        return not node.test_only and _is_of_device(node.operand)
    return isinstance(node, Call) and node.function in {"_[_]", "_[?_]"} and _is_of_device(node.args[0])


def _is_of_device(node: Node) -> bool:
    if not isinstance(node, Select) or not isinstance(node.operand, Ident):
        return False
    return node.operand.type == types.DEVICE and node.field in _OF_DEVICE
