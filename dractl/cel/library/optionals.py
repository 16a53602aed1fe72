"""Optional values, as cel-go's ``OptionalTypes``."""

from __future__ import annotations

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.values import NONE, DefaultMap, Duration, Optional, Timestamp, Value

_YEAR_ONE = Timestamp(-62_135_596_800 * 10**9)
"""The point of time that Go takes for none."""


def _is_zero(value: Value) -> bool:
    """Whether upstream takes a value for empty: an optional without value and the device's maps are not."""
    if type(value) is DefaultMap:
        return False
    if isinstance(value, (str, bytes, list, dict, bool, int, float, type(None))):
        return not value
    return (type(value) is Duration and value.nanoseconds == 0) or value == _YEAR_ONE


def _non_zero(value: Value) -> Optional:
    return NONE if _is_zero(value) else Optional(value)


def _value(optional: Optional) -> Value:
    if not optional.has_value:
        raise EvaluationError("the optional has no value; guard it with `hasValue()`, or use `orValue(...)`")
    return optional.value


def _has_value(optional: Optional) -> bool:
    return optional.has_value


def _none() -> Optional:
    return NONE


def _unwrapped(optionals: list[Value]) -> list[Value]:
    found = []
    for optional in optionals:
        if type(optional) is not Optional:
            raise EvaluationError("the list to unwrap contains a value that is not optional")
        if optional.has_value:
            found.append(optional.value)
    return found


def _first(values: list[Value]) -> Optional:
    return Optional(values[0]) if values else NONE


def _last(values: list[Value]) -> Optional:
    return Optional(values[-1]) if values else NONE


OVERLOADS: tuple[Overload, ...] = (
    overload("optional.of", "optional_of", "(V) -> optional(V)", Optional, doc="an optional with that value"),
    overload(
        "optional.ofNonZeroValue",
        "optional_ofNonZeroValue",
        "(V) -> optional(V)",
        _non_zero,
        doc="the value, or no value if it is empty, zero or false",
    ),
    overload("optional.none", "optional_none", "() -> optional(V)", _none, doc="no value"),
    overload("value", "optional_value", "optional(V).() -> V", _value, doc="the value; an error if absent"),
    overload(
        "hasValue", "optional_hasValue", "optional(V).() -> bool", _has_value, doc="whether it has a value"
    ),
    overload(
        "or",
        "optional_or_optional",
        "optional(V).(optional(V)) -> optional(V)",
        doc="the first optional with a value",
    ),
    overload("orValue", "optional_orValue_value", "optional(V).(V) -> V", doc="the value, or a default"),
    overload("_?._", "select_optional_field", "(dyn, string) -> optional(V)", doc="the field, if present"),
    overload("_[?_]", "list_optindex_optional_int", "(list(V), int) -> optional(V)"),
    overload("_[?_]", "optional_list_optindex_optional_int", "(optional(list(V)), int) -> optional(V)"),
    overload("_[?_]", "map_optindex_optional_value", "(map(K,V), K) -> optional(V)"),
    overload("_[?_]", "optional_map_optindex_optional_value", "(optional(map(K,V)), K) -> optional(V)"),
    overload("_[_]", "optional_list_index_int", "(optional(list(V)), int) -> optional(V)"),
    overload("_[_]", "optional_map_index_value", "(optional(map(K,V)), K) -> optional(V)"),
)

LISTS: tuple[Overload, ...] = (
    overload("first", "list_first", "list(V).() -> optional(V)", _first, doc="the first element, if any"),
    overload("last", "list_last", "list(V).() -> optional(V)", _last, doc="the last element, if any"),
    overload("optional.unwrap", "optional_unwrap", "(list(optional(V))) -> list(V)", _unwrapped),
    overload("unwrapOpt", "optional_unwrapOpt", "list(optional(V)).() -> list(V)", _unwrapped),
)
