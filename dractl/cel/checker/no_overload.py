"""The message for an operator or a function that does not accept its operands, and the node to mark.

It leads with what is wrong in the words of the expression, then what to write, and ends with CEL's types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dractl.cel.checker import operand_advice
from dractl.cel.checker.advice import missing_since
from dractl.cel.checker.operands import Operands, Texts
from dractl.cel.common.environment import Environment
from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, Node, operands_of
from dractl.cel.common.type_words import has_one_name, in_native_words, in_words, listed
from dractl.cel.common.types import Type, is_dynamic
from dractl.records import NamedTuple

__all__ = ["Mistake", "logic_problem", "mistake_of"]

_SIGNATURES = 3
"""Signatures of a function that a message names."""
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Mistake(NamedTuple):
    """What is wrong with a call, and the node to mark."""

    node: Node
    message: str


def mistake_of(
    node: Call,
    overloads: tuple[Overload, ...],
    operand_types: Sequence[Type],
    expression: str,
    environment: Environment | None,
) -> Mistake:
    """What is wrong with a call whose operands have types that no overload accepts."""
    operands = Operands(operands_of(node), operand_types, Texts(expression))
    native = list(map(in_native_words, operand_types))
    place = operand_advice.path_without_domain(operands)
    if place is not None:
        shown = _native_operator(node.function, native) if _is_operator(node) else _native_call(node, native)
        return Mistake(place, f"{operand_advice.domain_first(place)} ({shown})")
    if _is_operator(node):
        return Mistake(node, _of_operator(node.function, operands, native))
    return Mistake(node, _of_function(node, overloads, operands, environment))


def logic_problem(node: Call, found: str, expression: str) -> str:
    """What is wrong with an operand of ``&&`` or ``||`` that must be a bool and is ``found``."""
    operator = node.function.strip("_")
    if not expression.startswith(operator, node.offset):
        return f"the condition of this macro must be a bool, got {found}"
    return f"{operator} requires a bool on both sides, got {found}; did you forget a comparison?"


def _is_operator(node: Call) -> bool:
    return node.function.startswith(("_", "@", "!", "-"))


def _of_operator(function: str, operands: Operands, native: Sequence[str]) -> str:
    problem = _PROBLEMS.get(function, _any_operator)(function.strip("_@"), operands)
    advice = operand_advice.of_operator(function.strip("_@"), operands)
    is_plain = all(map(has_one_name, operands.types))
    shown = "" if is_plain else f" ({_native_operator(function, native)})"
    return problem + (f"; {advice}" if advice else "") + shown


def _any_operator(operator: str, operands: Operands) -> str:
    first, second = operands.types
    own = operand_advice.own_type(operands)
    is_own = own is not None and all(found == own or is_dynamic(found) for found in operands.types)
    verb, joined = ("compare", "with") if operator in _COMPARISONS else ("be applied to", "and")
    what = operand_advice.PLURALS[own] if own and is_own else f"{in_words(first)} {joined} {in_words(second)}"
    return f"{operator} cannot {verb} {what}"


def _index(_: str, operands: Operands) -> str:
    container, key = operands.types
    if container.kind == "map":
        return f"a key of this map must be {in_words(container.parameters[0])}, got {in_words(key)}"
    if container.kind == "list":
        return f"the index of a list must be an int, got {in_words(key)}"
    return f"{in_words(container)} has no keys"


def _choice(_: str, operands: Operands) -> str:
    condition, first, second = operands.types
    if condition.kind not in {"bool", "dyn", "any"}:
        return f"the condition before ? must be a bool, got {in_words(condition)}"
    return f"the two results of ?: must have one type, got {in_words(first)} and {in_words(second)}"


def _member(_: str, operands: Operands) -> str:
    found, container = operands.types
    if container.kind not in {"list", "map"}:
        return f"in requires a list or map on its right, got {in_words(container)}"
    values = "values" if container.kind == "list" else "keys"
    return f"in cannot find {in_words(found)}: the {values} of the {container.kind} have another type"


def _not(_: str, operands: Operands) -> str:
    return f"! requires a bool, got {in_words(operands.types[0])}"


def _minus(_: str, operands: Operands) -> str:
    return f"- requires a number, got {in_words(operands.types[0])}"


_PROBLEMS: dict[str, Callable[[str, Operands], str]] = {
    "_[_]": _index,
    "_[?_]": _index,
    "_?_:_": _choice,
    "@in": _member,
    "!_": _not,
    "-_": _minus,
}
"""What is wrong with the operands of an operator, by its name in CEL."""


def _native_operator(function: str, native: Sequence[str]) -> str:
    """An operator applied to types, as the expression has it: ``string == int``."""
    if function in {"_[_]", "_[?_]"}:
        return f"{native[0]}[{native[1]}]"
    if function == "_?_:_":
        return f"{native[0]} ? {native[1]} : {native[2]}"
    operator = function.strip("_@")
    return operator + native[0] if len(native) == 1 else f"{native[0]} {operator} {native[1]}"


def _native_call(node: Call, native: Sequence[str]) -> str:
    target = "" if node.target is None else f"{native[0]}."
    return f"{target}{node.function}({', '.join(native[node.target is not None :])})"


def _of_function(
    node: Call, overloads: tuple[Overload, ...], operands: Operands, environment: Environment | None
) -> str:
    native = [in_native_words(found) for found in operands.types]
    later = missing_since(node, environment)
    problem = _function_problem(node, overloads, operands)
    if later:
        return f"{problem} {later}; available: {_signatures(node, overloads, operands)}"
    advice = operand_advice.of_function(node, overloads, operands)
    if advice:
        return f"{problem}; {advice} ({_native_call(node, native)})"
    return f"{problem}; available: {_signatures(node, overloads, operands)}"


def _function_problem(node: Call, overloads: tuple[Overload, ...], operands: Operands) -> str:
    """What a function does not accept: its arguments, or the value it is called on."""
    is_method = node.target is not None
    arguments = operands.types[is_method:]
    own = [row for row in overloads if row.method == is_method]
    if not own:
        return f"{node.function}() is a {'function' if is_method else 'method'}"
    if is_method:
        owner = operands.types[0]
        if not is_dynamic(owner) and all(row.parameters[0].kind != owner.kind for row in own):
            return f"{node.function}() does not exist for {in_words(owner)}"
    if not arguments:
        return f"{node.function}() requires an argument"
    return f"{node.function}() does not accept {listed(map(in_words, arguments))}"


def _signatures(node: Call, overloads: tuple[Overload, ...], operands: Operands) -> str:
    """The signatures for the first value, or the first few of all."""
    is_method = node.target is not None
    fitting = [
        row
        for row in overloads
        if row.method == is_method and row.parameters[:1] == tuple(operands.types[:1])
    ]
    signatures = list(dict.fromkeys(row.signature for row in fitting or overloads))
    more = len(signatures) - _SIGNATURES
    return "; ".join(signatures[:_SIGNATURES]) + (f"; and {more} more" if more > 0 else "")
