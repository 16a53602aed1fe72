"""What operators do with values: equality, order, arithmetic, membership, selection (``common/types``)."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any, NoReturn, cast

from dractl.api.quantity import Quantity
from dractl.api.semver import Semver
from dractl.cel.common import types
from dractl.cel.common.errors import EvaluationError, StoppedError
from dractl.cel.common.type_words import in_words, listed
from dractl.cel.common.types import Type
from dractl.cel.common.values import (
    BOOL_KEYS,
    DefaultMap,
    Duration,
    FieldMap,
    MutableQuantity,
    OddKey,
    Optional,
    PartialMap,
    SumQuantity,
    Timestamp,
    Uint,
    Value,
)
from dractl.cel.common.work import WORK

if TYPE_CHECKING:
    from dractl.cel.common.values import LibraryValue

RUNTIME_TYPES: dict[type, Type] = {
    bool: types.BOOL,
    int: types.INT,
    Uint: types.UINT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    type(None): types.NULL,
    list: Type("list", "list"),
    dict: Type("map", "map"),
    DefaultMap: Type("map", "map"),
    FieldMap: Type("map", "map"),
    PartialMap: Type("map", "map"),
    Optional: Type("opaque", "optional_type"),
    Duration: types.DURATION,
    Timestamp: types.TIMESTAMP,
    Quantity: types.QUANTITY,
    MutableQuantity: types.QUANTITY,
    SumQuantity: types.QUANTITY,
    Semver: types.SEMVER,
    Type: Type("type", "type"),
}
"""The CEL type of a value by its Python class; libraries with classes of their own add theirs."""


UNHASHABLE = frozenset({Semver, bytes})
"""Classes whose values upstream cannot look up in a set of constants; it fails instead of saying no."""


HASHED = frozenset({str, int, float, bool, Uint})
"""Classes of the elements of a list that upstream turns into a set to look in."""

QUALIFIERS = frozenset({str, int, Uint, bool, float})
"""Classes of constants that may be in the brackets of an index."""

CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that upstream computes while planning, where their argument is a constant."""


def is_unhashable(value: Value) -> bool:
    """Whether Go cannot hash the value, so that it ends the evaluation instead of looking it up."""
    return type(value) in UNHASHABLE or hasattr(value, "cel_unhashable")


def not_hashable(value: Value) -> NoReturn:
    """Raise StoppedError, as upstream's interpreter gives up when it looks such a value up."""
    raise StoppedError(f"{described(value)} cannot be looked up here, so evaluation fails")


def type_name(value: Value) -> str:
    """The name of the value's CEL type, for messages."""
    found = RUNTIME_TYPES.get(type(value))
    return found.name if found else runtime_type(value).name


def runtime_type(value: Value) -> Type:
    """The CEL type of a value, without parameters."""
    found = RUNTIME_TYPES.get(type(value))
    if found is None:
        # Values of the libraries know their type themselves.
        return cast("LibraryValue", value).cel_type
    return found


def no_overload(operation: str, *values: Value) -> NoReturn:
    """Raise the error of a function that does not take values of these types."""
    raise EvaluationError(f"{operation} does not accept {listed(map(described, values))}")


def not_comparable(left: Value, right: Value) -> NoReturn:
    """Raise the error of values without an order, or of types that have none between them."""
    found = (runtime_type(left), runtime_type(right))
    message = f"cannot compare {in_words(found[0])} with {in_words(found[1])}"
    if types.STRING in found:
        message += "".join(advice for own, advice in _CONSTANTS.items() if own in found)
    raise EvaluationError(message)


_CONSTANTS = {
    types.QUANTITY: '; write a quantity as `quantity("1Gi")`',
    types.SEMVER: '; write a version as `semver("1.0.0")`',
}


def described(value: Value) -> str:
    """A value by its type, in plain words: ``a version``."""
    return in_words(runtime_type(value))


# Equality


