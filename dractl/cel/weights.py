"""The work of comparing and writing nested lists and maps, for which the server charges nothing.

A few bindings can make a list that holds another one a million times over, in the memory of a few elements.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dractl.cel.errors import StoppedError
from dractl.cel.steps import Constant, Frame, Step, device_path
from dractl.cel.tree import Call, ListNode, MapNode, Node, StructNode
from dractl.cel.types import Type, unwrapped
from dractl.cel.values import Optional

MAX_WEIGHT = 1_000_000
"""Elements within the elements of lists and maps that one evaluation may look at."""

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


def weight(value: Any, known: dict[int, int]) -> int:
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


def weighed(step: Step, function: str, slot: int) -> Step:
    """``step``, an operand of ``function``, counting in a slot of the frame what its elements hold.

    Ends the evaluation above MAX_WEIGHT.
    """
    if isinstance(step, Constant) and not _nested_weight(step.value):
        return step
    pairs = function in _PAIRING

    def counted(frame: Frame) -> Any:
        value = step(frame)
        added = _nested_weight(value)
        if added:
            if pairs:
                added *= len(value)
            before = frame[slot]
            frame[slot] = total = added + (before if type(before) is int else 0)
            if total > MAX_WEIGHT:
                raise StoppedError(
                    f"more than {MAX_WEIGHT:,} elements of nested lists and maps are looked at, "
                    "and the evaluation is stopped"
                )
        return value

    return counted


def _nested_weight(value: Any) -> int:
    """What the elements of a value hold beyond themselves, which upstream charges."""
    if type(value) is Optional:
        return _nested_weight(value.value) if value.has_value and not value.loss else 0
    if type(value) is not list and not isinstance(value, dict):
        return 0
    return weight(value, {}) - len(value)
