"""The work of loops, and of nested lists and maps, which the server compares and writes free of charge.

A few bindings can make a list that holds another one a million times over, in the memory of a few elements.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from dractl.cel.common.device_paths import device_path
from dractl.cel.common.tree import (
    Call,
    Comprehension,
    ListNode,
    Literal,
    MapNode,
    Node,
    StructNode,
    children_of,
)
from dractl.cel.common.types import Type, unwrapped
from dractl.cel.common.values import Optional, Value
from dractl.cel.common.work import WORK
from dractl.cel.interpreter.steps import Constant, Frame, Step
from dractl.cel.regex import regex

_DEEP = frozenset(
    {"_==_", "_!=_", "@in", "format", "distinct", "flatten", "indexOf", "lastIndexOf"}
    | {"sets.contains", "sets.equivalent", "sets.intersects"}
)
"""Functions whose work grows with what the elements of their arguments hold."""

_PAIRING = frozenset({"distinct", "sets.contains", "sets.equivalent", "sets.intersects"})
"""Functions that compare each element with each."""

_FLAT = frozenset(
    {"bool", "bytes", "double", "duration", "int", "null", "string", "struct"} | {"timestamp", "type", "uint"}
)


_MOST_COMPARED = 707
"""Elements of which distinct() compares each with each; for more it ends at the server's limit at once."""

_ELEMENT = 5
"""Steps of comparing or writing an element."""


def steps_of_round(node: Comprehension) -> int:
    """The steps of one round of a macro, without those of the macros within, which count their own."""
    stack: list[Node] = [node.condition, node.step, node.result]
    seen: set[Node] = set()
    nodes = searches = 0
    while stack:
        part = stack.pop()
        if part in seen:
            # A macro may let a part hang in the tree twice, and so may one within it: a walk would double.
            continue
        seen.add(part)
        nodes += 1
        searches += _steps_of_search(part)
        # The range of a macro within is computed once for each round of this one.
        stack += [part.range, part.initial] if isinstance(part, Comprehension) else children_of(part)
    # Of a round, many nodes are not evaluated at all: two of them take 0.1 us on the average.
    return searches + (nodes + 1) // 2


def _steps_of_search(node: Node) -> int:
    """The steps of a search with a pattern that is known, which counts none itself where it is short."""
    if not isinstance(node, Call) or node.function != "matches":
        return 0
    pattern = node.args[-1]
    if not isinstance(pattern, Literal) or type(pattern.value) is not str or regex.problem_of(pattern.value):
        return 0
    return regex.compiled(pattern.value).weight


def has_nested_work(nodes: Iterable[Node]) -> bool:
    """Whether a checked tree makes lists or maps of what has elements, and does anything deep."""
    found = list(nodes)
    return any(map(is_deep, found)) and any(map(_nests, found))


def is_deep(node: Node) -> bool:
    """Whether the work of a node grows with what the elements of its operands hold."""
    return isinstance(node, StructNode) or (isinstance(node, Call) and node.function in _DEEP)


def _nests(node: Node) -> bool:
    if isinstance(node, ListNode):
        return any(map(_may_have_elements, node.elements))
    if isinstance(node, MapNode):
        return any(_may_have_elements(value) for _, value in node.entries)
    # What adds the entries of a macro that makes a map.
    return isinstance(node, Call) and node.function == "cel.@mapInsert" and _may_have_elements(node.args[-1])


def _may_have_elements(node: Node) -> bool:
    # Attributes are lists of scalars at most.
    return device_path(node) is None and not _is_flat(unwrapped(node.type)[0] if node.type else None)


def _is_flat(found: Type | None) -> bool:
    return found is not None and found.kind in _FLAT


def weight(value: Value, known: dict[int, int]) -> int:
    """Elements of a value and of all that it holds, each as often as it hangs there; 0 for a scalar.

    ``known`` are weights by identity, so that this takes no longer than it took to make the value.
    """
    if type(value) is Optional:
        return weight(value.value, known) if value.has_value and not value.loss else 0
    if type(value) is not list and not isinstance(value, dict):
        return 0
    found = known.get(id(value))
    if found is None:
        elements = value.values() if isinstance(value, dict) else value
        found = known[id(value)] = len(value) + sum([weight(element, known) for element in elements])
    return found


def weighed(step: Step, function: str) -> Step:
    """``step``, an operand of ``function``, counting what its elements hold."""
    if isinstance(step, Constant) and not _nested_weight(step.value):
        return step
    pairs, is_refused = function in _PAIRING, function == "distinct"

    def counted(frame: Frame) -> Value:
        value = step(frame)
        if is_refused and type(value) is list and len(value) > _MOST_COMPARED:
            return value
        added = _nested_weight(value)
        if added:
            if pairs:
                added *= len(cast("list[Value]", value))
            WORK.spend(added * _ELEMENT)
        return value

    return counted


def _nested_weight(value: Value) -> int:
    """What the elements of a value hold beyond themselves, which upstream charges."""
    if type(value) is Optional:
        return _nested_weight(value.value) if value.has_value and not value.loss else 0
    if type(value) is not list and not isinstance(value, dict):
        return 0
    return weight(value, {}) - len(value)
