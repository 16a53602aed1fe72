"""From the text of an expression to programs: all stages in their order. Loaded with the first expression."""

from __future__ import annotations

from dractl.cel.checker.check import check
from dractl.cel.checker.declarations import attribute_type, declarations_of
from dractl.cel.checker.validators import validate
from dractl.cel.common import types
from dractl.cel.common.environment import MAX_COST, Environment
from dractl.cel.common.errors import CompileError
from dractl.cel.common.eval_options import EvalOptions
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.type_words import in_all_words
from dractl.cel.common.types import Type
from dractl.cel.common.work import WORK
from dractl.cel.cost.cost import estimated_cost, estimated_cost_138
from dractl.cel.cost.cost_by_paths import estimated_cost_by_paths, estimated_cost_without_sizes
from dractl.cel.interpreter.comparison_limit import has_nested_work
from dractl.cel.interpreter.evaluate import program_of
from dractl.cel.interpreter.mutable_quantities import with_own_quantities
from dractl.cel.interpreter.native_optionals import has_optionals
from dractl.cel.interpreter.program import Compiled
from dractl.cel.parser.parse import parse

_ESTIMATES = (
    ("cost-without-sizes", estimated_cost_without_sizes),
    ("cost-by-paths", estimated_cost_by_paths),
    ("estimate-1.38", estimated_cost_138),
    ("", estimated_cost),
)

_SCALAR_KINDS = frozenset({"any", "bool", "dyn", "int", "string"})


def compiled(expression: str, environment: Environment, *, derived: bool) -> Compiled:
    """The programs of ``expression``, as a selector or a derived attribute; raises CompileError."""
    declarations, functions = declarations_of(environment)
    estimated = next(cost for name, cost in _ESTIMATES if not name or name in functions.libraries)
    tree, depth = parse(
        expression,
        functions.macros,
        quoted_fields="quoted-fields" in functions.libraries,
        surrogates="surrogate-escapes" in functions.libraries,
    )
    with deep_stack(depth), WORK.compiling():
        nodes = check(tree, declarations, expression)
        validate(nodes)
        found = tree.type or types.DYN
        problem = _selector_problem(found, environment, wrapped="wrapped-selectors" in functions.libraries)
        if derived:
            problem = _output_problem(found, environment)
        if problem:
            raise CompileError("output", problem, tree.offset)
        max_cost = estimated(tree)
        options = EvalOptions(
            mutable_quantities=with_own_quantities(
                nodes, sums_in_place="sums-in-place" in functions.libraries
            ),
            native_optionals="native-optionals" in functions.libraries and has_optionals(nodes),
            lenient_or="lenient-or" in functions.libraries,
            weighs=has_nested_work(nodes),
            charges_successes="uncharged-failures" in functions.libraries,
        )
        return Compiled(
            tree=tree,
            depth=depth,
            program=program_of(tree, options, folds=max_cost <= MAX_COST),
            output=found,
            max_cost=max_cost,
            options=options,
        )


def _selector_problem(found: Type, environment: Environment, *, wrapped: bool) -> str:
    if found == types.BOOL or (wrapped and found.kind == "bool") or found == attribute_type(environment):
        return ""
    return f"a selector must evaluate to a bool, got {in_all_words(found)}; did you forget a comparison?"


def _output_problem(found: Type, environment: Environment) -> str:
    """What keeps a type from being that of a derived attribute, as ``validateOutputType``."""
    lists = environment.stored or "DRAListTypeAttributes" in environment.gates
    if _is_scalar(found) or (lists and found.kind == "list" and _is_scalar(found.parameters[0])):
        return ""
    also = ", or a list of these" if lists else ""
    return f"a derived attribute must be a string, int, bool or version{also}, got {in_all_words(found)}"


def _is_scalar(found: Type) -> bool:
    """Whether an attribute can have such values; a wrapper of a scalar stands for the scalar."""
    return found.kind in _SCALAR_KINDS or found == types.SEMVER
