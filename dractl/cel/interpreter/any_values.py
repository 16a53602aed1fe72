"""What a ``google.protobuf.Any`` holds: the message that it names, read from its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import unpack
from typing import cast

from dractl.cel.common.errors import EvaluationError
from dractl.cel.common.stack import deep_stack
from dractl.cel.common.values import Uint, Value
from dractl.records import NamedTuple

__all__ = ["fields_in"]

_MOST_VARINT = 10
"""The most bytes of one number."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SIZES = {_FIXED64: 8, _FIXED32: 4}


class _InvalidError(Exception):
    """Bytes that are not a message."""


class _Row(NamedTuple):
    """A field of a message: its name, how it is encoded, and its value from the encoded one."""

    name: str
    wire: int
    read: Callable[..., Value]


def fields_in(type_url: str, data: bytes) -> tuple[str, dict[str, Value]]:
    """The message that an Any holds: its name and its fields; raises EvaluationError if it holds none.

    Mirrors ``Any.UnmarshalNew``. A field that the message does not have is skipped, as Go does.
    """
    name = type_url.rpartition("/")[2]
    rows = _MESSAGES.get(name)
    if rows is None:
        raise EvaluationError(f"google.protobuf.Any does not hold a known message: {type_url!r}")
    try:
        with deep_stack(len(data)):
            return name, _fields(rows, data)
    except _InvalidError:
        raise EvaluationError(f"the value of google.protobuf.Any is not a valid {name}") from None


def _fields(rows: dict[int, _Row], data: bytes) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for number, wire, raw in _entries(data):
        row = rows.get(number)
        if row is None or row.wire != wire:
            continue
        value = row.read(raw)
        if row.name in _REPEATED:
            value = _with(found.get(row.name), value)
        # Of a one-of the last one counts, and it counts as written last.
        found.pop(row.name, None)
        found[row.name] = value
    return found


def _with(before: Value, value: Value) -> Value:
    """The list or map ``before``, to which an element is added; ``value`` if it is the first."""
    if isinstance(before, dict):
        before.update(cast("dict[Value, Value]", value))
    elif isinstance(before, list):
        before.extend(cast("list[Value]", value))
    return value if before is None else before


def _entries(data: bytes) -> Iterator[tuple[int, int, int | bytes]]:
    """The number, the encoding and the encoded value of each field."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise _InvalidError
        if wire == _VARINT:
            raw: int | bytes
            raw, at = _varint(data, at)
        elif wire in _SIZES or wire == _BYTES:
            size, at = (_SIZES[wire], at) if wire in _SIZES else _varint(data, at)
            if at + size > len(data):
                raise _InvalidError
            raw, at = data[at : at + size], at + size
        else:
            raise _InvalidError
        yield number, wire, raw


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for position in range(at, min(at + _MOST_VARINT, len(data))):
        value |= (data[position] & 0x7F) << 7 * (position - at)
        if not data[position] & 0x80:
            return value & (1 << 64) - 1, position + 1
    raise _InvalidError


def _signed(bits: int) -> Callable[[int], int]:
    def read(raw: int) -> int:
        value = raw & (1 << bits) - 1
        return value - (1 << bits) if value >> bits - 1 else value

    return read


def _string(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise _InvalidError from None


def _value(raw: bytes) -> Value:
    """A ``google.protobuf.Value``; null without any member."""
    return next(reversed(_fields(_VALUE, raw).values()), None)


def _struct(raw: bytes) -> Value:
    return _fields(_STRUCT, raw).get("fields", {})


def _entry(raw: bytes) -> Value:
    fields = _fields(_ENTRY, raw)
    return {cast("str", fields.get("key", "")): fields.get("value")}


def _list(raw: bytes) -> Value:
    return _fields(_LIST, raw).get("values", [])


_REPEATED = frozenset({"fields", "values"})
_INT32, _INT64 = _signed(32), _signed(64)
_ENTRY = {1: _Row("key", _BYTES, _string), 2: _Row("value", _BYTES, _value)}
_STRUCT = {1: _Row("fields", _BYTES, _entry)}
_LIST = {1: _Row("values", _BYTES, lambda raw: [_value(raw)])}
_VALUE = {
    1: _Row("null_value", _VARINT, lambda _: None),
    2: _Row("number_value", _FIXED64, lambda raw: unpack("<d", raw)[0]),
    3: _Row("string_value", _BYTES, _string),
    4: _Row("bool_value", _VARINT, bool),
    5: _Row("struct_value", _BYTES, _struct),
    6: _Row("list_value", _BYTES, _list),
}
_TIME = {1: _Row("seconds", _VARINT, _INT64), 2: _Row("nanos", _VARINT, _INT32)}
_WRAPPERS: dict[str, tuple[int, Callable[..., Value]]] = {
    "BoolValue": (_VARINT, bool),
    "BytesValue": (_BYTES, lambda raw: raw),
    "DoubleValue": (_FIXED64, lambda raw: unpack("<d", raw)[0]),
    "FloatValue": (_FIXED32, lambda raw: unpack("<f", raw)[0]),
    "Int32Value": (_VARINT, _INT32),
    "Int64Value": (_VARINT, _INT64),
    "StringValue": (_BYTES, _string),
    "UInt32Value": (_VARINT, lambda raw: Uint(raw & (1 << 32) - 1)),
    "UInt64Value": (_VARINT, Uint),
}
_MESSAGES: dict[str, dict[int, _Row]] = {
    **{f"google.protobuf.{name}": {1: _Row("value", *row)} for name, row in _WRAPPERS.items()},
    "google.protobuf.Any": {1: _Row("type_url", _BYTES, _string), 2: _Row("value", _BYTES, lambda raw: raw)},
    "google.protobuf.Duration": _TIME,
    "google.protobuf.Empty": {},
    "google.protobuf.ListValue": _LIST,
    "google.protobuf.Struct": _STRUCT,
    "google.protobuf.Timestamp": _TIME,
    "google.protobuf.Value": _VALUE,
}
"""The fields of the messages that an Any can hold, by their numbers."""
