"""Which part of an expression makes its estimated cost so high, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common import types
from dractl.cel.common.environment import MAX_COST
from dractl.cel.common.tree import Call, Comprehension, Node, children_of
from dractl.cel.cost.cost import Coster
from dractl.records import NamedTuple

_UNBOUNDED = 2**60
"""Estimates from here on come from sizes that the server knows nothing of."""


_LONGEST = 80
"""The length up to which the advice repeats an operand."""


class CostHint(NamedTuple):
    """The smallest part that alone costs more than the limit: its offset, and an advice or an empty text."""

    offset: int
    advice: str


def dearest(tree: Node, text: Callable[[Node], str]) -> CostHint:
    """The part of a checked tree that costs too much; the whole, where it is the sum that does.

    ``text`` gives a node as its author wrote it, for the advice.
    """
    coster = Coster()
    coster.cost(tree)
    node = tree
    while True:
        # The first part above the limit, not the most expensive one: the limit holds for the sum, so one of
        # them must change in any case.
        below = next((part for part in children_of(node) if coster.cost(part) > MAX_COST), None)
        if below is None:
            return CostHint(node.offset, _advice(node, coster.cost(node), text))
        node = below


def _advice(node: Node, cost: int, text: Callable[[Node], str]) -> str:
    if isinstance(node, Call) and node.function == "_!=_" and _has_cheap_equality(node):
        first, second = (_cut(text(part)) for part in node.args)
        return f"write `!({first} == {second})`: the server estimates a lower cost"
    if isinstance(node, Call) and node.function == "includes":
        return "a list must be on the left of includes(); use `value in [...]` for a list in the expression"
    if cost >= _UNBOUNDED:
        return "the server has no size limit for the operands here"
    # Three nested loops over ``device.attributes`` are estimated at 400,000, four at 13 million.
    if isinstance(node, Comprehension):
        return "nested loops multiply the maximum number of elements"
    return ""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST and "\n" not in text else "…"


def _has_cheap_equality(node: Call) -> bool:
    return any(part.type in (types.QUANTITY, types.SEMVER) for part in node.args)
