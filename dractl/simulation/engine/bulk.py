"""The size of an input object, for limits that grow with the input."""

from __future__ import annotations

from typing import Any

_VALUES = 10
"""Attribute values that take about as much text as one device."""


def bulk(item: Any) -> int:
    """The size of an object: one, plus one for each device and each 10 attribute values of a slice.

    Anything may stand anywhere, because nothing was validated yet.
    """
    spec = _inner(item, "spec") if _inner(item, "kind") == "ResourceSlice" else None
    devices = _inner(spec, "devices")
    if not isinstance(devices, list):
        return 1
    return 1 + len(devices) + sum(map(_values, devices)) // _VALUES


def _values(device: object) -> int:
    attributes = _inner(device, "attributes") or _inner(_inner(device, "basic"), "attributes")
    found = 0
    # A loop and no generators: every attribute of an input passes here.
    for attribute in attributes.values() if isinstance(attributes, dict) else ():
        for value in attribute.values() if isinstance(attribute, dict) else ():
            found += len(value) if isinstance(value, list) else 1
    return found


def _inner(value: Any, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None
