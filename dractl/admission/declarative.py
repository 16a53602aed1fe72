"""The rules that the server generates from the versioned types, read from the tags of the field tables.

They run on the object in the version that was sent (since 1.35; returned for all kinds since 1.37).
Mirrors the ``zz_generated.validations.go`` of ``pkg/apis/resource/<version>`` and
``k8s.io/apimachinery/pkg/api/validate``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from dractl.admission.formats import FORMATS
from dractl.api.errors import OMITTED, ErrorType
from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.versions.table import Field, Kind, StructType, Tables, tables

BETA_GATE = "DeclarativeValidationBeta"


class Declared(NamedTuple):
    """An error of a declarative rule; ``is_beta`` ones replace their hand-written twins."""

    type: ErrorType
    path: FieldPath
    bad_value: Any
    message: str
    is_beta: bool


Chain = tuple[Any, Callable[[FieldPath, Any], FieldPath], Any] | None
"""Where a check stands: the chain above it, how its step is added to a path, and the step."""

Check = Callable[[Any, Chain, list[Declared]], bool]
"""Looks at a value, adds errors, and returns whether the checks after it go on."""


def check_declared(kind: Kind, value: dict[str, Any], gates: GateSet) -> list[Declared]:
    """The declarative errors of ``value``, an object in the shape of ``kind``'s version, on its creation.

    Rules at the beta stage are left out where the gate DeclarativeValidationBeta is off; alpha ones are
    never returned.
    """
    checker = _struct_checker(tables(gates.minor), kind.type, gates)
    errors: list[Declared] = []
    if checker is not None:
        checker(value, None, errors)
    return errors


def _child(path: FieldPath | None, name: Any) -> FieldPath:
    return FieldPath(name, path)


def _index(path: FieldPath, position: Any) -> FieldPath:
    return path.index(position)


def _key(path: FieldPath, name: Any) -> FieldPath:
    return path.key(name)


def _path(chain: Chain) -> FieldPath:
    steps: list[tuple[Callable[[Any, Any], FieldPath], Any]] = []
    while chain is not None:
        chain, add, step = chain
        steps.append((add, step))
    path: Any = None
    for add, step in reversed(steps):
        path = add(path, step)
    return path if path is not None else FieldPath("")


class _Tag(NamedTuple):
    name: str
    argument: str
    is_beta: bool


# Standard rules that the generator takes from the type itself and that therefore have no tag.
_REQUIRED = frozenset(
    {
        ("DeviceDerivedAttribute", "name"), ("DeviceDerivedAttribute", "expression"),
        ("ResourcePoolStatusRequestSpec", "driver"), ("ResourcePoolStatusRequestSpec", "limit"),
        ("ResourcePoolStatusRequestStatus", "poolCount"),
        ("PoolStatus", "driver"), ("PoolStatus", "poolName"), ("PoolStatus", "generation"),
        ("PartitionTypeStatus", "attribute"), ("PartitionTypeStatus", "type"),
        ("PartitionTypeStatus", "total"), ("PartitionTypeStatus", "allocatable"),
        ("ShareableSummaryStatus", "fullyAvailableDevices"),
        ("ShareableSummaryStatus", "partiallyAvailableDevices"),
        ("ShareableCapacityStatus", "name"), ("ShareableCapacityStatus", "total"),
        ("ShareableCapacityStatus", "consumed"), ("ShareableCapacityStatus", "available"),
    }
)  # fmt: skip

# Members of a one-of in the order in which the type declares them, which errors repeat.
_UNION_ORDER = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")


def _tags(field: Field, gates: GateSet) -> Iterator[_Tag]:
    """The tags in force: alpha ones never are, and conditional ones only if their gate says so."""
    for text in field.tags:
        stage, at, rest = text.partition("@")
        body = rest.partition(":")[2] if at else text
        if at and (stage == "alpha" or (stage == "beta" and BETA_GATE not in gates)):
            continue
        for word, wanted in (("ifEnabled(", True), ("ifDisabled(", False)):
            if body.startswith(word):
                gate, _, body = body.removeprefix(word).partition(")=")
                if (gate in gates) is not wanted:
                    body = ""
        if body:
            name, _, argument = body.partition("=")
            yield _Tag(name, argument, bool(at))


@cache
def _struct_checker(
    source: Tables, key: str, gates: GateSet
) -> Callable[[Any, Chain, list[Declared]], None] | None:
    """The checks of a struct type and of all that is below it; None if there are none."""
    struct = source.struct(key)
    name = key.partition(".")[2]
    fields: list[tuple[str, Check]] = []
    for field in struct.fields.values():
        check = _field_checker(source, name, field, gates)
        if check is not None:
            fields.append((field.name, check))
    union = _union_checker(struct, gates)
    if not fields and union is None:
        return None

    def check_struct(value: dict[str, Any] | None, chain: Chain, errors: list[Declared]) -> None:
        value = value or {}
        if union is not None:
            union(value, chain, errors)
        for field_name, check in fields:
            check(value.get(field_name), (chain, _child, field_name), errors)

    return check_struct


def _union_checker(struct: StructType, gates: GateSet) -> Check | None:
    """Exactly one member of the struct's one-of is set; a list is set when it has items."""
    found = {
        field.name: tag.is_beta
        for field in struct.fields.values()
        for tag in _tags(field, gates)
        if tag.name == "unionMember"
    }
    if not found:
        return None
    is_beta = any(found.values())
    members = [name for name in _UNION_ORDER if name in found] or list(found)

    def check_union(value: dict[str, Any], chain: Chain, errors: list[Declared]) -> bool:
        chosen = [name for name in members if name in value and value[name] != []]
        if len(chosen) != 1:
            listed = ", ".join(f"`{name}`" for name in members)
            if chosen:
                bad = "{" + ", ".join(chosen) + "}"
                message = f"exactly one of {listed} is allowed, but {' and '.join(chosen)} are set"
            else:
                bad, message = "", f"exactly one of {listed} is required, and none is set"
            errors.append(Declared(ErrorType.INVALID, _path(chain), bad, message, is_beta))
        return True

    return check_union


