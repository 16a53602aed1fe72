"""The messages that an expression can write, with the types of their fields: those of protocol buffers.

Mirrors what ``types.NewProtoRegistry`` of cel-go registers, and the names that ``DeclTypeProvider`` of the
API server takes for declared objects.
"""

from __future__ import annotations

from dractl.cel.common import types
from dractl.cel.common.types import DYN, Type, list_of, map_of
from dractl.records import NamedTuple


class Field(NamedTuple):
    """A field: what the type checker wants, and how ``cel.interpreter.message_values`` converts it."""

    type: Type
    kind: str


class Message(NamedTuple):
    """A message: the type of its literals, and its fields by name."""

    type: Type
    fields: dict[str, Field]


_WRAPPED = (
    ("BoolValue", types.BOOL, "bool"),
    ("BytesValue", types.BYTES, "bytes"),
    ("DoubleValue", types.DOUBLE, "double"),
    ("FloatValue", types.DOUBLE, "float"),
    ("Int32Value", types.INT, "int32"),
    ("Int64Value", types.INT, "int64"),
    ("StringValue", types.STRING, "string"),
    ("UInt32Value", types.UINT, "uint32"),
    ("UInt64Value", types.UINT, "uint64"),
)
_STRUCT, _LIST = map_of(types.STRING, DYN), list_of(DYN)
_TIME = {"seconds": Field(types.INT, "int64"), "nanos": Field(types.INT, "int32")}

EMPTY = Type("struct", "google.protobuf.Empty")
_ENTRY = Type("struct", "google.protobuf.Struct.FieldsEntry")

MESSAGES: dict[str, Message] = {
    **{
        f"google.protobuf.{name}": Message(types.wrapper_of(scalar), {"value": Field(scalar, kind)})
        for name, scalar, kind in _WRAPPED
    },
    "google.protobuf.Any": Message(
        types.ANY, {"type_url": Field(types.STRING, "string"), "value": Field(types.BYTES, "bytes")}
    ),
    "google.protobuf.Duration": Message(types.DURATION, _TIME),
    "google.protobuf.Empty": Message(EMPTY, {}),
    "google.protobuf.ListValue": Message(_LIST, {"values": Field(_LIST, "list")}),
    "google.protobuf.Struct": Message(_STRUCT, {"fields": Field(_STRUCT, "struct")}),
    "google.protobuf.Struct.FieldsEntry": Message(
        _ENTRY, {"key": Field(types.STRING, "string"), "value": Field(DYN, "any")}
    ),
    "google.protobuf.Timestamp": Message(types.TIMESTAMP, _TIME),
    "google.protobuf.Value": Message(
        DYN,
        {
            "null_value": Field(types.INT, "null"),
            "number_value": Field(types.DOUBLE, "double"),
            "string_value": Field(types.STRING, "string"),
            "bool_value": Field(types.BOOL, "bool"),
            "struct_value": Field(_STRUCT, "struct"),
            "list_value": Field(_LIST, "list"),
        },
    ),
    # Declared types that the checker finds by name, although none can be made.
    "duration": Message(types.DURATION, {}),
    "timestamp": Message(types.TIMESTAMP, {}),
    "list": Message(_LIST, {}),
    "null_type": Message(types.NULL, {}),
}

CONSTANTS = {"google.protobuf.NullValue.NULL_VALUE": 0}
"""The values of the enumerations of these messages."""


def field_type(message: str, field: str) -> Type | None:
    """The type of a field of ``message``, or None for an unknown field."""
    known = MESSAGES.get(message)
    found = known.fields.get(field) if known is not None else None
    return found.type if found is not None else None


def is_only_a_type(name: str) -> bool:
    """Whether ``name`` is a message whose name, other than that of a type of CEL, is not a value."""
    return name in MESSAGES or name in {types.DEVICE.name, "google.protobuf.NullValue"}
