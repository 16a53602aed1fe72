"""Optional values as upstream reads them until 1.36: it turns them into plain Go values and back.

Its ``applyQualifiers`` does so where a variable holds an optional value, where a branch of ``?:`` gives one,
which ``optMap()`` is, and where a field of one is selected. That loses what plain Go has no CEL value for,
takes a type for its name, all optionals out of an optional, and the defaults out of the maps of the device.
"""

from __future__ import annotations

from dractl.cel.common.operators import described, type_name
from dractl.cel.common.tree import Node
from dractl.cel.common.types import Type
from dractl.cel.common.values import DefaultMap, FieldMap, Optional, Value
from dractl.cel.interpreter.steps import Frame, Step

_LOST = frozenset({"kubernetes.Quantity", "kubernetes.Semver", "kubernetes.URL", "net.CIDR", "net.IP"})
"""Names of the types whose values are lost on the way."""


def has_optionals(nodes: list[Node]) -> bool:
    """Whether a checked tree of these nodes has optional values at all."""
    return any(node.type is not None and node.type.name == "optional_type" for node in nodes)


def read_natively(step: Step) -> Step:
    """The step that reads what ``step`` gives."""

    def read(frame: Frame) -> Value:
        value = step(frame)
        if type(value) is Optional and value.has_value and not value.loss:
            return _read(value.value)
        return value

    return read


def _read(value: Value) -> Optional:
    if type(value) is Optional:
        if value.loss:
            return value
        return _read(value.value) if value.has_value else Optional(None)
    if type(value) is Type:
        return Optional(value.name)
    if type(value) is DefaultMap:
        return Optional(FieldMap(value))
    if type_name(value) in _LOST:
        return Optional.lost(
            f"up to 1.36 an optional loses {described(value)}; unwrap it with value() or orValue() first"
        )
    return Optional(value)
