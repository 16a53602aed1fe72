"""The value of a derived attribute, as ``valToDeviceAttribute`` of Kubernetes reads it."""

from __future__ import annotations

from typing import Any

from dractl.cel.types import Type
from dractl.cel.values import Optional


def attribute_value(value: Any) -> Any:
    """What a device gets of a CEL value: a bool, an int, a string, a version, or a list of these.

    An optional stands for the one that it holds, and a type for its name. For what is no attribute this is
    something else.
    """
    return list(map(_scalar, value)) if type(value) is list else _scalar(value)


def _scalar(value: Any) -> Any:
    if type(value) is Type:
        return value.name
    if type(value) is Optional:
        held = _scalar(value.value) if value.has_value else None
        return None if type(held) is list else held
    return value
