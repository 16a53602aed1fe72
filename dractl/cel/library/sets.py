"""Lists taken as sets, as ``cel-go/ext/sets.go``."""

from __future__ import annotations

from dractl.cel.common.arithmetic import bounded
from dractl.cel.common.environment import MAX_COST
from dractl.cel.common.operators import contains
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import Value


def _contains(values: list[Value], part: list[Value]) -> bool:
    bounded(len(values) * len(part), MAX_COST)
    return all(contains(item, values) for item in part)


def _equivalent(left: list[Value], right: list[Value]) -> bool:
    return _contains(left, right) and _contains(right, left)


def _intersects(left: list[Value], right: list[Value]) -> bool:
    bounded(len(left) * len(right), MAX_COST)
    return any(contains(item, right) for item in left)


OVERLOADS: tuple[Overload, ...] = (
    overload(
        "sets.contains",
        "list_sets_contains_list",
        "(list(T), list(T)) -> bool",
        _contains,
        cost="sets-contains",
        doc="whether the first has all elements of the second",
    ),
    overload(
        "sets.equivalent",
        "list_sets_equivalent_list",
        "(list(T), list(T)) -> bool",
        _equivalent,
        cost="sets-equivalent",
        doc="whether both have the same elements",
    ),
    overload(
        "sets.intersects",
        "list_sets_intersects_list",
        "(list(T), list(T)) -> bool",
        _intersects,
        cost="sets-contains",
        doc="whether they have an element in common",
    ),
)
