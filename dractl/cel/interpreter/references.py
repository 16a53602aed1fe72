"""Which attributes and capacities of a device an expression names."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.cel.common import types
from dractl.cel.common.device_paths import device_path
from dractl.cel.common.tree import Call, Ident, Literal, Node, Select
from dractl.cel.parser.spans import written_below
from dractl.records import NamedTuple

__all__ = [
    "Domain",
    "Reference",
    "domains_asked_in",
    "is_closed",
    "mentions_device",
    "reference_of",
    "references_in",
]

_PLAIN_FIELDS = frozenset({"driver", "allowMultipleAllocations"})
_OPTIONAL = frozenset({"_?._", "_[?_]"})


class Reference(NamedTuple):
    """An attribute or capacity that is named by constants.

    ``section`` is ``attributes`` or ``capacity``. ``is_plain`` means that reading it fails for a device that
    lacks it; otherwise it is asked for, or read as an optional value.
    """

    node: Node
    section: str
    domain: str
    name: str
    is_plain: bool

    @property
    def qualified(self) -> str:
        """The name with its domain."""
        return f"{self.domain}/{self.name}"


def references_in(tree: Node) -> list[Reference]:
    """All references of a checked tree, in the order of the text."""
    return list(_references(tree))


def _references(node: Node) -> Iterator[Reference]:
    found = reference_of(node) or _question(node)
    if found is not None:
        yield found
        return
    for part in written_below(node):
        yield from _references(part)


def reference_of(node: Node) -> Reference | None:
    """The reference that a node reads plainly; None if it is something else."""
    path = device_path(node)
    if path is None or len(path) != 3:
        return None
    section, domain, name = path
    return Reference(node, section, domain, name, is_plain=True)


def _question(node: Node) -> Reference | None:
    """The reference that a node asks for: with ``has()``, ``in``, or as an optional value."""
    holder: Node
    if isinstance(node, Select) and node.test_only:
        holder, name = node.operand, node.field
    elif isinstance(node, Call) and node.function in _OPTIONAL and _is_text(node.args[1]):
        holder, name = node.args[0], _text(node.args[1])
    elif isinstance(node, Call) and node.function == "@in" and _is_text(node.args[0]):
        holder, name = node.args[1], _text(node.args[0])
    else:
        return None
    path = device_path(holder)
    if path is None or len(path) != 2:
        return None
    return Reference(node, path[0], path[1], name, is_plain=False)


class Domain(NamedTuple):
    """A question whether a device has anything of a domain: ``"gpu.example.com" in device.attributes``."""

    node: Node
    section: str
    name: str


def domains_asked_in(tree: Node) -> Iterator[Domain]:
    """All such questions of a checked tree, in the order of the text."""
    if isinstance(tree, Call) and tree.function == "@in" and _is_text(tree.args[0]):
        path = device_path(tree.args[1])
        if path is not None and len(path) == 1:
            yield Domain(tree.args[0], path[0], _text(tree.args[0]))
    for part in written_below(tree):
        yield from domains_asked_in(part)


def _is_text(node: Node) -> bool:
    return isinstance(node, Literal) and type(node.value) is str


def _text(node: Node) -> str:
    return str(node.value) if isinstance(node, Literal) else ""


def mentions_device(tree: Node) -> bool:
    """Whether an expression looks at the device at all."""
    if isinstance(tree, Ident):
        return tree.value is None and tree.type == types.DEVICE
    return any(map(mentions_device, written_below(tree)))


def is_closed(tree: Node) -> bool:
    """Whether all that an expression looks at is the driver, a flag of the device, and references.

    Then two devices of one driver with the same values of these get the same answer.
    """
    if reference_of(tree) is not None or _question(tree) is not None:
        return True
    if isinstance(tree, Select) and isinstance(tree.operand, Ident) and mentions_device(tree.operand):
        return tree.field in _PLAIN_FIELDS and not tree.test_only
    if isinstance(tree, Ident):
        return not mentions_device(tree)
    return all(map(is_closed, written_below(tree)))
