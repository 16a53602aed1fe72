"""The variable ``device``: what a selector sees of one device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from dractl.api import quantity, semver
from dractl.api.json_types import JsonObject
from dractl.cel.common.errors import CelError, EvaluationError
from dractl.cel.common.values import DefaultMap, FieldMap, PartialMap, Value

if TYPE_CHECKING:
    from dractl.api.objects import resource


class DeviceValue:
    """The fields of ``device`` as CEL values, made once and read by every selector."""

    __slots__ = ("fields", "frame")

    def __init__(
        self, driver: str, attributes: DefaultMap, capacity: DefaultMap, *, allow_multiple_allocations: bool
    ) -> None:
        """Hold the fields; use :func:`device_value` for a device of a ResourceSlice."""
        self.fields: dict[str, Any] = FieldMap(
            driver=driver,
            attributes=attributes,
            capacity=capacity,
            allowMultipleAllocations=allow_multiple_allocations,
        )
        # The frame of programs without variables, which nothing is written to.
        self.frame: list[Value] = [self.fields]

    @classmethod
    def of(cls, fields: FieldMap) -> DeviceValue:
        """Whatever selectors of another environment see: its variables by name."""
        made = cls.__new__(cls)
        made.fields = fields
        made.frame = [fields]
        return made


def device_value(
    driver: str, device: JsonObject, *, delays_attributes: bool = False
) -> DeviceValue | CelError:
    """The variable ``device`` for a device in v1 shape, read from a slice of ``driver``.

    A name without a domain gets the driver's. Returns an error of kind ``runtime`` where every evaluation
    would fail: an attribute without a value, or a version or quantity that is none. As ``DeviceMatches`` of
    ``k8s.io/dynamic-resource-allocation/cel`` builds it. ``delays_attributes``: such an attribute is an error
    when it is read, and of two spellings of one name the one with the domain counts; see Environment.
    """
    read = cast("resource.Device", device)
    attributes = DefaultMap()
    given = read.get("attributes") or {}
    for name, attribute in given.items():
        domain, identifier = split_name(name, driver)
        if delays_attributes and _is_lost(name, driver, given):
            continue
        value = _attribute(name, _usable(attribute) if delays_attributes else attribute)
        if not isinstance(value, CelError):
            attributes.setdefault(domain, FieldMap())[identifier] = value
        elif delays_attributes:
            values = attributes[domain] = PartialMap(attributes.get(domain, {}))
            values[identifier] = EvaluationError(value.message)
        else:
            return value
    capacity = DefaultMap()
    amounts = read.get("capacity") or {}
    for name, entry in amounts.items():
        domain, identifier = split_name(name, driver)
        if delays_attributes and _is_lost(name, driver, amounts):
            continue
        try:
            capacity.setdefault(domain, FieldMap())[identifier] = quantity.parse(entry.get("value", "0"))
        except ValueError as error:
            return CelError("runtime", f"capacity {name}: {error}")
    return DeviceValue(
        driver,
        attributes,
        capacity,
        allow_multiple_allocations=bool(device.get("allowMultipleAllocations")),
    )


def _is_lost(name: str, driver: str, given: Mapping[str, Any]) -> bool:
    """Whether no selector finds ``name``: it is there with its domain as well, or its domain is empty."""
    return "/" not in name and (not driver or f"{driver}/{name}" in given)


def split_name(name: str, driver: str) -> tuple[str, str]:
    """Domain and identifier of an attribute or capacity; the domain is the driver's where none is written."""
    domain, slash, identifier = name.partition("/")
    return (domain, identifier) if slash else (driver, name)


def _usable(attribute: Mapping[str, Any]) -> Mapping[str, Any]:
    """The one value of an attribute that counts since 1.38: a scalar before a list, and no empty list."""
    kind = next((kind for kind in _SCALARS if attribute.get(kind) is not None), None)
    kind = kind or next((kind for kind in _LISTS if attribute.get(kind)), None)
    return {} if kind is None else {kind: attribute[kind]}


_SCALARS = ("int", "bool", "string", "version")
_LISTS = ("ints", "bools", "strings", "versions")


def _attribute(name: str, attribute: Mapping[str, Any]) -> Value:
    """The CEL value of one attribute; a list wins over a scalar, as upstream looks at lists first."""
    for field in ("ints", "bools", "strings"):
        if attribute.get(field) is not None:
            return list(attribute[field])
    try:
        if attribute.get("versions") is not None:
            return [semver.parse(text) for text in attribute["versions"]]
        for field in ("int", "bool", "string"):
            if attribute.get(field) is not None:
                return attribute[field]
        if attribute.get("version") is not None:
            return semver.parse(attribute["version"])
    except ValueError as error:
        return CelError("runtime", f"attribute {name}: {error}")
    return CelError(
        "runtime", f"attribute {name} has no value, so selectors cannot be evaluated for the device"
    )
