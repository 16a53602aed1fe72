"""The rules that the server generates from the versioned types, read from the tags of the field tables.

They run on the object in the version that was sent (since 1.35; returned for all kinds since 1.37), and
on an update skip what did not change. Mirrors the ``zz_generated.validations.go`` of
``pkg/apis/resource/<version>``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from dractl.admission.framework.declarative_checks import (
    Chain,
    Check,
    Declared,
    Tag,
    at_most,
    checks_of,
    child,
    forbidden,
    index,
    is_set,
    item_checks,
    key,
    key_checks,
    path_of,
    required,
)
from dractl.api import quantity, release
from dractl.api.errors import ErrorType
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict, JsonObject
from dractl.versions.equality import Equal, field_equal
from dractl.versions.table import Field, Kind, StructType, Tables, tables

__all__ = ["Declared", "check_declared"]

BETA_GATE = "DeclarativeValidationBeta"

TAKEOVER_GATE = "DeclarativeValidationTakeover"

_RETURNED = (
    (("DeviceClass", "ResourceClaim", "ResourceSlice"), "1.35", "1.35", TAKEOVER_GATE),
    (("ResourcePoolStatusRequest",), "1.36", "1.36", ""),
    ((), "1.37", "", ""),
)
"""Kinds (or all), minors and the gate with which the errors are returned.

Else they are only compared with the hand-written ones, and thrown away.
"""

Walk = Callable[[Any, Any, Chain, list[Declared]], None]
"""Checks a value against the old one at the same place (None without one)."""


def check_declared(
    kind: Kind, value: JsonDict, gates: GateSet, old: JsonDict | None = None
) -> list[Declared]:
    """The declarative errors of ``value``, an object in the shape of ``kind``'s version.

    With ``old``, the stored object in the same shape, it is an update. Rules at the beta stage are left out
    where the gate DeclarativeValidationBeta is off; alpha ones are never returned.
    """
    if _returned_with(kind.kind, gates) is None:
        return []
    walk = _struct_walk(tables(gates.minor), kind.type, gates)
    errors: list[Declared] = []
    if walk is not None:
        walk(value, old, None, errors)
    # Rules whose errors are not returned still keep those after them from running.
    return errors if BETA_GATE in gates else [error for error in errors if not error.is_beta]


@lru_cache(maxsize=256)
def _returned_with(kind: str, gates: GateSet) -> str | None:
    """The gate with which errors about ``kind`` are returned, maybe none (empty); None if they are not."""
    for kinds, since, until, gate in _RETURNED:
        in_minor = gates.minor.within(release.at(since), release.at(until) if until else None)
        if in_minor and (not kinds or kind in kinds) and (not gate or gate in gates):
            return gate
    return None


def take_over(kind: str, gates: GateSet) -> bool:
    """Whether no hand-written error that a declarative rule stands for is returned, found again or not."""
    return _returned_with(kind, gates) == TAKEOVER_GATE


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

_UNTAGGED: dict[str, dict[tuple[str, str], tuple[str, ...]]] = {
    "1.35": {
        ("CounterSet", "name"): ("required",),
        ("DeviceAllocationConfiguration", "source"): ("required", "enum"),
        ("DeviceCounterConsumption", "counterSet"): ("required",),
        ("DeviceRequest", "allocationMode"): ("enum",),
        ("DeviceRequestAllocationResult", "driver"): ("required",),
        ("DeviceRequestAllocationResult", "pool"): ("required",),
        ("DeviceSubRequest", "allocationMode"): ("enum",),
        ("DeviceSubRequest", "deviceClassName"): ("required",),
        ("DeviceTaint", "effect"): ("required", "enum"),
        # A toleration without effect is refused: the server looks for the empty text among the effects.
        ("DeviceToleration", "effect"): ("enum", "evenIfEmpty"),
        ("DeviceToleration", "operator"): ("enum",),
        ("ExactDeviceRequest", "allocationMode"): ("enum",),
        ("OpaqueDeviceConfiguration", "driver"): ("required",),
    }
}
"""What the generator took from the types of a minor, by struct and field, without a tag at the field."""

# Members of a one-of in the order in which the type declares them, which errors repeat.
_UNION_ORDER = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")


def _tags(struct_name: str, field: Field, gates: GateSet) -> Iterator[Tag]:
    """The tags in force: alpha ones never are, and conditional ones only if their gate is on."""
    untagged = _UNTAGGED.get(str(gates.minor), {}).get((struct_name, field.name), ())
    for text in (*untagged, *field.tags):
        stage, at, rest = text.partition("@")
        body = rest.partition(":")[2] if at else text
        if at and stage == "alpha":
            continue
        for word, wanted in (("ifEnabled(", True), ("ifDisabled(", False)):
            if body.startswith(word):
                gate, _, body = body.removeprefix(word).partition(")=")
                if (gate in gates) is not wanted:
                    body = ""
        if body:
            name, _, argument = body.partition("=")
            yield Tag(name, argument, bool(at), gates.minor)


_SIZES = frozenset({"maxItems", "maxProperties"})
# The only check of its own that a type has is that of a condition's time, which must be given.
_PRESENCE = frozenset({"required", "customValidation"})


@cache
def _struct_walk(source: Tables, type_key: str, gates: GateSet) -> Walk | None:
    """The checks of a struct type and of all that is under it; None if missing."""
    struct = source.struct(type_key)
    name = type_key.partition(".")[2]
    fields: list[tuple[str, Walk]] = []
    for field in struct.fields.values():
        walk = _field_walk(source, name, field, gates)
        if walk is not None:
            fields.append((field.name, walk))
    union = _union_walk(struct, gates)
    if not fields and union is None:
        return None

    def walk_struct(
        value: JsonObject | None, old: JsonObject | None, chain: Chain, errors: list[Declared]
    ) -> None:
        value = value or {}
        if union is not None:
            union(value, old, chain, errors)
        if old is None:
            for field_name, walk in fields:
                walk(value.get(field_name), _NOTHING, (chain, child, field_name), errors)
        else:
            for field_name, walk in fields:
                walk(value.get(field_name), old.get(field_name), (chain, child, field_name), errors)

    return walk_struct


class _Nothing:
    """Marks that no old object exists to compare a field with."""


_NOTHING = _Nothing()


def _union_walk(struct: StructType, gates: GateSet) -> Walk | None:
    """Exactly one member of the struct's one-of is set; a list is set when it has items."""
    found = {
        field.name: tag.is_beta
        for field in struct.fields.values()
        for tag in _tags("", field, gates)
        if tag.name == "unionMember"
    }
    if not found:
        return None
    is_beta = any(found.values())
    members = [name for name in _UNION_ORDER if name in found] or list(found)

    def chosen(value: JsonObject) -> list[str]:
        return [name for name in members if name in value and value[name] != []]

    def walk_union(value: JsonObject, old: JsonObject | None, chain: Chain, errors: list[Declared]) -> None:
        now = chosen(value)
        if len(now) == 1 or (old is not None and now == chosen(old)):
            return
        listed = ", ".join(f"`{name}`" for name in members)
        if now:
            bad = "{" + ", ".join(now) + "}"
            message = f"exactly one of {listed} is allowed, but {' and '.join(now)} are set"
        else:
            bad, message = "", f"exactly one of {listed} is required"
        errors.append(Declared(ErrorType.INVALID, path_of(chain), bad, message, is_beta))

    return walk_union