def equal(left: Value, right: Value) -> bool:
    """Whether ``left == right``, as ``types.Equal``; numbers compare across types.

    Not symmetric: a Quantity, a Semver and the like on the left raise EvaluationError for another type
    on the right, which on their left gives false.
    """
    if left is None or right is None:
        return left is None and right is None
    left_class = type(left)
    if left_class is str:
        return type(right) is str and bool(left == right)
    if left_class is bool:
        return type(right) is bool and left is right
    if left_class is int or left_class is Uint or left_class is float:
        return type(right) in _NUMBERS and _compare_numbers(left, right) == 0
    special = _EQUAL.get(left_class)
    if special is not None:
        return special(left, right)
    return cast("LibraryValue", left).cel_equal(right)


def _equal_quantity(left: Quantity, right: Value) -> bool:
    if type(right) is not Quantity and type(right) is not MutableQuantity:
        if type(right) is SumQuantity:
            raise EvaluationError("a sum or difference of quantities is allowed only on the left of ==")
        not_comparable(left, right)
    return left.compare(right) == 0


def _equal_semver(left: Semver, right: Value) -> bool:
    if type(right) is not Semver:
        not_comparable(left, right)
    return left == right


def _equal_same_class(left: Value, right: Value) -> bool:
    return type(left) is type(right) and bool(left == right)


def _equal_types(left: Type, right: Value) -> bool:
    return type(right) is Type and left.name == right.name


def _equal_optional(left: Optional, right: Value) -> bool:
    if type(right) is not Optional or left.has_value != right.has_value:
        return False
    if not left.has_value:
        return True
    value = left.value
    if right.loss or (right.value is None and value is not None):
        return _equal_to_nothing(value)
    return equal(value, right.value)


def _equal_to_nothing(value: Value) -> bool:
    """What comparing with null gives where upstream asks the value itself, as optionals do: false at best."""
    if isinstance(value, (Quantity, Semver)) or hasattr(value, "cel_equal"):
        not_comparable(value, None)
    return False


def _not_unequal(left: Value, right: Value) -> bool:
    """Whether two elements are not found to differ: upstream takes an error for equality there."""
    try:
        return equal(left, right)
    except EvaluationError:
        return True


def _equal_lists(left: list[Value], right: Value) -> bool:
    if type(right) is not list or len(left) != len(right):
        return False
    WORK.spend(len(left))
    return all(map(_not_unequal, left, right))


def _equal_maps(left: dict[Value, Value], right: Value) -> bool:
    if not isinstance(right, dict) or len(left) != len(right):
        return False
    WORK.spend(len(left))
    for key, value in left.items():
        found, other = found_in_map(right, value_of_key(key))
        if not found:
            return False
        if not _not_unequal(value, other):
            return False
    return True


_NUMBERS = frozenset({int, Uint, float})
_EQUAL: dict[type, Callable[..., bool]] = {
    Quantity: _equal_quantity,
    MutableQuantity: _equal_quantity,
    SumQuantity: _equal_quantity,
    Semver: _equal_semver,
    bytes: _equal_same_class,
    Duration: _equal_same_class,
    Timestamp: _equal_same_class,
    list: _equal_lists,
    dict: _equal_maps,
    DefaultMap: _equal_maps,
    FieldMap: _equal_maps,
    PartialMap: _equal_maps,
    Optional: _equal_optional,
    Type: _equal_types,
}

# Order


def _order_of(left: Any, right: Any) -> int:
    return bool(left > right) - bool(left < right)


def _compare_numbers(left: Any, right: Any) -> int:
    if type(left) is float or type(right) is float:
        first, second = float(left), float(right)
        return (first > second) - (first < second) if not (isnan(first) or isnan(second)) else 2
    return _order_of(left, right)


def compare(left: Value, right: Value) -> int:
    """-1, 0 or 1; raises EvaluationError where the two have no order."""
    left_class, right_class = type(left), type(right)
    if left_class in _NUMBERS and right_class in _NUMBERS:
        order = _compare_numbers(left, right)
        if order == 2:
            raise EvaluationError("NaN cannot be ordered")
        return order
    if left_class is right_class and left_class in _ORDERED:
        return _order_of(left, right)
    return not_comparable(left, right)


_ORDERED = frozenset({bool, str, bytes, Duration, Timestamp})

# Lists and maps


