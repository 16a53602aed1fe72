"""Which part of the text each node of a tree was written as, and which nodes an author wrote."""

from __future__ import annotations

from dractl.cel.common.tree import (
    Call,
    Comprehension,
    ListNode,
    MapNode,
    Node,
    Select,
    StructNode,
    as_call,
    children_of,
)
from dractl.cel.parser.macros import UNUSED
from dractl.cel.parser.tokens import Token, tokens_of
from dractl.records import NamedTuple

__all__ = ["Span", "Spans", "written_below"]

_QUANTIFIERS = frozenset({"all", "exists"})
_COUNTERS = frozenset({"exists_one", "existsOne"})


class Span(NamedTuple):
    """Offsets into the text: the first character, and the one after the last."""

    start: int
    end: int


class Spans:
    """The spans of the nodes of one expression; a node in brackets is meant without them."""

    __slots__ = ("_at", "_closing", "_found", "_text", "_tokens")

    def __init__(self, expression: str) -> None:
        """Read the tokens of an expression that has been parsed before."""
        self._text = expression
        self._tokens: list[Token] = tokens_of(expression)[0]
        self._at = {token.offset: number for number, token in enumerate(self._tokens)}
        self._closing: dict[int, int] = {}
        self._found: dict[Node, tuple[int, int]] = {}
        open_: list[int] = []
        for number, token in enumerate(self._tokens):
            if token.kind in "([{":
                open_.append(number)
            elif token.kind in ")]}":
                self._closing[open_.pop()] = number

    def of(self, node: Node) -> Span:
        """The span of a node that is in the text; see :func:`written_below`."""
        first, last = self._inner(node)
        start = self._tokens[first].offset
        end = self._tokens[last]
        return Span(start, end.offset + len(end.text))

    def text(self, node: Node) -> str:
        """The text of a node."""
        span = self.of(node)
        return self._text[span.start : span.end]

    def _inner(self, node: Node) -> tuple[int, int]:
        """The numbers of a node's first and last token."""
        known = self._found.get(node)
        if known is None:
            known = self._found[node] = self._located(node)
        return known

    def _outer(self, node: Node) -> tuple[int, int]:
        """The same with the brackets around the node that do nothing but group."""
        first, last = self._inner(node)
        while (
            self._tokens[first - 1].kind == "("
            and self._closing.get(first - 1) == last + 1
            and not (first > 1 and self._tokens[first - 2].kind == "name")
        ):
            first, last = first - 1, last + 1
        return first, last

    def _located(self, node: Node) -> tuple[int, int]:
        own = self._at[node.offset]
        if isinstance(node, Select):
            return self._presence(node, own) if node.test_only else (self._outer(node.operand)[0], own)
        if isinstance(node, Call):
            return self._call(node, own)
        if isinstance(node, Comprehension):
            return self._macro(node, own)
        if isinstance(node, ListNode | MapNode):
            return own, self._closing[own]
        if isinstance(node, StructNode):
            brace = own
            while self._tokens[brace].kind != "{":
                brace += 1
            return own, self._closing[brace]
        is_signed = self._tokens[own].kind == "-"
        return own, own + is_signed

    def _presence(self, node: Select, own: int) -> tuple[int, int]:
        """``has(…)``, of which the node has the offset of the last name."""
        first = min(self._outer(node.operand)[0], own)
        while self._tokens[first].kind != "name" or self._tokens[first + 1].kind != "(":
            first -= 1
        return first, self._closing[first + 1]

    def _call(self, node: Call, own: int) -> tuple[int, int]:
        kind = self._tokens[own].kind
        if kind == "name" and node.function == "_?._":
            return self._outer(node.args[0])[0], own
        if kind == "name":
            target = as_call(node.args[0]).target if node.function == "_?_:_" else node.target
            # A dot in the name of a function is in the text as well: lists.range().
            first = own - 2 * node.function.count(".") if target is None else self._outer(target)[0]
            return first, self._closing[own + 1]
        if kind == "[":
            return self._outer(node.args[0])[0], self._closing[own]
        last = self._outer(node.args[-1])[1]
        return own if len(node.args) == 1 else self._outer(node.args[0])[0], last

    def _macro(self, node: Comprehension, own: int) -> tuple[int, int]:
        last = self._closing[own + 1]
        if node.macro == "cel.bind":
            return own - 2, last
        target = node.initial if node.variable == UNUSED else node.range
        return self._outer(target)[0], last


def written_below(node: Node) -> list[Node]:
    """The parts of a node that its author wrote, in the order of the text; what macros add is left out."""
    if isinstance(node, Comprehension):
        return _below_macro(node)
    return (_below_optional_macro(node) if isinstance(node, Call) else []) or children_of(node)


def _below_optional_macro(node: Call) -> list[Node]:
    """The parts of ``optMap`` and ``optFlatMap``, which become a choice; empty for anything else."""
    if node.function != "_?_:_":
        return []
    chosen = node.args[1]
    if isinstance(chosen, Call) and chosen.function == "optional.of" and chosen.offset == node.offset:
        chosen = chosen.args[0]
    if not isinstance(chosen, Comprehension) or chosen.offset != node.offset:
        return []
    target = as_call(node.args[0]).target
    return [] if target is None else [target, chosen.result]


def _below_macro(node: Comprehension) -> list[Node]:
    if node.macro == "cel.bind":
        return [node.initial, node.result]
    if node.macro == "sortBy":
        keys = as_call(node.result).args[0]
        return [node.initial, *(_collected(keys) if isinstance(keys, Comprehension) else ())]
    if node.macro in _QUANTIFIERS:
        return [node.range, as_call(node.step).args[1]]
    if node.macro in _COUNTERS:
        return [node.range, as_call(node.step).args[0]]
    return [node.range, *_collected(node)]


def _collected(node: Comprehension) -> list[Node]:
    """The condition of a collecting macro, if it has one, and what it collects."""
    step = as_call(node.step)
    parts: list[Node] = []
    if step.function == "_?_:_":
        parts.append(step.args[0])
        step = as_call(step.args[1])
    if step.function == "cel.@mapInsert":
        return [*parts, step.args[-1]]
    collected = step.args[1]
    return [*parts, *(collected.elements if isinstance(collected, ListNode) else ())]