def _field_walk(source: Tables, struct_name: str, field: Field, gates: GateSet) -> Walk | None:
    """The checks of one field: what stops, what follows, and what is nested."""
    tags = list(_tags(struct_name, field, gates))
    if any(tag.name == "opaqueType" for tag in tags):
        return None
    equal = field_equal(source, field)
    frozen = _frozen(tags, equal)
    early: list[Check] = [at_most(int(tag.argument), tag.is_beta) for tag in tags if tag.name in _SIZES]
    wanted = [tag for tag in tags if tag.name in _PRESENCE]
    must = bool(wanted) or (struct_name, field.name) in _REQUIRED
    # A struct that is not a pointer is always there, also if nothing in it is set.
    is_struct = field.type == "ref" and not field.ptr and source.scalar(field.ref) is None
    if must:
        early.append(required(field.ptr, is_beta=any(tag.is_beta for tag in wanted)))
    elif not is_struct and not any(tag.name == "evenIfEmpty" for tag in tags):
        early.append(is_set(field.ptr))
    if any(tag.name == "forbidden" for tag in tags):
        early.insert(0, forbidden)
    late = checks_of(field, tags)
    below = _below(source, field, tags, gates)
    if not late and not below and not must and len(early) <= 1 and frozen is None:
        return None

    def walk_field(value: object, old: object, chain: Chain, errors: list[Declared]) -> None:
        is_compared = old is not _NOTHING
        if is_compared and equal(value, old):
            return
        if is_compared and frozen is not None and frozen(value, old, chain, errors):
            return
        for check in early:
            if not check(value, chain, errors):
                return
        for check in late:
            check(value, chain, errors)
        for walk in below:
            walk(value, old if is_compared else None, chain, errors)

    return walk_field


