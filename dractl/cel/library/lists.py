"""Lists: Kubernetes' functions (``library/lists.go``) and those of cel-go's extension (``ext/lists.go``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key

from dractl.cel.common.arithmetic import add, bounded
from dractl.cel.common.environment import MAX_COST
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.operators import compare, contains, equal, no_overload, not_comparable, type_name
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import Duration, Uint, Value
from dractl.cel.common.work import WORK

_COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_CLASSES_WITH_ORDER = frozenset({"int", "uint", "double", "bool", "string", "bytes"}) | frozenset(
    {"google.protobuf.Duration", "google.protobuf.Timestamp"}
)
_MAX_RANGE = 1_000_000
_MAX_VALUES = 48
"""Most values of an attribute (``ResourceSliceMaxAttributeValuesPerDevice``)."""

_COMPARISON = 4
"""Steps of comparing two elements to sort them."""

_ZEROS: dict[str, Value] = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}


def _checked(value: Value) -> Value:
    if type_name(value) not in _CLASSES_WITH_ORDER:
        not_comparable(value, value)
    return value


def _order(left: Value, right: Value) -> int:
    """The order of two elements; 0 where they have none, since upstream only looks for one sign."""
    try:
        return compare(left, right)
    except EvaluationError:
        return 0


def _is_sorted(values: list[Value]) -> bool:
    previous = None
    for position, value in enumerate(values):
        _checked(value)
        if position and _order(previous, value) > 0:
            return False
        previous = value
    return True


def _sum_from(zero: Value) -> Callable[[list[Value]], Value]:
    def summed(values: list[Value]) -> Value:
        total = zero
        for value in values:
            total = add(total, value)
        return total

    return summed


def _extreme(name: str, sign: int) -> Callable[[list[Value]], Value]:
    def found(values: list[Value]) -> Value:
        if not values:
            raise EvaluationError(f"{name}() of an empty list")
        best = _checked(values[0])
        for value in values[1:]:
            if _order(best, _checked(value)) == sign:
                best = value
        return best

    return found


def _same(left: Value, right: Value) -> bool:
    try:
        return equal(left, right)
    except EvaluationError:
        return False


def _index_of(values: list[Value], item: Value) -> int:
    for position, value in enumerate(values):
        if _same(value, item):
            return position
    return -1


def _last_index_of(values: list[Value], item: Value) -> int:
    for position in range(len(values) - 1, -1, -1):
        if _same(values[position], item):
            return position
    return -1


def _includes(target: Value, item: Value) -> bool:
    if type(target) is list:
        return any(_same(value, item) for value in target)
    return _same(target, item)


def _includes_136(target: Value, item: Value) -> bool:
    """As in 1.36, which looked at no more elements than an attribute may have."""
    if type(target) is not list:
        return _same(target, item)
    if any(_same(value, item) for value in target[:_MAX_VALUES]):
        return True
    if len(target) > _MAX_VALUES:
        raise EvaluationError(f"includes() accepts lists of at most {_MAX_VALUES} elements")
    return False


def _slice(values: list[Value], start: int, end: int) -> list[Value]:
    if start < 0 or end < 0 or start > end or end > len(values):
        raise EvaluationError(f"slice({start}, {end}) is out of range for a list of size {len(values)}")
    return values[start:end]


def _flattened(values: list[Value], depth: int) -> list[Value]:
    if depth < 0:
        raise EvaluationError("the depth of flatten() must not be negative")
    WORK.spend(len(values))
    found: list[Value] = []
    for value in values:
        if type(value) is not list or depth == 0:
            found.append(value)
        else:
            found += _flattened(value, depth - 1)
    return found


def _flatten(values: Value, depth: Value = 1) -> list[Value]:
    if type(values) is not list or type(depth) is not int:
        no_overload("flatten()", values, depth)
    return _flattened(values, depth)


def _sort(values: list[Value]) -> list[Value]:
    return _sort_by_keys(values, values)


def _sort_by_keys(values: Value, keys: Value) -> list[Value]:
    if type(values) is not list or type(keys) is not list:
        no_overload("sortBy()", values, keys)
    if len(values) != len(keys):
        raise EvaluationError("sortBy() must have one key per element")
    if len(keys) > 1 and any(type(key) is not type(keys[0]) for key in keys):
        raise EvaluationError("the elements of a sorted list must have one type")
    if keys:
        _checked(keys[0])
    WORK.spend(len(keys) * len(keys).bit_length() * _COMPARISON)
    key_of = cmp_to_key(_order)
    order = sorted(range(len(values)), key=lambda position: key_of(keys[position]))
    return [values[position] for position in order]


def _range(size: int) -> list[int]:
    if not 0 <= size <= _MAX_RANGE:
        raise EvaluationError(f"lists.range() requires a number from 0 to {_MAX_RANGE:,}")
    return _range_list(size)


def _range_136(size: int) -> list[int]:
    """As up to 1.36: any number is taken, where only dractl's own limit helps."""
    return _range_list(size)