def _field_checker(source: Tables, struct_name: str, field: Field, gates: GateSet) -> Check | None:
    tags = list(_tags(field, gates))
    if any(tag.name == "opaqueType" for tag in tags):
        return None
    early: list[Check] = [_at_most(int(tag.argument), tag.is_beta) for tag in tags if tag.name == "maxItems"]
    required = [tag for tag in tags if tag.name == "required"]
    must = bool(required) or (struct_name, field.name) in _REQUIRED
    # A struct that is no pointer is always there, also if nothing in it is set.
    is_struct = field.type == "ref" and not field.ptr and source.scalar(field.ref) is None
    if must:
        early.append(_required(field.ptr, is_beta=any(tag.is_beta for tag in required)))
    elif not is_struct:
        early.append(_set(field.ptr))
    if any(tag.name == "forbidden" for tag in tags):
        early.insert(0, _forbidden)
    late = [check for tag in tags for check in _late_checks(tag)]
    late += _uniqueness(tags)
    late += _enumeration(field, tags)
    below = _below(source, field, gates)
    if below is not None:
        late.append(below)
    if not late and not must and len(early) <= 1:
        return None

    def check_field(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        for check in early:
            if not check(value, chain, errors):
                return False
        for check in late:
            check(value, chain, errors)
        return True

    return check_field


def _at_most(limit: int, is_beta: bool) -> Check:
    def check_size(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if value is None or len(value) <= limit:
            return True
        message = f"there are {len(value)} entries; at most {limit} are allowed"
        errors.append(Declared(ErrorType.TOO_MANY, _path(chain), len(value), message, is_beta))
        return False

    return check_size


def _set(ptr: bool) -> Check:
    """Goes on only if a value is there; a field that is no pointer is there if it is not zero."""

    def check_set(value: Any, _chain: Chain, _errors: list[Declared]) -> bool:
        return value is not None if ptr else bool(value)

    return check_set


def _required(ptr: bool, *, is_beta: bool) -> Check:
    def check_required(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if value is not None if ptr else value:
            return True
        path = _path(chain)
        message = f"{path.steps()[-1]} is required"
        errors.append(Declared(ErrorType.REQUIRED, path, "", message, is_beta))
        return False

    return check_required


def _forbidden(value: Any, chain: Chain, errors: list[Declared]) -> bool:
    if value is None:
        return False
    message = "the field is not allowed while its feature gate is off"
    errors.append(Declared(ErrorType.FORBIDDEN, _path(chain), "", message, False))
    return False


def _late_checks(tag: _Tag) -> Iterator[Check]:
    if tag.name == "format":
        yield _formatted(tag.argument, tag.is_beta)
    elif tag.name == "eachKey":
        yield _each_key(_formatted(tag.argument.partition("=")[2], tag.is_beta))
    elif tag.name == "eachVal":
        yield _each_item(_formatted(tag.argument.partition("=")[2], tag.is_beta))
    elif tag.name in ("maxLength", "maxBytes"):
        yield _long_at_most(int(tag.argument), tag.is_beta)
    elif tag.name == "minimum":
        yield _bounded(int(tag.argument), None, tag.is_beta)
    elif tag.name == "maximum":
        yield _bounded(None, int(tag.argument), tag.is_beta)
    elif tag.name == "subfield(name)" and tag.argument.startswith("format="):
        yield _subfield("name", _formatted(tag.argument.partition("=")[2], tag.is_beta))


def _formatted(name: str, is_beta: bool) -> Check:
    look = FORMATS[name]

    def check_format(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        for type_, bad, message in look(value):
            errors.append(Declared(type_, _path(chain), bad, message, is_beta))
        return True

    return check_format


def _each_key(check: Check) -> Check:
    def check_keys(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        for key in value:
            check(key, chain, errors)
        return True

    return check_keys


def _each_item(check: Check) -> Check:
    def check_items(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        for position, item in enumerate(value):
            check(item, (chain, _index, position), errors)
        return True

    return check_items


def _subfield(name: str, check: Check) -> Check:
    def check_subfield(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if value.get(name):
            check(value[name], (chain, _child, name), errors)
        return True

    return check_subfield


def _long_at_most(limit: int, is_beta: bool) -> Check:
    def check_length(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        length = len(value.encode("utf-8", "surrogatepass"))
        if length > limit:
            message = f"the text has {length} bytes; at most {limit} are allowed"
            errors.append(Declared(ErrorType.TOO_LONG, _path(chain), OMITTED, message, is_beta))
        return True

    return check_length


def _bounded(low: int | None, high: int | None, is_beta: bool) -> Check:
    def check_bounds(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if low is not None and value < low:
            message = f"{value} is too small; the least is {low}"
            errors.append(Declared(ErrorType.INVALID, _path(chain), value, message, is_beta))
        if high is not None and value > high:
            message = f"{value} is too large; the most is {high}"
            errors.append(Declared(ErrorType.INVALID, _path(chain), value, message, is_beta))
        return True

    return check_bounds


def _uniqueness(tags: list[_Tag]) -> list[Check]:
    """Lists whose items must differ, as a whole or in their keys."""
    kinds = [tag for tag in tags if tag.name in ("unique", "listType") and tag.argument in ("set", "map")]
    keys = tuple(tag.argument for tag in tags if tag.name == "listMapKey")
    return [_unique(keys if tag.argument == "map" else (), tag.is_beta) for tag in kinds]


def _unique(keys: tuple[str, ...], is_beta: bool) -> Check:
    def check_unique(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        seen: set[Any] = set()
        for position, item in enumerate(value):
            key = tuple(item.get(name) or "" for name in keys) if keys else item
            if key in seen:
                shown = "/".join(str(part) for part in key if part) if keys else key
                message = f"{shown!r} is given more than once"
                path = _path((chain, _index, position))
                errors.append(Declared(ErrorType.DUPLICATE, path, item, message, is_beta))
            seen.add(key)
        return True

    return check_unique


def _enumeration(field: Field, tags: list[_Tag]) -> list[Check]:
    """Closed sets of values; the stage is that of the field's other rules."""
    item = field.items
    values = field.enum or (item.enum if item is not None else ())
    if not values or not tags:
        return []
    check = _one_of(values, any(tag.is_beta for tag in tags))
    return [check if field.enum else _each_item(check)]


def _one_of(values: tuple[str, ...], is_beta: bool) -> Check:
    def check_value(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        if value not in values:
            message = f"{value!r} is not supported; use {', '.join(values)}"
            errors.append(Declared(ErrorType.NOT_SUPPORTED, _path(chain), value, message, is_beta))
        return True

    return check_value


def _below(source: Tables, field: Field, gates: GateSet) -> Check | None:
    """The checks of the struct type behind a field, of its items or of its map values."""
    if field.type == "ref" and source.scalar(field.ref) is None:
        struct = _struct_checker(source, field.ref, gates)
        return None if struct is None else _struct_check(struct)
    for element, add in ((field.items, _index), (field.values, _key)):
        if element is not None and element.type == "ref" and source.scalar(element.ref) is None:
            struct = _struct_checker(source, element.ref, gates)
            if struct is not None:
                return _each_struct(struct, add)
    return None


StructCheck = Callable[[Any, Chain, list[Declared]], None]


def _struct_check(struct: StructCheck) -> Check:
    def check_below(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        struct(value, chain, errors)
        return True

    return check_below


def _each_struct(struct: StructCheck, add: Callable[[Any, Any], FieldPath]) -> Check:
    def check_each(value: Any, chain: Chain, errors: list[Declared]) -> bool:
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for step, item in entries:
            struct(item, (chain, add, step), errors)
        return True

    return check_each
