"""What a call really costs, by the names of rules that the library's table uses.

Mirrors ``interpreter/runtimecost.go`` of cel-go and ``CallCost`` of
``k8s.io/apiserver/pkg/cel/library/cost.go``. An argument or result that is an error has the size 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from dractl.api.quantity import Quantity
from dractl.api.semver import Semver
from dractl.cel.common.overload import Overload
from dractl.cel.common.values import Optional, Value

# ``StringTraversalCostFactor``, ``RegexStringLengthCostFactor`` and ``ListCreateBaseCost``, as in the
# estimate.
_TEXT = 0.1
_PATTERN = 0.25
_LIST_COST = 10

Rule = Callable[["list[Value]", Value], int]


def size_of(value: Value) -> int:
    """The size of a value: characters, bytes, elements or entries, and 1 for anything else."""
    if isinstance(value, (str, bytes, list, dict)):
        return len(value)
    if type(value) is Optional and value.has_value and not value.loss:
        return size_of(value.value)
    sized = getattr(value, "cel_size", None)
    return int(sized()) if sized is not None else 1


def _scaled(size: int, factor: float) -> int:
    return ceil(float(size) * factor)


def _text(position: int, times: int = 1) -> Rule:
    """The rule of a function that reads an argument once, or several times."""

    def rule(values: list[Value], _result: Value) -> int:
        return _scaled(size_of(values[position]) * times, _TEXT)

    return rule


def _shorter(values: list[Value], _result: Value) -> int:
    return _scaled(min(size_of(values[0]), size_of(values[1])), _TEXT)


def _equals(values: list[Value], result: Value) -> int:
    left = values[0]
    if isinstance(left, (Quantity, Semver)) or hasattr(left, "cel_equal"):
        return 1
    return _shorter(values, result)


def _concatenation(values: list[Value], _result: Value) -> int:
    return _scaled(size_of(values[0]) + size_of(values[1]), _TEXT)


def _contains(values: list[Value], _result: Value) -> int:
    return _scaled(size_of(values[0]), _TEXT) * _scaled(size_of(values[1]), _TEXT)


def _search(values: list[Value], _result: Value) -> int:
    # One more character, so that an expensive pattern is not free on an empty text.
    return _scaled(size_of(values[0]) + 1, _TEXT) * _scaled(size_of(values[1]), _PATTERN)


def _join(_values: list[Value], result: Value) -> int:
    return _scaled(size_of(result) * 2, _TEXT)


def _traversal(value: Value) -> int:
    # ``traversalCost`` counts bytes and rounds down, unlike all other rules: a text of nine bytes is free.
    if isinstance(value, str):
        return int(len(value.encode()) * _TEXT)
    if isinstance(value, bytes):
        return int(len(value) * _TEXT)
    if isinstance(value, list):
        return sum(map(_traversal, value))
    if isinstance(value, dict):
        return sum(_traversal(key) + _traversal(item) for key, item in value.items())
    return 1


def _traverse(values: list[Value], _result: Value) -> int:
    return _traversal(values[0])


def _contains_ip(values: list[Value], _result: Value) -> int:
    # The network is compared with as many bytes of the address, so its size counts twice.
    return _scaled(size_of(values[0]) * 2, _TEXT)


def _contains_ip_text(values: list[Value], result: Value) -> int:
    return _contains_ip(values, result) + _scaled(size_of(values[1]), _TEXT)


def _contains_cidr(values: list[Value], result: Value) -> int:
    return _contains_ip(values, result) + _scaled(size_of(values[0]), _TEXT) + 1


def _contains_cidr_text(values: list[Value], result: Value) -> int:
    return _contains_cidr(values, result) + _scaled(size_of(values[1]), _TEXT)


def _validate(values: list[Value], _result: Value) -> int:
    pattern_size = getattr(values[0], "pattern_size", None)
    if pattern_size is None:
        return 1
    return _scaled(size_of(values[1]) + 1, _TEXT) * _scaled(pattern_size, _PATTERN)


def _sets(factor: float) -> Rule:
    def rule(values: list[Value], _result: Value) -> int:
        return 1 + int(float(size_of(values[0]) * size_of(values[1])) * factor)

    return rule


def _new_list(factor: float, size: int) -> int:
    elements = int(float(size) * factor)
    # Go's conversion of what is beyond uint64 gives the highest bit alone on amd64.
    return (elements if -(2**63) < elements < 2**64 else 2**63) + 1 + _LIST_COST


def _listed(_values: list[Value], result: Value) -> int:
    return _new_list(1, size_of(result))


def _depth(values: list[Value]) -> float:
    return float(values[1]) if len(values) == 2 and type(values[1]) is int else 1.0


def _flatten(values: list[Value], _result: Value) -> int:
    depth = _depth(values)
    return _new_list(depth if depth >= 0 else 1.0, size_of(values[0]))


def _flatten_136(values: list[Value], _result: Value) -> int:
    """As up to 1.36, where a negative depth made the call cheaper than nothing."""
    return _new_list(_depth(values), size_of(values[0]))


def _compared(position: int) -> Rule:
    """The rule of a function that compares all elements of a list with each other."""

    def rule(values: list[Value], _result: Value) -> int:
        elements = values[position]
        first = elements[0] if isinstance(elements, list) and elements else None
        factor = 2.0 + (_TEXT if isinstance(first, (str, bytes)) else 0.0)
        return _new_list(factor, size_of(elements) ** 2)

    return rule


_KUBERNETES: dict[str, Rule] = {
    "equals": _equals,
    "find": _search,
    "parse": _text(0),
    "parse-sized": _text(0),
    "parse-twice": _text(0, 2),
    "traverse": _traverse,
    "includes": _traverse,
    "transform": _text(0),
    "replace": _text(0, 2),
    "split": _text(0, 2),
    "join": _join,
    "contains-ip": _contains_ip,
    "contains-ip-text": _contains_ip_text,
    "contains-cidr": _contains_cidr,
    "contains-cidr-text": _contains_cidr_text,
    "validate": _validate,
}
_UNDECIDED: dict[str, Rule] = {"contains-ip-text": _contains_ip, "contains-cidr-text": _contains_cidr}
"""What Kubernetes charges where only the evaluation tells that the other side is not a text."""

_SINGLE: dict[str, Rule] = {
    "shorter": _shorter,
    "concatenation": _concatenation,
    "in-list": lambda values, _result: size_of(values[1]),
    "affix": _text(1),
    "affix-of-text": _text(0),
    "contains": _contains,
    "matches": _search,
    "string-to-bytes": _text(0),
    "bytes-to-string": _text(0),
    "quote": _text(0),
    "format": _text(0),
    "sets-contains": _sets(1),
    "sets-equivalent": _sets(2),
    "slice": _listed,
    "range": _listed,
    "reverse": _listed,
    "flatten": _flatten,
    "flatten-1.36": _flatten_136,
    "distinct-1.37": _compared(0),
    "distinct": _compared(0),
    "sort": _compared(0),
    "sort-text": _compared(0),
    "sort-keys": _compared(1),
    "sort-keys-text": _compared(1),
}


_LISTING = frozenset({"slice", "range", "flatten"})
"""Rules that go by the list that comes out."""


def failing_rule(overloads: tuple[Overload, ...]) -> Rule:
    """The rule for a call that fails since 1.38, where a list that does not come out costs nothing."""
    rule = rule_of(overloads)
    if len(overloads) != 1 or overloads[0].cost not in _LISTING:
        return rule

    def failing(values: list[Value], result: Value) -> int:
        return 1 + _LIST_COST if isinstance(values[0], (list, int)) else rule(values, result)

    return failing


def _one(_values: list[Value], _result: Value) -> int:
    return 1


def rule_of(overloads: tuple[Overload, ...]) -> Rule:
    """The rule of a call with these overloads.

    cel-go charges by the overload, if the type checker found a single one; Kubernetes by the function.
    """
    # Where the checker left several overloads, ``OverloadID`` is empty and none of cel-go's cases applies;
    # the cases of Kubernetes go by the name of the function.
    name = overloads[0].cost
    if len(overloads) > 1:
        return _UNDECIDED.get(name) or _KUBERNETES.get(name) or _one
    return _KUBERNETES.get(name) or _SINGLE.get(name) or _one
