"""CEL values as plain Go has them: what upstream reads of the value of a selector or derived attribute."""

from __future__ import annotations

from dractl.cel.common.types import Type
from dractl.cel.common.values import Optional, Value


def attribute_value(value: Value) -> Value:
    """What a device gets of a CEL value: a bool, an int, a string, a version, or a list of these.

    An optional stands for the one that it holds, and a type for its name. For what is not an attribute this
    is something else. Mirrors ``valToDeviceAttribute``.
    """
    return list(map(plain_scalar, value)) if type(value) is list else plain_scalar(value)


def plain_scalar(value: Value) -> Value:
    """What plain Go has of a scalar: of an optional what it holds, of a type its name, else the value.

    Raises EvaluationError for what a lost optional holds.
    """
    if type(value) is Type:
        return value.name
    if type(value) is Optional:
        held = plain_scalar(value.value) if value.has_value else None
        return None if type(held) is list else held
    return value
