"""Macros: calls that the parser turns into something else, as cel-go and its extensions do."""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common.errors import CompileError
from dractl.cel.common.tree import Call, Comprehension, Ident, ListNode, Literal, MapNode, Node, Select
from dractl.records import NamedTuple

Macro = Callable[[int, "Node | None", "list[Node]"], "Node | None"]
"""Gets the offset of the call, its target and its arguments; None: no macro after all."""

ACCUMULATOR = "@result"
"""The accumulator's name, which no expression can spell."""

UNUSED = "#unused"
_SORT_INPUT = "@__sortBy_input__"


class MacroRow(NamedTuple):
    """A macro as the table of the library holds it."""

    name: str
    arguments: int
    method: bool
    expand: Macro
    library: str
    doc: str


def _name_of(node: Node) -> str:
    if not isinstance(node, Ident):
        raise CompileError("syntax", "expected a variable name", node.offset)
    if node.name in {ACCUMULATOR, "__result__"}:
        raise CompileError("syntax", f"{node.name} is reserved; choose another variable name", node.offset)
    return node.name


def _names_of(first: Node, second: Node) -> tuple[str, str]:
    names = _name_of(first), _name_of(second)
    if names[0] == names[1]:
        raise CompileError("syntax", f"both variables have the name {names[0]}", second.offset)
    return names


def _has(_offset: int, _target: Node | None, args: list[Node]) -> Node:
    argument = args[0]
    if not isinstance(argument, Select):
        raise CompileError("syntax", "has() requires a field: has(value.field)", argument.offset)
    return Select(argument.offset, argument.operand, argument.field, test_only=True)


def _all_fold(offset: int, body: Node) -> tuple[Node, Node, Node, Node]:
    accumulator = Ident(offset, ACCUMULATOR)
    return (
        Literal(offset, True),
        Call(offset, "@not_strictly_false", [accumulator]),
        Call(offset, "_&&_", [accumulator, body]),
        accumulator,
    )


def _exists_fold(offset: int, body: Node) -> tuple[Node, Node, Node, Node]:
    accumulator = Ident(offset, ACCUMULATOR)
    return (
        Literal(offset, False),
        Call(offset, "@not_strictly_false", [Call(offset, "!_", [accumulator])]),
        Call(offset, "_||_", [accumulator, body]),
        accumulator,
    )


def _exists_one_fold(offset: int, body: Node) -> tuple[Node, Node, Node, Node]:
    accumulator, one = Ident(offset, ACCUMULATOR), Literal(offset, 1)
    counted = Call(offset, "_+_", [accumulator, one])
    return (
        Literal(offset, 0),
        Literal(offset, True),
        Call(offset, "_?_:_", [body, counted, accumulator]),
        Call(offset, "_==_", [accumulator, one]),
    )


def _collect_fold(offset: int, element: Node, condition: Node | None) -> tuple[Node, Node, Node, Node]:
    accumulator = Ident(offset, ACCUMULATOR)
    step: Node = Call(offset, "_+_", [accumulator, ListNode(offset, [element])])
    if condition is not None:
        step = Call(offset, "_?_:_", [condition, step, accumulator])
    return ListNode(offset, []), Literal(offset, True), step, accumulator


def _insert_fold(offset: int, inserted: list[Node], condition: Node | None) -> tuple[Node, Node, Node, Node]:
    accumulator = Ident(offset, ACCUMULATOR)
    step: Node = Call(offset, "cel.@mapInsert", [accumulator, *inserted])
    if condition is not None:
        step = Call(offset, "_?_:_", [condition, step, accumulator])
    return MapNode(offset, []), Literal(offset, True), step, accumulator


def _over(
    offset: int,
    macro: str,
    target: Node | None,
    variables: tuple[str, str | None],
    fold: tuple[Node, Node, Node, Node],
) -> Node:
    if target is None:
        raise CompileError("syntax", f"{macro} requires a list or map", offset)
    return Comprehension(
        offset, macro, iterate=target, variables=variables, accumulator=ACCUMULATOR, fold=fold
    )


def _quantifier(name: str, fold: Callable[[int, Node], tuple[Node, Node, Node, Node]]) -> Macro:
    def expand(offset: int, target: Node | None, args: list[Node]) -> Node:
        return _over(offset, name, target, (_name_of(args[0]), None), fold(offset, args[1]))

    return expand


def _quantifier_two(name: str, fold: Callable[[int, Node], tuple[Node, Node, Node, Node]]) -> Macro:
    def expand(offset: int, target: Node | None, args: list[Node]) -> Node:
        return _over(offset, name, target, _names_of(args[0], args[1]), fold(offset, args[2]))

    return expand


def _map(offset: int, target: Node | None, args: list[Node]) -> Node:
    condition = args[1] if len(args) == 3 else None
    return _over(offset, "map", target, (_name_of(args[0]), None), _collect_fold(offset, args[-1], condition))


def _filter(offset: int, target: Node | None, args: list[Node]) -> Node:
    fold = _collect_fold(offset, args[0], args[1])
    return _over(offset, "filter", target, (_name_of(args[0]), None), fold)


def _transform_list(offset: int, target: Node | None, args: list[Node]) -> Node:
    condition = args[2] if len(args) == 4 else None
    fold = _collect_fold(offset, args[-1], condition)
    return _over(offset, "transformList", target, _names_of(args[0], args[1]), fold)


