"""CEL's conversions between its basic types, as ``ConvertToType`` makes them in ``cel-go/common/types``."""

from __future__ import annotations

from math import isnan

from dractl.cel.common import times
from dractl.cel.common.arithmetic import INT64_MAX, INT64_MIN, UINT64_MAX, int64, timestamp, uint64
from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.numbers import double_of, double_text, signed_of, unsigned_of
from dractl.cel.common.operators import runtime_type
from dractl.cel.common.overload import Overload, overload
from dractl.cel.common.types import Type
from dractl.cel.common.values import Duration, Timestamp, Uint, Value, text_of_bytes

_TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
_FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})


def _same(value: Value) -> Value:
    return value


def _type(value: Value) -> Type:
    return runtime_type(value)


def _bool_of_text(text: str) -> bool:
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise EvaluationError(f"{text!r} is not a bool")


def _int_of_double(value: float) -> int:
    if isnan(value) or not float(INT64_MIN) < value < float(INT64_MAX):
        raise EvaluationError("the double does not fit into an integer")
    return int(value)


def _uint_of_double(value: float) -> Uint:
    if isnan(value) or not 0 <= value < float(UINT64_MAX):
        raise EvaluationError("the double does not fit into an unsigned integer")
    return Uint(int(value))


def _text_of_bool(value: Value) -> str:
    return "true" if value else "false"


def _seconds(value: Timestamp) -> int:
    return value.nanoseconds // 10**9


def _nanoseconds(value: Duration) -> int:
    return value.nanoseconds


def _no_duration(value: int) -> Duration:
    raise EvaluationError(f"{value} has no unit; use a duration such as duration('{value}s')")


DURATION_OF_INT_136: tuple[Overload, ...] = (
    overload("duration", "int64_to_duration", "(int) -> duration", _no_duration, doc="always an error"),
)

OVERLOADS: tuple[Overload, ...] = (
    overload("type", "type", "(A) -> type(A)", _type, doc="the type of the value"),
    overload("dyn", "to_dyn", "(A) -> dyn", _same, cost="dyn", doc="the value, with dynamic type"),
    overload("bool", "bool_to_bool", "(bool) -> bool", _same),
    overload("bool", "string_to_bool", "(string) -> bool", _bool_of_text),
    overload("bytes", "bytes_to_bytes", "(bytes) -> bytes", _same),
    overload("bytes", "string_to_bytes", "(string) -> bytes", str.encode, cost="string-to-bytes"),
    overload("double", "double_to_double", "(double) -> double", _same),
    overload("double", "int64_to_double", "(int) -> double", float),
    overload("double", "string_to_double", "(string) -> double", double_of),
    overload("double", "uint64_to_double", "(uint) -> double", float),
    overload("duration", "duration_to_duration", "(duration) -> duration", _same),
    overload("duration", "string_to_duration", "(string) -> duration", times.duration_of),
    overload("int", "int64_to_int64", "(int) -> int", _same),
    overload("int", "double_to_int64", "(double) -> int", _int_of_double),
    overload("int", "duration_to_int64", "(duration) -> int", _nanoseconds),
    overload("int", "string_to_int64", "(string) -> int", signed_of),
    overload("int", "timestamp_to_int64", "(timestamp) -> int", _seconds),
    overload("int", "uint64_to_int64", "(uint) -> int", lambda value: int64(int(value))),
    overload("string", "string_to_string", "(string) -> string", _same),
    overload("string", "bool_to_string", "(bool) -> string", _text_of_bool),
    overload("string", "bytes_to_string", "(bytes) -> string", text_of_bytes, cost="bytes-to-string"),
    overload("string", "double_to_string", "(double) -> string", double_text),
    overload("string", "duration_to_string", "(duration) -> string", times.duration_text),
    overload("string", "int64_to_string", "(int) -> string", str),
    overload("string", "timestamp_to_string", "(timestamp) -> string", times.timestamp_text),
    overload("string", "uint64_to_string", "(uint) -> string", lambda value: str(int(value))),
    overload("timestamp", "timestamp_to_timestamp", "(timestamp) -> timestamp", _same),
    overload("timestamp", "int64_to_timestamp", "(int) -> timestamp", lambda value: timestamp(value * 10**9)),
    overload("timestamp", "string_to_timestamp", "(string) -> timestamp", times.timestamp_of),
    overload("uint", "uint64_to_uint64", "(uint) -> uint", _same),
    overload("uint", "double_to_uint64", "(double) -> uint", _uint_of_double),
    overload("uint", "int64_to_uint64", "(int) -> uint", uint64),
    overload("uint", "string_to_uint64", "(string) -> uint", unsigned_of),
)
