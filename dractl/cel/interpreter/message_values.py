"""What a message literal gives: the CEL value that stands for the message (``Registry.NewValue``)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from struct import pack, unpack
from typing import cast

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.messages import EMPTY, MESSAGES
from dractl.cel.common.operators import described
from dractl.cel.common.times import duration_text, timestamp_text
from dractl.cel.common.types import Type
from dractl.cel.common.values import Duration, Optional, Timestamp, Uint, Value
from dractl.cel.interpreter.steps import Frame, Step

_BILLION = 10**9
_INT32 = range(-(2**31), 2**31)
_INT64 = range(-(2**63), 2**63)
_UINT32 = range(2**32)
_YEARS = range(-62_135_596_800, 253_402_300_800)
"""The seconds of the years 1 to 9999."""

_EXACT = 2**53 - 1
"""Largest integer that JSON holds as a number; larger ones are texts there."""


class MessageValue:
    """A message that no other CEL value stands for; all that is known of it is its type."""

    __slots__ = ("cel_type",)

    cel_by_identity = True

    def __init__(self, cel_type: Type) -> None:
        """Hold the type."""
        self.cel_type = cel_type

    def cel_equal(self, other: Value) -> bool:
        """Whether the other one is such a message, too; these have no fields that could differ."""
        return type(other) is MessageValue and self.cel_type == other.cel_type


def message_step(name: str, fields: list[tuple[str, Step, bool]]) -> Step:
    """The step of a literal of message ``name``; the last part of a field tells whether it is optional.

    As ``evalObj``: an optional field without a value takes away what was before.
    """

    def step(frame: Frame) -> Value:
        given: dict[str, Value] = {}
        for field, operand, optional in fields:
            value = operand(frame)
            given.pop(field, None)
            if optional:
                if type(value) is not Optional:
                    raise EvaluationError("expected an optional value after ? in a message")
                if not value.has_value:
                    continue
                value = value.value
            given[field] = value
        return built(name, given)

    return step


def built(name: str, fields: dict[str, Value]) -> Value:
    """The value of a literal of message ``name`` with these values of fields, the last one written last.

    Raises EvaluationError where a value does not fit its field, and for what cannot be made.
    """
    make = _MAKERS.get(name)
    if make is None:
        raise EvaluationError(f"an expression cannot create values of type {name}")
    known = MESSAGES[name].fields
    converted = {}
    for field, value in fields.items():
        try:
            converted[field] = _CONVERSIONS[known[field].kind](value)
        except EvaluationError as error:
            raise EvaluationError(f"{name}.{field}: {error.message}") from None
    return make(converted)


def _unfit(value: Value, kind: str) -> EvaluationError:
    return EvaluationError(f"a field of kind {kind} cannot be {described(value)}")


def _of_class(wanted: type, kind: str) -> Callable[[Value], Value]:
    def converted(value: Value) -> Value:
        if type(value) is not wanted:
            raise _unfit(value, kind)
        return value

    return converted


def _within(wanted: type[int], kind: str, accepted: range) -> Callable[[Value], Value]:
    def converted(value: Value) -> Value:
        if type(value) is not wanted:
            raise _unfit(value, kind)
        # A range looks for what is of a subclass of int one by one.
        number = int(value)
        if number not in accepted:
            raise EvaluationError(f"{value!r} does not fit into 32 bits")
        return value

    return converted


def _null(value: Value) -> None:
    """Null, whatever number of the enumeration is given for it."""
    _within(int, "int32", _INT32)(value)


def _float32(value: Value) -> float:
    if type(value) is not float:
        raise _unfit(value, "float")
    try:
        rounded: float = unpack("<f", pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded


def _struct(value: Value) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise _unfit(value, "google.protobuf.Struct")
    return cast("dict[str, Value]", _json(value, {}))


def _list(value: Value) -> list[Value]:
    if type(value) is not list:
        raise _unfit(value, "google.protobuf.ListValue")
    return cast("list[Value]", _json(value, {}))


def _json(value: Value, known: dict[int, Value]) -> Value:
    """``value`` as ``google.protobuf.Value`` holds it; ``known`` are lists and maps already seen."""
    if type(value) is list or isinstance(value, dict):
        if id(value) not in known:
            known[id(value)] = _json_container(value, known)
        return known[id(value)]
    if type(value) is Optional and value.has_value:
        return _json(value.value, known)
    convert = _SCALARS.get(type(value))
    if convert is None:
        if type(value) is MessageValue and value.cel_type == EMPTY:
            return {}
        raise _unfit(value, "google.protobuf.Value")
    return convert(value)


def _json_container(value: list[Value] | dict[Value, Value], known: dict[int, Value]) -> Value:
    if isinstance(value, list):
        return [_json(element, known) for element in value]
    for key in value:
        if type(key) is not str:
            raise EvaluationError("keys of google.protobuf.Struct must be strings")
    return {key: _json(element, known) for key, element in value.items()}


def _number(value: int) -> float | str:
    return float(value) if -_EXACT <= value <= _EXACT else str(int(value))


_SCALARS: dict[type, Callable[..., Value]] = {
    type(None): lambda value: value,
    bool: lambda value: value,
    int: _number,
    Uint: _number,
    float: lambda value: value,
    str: lambda value: value,
    bytes: lambda value: b64encode(value).decode(),
    Duration: duration_text,
    Timestamp: timestamp_text,
}


def _nanoseconds(fields: dict[str, int]) -> int:
    return fields.get("seconds", 0) * _BILLION + fields.get("nanos", 0)


def _duration(fields: dict[str, int]) -> Duration:
    """Saturates, as ``AsDuration`` does."""
    return Duration(min(max(_nanoseconds(fields), _INT64.start), _INT64.stop - 1))


def _timestamp(fields: dict[str, int]) -> Timestamp:
    nanoseconds = _nanoseconds(fields)
    if nanoseconds // _BILLION not in _YEARS:
        raise EvaluationError("the time must be in the years 1 to 9999")
    return Timestamp(nanoseconds)


def _last(default: Value) -> Callable[[dict[str, Value]], Value]:
    """The only field that a message can have at a time: the one written last."""
    return lambda fields: next(reversed(fields.values()), default)


_CONVERSIONS: dict[str, Callable[[Value], Value]] = {
    "bool": _of_class(bool, "bool"),
    "bytes": _of_class(bytes, "bytes"),
    "double": _of_class(float, "double"),
    "float": _float32,
    "int32": _within(int, "int32", _INT32),
    "int64": _of_class(int, "int64"),
    "list": _list,
    "null": _null,
    "string": _of_class(str, "string"),
    "struct": _struct,
    "any": lambda value: _json(value, {}),
    "uint32": _within(Uint, "uint32", _UINT32),
    "uint64": _of_class(Uint, "uint64"),
}

_ZEROS = {"BoolValue": False, "BytesValue": b"", "DoubleValue": 0.0, "FloatValue": 0.0, "StringValue": ""}
_ZEROS |= {"Int32Value": 0, "Int64Value": 0, "UInt32Value": Uint(0), "UInt64Value": Uint(0)}


def _any(fields: dict[str, Value]) -> Value:
    """The value of the message in an Any."""
    from dractl.cel.interpreter.any_values import fields_in  # hardly any expression has one

    name, held = fields_in(cast("str", fields.get("type_url", "")), cast("bytes", fields.get("value", b"")))
    if name == "google.protobuf.Timestamp":
        # cel-go checks the years of a literal, not of a message within an Any.
        return Timestamp(_nanoseconds(cast("dict[str, int]", held)))
    made: Value = _MAKERS[name](held)
    return made


_MAKERS: dict[str, Callable[..., Value]] = {
    "google.protobuf.Any": _any,
    **{f"google.protobuf.{name}": _last(zero) for name, zero in _ZEROS.items()},
    "google.protobuf.Duration": _duration,
    "google.protobuf.Empty": lambda _: MessageValue(EMPTY),
    "google.protobuf.ListValue": _last([]),
    "google.protobuf.Struct": _last({}),
    "google.protobuf.Struct.FieldsEntry": lambda _: MessageValue(
        MESSAGES["google.protobuf.Struct.FieldsEntry"].type
    ),
    "google.protobuf.Timestamp": _timestamp,
    "google.protobuf.Value": _last(None),
}