def _transform_map(offset: int, target: Node | None, args: list[Node]) -> Node:
    names = _names_of(args[0], args[1])
    condition = args[2] if len(args) == 4 else None
    fold = _insert_fold(offset, [Ident(args[0].offset, names[0]), args[-1]], condition)
    return _over(offset, "transformMap", target, names, fold)


def _transform_map_entry(offset: int, target: Node | None, args: list[Node]) -> Node:
    names = _names_of(args[0], args[1])
    condition = args[2] if len(args) == 4 else None
    return _over(offset, "transformMapEntry", target, names, _insert_fold(offset, [args[-1]], condition))


def _binding(offset: int, macro: str, name: str, value: Node, result: Node) -> Node:
    """``name`` bound to ``value`` while ``result`` is computed: a comprehension over nothing."""
    return Comprehension(
        offset,
        macro,
        iterate=ListNode(offset, []),
        variables=(UNUSED, None),
        accumulator=name,
        fold=(value, Literal(offset, False), Ident(offset, name), result),
    )


def _bind(offset: int, target: Node | None, args: list[Node]) -> Node | None:
    if not (isinstance(target, Ident) and target.name == "cel"):
        return None
    if not isinstance(args[0], Ident):
        raise CompileError("syntax", "cel.bind() requires a variable name as first argument", args[0].offset)
    return _binding(offset, "cel.bind", args[0].name, args[1], args[2])


def _with_optional(offset: int, macro: str, target: Node | None, args: list[Node], *, flat: bool) -> Node:
    if target is None:
        raise CompileError("syntax", f"{macro} requires an optional value", offset)
    if not isinstance(args[0], Ident):
        raise CompileError("syntax", f"{macro}() requires a variable name as first argument", args[0].offset)
    inner = _binding(offset, macro, args[0].name, Call(offset, "value", [], target), args[1])
    if not flat:
        inner = Call(offset, "optional.of", [inner])
    return Call(
        offset,
        "_?_:_",
        [Call(offset, "hasValue", [], target), inner, Call(offset, "optional.none", [])],
    )


def _opt_map(offset: int, target: Node | None, args: list[Node]) -> Node:
    return _with_optional(offset, "optMap", target, args, flat=False)


def _opt_flat_map(offset: int, target: Node | None, args: list[Node]) -> Node:
    return _with_optional(offset, "optFlatMap", target, args, flat=True)


def _sort_by(offset: int, target: Node | None, args: list[Node]) -> Node:
    if not isinstance(target, (ListNode, Select, Ident, Comprehension, Call)):
        raise CompileError("syntax", "sortBy() requires a list", offset)
    keys = _map(offset, Ident(offset, _SORT_INPUT), args)
    sort = Call(offset, "@sortByAssociatedKeys", [keys], Ident(offset, _SORT_INPUT))
    return _binding(offset, "sortBy", _SORT_INPUT, target, sort)


def _row(
    name: str, arguments: int, expand: Macro, library: str, doc: str, *, method: bool = True
) -> MacroRow:
    return MacroRow(name, arguments, method, expand, library, doc)


_EXISTS_ONE = _quantifier("exists_one", _exists_one_fold)
_EXISTS_ONE_TWO = _quantifier_two("existsOne", _exists_one_fold)

MACROS: tuple[MacroRow, ...] = (
    _row("has", 1, _has, "standard", "whether a field or key is present", method=False),
    _row("all", 2, _quantifier("all", _all_fold), "standard", "whether the condition is true for all"),
    _row("exists", 2, _quantifier("exists", _exists_fold), "standard", "whether it is true for at least one"),
    _row("exists_one", 2, _EXISTS_ONE, "standard", "whether it is true for exactly one"),
    _row("map", 2, _map, "standard", "the result for each element"),
    _row("map", 3, _map, "standard", "the result for each element that matches the condition"),
    _row("filter", 2, _filter, "standard", "the elements that match the condition"),
    _row("bind", 3, _bind, "bindings", "cel.bind(name, value, expression): a name for a value"),
    _row("optMap", 2, _opt_map, "optional", "the result for the value, if present"),
    _row("optFlatMap", 2, _opt_flat_map, "optional", "the same, if the result is optional"),
    _row("sortBy", 2, _sort_by, "lists", "the list sorted by a key"),
    _row("all", 3, _quantifier_two("all", _all_fold), "two-variables", "all, with key or index"),
    _row("exists", 3, _quantifier_two("exists", _exists_fold), "two-variables", "exists, with key or index"),
    _row("existsOne", 3, _EXISTS_ONE_TWO, "two-variables", "exists_one, with key or index"),
    _row("exists_one", 3, _EXISTS_ONE_TWO, "two-variables", "another spelling of existsOne"),
    _row("transformList", 3, _transform_list, "two-variables", "the result for each entry, as a list"),
    _row("transformList", 4, _transform_list, "two-variables", "the same, for matching entries"),
    _row("transformMap", 3, _transform_map, "two-variables", "a map with the same keys"),
    _row("transformMap", 4, _transform_map, "two-variables", "the same, for matching entries"),
    _row("transformMapEntry", 3, _transform_map_entry, "two-variables", "a map of computed entries"),
    _row("transformMapEntry", 4, _transform_map_entry, "two-variables", "the same, for matching entries"),
)