def _range_list(size: int) -> list[int]:
    WORK.spend(max(size, 0))
    return list(range(size))


def _reverse(values: list[Value]) -> list[Value]:
    return values[::-1]


def _distinct(values: list[Value]) -> list[Value]:
    if all(type(value) is str for value in values):
        return list(dict.fromkeys(values))
    # Comparing each with each costs twice the square, which the limit of an evaluation allows up to here.
    bounded(2 * len(values) ** 2, MAX_COST)
    found: list[Value] = []
    for value in values:
        if not contains(value, found):
            found.append(value)
    return found


def _rows() -> list[Overload]:
    rows = []
    for kind in _COMPARABLE:
        doc = "whether the elements are in ascending order"
        rows.append(
            overload(
                "isSorted",
                f"list_{kind}_is_sorted_bool",
                f"list({kind}).() -> bool",
                _is_sorted,
                cost="traverse",
                doc=doc,
            )
        )
    for kind, zero in _ZEROS.items():
        rows.append(
            overload(
                "sum",
                f"list_{kind}_sum_{kind}",
                f"list({kind}).() -> {kind}",
                _sum_from(zero),
                cost="traverse",
                doc="the sum of all elements",
            )
        )
    for name, sign, doc in (("max", -1, "the greatest element"), ("min", 1, "the least element")):
        rows += [
            overload(
                name,
                f"list_{kind}_{name}_{kind}",
                f"list({kind}).() -> {kind}",
                _extreme(name, sign),
                cost="traverse",
                doc=doc,
            )
            for kind in _COMPARABLE
        ]
    return rows


KUBERNETES: tuple[Overload, ...] = (
    *_rows(),
    overload(
        "indexOf",
        "list_a_index_of_int",
        "list(A).(A) -> int",
        _index_of,
        cost="traverse",
        doc="-1 if nowhere",
    ),
    overload(
        "lastIndexOf",
        "list_a_last_index_of_int",
        "list(A).(A) -> int",
        _last_index_of,
        cost="traverse",
        doc="-1 if nowhere",
    ),
)

INCLUDES: tuple[Overload, ...] = (
    overload(
        "includes",
        "list_includes_dyn_dyn",
        "dyn.(dyn) -> bool",
        _includes,
        cost="includes",
        doc="whether a list has such an element, or a scalar is equal",
    ),
)

INCLUDES_136: tuple[Overload, ...] = (
    INCLUDES[0]._replace(id="dra_includes_dyn_dyn", implementation=_includes_136, cost="includes-few"),
)

_SORTS = tuple(
    overload(
        "sort",
        f"list_{kind}_sort",
        f"list({kind}).() -> list({kind})",
        _sort,
        cost="sort-text" if kind in {"string", "bytes"} else "sort",
        doc="in ascending order",
    )
    for kind in _COMPARABLE
)
_SORTS_BY_KEYS = tuple(
    overload(
        "@sortByAssociatedKeys",
        f"list_{kind}_sortByAssociatedKeys",
        f"list(T).(list({kind})) -> list(T)",
        _sort_by_keys,
        cost="sort-keys-text" if kind in {"string", "bytes"} else "sort-keys",
    )
    for kind in _COMPARABLE
)

EXTENSION: tuple[Overload, ...] = (
    overload("slice", "list_slice", "list(T).(int, int) -> list(T)", _slice, cost="slice", doc="from, up to"),
    *_SORTS,
    *_SORTS_BY_KEYS,
    overload("reverse", "list_reverse", "list(T).() -> list(T)", _reverse, cost="reverse", doc="backwards"),
)

DISTINCT_137: tuple[Overload, ...] = (
    overload("distinct", "list_distinct", "list(T).() -> list(T)", _distinct, cost="distinct-1.37"),
)

DISTINCT: tuple[Overload, ...] = (DISTINCT_137[0]._replace(cost="distinct"),)
"""As since 1.38, which takes account of texts in the estimate, too."""

RANGE: tuple[Overload, ...] = (
    overload("lists.range", "lists_range", "(int) -> list(int)", _range, cost="range", doc="0, 1, 2 ..."),
)

RANGE_136: tuple[Overload, ...] = (RANGE[0]._replace(implementation=_range_136),)

FLATTEN: tuple[Overload, ...] = (
    overload("flatten", "list_flatten", "list(list(T)).() -> list(T)", _flatten, cost="flatten"),
    overload("flatten", "list_flatten_int", "list(dyn).(int) -> list(dyn)", _flatten, cost="flatten"),
)

FLATTEN_136: tuple[Overload, ...] = tuple(row._replace(cost="flatten-1.36") for row in FLATTEN)
