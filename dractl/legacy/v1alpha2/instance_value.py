"""What a selector of Kubernetes 1.30 sees of a named resource: one map of attributes for each type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dractl.api import quantity, semver
from dractl.cel.common.device import DeviceValue
from dractl.cel.common.errors import CelError
from dractl.cel.common.values import FieldMap

__all__ = ["instance_value"]

_FIELDS = {
    "bool": "bool",
    "int": "int",
    "quantity": "quantity",
    "string": "string",
    "version": "version",
    "intSlice": "intslice",
    "stringSlice": "stringslice",
}
"""The fields of an attribute, and the variables ``attributes.NAME`` in which their values are."""

_LISTS = {"intSlice": "ints", "stringSlice": "strings"}


def instance_value(attributes: Iterable[Mapping[str, Any]]) -> DeviceValue | CelError:
    """The variables for the attributes of one instance in the shape of v1alpha2.

    Of two attributes of one name and type the last counts. Returns an error of kind ``runtime`` for a version
    that is none, with which every evaluation fails. As ``Evaluate`` of
    ``k8s.io/dynamic-resource-allocation/structured/namedresources/cel`` (1.30) builds them.
    """
    maps = {name: FieldMap() for name in _FIELDS.values()}
    for attribute in attributes:
        name = attribute.get("name", "")
        for field, variable in _FIELDS.items():
            if attribute.get(field) is not None:
                try:
                    maps[variable][name] = _value(field, attribute[field])
                except ValueError as error:
                    return CelError("runtime", f"attribute {name}: {error}")
    return DeviceValue.of(FieldMap({f"attributes.{name}": held for name, held in maps.items()}))


def _value(field: str, value: Any) -> Any:
    if field == "quantity":
        return quantity.parse(str(value))
    if field == "version":
        return semver.parse(value)
    return list(value.get(_LISTS[field]) or ()) if field in _LISTS else value