def key_of(value: Value) -> Value:
    """A value as the key of a dict; raises StoppedError for what Go cannot make a key."""
    kind = type(value)
    if kind is str or kind is int or kind is Uint:
        return value
    if kind is bool:
        return BOOL_KEYS[value]
    if is_unhashable(value):
        not_hashable(value)
    return OddKey(value)


def value_of_key(key: Value) -> Value:
    """A dict's key as a CEL value."""
    return key.value if type(key) is OddKey else key


def found_in_map(mapping: dict[Value, Value], key: Value) -> tuple[bool, Value]:
    """Whether ``mapping`` has ``key``, and the value; a number may be of another type than the key."""
    kind = type(key)
    if kind is str or kind is int or kind is Uint:
        if key in mapping:
            return True, mapping[key]
    elif kind is bool:
        bool_key = BOOL_KEYS[key]
        if bool_key in mapping:
            return True, mapping[bool_key]
    elif mapping and type(mapping) is dict:
        return _found_by_odd_key(mapping, key)
    if type(mapping) is DefaultMap:
        return True, {}
    return False, None


def _found_by_odd_key(mapping: dict[Value, Value], key: Any) -> tuple[bool, Value]:
    """Whether ``mapping`` has what is neither a string nor an integer; a double may be such a number."""
    if is_unhashable(key):
        not_hashable(key)
    odd = OddKey(key)
    if odd in mapping:
        return True, mapping[odd]
    if type(key) is float and isfinite(key) and abs(key) < 2**64 and key == int(key) and int(key) in mapping:
        return True, mapping[int(key)]
    return False, None


def contains(item: Value, container: Value) -> bool:
    """``item in container``, as ``inAggregate``; an error of a single comparison counts as different."""
    if type(container) is list:
        WORK.spend(len(container))
        for element in container:
            try:
                if equal(item, element):
                    return True
            except EvaluationError:
                continue
        return False
    if isinstance(container, dict):
        if type(container) is DefaultMap:
            return type(item) is str and item in container
        if type(container) is PartialMap:
            return type(item) is str and container.can_use(item)
        return found_in_map(container, item)[0]
    return no_overload("in", item, container)


def list_index(index: Any) -> int:
    """``index`` as a position in a list; raises EvaluationError for what is not a whole number."""
    kind = type(index)
    if kind is int or kind is Uint:
        return int(index)
    if kind is float and isfinite(index) and abs(index) < 2**63 and index == int(index):
        return int(index)
    raise EvaluationError(f"invalid list index {index!r}; use an int")


GUARD = "guard it with `has(...)`, or use `.?` with `orValue(...)`"
"""The advice on a key that some devices have and others lack."""


def missing_key(key: Value) -> EvaluationError:
    """The error of a key that a map does not have."""
    return EvaluationError(f"no such key: {_shown(key)}; {GUARD}")


def _shown(key: Value) -> str:
    return f"{key!r}" if type(key) is str else str(key)


def _selects_nothing(key: Value) -> NoReturn:
    raise EvaluationError(f"{described(key)} cannot be a key")


def selected(operand: Value, key: Value) -> Value:
    """The element of a map or list at ``key``; raises EvaluationError if missing."""
    if type(key) not in QUALIFIERS:
        _selects_nothing(key)
    if isinstance(operand, dict):
        found, value = found_in_map(operand, key)
        if found:
            return value
        raise missing_key(key)
    if type(operand) is list:
        position = list_index(key)
        if 0 <= position < len(operand):
            return operand[position]
        raise EvaluationError(f"index {position} is out of range for a list of size {len(operand)}")
    raise EvaluationError(f"no such key: {_shown(key)}; {described(operand)} has no keys")


def selected_if_present(operand: Value, key: Value) -> tuple[bool, Value]:
    """Whether ``key`` has an element, and the element; a value without elements has none."""
    if type(key) not in QUALIFIERS:
        _selects_nothing(key)
    if isinstance(operand, dict):
        return found_in_map(operand, key)
    if type(operand) is list:
        position = list_index(key)
        if 0 <= position < len(operand):
            return True, operand[position]
    return False, None
