"""Checks of literals after the types are known, as cel-go's AST validators do them."""

from __future__ import annotations

from typing import cast

from dractl.cel.common import times
from dractl.cel.common.errors import CompileError, EvaluationError
from dractl.cel.common.tree import Call, ListNode, Literal, MapNode, Node, children_of
from dractl.cel.common.type_words import in_all_words
from dractl.cel.common.types import DYN, Type
from dractl.cel.regex import regex


def validate(nodes: list[Node]) -> None:
    """Raise CompileError for a literal that can never work: a bad pattern, time, format string or list.

    ``nodes`` are all that a checked tree has.
    """
    exempt: frozenset[Node] | None = None
    for node in nodes:
        if isinstance(node, Call):
            if node.function in _CHECKED:
                _check_call(node)
        elif isinstance(node, (ListNode, MapNode)):
            if exempt is None:
                exempt = _arguments_of_format(nodes)
            if node not in exempt:
                _check_literal(node)


_CHECKED = frozenset({"duration", "format", "matches", "timestamp"})


def _arguments_of_format(nodes: list[Node]) -> frozenset[Node]:
    """The nodes within arguments of ``format()``, whose lists and maps may hold values of any type."""
    stack: list[Node] = [node for node in nodes if isinstance(node, Call) and node.function == "format"]
    within: set[Node] = set()
    while stack:
        for child in children_of(stack.pop()):
            if child not in within:
                within.add(child)
                stack.append(child)
    return frozenset(within)


def _check_literal(node: ListNode | MapNode) -> None:
    if isinstance(node, ListNode):
        _check_elements(node.elements, node.optional)
    else:
        _check_elements([key for key, _ in node.entries], frozenset())
        _check_elements([value for _, value in node.entries], node.optional)


def _equivalent(first: Type, second: Type) -> bool:
    if first.kind != second.kind or len(first.parameters) != len(second.parameters):
        return False
    if first.kind in {"opaque", "struct"} and first.name != second.name:
        return False
    return all(map(_equivalent, first.parameters, second.parameters))


def _check_elements(nodes: list[Node], optional: frozenset[int]) -> None:
    expected: Type | None = None
    for position, node in enumerate(nodes):
        found = node.type
        if found is None:
            continue
        if position in optional:
            if not found.parameters:
                raise CompileError(
                    "type",
                    f"after ? this is {in_all_words(found)}, for which the server's literal check panics; "
                    "give it a type, for example with `optional.of()`",
                    node.offset,
                )
            found = found.parameters[0]
        if expected is None:
            expected = found
        elif not _equivalent(expected, found):
            raise CompileError(
                "type",
                f"the values of a list or map must have one type: this is {in_all_words(found)}, after "
                f"{in_all_words(expected)}",
                node.offset,
            )


def _check_call(node: Call) -> None:
    if node.function == "format" and node.target is not None:
        _check_format(node)
    literal = _literal_argument(node)
    if literal is None:
        return
    text = cast("str", literal.value)
    if node.function == "matches":
        problem = regex.problem_of(text)
        if problem is not None:
            raise CompileError("type", problem, literal.offset)
        return
    try:
        (times.duration_of if node.function == "duration" else times.timestamp_of)(text)
    except EvaluationError as error:
        raise CompileError("type", error.message, literal.offset) from None


def _literal_argument(node: Call) -> Literal | None:
    """The literal text whose form matters to the call, if it has one."""
    if node.function not in {"matches", "duration", "timestamp"}:
        return None
    position = 1 if node.function == "matches" and node.target is None else 0
    if len(node.args) <= position:
        return None
    argument = node.args[position]
    return argument if isinstance(argument, Literal) and type(argument.value) is str else None


def _check_format(node: Call) -> None:
    from dractl.cel.library.formatting import Clause, clauses_of, takes

    target, args = node.target, node.args[0] if node.args else None
    if not isinstance(target, Literal) or type(target.value) is not str or not isinstance(args, ListNode):
        return
    try:
        clauses = [clause for clause in clauses_of(target.value) if isinstance(clause, Clause)]
    except EvaluationError as error:
        raise CompileError("type", error.message, target.offset) from None
    if len(clauses) != len(args.elements):
        raise CompileError(
            "type",
            f"the format string requires {len(clauses)} arguments, got {len(args.elements)}",
            args.offset,
        )
    for clause, argument in zip(clauses, args.elements, strict=True):
        if not takes(clause, argument):
            raise CompileError(
                "type",
                f"%{clause.letter} does not accept {in_all_words(argument.type or DYN)}; convert it, for "
                "example with `string()` or `int()`",
                argument.offset,
            )
