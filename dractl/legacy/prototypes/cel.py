"""The CEL environments of the prototype APIs: what selectors may name, and what a device looks like there.

``plain`` is that of devmgmtproto.k8s.io: ``device`` is a map from attribute names to values of any type,
with the standard functions of CEL only. ``typed`` is that of DRA evolution: ``device`` has a driver name and
one map for each type of attribute, in which a key that is not there has the zero value of its type.
``indexed`` knows an ``index`` only, by which one of its branches computed the partitions of a device.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

from dractl.api import budgets, gates, release
from dractl.api.json_types import JsonDict
from dractl.cel.checker.check import check
from dractl.cel.checker.declarations import declarations_of
from dractl.cel.checker.resolve import Declarations
from dractl.cel.checker.validators import validate
from dractl.cel.common import types
from dractl.cel.common.environment import Environment
from dractl.cel.common.errors import CelError, CompileError, EvaluationError, StoppedError, failure_of
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.tree import Call, Comprehension, Ident, ListNode, MapNode, Node, Select, children_of
from dractl.cel.common.tree import Literal as Constant
from dractl.cel.common.type_words import in_all_words
from dractl.cel.common.types import Type, map_of
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.cost_tracker import CostTracker, MeteredProgram
from dractl.cel.interpreter.evaluate import Program, program_of
from dractl.cel.library import conversions, standard, times
from dractl.cel.library.table import Functions
from dractl.cel.parser.parse import parse
from dractl.records import NamedTuple

__all__ = ["Flavour", "PrototypeSelector", "compile_prototype", "compute", "parsed"]

Flavour = Literal["plain", "typed", "indexed"]

_BASE = "1.31"
"""The minor whose base libraries are used; the prototypes were made with those of 1.30 and 1.31."""

_TYPED = Type("struct", "dra.Device")


class _TypedMap(NamedTuple):
    """A map of the typed device: the type of its values, and the value that stands for one not there."""

    value: Type
    parse: str
    zero: object


_MAPS: Mapping[str, _TypedMap] = {
    "attributes": _TypedMap(types.DYN, "", None),
    "stringAttributes": _TypedMap(types.STRING, "", ""),
    "boolAttributes": _TypedMap(types.BOOL, "", False),
    "quantityAttributes": _TypedMap(types.QUANTITY, "quantity", "0"),
    "versionAttributes": _TypedMap(types.SEMVER, "semver", "0.0.0"),
}


class PrototypeSelector:
    """A compiled selector of a prototype."""

    __slots__ = ("_metered", "_program", "expression", "tree")

    def __init__(self, expression: str, tree: Node, program: Program) -> None:
        """Hold what compiling found."""
        self.expression = expression
        self.tree = tree
        self._program = program
        # Without loops and functions an evaluation takes no longer than the text is long.
        self._metered = None if _is_simple(tree) else MeteredProgram(tree, EvalOptions())

    def evaluate(self, device: JsonDict, meter: CostTracker | None = None) -> bool | CelError:
        """Whether it selects the device whose variable is given, or why that cannot be said.

        ``meter`` is charged for what may take long; without one this evaluation has the limit of a run.
        """
        WORK.begin()
        try:
            metered = self._metered
            if metered is None:
                value = self._program.run(device)
            else:
                value = metered.run(device, meter or CostTracker(budgets.PROTOTYPE_CEL.value))
        except (EvaluationError, StoppedError) as error:
            return failure_of(error)
        if value is True or value is False:
            return bool(value)
        return CelError(
            "runtime", f"the selector must evaluate to true or false, but for this device it is {value!r}"
        )


_SIMPLE = frozenset(
    {"_&&_", "_||_", "!_", "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "_[_]", "_?_:_", "@in", "quantity"}
    | {"semver", "compareTo", "isGreaterThan", "isLessThan", "startsWith", "endsWith", "contains", "size"}
)


def _is_simple(tree: Node) -> bool:
    """Whether a tree has only operators and functions whose work is that of reading their arguments."""
    waiting: list[Node] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Comprehension) or (isinstance(node, Call) and node.function not in _SIMPLE):
            return False
        waiting += children_of(node)
    return True


@lru_cache(maxsize=1024)
def compile_prototype(expression: str, flavour: Flavour) -> PrototypeSelector | CelError:
    """The selector that ``expression`` writes in one of the environments, or what is wrong with it."""
    declarations, functions = _environment(flavour)
    try:
        tree, depth = parse(expression, functions.macros, quoted_fields=False)
        if flavour == "typed":
            tree = _with_zeros(tree)
        with deep_stack(depth), WORK.compiling():
            validate(check(tree, declarations, expression))
            found = tree.type or types.DYN
            if found.kind in ("bool", "dyn", "any"):
                return PrototypeSelector(expression, tree, program_of(tree, EvalOptions(), folds=True))
    except CompileError as error:
        return error.error
    return CelError("output", f"a selector must evaluate to a bool, got {in_all_words(found)}", tree.offset)


@cache
def _environment(flavour: Flavour) -> tuple[Declarations, Functions]:
    minor = release.parse(_BASE)
    fields: dict[str, dict[str, Type]]
    base, functions = declarations_of(Environment(minor, gates.resolve(minor, {}), stored=True))
    if flavour == "plain":
        standing = (
            standard.OVERLOADS,
            standard.MATCHES_136,
            standard.AFFIXES_136,
            conversions.OVERLOADS,
            times.OVERLOADS,
        )
        known = {row for rows in standing for row in rows}
        kept = {name: tuple(row for row in rows if row in known) for name, rows in base.functions.items()}
        declared = {name: rows for name, rows in kept.items() if rows}
        variables, fields = {"device": types.DYN}, {}
    elif flavour == "indexed":
        declared, variables, fields = dict(base.functions), {"index": types.INT}, {}
    else:
        declared = dict(base.functions)
        variables = {"device": _TYPED}
        maps = {name: map_of(types.STRING, row.value) for name, row in _MAPS.items()}
        fields = {_TYPED.name: {"driverName": types.STRING, **maps}}
    return (
        Declarations(functions=declared, variables=variables, type_names=base.type_names, fields=fields),
        functions,
    )


def _with_zeros(node: Node) -> Node:
    """The tree with a zero value wherever a typed map is asked for a key that it may not have."""
    if isinstance(node, Select):
        node.operand = _with_zeros(node.operand)
        row = None if node.test_only else _map_of(node.operand)
        return node if row is None else _guarded(node, row, node.operand, Constant(node.offset, node.field))
    if isinstance(node, Call):
        node.args = [_with_zeros(part) for part in node.args]
        node.target = None if node.target is None else _with_zeros(node.target)
        row = _map_of(node.args[0]) if node.function == "_[_]" else None
        return node if row is None else _guarded(node, row, *node.args)
    if isinstance(node, ListNode):
        node.elements = [_with_zeros(part) for part in node.elements]
    elif isinstance(node, MapNode):
        node.entries = [(_with_zeros(key), _with_zeros(value)) for key, value in node.entries]
    elif isinstance(node, Comprehension):
        for name in ("range", "initial", "condition", "step", "result"):
            setattr(node, name, _with_zeros(getattr(node, name)))
    return node


def _map_of(node: Node) -> _TypedMap | None:
    """The typed map that a node is, if it is one of ``device``."""
    if not isinstance(node, Select) or node.test_only or not isinstance(node.operand, Ident):
        return None
    return _MAPS.get(node.field) if node.operand.name == "device" else None


def _guarded(node: Node, row: _TypedMap, holder: Node, key: Node) -> Node:
    at = node.offset
    zero: Node = Constant(at, row.zero)
    if row.parse:
        zero = Call(at, row.parse, [zero])
    return Call(at, "_?_:_", [Call(at, "@in", [key, holder]), node, zero])


def compute(expression: str, index: int, meter: CostTracker | None = None) -> object:
    """The value of an expression over ``index``, as partitions that are counted have it; None if it fails.

    ``meter`` is charged for it; without one this evaluation has the limit of a run.
    """
    program = _indexed(expression)
    if program is None:
        return None
    WORK.begin()
    try:
        # A program has one variable at hand, which is the index here.
        value = program.run(index, meter or CostTracker(budgets.PROTOTYPE_CEL.value))  # type: ignore[arg-type]
    except (EvaluationError, StoppedError):
        return None
    return str(value) if not isinstance(value, bool | int | str) else value


@lru_cache(maxsize=1024)
def _indexed(expression: str) -> MeteredProgram | None:
    """The program of an expression over an index; None if it does not compile."""
    declarations, functions = _environment("indexed")
    try:
        tree, depth = parse(expression, functions.macros, quoted_fields=False)
        with deep_stack(depth), WORK.compiling():
            validate(check(tree, declarations, expression))
            program_of(tree, EvalOptions(), folds=True)
            return MeteredProgram(tree, EvalOptions())
    except CompileError:
        return None


def parsed(expression: str) -> Node | CelError:
    """The tree of an expression, which is not checked, for whoever wants to write it in other words."""
    try:
        return parse(expression, _environment("typed")[1].macros, quoted_fields=False)[0]
    except CompileError as error:
        return error.error
