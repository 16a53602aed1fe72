"""The few protocol buffer messages that an expression can write: wrappers of scalars."""

from __future__ import annotations

from dractl.cel import types
from dractl.cel.types import Type

WRAPPERS: dict[str, Type] = {
    "google.protobuf.BoolValue": types.BOOL,
    "google.protobuf.BytesValue": types.BYTES,
    "google.protobuf.DoubleValue": types.DOUBLE,
    "google.protobuf.FloatValue": types.DOUBLE,
    "google.protobuf.Int32Value": types.INT,
    "google.protobuf.Int64Value": types.INT,
    "google.protobuf.StringValue": types.STRING,
    "google.protobuf.UInt32Value": types.UINT,
    "google.protobuf.UInt64Value": types.UINT,
}


def field_type(message: str, field: str) -> Type | None:
    """The type of a field of ``message``, or None where there is no such field."""
    return WRAPPERS.get(message) if field == "value" else None


def message_types() -> dict[str, Type]:
    """The types of the messages by name."""
    return {name: types.wrapper_of(scalar, name) for name, scalar in WRAPPERS.items()}
