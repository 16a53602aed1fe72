"""Steps that look an attribute up and test it at one go, which is what selectors do most.

Each does what the steps would do that it stands for, with fewer calls: the class of the value tells the usual
case, and all else goes the general way.
"""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common import operators
from dractl.cel.common.device_paths import device_path
from dractl.cel.common.operators import missing_key
from dractl.cel.common.tree import Call, ListNode, Literal, Node, Select, operands_of
from dractl.cel.common.values import Value
from dractl.cel.interpreter.steps import (
    INT_ORDERS,
    Frame,
    Step,
    equality,
    int_order,
    matcher,
    membership,
)
from dractl.cel.regex import regex

_Path = tuple[str, str, str]
_Maker = Callable[[Call, _Path, Node], "Step | None"]


def fused_call(node: Call) -> Step | None:
    """The step of a call that tests an attribute or a capacity with a constant; None for any other call."""
    maker = _MAKERS.get(node.function)
    operands = operands_of(node)
    if maker is None or len(operands) != 2:
        return None
    path = device_path(operands[0])
    return maker(node, (path[0], path[1], path[2]), operands[1]) if path and len(path) == 3 else None


def fused_presence(node: Select) -> Step | None:
    """The step of ``has(device.attributes[domain].name)``; None for another field."""
    path = device_path(node.operand)
    if path is None or len(path) != 2:
        return None
    field, domain = path
    name = node.field
    return lambda frame: name in frame[0][field][domain]


def _equals(_node: Call, path: _Path, right: Node) -> Step | None:
    if not isinstance(right, Literal) or type(right.value) not in {str, int, bool}:
        return None
    constant, general = right.value, equality(right.value)
    kind = type(constant)
    field, domain, name = path

    def step(frame: Frame) -> bool:
        try:
            value = frame[0][field][domain][name]
        except KeyError:
            raise missing_key(name) from None
        return bool(value == constant) if type(value) is kind else general(value)

    return step


def _order(node: Call, path: _Path, right: Node) -> Step | None:
    if not isinstance(right, Literal) or type(right.value) is not int:
        return None
    constant, order, general = right.value, INT_ORDERS[node.function], int_order(node.function, right.value)
    field, domain, name = path

    def step(frame: Frame) -> bool:
        try:
            value = frame[0][field][domain][name]
        except KeyError:
            raise missing_key(name) from None
        return order(value, constant) if type(value) is int else general(value)

    return step


def _in(node: Call, path: _Path, right: Node) -> Step | None:
    if not isinstance(right, ListNode) or not right.elements or right.optional:
        return None
    elements = [element.value for element in right.elements if isinstance(element, Literal)]
    if len(elements) != len(right.elements) or not all(type(each) in operators.HASHED for each in elements):
        return None
    if [row.id for row in node.overloads] != ["in_list"]:
        return None
    strings, general = frozenset(each for each in elements if type(each) is str), membership(elements)
    field, domain, name = path

    def step(frame: Frame) -> bool:
        try:
            value = frame[0][field][domain][name]
        except KeyError:
            raise missing_key(name) from None
        return value in strings if type(value) is str else general(value)

    return step


def _matches(_node: Call, path: _Path, right: Node) -> Step | None:
    if not isinstance(right, Literal) or type(right.value) is not str or regex.problem_of(right.value):
        return None
    known = regex.compiled(right.value)
    if known.translation is None:
        return None
    search, cheap, general = known.translation.pattern.search, known.cheap, matcher(right.value)
    field, domain, name = path

    def step(frame: Frame) -> bool:
        try:
            value = frame[0][field][domain][name]
        except KeyError:
            raise missing_key(name) from None
        if type(value) is str and len(value) <= cheap:
            return search(value) is not None
        return general(value)

    return step


_TEXT_TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": str.__contains__,
    "endsWith": str.endswith,
    "startsWith": str.startswith,
}


def _text_test(node: Call, path: _Path, right: Node) -> Step | None:
    general = node.overloads[0].implementation
    if not isinstance(right, Literal) or type(right.value) is not str or general is None:
        return None
    part, test, otherwise = right.value, _TEXT_TESTS[node.function], general
    field, domain, name = path

    def step(frame: Frame) -> Value:
        try:
            value = frame[0][field][domain][name]
        except KeyError:
            raise missing_key(name) from None
        return test(value, part) if type(value) is str else otherwise(value, part)

    return step


_MAKERS: dict[str, _Maker] = {
    "_==_": _equals,
    "_<_": _order,
    "_<=_": _order,
    "_>_": _order,
    "_>=_": _order,
    "@in": _in,
    "matches": _matches,
    **dict.fromkeys(_TEXT_TESTS, _text_test),
}
