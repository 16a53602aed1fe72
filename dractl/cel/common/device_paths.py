"""Chains of constant selections that start at the maps of ``device``."""

from __future__ import annotations

from dractl.cel.common import types
from dractl.cel.common.tree import Call, Ident, Literal, Node, Select

__all__ = ["device_path"]


def device_path(node: Node) -> tuple[str, ...] | None:
    """The keys that a chain of constant selections writes, if it starts at the maps of ``device``."""
    if isinstance(node, Select) and not node.test_only and node.resolved is None:
        operand, key = node.operand, node.field
    elif isinstance(node, Call) and node.function == "_[_]":
        operand, index = node.args
        if not isinstance(index, Literal) or type(index.value) is not str:
            return None
        key = index.value
    else:
        return None
    if isinstance(operand, Ident):
        is_device = operand.value is None and operand.type == types.DEVICE
        return (key,) if is_device and key in {"attributes", "capacity"} else None
    before = device_path(operand)
    return None if before is None else (*before, key)
