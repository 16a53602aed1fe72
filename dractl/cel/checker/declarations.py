"""What an expression may name in an environment: the variable ``device``, functions, types."""

from __future__ import annotations

from functools import cache

from dractl.api import release
from dractl.api.release import Minor
from dractl.cel.checker.resolve import Declarations
from dractl.cel.common import types
from dractl.cel.common.environment import Environment
from dractl.cel.common.messages import EMPTY
from dractl.cel.common.types import Type, list_of, map_of, optional_of
from dractl.cel.library.table import Functions, functions_of
from dractl.records import NamedTuple


class DeviceField(NamedTuple):
    """A field of ``device``: its type, and since when and by which gate it is there."""

    name: str
    type: Type
    since: str = "1.31"
    gate: str = ""


class AttributeType(NamedTuple):
    """The static type of an attribute's value in some environments; the last row that applies holds.

    ``gated`` is since when the gate decides in both environments, ``stored`` since when it does not matter
    to stored expressions any more.
    """

    type: Type
    gate: str
    gated: str
    stored: str


class Variable(NamedTuple):
    """A variable of the environment, with the first and the last minor that have it (empty: open)."""

    name: str
    type: Type
    since: str
    until: str = ""


_QUANTITIES = map_of(types.STRING, map_of(types.STRING, types.QUANTITY))

FIELDS: tuple[DeviceField, ...] = (
    DeviceField("driver", types.STRING),
    DeviceField("capacity", _QUANTITIES),
    DeviceField("allowMultipleAllocations", types.BOOL, "1.34", "DRAConsumableCapacity"),
)
LIST_ATTRIBUTES = AttributeType(types.DYN, "DRAListTypeAttributes", "1.36", "1.37")

_NAMED_RESOURCES = (
    ("quantity", types.QUANTITY), ("bool", types.BOOL), ("int", types.INT),
    ("intslice", list_of(types.INT)), ("string", types.STRING), ("stringslice", list_of(types.STRING)),
    ("version", types.SEMVER),
)  # fmt: skip
VARIABLES: tuple[Variable, ...] = (
    Variable("device", types.DEVICE, "1.31"),
    *(
        Variable(f"attributes.{name}", map_of(types.STRING, value), "1.30", "1.30")
        for name, value in _NAMED_RESOURCES
    ),
)

_TYPE_NAMES: dict[str, Type] = {
    "bool": types.BOOL,
    "bytes": types.BYTES,
    "double": types.DOUBLE,
    "int": types.INT,
    "list": list_of(types.DYN),
    "map": map_of(types.DYN, types.DYN),
    "null_type": types.NULL,
    "string": types.STRING,
    "type": types.TYPE,
    "uint": types.UINT,
    "dyn": types.DYN,
    "google.protobuf.Duration": types.DURATION,
    "google.protobuf.Timestamp": types.TIMESTAMP,
    "optional_type": optional_of(types.DYN),
    "net.IP": types.IP,
    "net.CIDR": types.CIDR,
    EMPTY.name: EMPTY,
}


def attribute_type(environment: Environment) -> Type:
    """What the type checker knows of an attribute's value: nothing, as ``any`` or, iterable, as ``dyn``."""
    row = LIST_ATTRIBUTES
    minor = environment.minor
    if environment.stored and minor.within(release.at(row.stored), None):
        return row.type
    if minor.within(release.at(row.gated), None) and row.gate in environment.gates:
        return row.type
    return types.ANY


def _is_declared(row: Variable, minor: Minor) -> bool:
    return minor.within(release.at(row.since), release.at(row.until) if row.until else None)


def _is_in(field: DeviceField, environment: Environment, minor: Minor) -> bool:
    if not minor.within(release.at(field.since), None):
        return False
    return environment.stored or not field.gate or field.gate in environment.gates


@cache
def declarations_of(environment: Environment) -> tuple[Declarations, Functions]:
    """The declarations of an environment, and its functions and macros."""
    functions = functions_of(environment)
    attributes = map_of(types.STRING, map_of(types.STRING, attribute_type(environment)))
    fields = {field.name: field.type for field in FIELDS if _is_in(field, environment, environment.minor)}
    fields["attributes"] = attributes
    return (
        Declarations(
            environment=environment,
            functions=functions.overloads,
            variables={row.name: row.type for row in VARIABLES if _is_declared(row, environment.minor)},
            type_names=_TYPE_NAMES,
            fields={types.DEVICE.name: fields},
            operands_checked_twice="operands-checked-twice" in functions.libraries,
        ),
        functions,
    )