Frozen = Callable[[Any, Any, Chain, list[Declared]], bool]


def _frozen(tags: list[Tag], equal: Equal) -> Frozen | None:
    """Refuses a change, if the field may not change (or, once set, may not change to another value)."""
    for tag in tags:
        if tag.name == "immutable" or (tag.name, tag.argument) == ("update", "NoModify"):
            return _refuse_change(tag, equal, even_if_unset=tag.name == "immutable")
    return None


def _refuse_change(tag: Tag, equal: Equal, *, even_if_unset: bool) -> Frozen:
    def refuse(value: object, old: object, chain: Chain, errors: list[Declared]) -> bool:
        if equal(value, old) or (not even_if_unset and (value is None or old is None)):
            return False
        message = "the field is immutable once set"
        errors.append(Declared(ErrorType.INVALID, path_of(chain), None, message, tag.is_beta))
        return True

    return refuse


def _below(source: Tables, field: Field, tags: list[Tag], gates: GateSet) -> list[Walk]:
    """The checks of the keys and items of a value, and of the struct type behind it."""
    found: list[Walk] = []
    keys, items = key_checks(tags), item_checks(field, tags)
    if keys:
        found.append(_each_key(keys))
    if items:
        is_set_of = any(tag.name in ("unique", "listType") and tag.argument == "set" for tag in tags)
        is_map = field.type == "map"
        found.append(_each_value(items) if is_map else _each_item(items, skips_old=is_set_of))
    if field.type == "ref" and source.scalar(field.ref) is None:
        walk = _struct_walk(source, field.ref, gates)
        if walk is not None:
            found.append(walk)
    for element in (field.items, field.values):
        if element is not None and element.type == "ref" and source.scalar(element.ref) is None:
            walk = _struct_walk(source, element.ref, gates)
            if walk is not None:
                equal = field_equal(source, element)
                names = tuple(tag.argument for tag in tags if tag.name == "listMapKey")
                is_list = element is field.items
                found.append(_each_struct(walk, equal, names) if is_list else _each_entry(walk, equal))
    return found


def _each_key(checks: list[Check]) -> Walk:
    """Keys that were there before are not looked at again."""

    def walk_keys(value: JsonObject, old: JsonObject | None, chain: Chain, errors: list[Declared]) -> None:
        for name in value:
            if old is None or name not in old:
                for check in checks:
                    check(name, chain, errors)

    return walk_keys


def _each_value(checks: list[Check]) -> Walk:
    """Values of a map that their keys had before are not looked at again."""

    def walk_values(value: Any, old: Any, chain: Chain, errors: list[Declared]) -> None:
        for name, item in value.items():
            if not old or name not in old or quantity.parse(item) != quantity.parse(old[name]):
                for check in checks:
                    check(item, (chain, key, name), errors)

    return walk_values


def _each_item(checks: list[Check], *, skips_old: bool) -> Walk:
    """Items of a set that were there before are not looked at again."""

    def walk_items(
        value: list[object], old: list[object] | None, chain: Chain, errors: list[Declared]
    ) -> None:
        for position, item in enumerate(value):
            if not (skips_old and old is not None and item in old):
                for check in checks:
                    check(item, (chain, index, position), errors)

    return walk_items


def _each_struct(walk: Walk, equal: Equal, names: tuple[str, ...]) -> Walk:
    """Items of a list with keys are compared with the old item of the same key; others have no old one."""

    def walk_list(
        value: list[JsonObject], old: list[JsonObject] | None, chain: Chain, errors: list[Declared]
    ) -> None:
        before = {} if old is None or not names else {_key_of(item, names): item for item in reversed(old)}
        for position, item in enumerate(value):
            known = before.get(_key_of(item, names)) if before else None
            if known is None or not equal(item, known):
                walk(item, known, (chain, index, position), errors)

    return walk_list


def _key_of(item: JsonObject, names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(item.get(name) for name in names)


def _each_entry(walk: Walk, equal: Equal) -> Walk:
    """Map entries are compared with the old entry of the same key."""

    def walk_map(value: JsonObject, old: JsonObject | None, chain: Chain, errors: list[Declared]) -> None:
        for name, item in value.items():
            known = old.get(name) if old else None
            if known is None or not equal(item, known):
                walk(item, known, (chain, key, name), errors)

    return walk_map
