"""The tree of an expression: what the parser makes, the checker types, and all later stages read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.cel.common.values import Value

if TYPE_CHECKING:
    from dractl.cel.common.overload import Overload
    from dractl.cel.common.types import Type


class Node:
    """One step of an expression. ``offset`` is where it is, ``height`` what the parser's limit counts.

    ``type`` is set by the checker. A node may hang in the tree twice: macros repeat their operand.
    """

    __slots__ = ("height", "offset", "type")

    def __init__(self, offset: int, height: int = 0) -> None:
        """Place the node; its type is not known yet."""
        self.offset = offset
        self.height = height
        self.type: Type | None = None


class Literal(Node):
    """A constant of the text, or one that a macro needs."""

    __slots__ = ("value",)

    def __init__(self, offset: int, value: Value) -> None:
        """Hold a CEL value."""
        super().__init__(offset)
        self.value = value


class Ident(Node):
    """A name: a variable, or after checking a type (``value`` is set then)."""

    __slots__ = ("name", "value")

    def __init__(self, offset: int, name: str) -> None:
        """Hold the name as written."""
        super().__init__(offset)
        self.name = name
        self.value: Value = None


class Select(Node):
    """A field of an operand, or with ``test_only`` the question whether it is there.

    ``resolved`` is set by the checker where the whole chain names one thing, such as a type.
    """

    __slots__ = ("field", "operand", "resolved", "test_only")

    def __init__(self, offset: int, operand: Node, field: str, *, test_only: bool = False) -> None:
        """Hold operand and field name."""
        super().__init__(offset, operand.height + 1)
        self.operand = operand
        self.field = field
        self.test_only = test_only
        self.resolved: Ident | None = None


class Call(Node):
    """A function, method or operator applied; ``overloads`` are those that the checker found to fit."""

    __slots__ = ("args", "function", "overloads", "target")

    def __init__(
        self, offset: int, function: str, args: list[Node], target: Node | None = None, *, counts: int = 0
    ) -> None:
        """Hold function and operands; ``counts`` is 1 where the parser's depth limit counts the call."""
        height = max([arg.height for arg in args], default=0)
        if target is not None:
            height = max(height, target.height)
        super().__init__(offset, height + counts)
        self.function = function
        self.args = args
        self.target = target
        self.overloads: tuple[Overload, ...] = ()


def operands_of(node: Call) -> list[Node]:
    """All that a call is applied to, the target of a method first."""
    return node.args if node.target is None else [node.target, *node.args]


_ATTRIBUTE_CALLS = frozenset({"_[_]", "_[?_]", "_?._", "_?_:_"})


def is_attribute(node: Node) -> bool:
    """Whether upstream plans a node as an attribute: a variable, a selection, or a choice."""
    if isinstance(node, Ident):
        return node.value is None
    if isinstance(node, Select):
        return node.resolved is None
    return isinstance(node, Call) and node.target is None and node.function in _ATTRIBUTE_CALLS


def as_call(node: Node) -> Call:
    """``node``, which is a call by the way macros and the parser build trees; raises TypeError otherwise."""
    if not isinstance(node, Call):
        raise TypeError("expected a call")
    return node


class ListNode(Node):
    """A list literal; ``optional`` holds the positions of elements written with a question mark."""

    __slots__ = ("elements", "optional")

    def __init__(self, offset: int, elements: list[Node], optional: frozenset[int] = frozenset()) -> None:
        """Hold the elements."""
        super().__init__(offset, max([element.height for element in elements], default=0))
        self.elements = elements
        self.optional = optional


class MapNode(Node):
    """A map literal; ``optional`` holds the positions of entries written with a question mark."""

    __slots__ = ("entries", "optional")

    def __init__(
        self, offset: int, entries: list[tuple[Node, Node]], optional: frozenset[int] = frozenset()
    ) -> None:
        """Hold the entries."""
        super().__init__(offset, max([max(key.height, value.height) for key, value in entries], default=0))
        self.entries = entries
        self.optional = optional


class StructNode(Node):
    """A message literal, ``type_name{field: value}``."""

    __slots__ = ("fields", "name")

    def __init__(self, offset: int, name: str, fields: list[tuple[int, str, Node, bool]]) -> None:
        """Hold the fields: place, name, value, and whether written with a question mark."""
        super().__init__(offset, max([value.height for _, _, value, _ in fields], default=0))
        self.name = name
        self.fields = fields


class Comprehension(Node):
    """What the macros over lists and maps turn into: a fold with an accumulator.

    ``macro`` is the macro's name, for messages. A binding (``cel.bind``) is a comprehension over nothing
    whose result is computed with the accumulator in sight.
    """

    __slots__ = (
        "accumulator",
        "condition",
        "initial",
        "macro",
        "range",
        "result",
        "step",
        "variable",
        "variable2",
    )

    def __init__(
        self,
        offset: int,
        macro: str,
        *,
        iterate: Node,
        variables: tuple[str, str | None],
        accumulator: str,
        fold: tuple[Node, Node, Node, Node],
    ) -> None:
        """Hold the parts; ``fold`` is initial value, condition, step and result."""
        super().__init__(offset, max(node.height for node in (iterate, *fold)))
        self.macro = macro
        self.range = iterate
        self.variable, self.variable2 = variables
        self.accumulator = accumulator
        self.initial, self.condition, self.step, self.result = fold


def children_of(node: Node) -> list[Node]:
    """The nodes that hang directly under ``node``, in the order of evaluation."""
    if isinstance(node, Call):
        return operands_of(node)
    if isinstance(node, Select):
        return [node.operand]
    if isinstance(node, ListNode):
        return node.elements
    if isinstance(node, MapNode):
        return [part for entry in node.entries for part in entry]
    if isinstance(node, StructNode):
        return [value for _, _, value, _ in node.fields]
    if isinstance(node, Comprehension):
        return [node.range, node.initial, node.condition, node.step, node.result]
    return []
