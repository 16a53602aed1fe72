"""The operands of a call: the nodes, their types, and how their author wrote them."""

from __future__ import annotations

from collections.abc import Sequence

from dractl.cel.common.tree import Call, Ident, Literal, Node
from dractl.cel.common.types import Type
from dractl.cel.parser.spans import Spans
from dractl.records import NamedTuple

__all__ = ["Operands", "Texts"]

_LONGEST = 80
"""The length up to which a message repeats an operand."""
_SELECTIONS = frozenset({"_[_]", "_[?_]", "_?._"})


class Texts:
    """The text of each node of one expression; empty for a node that a macro added."""

    __slots__ = ("_expression", "_spans")

    def __init__(self, expression: str) -> None:
        """Hold the expression; it is read once somebody asks for a text."""
        self._expression = expression
        self._spans: Spans | None = None

    def __call__(self, node: Node) -> str:
        """The text of a node."""
        if self._spans is None:
            self._spans = Spans(self._expression)
        if isinstance(node, Ident) and not self._expression.startswith(node.name, node.offset):
            return ""
        try:
            return self._spans.text(node)
        except LookupError:
            return ""


class Operands(NamedTuple):
    """The operands of a call with their types; ``text`` gives a node as its author wrote it."""

    nodes: Sequence[Node]
    types: Sequence[Type]
    text: Texts

    def written(self, number: int, *, as_owner: bool = False) -> str:
        """An operand as written; ``…`` for a long one.

        ``as_owner`` adds brackets where a method could not follow.
        """
        node = self.nodes[number]
        text = self.text(node)
        if not text or len(text) > _LONGEST or "\n" in text:
            return "…"
        function = node.function if as_owner and isinstance(node, Call) else ""
        is_joined = function.startswith(("_", "!", "-", "@")) and function not in _SELECTIONS
        return f"({text})" if is_joined else text

    def literal(self, number: int) -> object:
        """The value of an operand that is a literal; None for any other."""
        node = self.nodes[number]
        return node.value if isinstance(node, Literal) else None
