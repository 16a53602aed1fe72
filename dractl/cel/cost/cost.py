"""The worst case of what an expression costs, by the model of cel-go's ``checker/cost.go``."""

from __future__ import annotations

from collections.abc import Callable

from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import (
    Call,
    Comprehension,
    Ident,
    ListNode,
    Literal,
    MapNode,
    Node,
    Select,
    StructNode,
)
from dractl.cel.common.types import DYN, Type
from dractl.cel.cost.call_cost import CHARGES, Argument, Charge
from dractl.cel.cost.sizes import UNKNOWN, Size, device_size, exactly, limited
from dractl.cel.parser.macros import UNUSED
from dractl.records import NamedTuple

# ``ListCreateBaseCost``, ``MapCreateBaseCost`` and ``StructCreateBaseCost`` of cel-go's ``common/cost.go``.
LIST_COST, MAP_COST, MESSAGE_COST = 10, 30, 40
STEP_COST = 1
_UNSIZED = frozenset({"call", "conditional", "entry", "item", "logic"})
"""Rules that ask for no size of an argument."""

_SCALARS = frozenset({"bool", "double", "duration", "int", "timestamp", "uint"})

Path = tuple[str, ...]


class Entries(NamedTuple):
    """What is known of the elements of a list or map."""

    kind: str
    key: Size
    value: Size

    def union(self, other: Entries | None) -> Entries | None:
        """The elements of either; None if nothing is known of one."""
        if other is None:
            return None
        return Entries(self.kind, self.key.union(other.key), self.value.union(other.value))


class _Variable(NamedTuple):
    path: Path
    size: Size | None
    entries: Entries | None


def estimated_cost(tree: Node) -> int:
    """The highest cost of evaluating a checked tree for any device, at most ``UNLIMITED``."""
    return Coster().cost(tree)


def estimated_cost_138(tree: Node) -> int:
    """The same as since 1.38; see ``Coster``."""
    return Coster(since_138=True).cost(tree)


class Coster:
    """One estimate: what is known of sizes so far, and the variables in sight."""

    def __init__(self, *, since_138: bool = False) -> None:
        """Start with knowing nothing.

        ``since_138``: a type has the size 1, an element of ``[]`` may be of any size, ``has()`` is as
        large as what it looks for, and a selection costs something whatever it selects from.
        """
        self._since_138 = since_138
        self.sizes: dict[Node, Size] = {}
        self._entries: dict[Node, Entries] = {}
        self.paths: dict[Node, Path] = {}
        self._costs: dict[Node, int] = {}
        self._variables: dict[str, list[_Variable]] = {}
        self._by_class: dict[type, Callable[..., int]] = {
            Literal: lambda _: 0,
            Ident: self.ident,
            Select: self._select,
            Call: self.call,
            ListNode: self.list_literal,
            MapNode: self._map,
            StructNode: self._struct,
            Comprehension: self.comprehension,
        }

    def cost(self, node: Node) -> int:
        """The cost of ``node``; one that hangs in the tree twice is computed once."""
        known = self._costs.get(node)
        if known is None:
            known = self._costs[node] = self._by_class[type(node)](node)
        return known

    # What is known of a node

    def _peek(self, name: str) -> _Variable | None:
        stack = self._variables.get(name)
        return stack[-1] if stack else None

    def path_of(self, node: Node) -> Path:
        """The names by which ``node`` is reached from a variable of the environment; empty if it is not."""
        if isinstance(node, Ident):
            variable = self._peek(node.name)
            if variable is not None:
                return variable.path
        return self.paths.get(node, ())

    def size_of(self, node: Node) -> Size | None:
        """What is known of the size of the value of ``node``."""
        known = self.sizes.get(node) or literal_size(node)
        if known is not None:
            return known
        # Before the size of the type, as in ``computeSize``: what DRA declares overrides it.
        declared = device_size(self.path_of(node))
        if declared is not None:
            self.sizes[node] = declared
            return declared
        found = node.type or DYN
        if is_scalar(found) or (self._since_138 and found.kind == "type"):
            return exactly(1)
        variable = self._peek(node.name) if isinstance(node, Ident) else None
        return variable.size if variable is not None else None

    def size_or_unknown(self, node: Node) -> Size:
        """The size of the value of ``node``, up to the highest number if nothing is known."""
        return self.size_of(node) or UNKNOWN

    def elements_of(self, node: Node) -> Entries | None:
        """What is known of the elements of the value of ``node``."""
        known = self._entries.get(node)
        if known is None and isinstance(node, Ident):
            variable = self._peek(node.name)
            known = variable.entries if variable is not None else None
        return known

    def argument(self, node: Node) -> Argument:
        """All that is known of ``node``, as the rules of charges want it."""
        path = self.path_of(node)
        # ``newAstNode`` omits the paths of accumulators: DRA declares no size for them.
        if path and path[0] == "@result":
            path = ()
        return Argument(node, node.type or DYN, path, self.size_of(node))

    # Nodes

    def ident(self, node: Ident) -> int:
        """The cost of reading a variable."""
        variable = self._peek(node.name)
        self.paths[node] = variable.path if variable is not None else (node.name,)
        return STEP_COST

    def _select(self, node: Select) -> int:
        if node.resolved is not None:
            return STEP_COST
        total = self.cost(node.operand)
        # cel-go 0.17.7 began to charge one for ``has()``; Kubernetes keeps it free with
        # ``PresenceTestHasCost(false)``.
        if node.test_only and not self._since_138:
            return total
        is_charged = self._since_138 or (node.operand.type or DYN).kind in {"map", "struct", "param"}
        self.paths[node] = (*self.path_of(node.operand), node.field)
        return limited(total + STEP_COST) if is_charged and not node.test_only else total

    def list_literal(self, node: ListNode) -> int:
        """The cost of a list literal."""
        total = LIST_COST
        size = exactly(0) if not node.elements else None
        for element in node.elements:
            total = limited(total + self.cost(element))
            found = self.size_or_unknown(element)
            size = found if size is None else size.union(found)
        # The key of a list is an index, which has the size 1.
        self._entries[node] = Entries("list", exactly(1), size or exactly(0))
        return total

    def _map(self, node: MapNode) -> int:
        total = MAP_COST
        key_size = value_size = Size(0, 0)
        for position, (key, value) in enumerate(node.entries):
            total = limited(total + self.cost(key) + self.cost(value))
            keys, values = self.size_or_unknown(key), self.size_or_unknown(value)
            key_size = keys if position == 0 else key_size.union(keys)
            value_size = values if position == 0 else value_size.union(values)
        self._entries[node] = Entries("map", key_size, value_size)
        return total

    def _struct(self, node: StructNode) -> int:
        return limited(MESSAGE_COST + sum(self.cost(value) for _, _, value, _ in node.fields))

    def call(self, node: Call) -> int:
        """The cost of a call with all that it is applied to."""
        costs = [self.cost(arg) for arg in node.args]
        # ``dyn()`` only switches off the type check, so its argument keeps its sizes
        # (``maybeUnwrapDynCall``).
        if node.function == "dyn":
            self._copy_sizes(node, node.args[0])
            return limited(1 + costs[0])
        total = self.cost(node.target) if node.target is not None else 0
        args: list[Argument] = []
        target = None
        if not all(overload.cost in _UNSIZED for overload in node.overloads):
            args = [self.argument(arg) for arg in node.args]
            target = self.argument(node.target) if node.target is not None else None
        highest = 0
        result: Size | None = None
        # The checker leaves several overloads where a type is dyn; the estimate covers the most expensive
        # one.
        for overload in node.overloads:
            charge = self.charge(node, overload, target, args, costs)
            highest = max(highest, charge.cost)
            if charge.size is not None:
                result = charge.size if result is None else result.union(charge.size)
            if overload.cost in {"item", "entry"}:
                elements = None if self._is_empty(node.args[0]) else self.elements_of(node.args[0])
                # Replaces the size of the overloads before even if nothing is known here, as upstream assigns
                # ``resultSize``.
                result = elements.value if elements is not None else None
                step = "@items" if overload.cost == "item" else "@values"
                self.paths[node] = (*self.path_of(node.args[0]), step)
            if result is None:
                result = self.size_of(node)
        if result is not None:
            self.sizes[node] = result
        return limited(total + highest)

    def _is_empty(self, node: Node) -> bool:
        """Whether nothing is known of the elements of ``node`` because it has none."""
        return self._since_138 and isinstance(node, ListNode) and not node.elements

    def charge(
        self, node: Call, overload: Overload, target: Argument | None, args: list[Argument], costs: list[int]
    ) -> Charge:
        """The cost of a call with its arguments, by the rule that the overload names."""
        if overload.cost == "logic":
            # The worst case is that the left side does not decide, so both sides are evaluated.
            return Charge(limited(sum(costs)))
        if overload.cost == "conditional":
            first, second = node.args[1], node.args[2]
            elements = self.elements_of(first)
            joined = elements.union(self.elements_of(second)) if elements is not None else None
            if joined is not None:
                self._entries[node] = joined
            size = self.size_or_unknown(first).union(self.size_or_unknown(second))
            return Charge(limited(costs[0] + max(costs[1], costs[2])), size)
        if overload.cost in {"concatenation", "list-concatenation"}:
            self._join_elements(node)
        charge = CHARGES[overload.cost](target, args)
        return Charge(limited(charge.cost + sum(costs)), charge.size)

    def _join_elements(self, node: Call) -> None:
        elements = self.elements_of(node.args[0])
        joined = elements.union(self.elements_of(node.args[1])) if elements is not None else None
        if joined is not None:
            self._entries[node] = joined

    def _copy_sizes(self, node: Node, source: Node) -> None:
        size, elements = self.size_of(source), self.elements_of(source)
        if size is not None:
            self.sizes[node] = size
        if elements is not None:
            self._entries[node] = elements

    # Comprehensions

    def comprehension(self, node: Comprehension) -> int:
        """The cost of a loop, for the longest list or map that it can run over."""
        total = limited(self.cost(node.range) + self.cost(node.initial))
        self._push(node.accumulator, self._variable_of(node.initial))
        if node.variable == UNUSED:
            # ``cel.bind``: evaluated when first read, but upstream charges the empty list that it loops over
            # (``costBind``).
            total = limited(total + self.cost(node.result))
            self._pop(node.accumulator)
            self._copy_sizes(node, node.result)
            return total
        self._push_iterated(node)
        step = limited(self.cost(node.condition) + self.cost(node.step))
        self._pop(node.variable)
        if node.variable2 is not None:
            self._pop(node.variable2)
        total = limited(total + self.cost(node.result))
        self._pop(node.accumulator)
        # A loop counts as run to its end: ``exists`` may find its element last.
        count = self.size_or_unknown(node.range)
        total = limited(total + limited(count.most * step))
        self._set_result_size(node, count)
        return total

    def _set_result_size(self, node: Comprehension, count: Size) -> None:
        # ``all`` and ``exists`` begin with true or false and have the size 1; ``map`` and ``filter`` begin
        # with an empty list, which can get as many elements as the range has.
        if isinstance(node.initial, Literal):
            size = self.size_of(node.initial)
            if size is not None:
                self.sizes[node] = size
        elif isinstance(node.initial, (ListNode, MapNode)):
            self.sizes[node] = count
            elements = self.elements_of(node.step)
            if elements is not None:
                self._entries[node] = elements

    def _variable_of(self, node: Node) -> _Variable:
        return _Variable(self.path_of(node), self.size_of(node), self.elements_of(node))

    def _push(self, name: str, variable: _Variable) -> None:
        self._variables.setdefault(name, []).append(variable)

    def _pop(self, name: str) -> None:
        self._variables[name].pop()

    def _push_iterated(self, node: Comprehension) -> None:
        elements = self.elements_of(node.range)
        kind = elements.kind if elements is not None else (node.range.type or DYN).kind
        key = elements.key if elements is not None else None
        value = elements.value if elements is not None else None
        path = self.path_of(node.range)
        is_list = kind == "list"
        if node.variable2 is None:
            step, size = ("@items", value) if is_list else ("@keys", key)
            self._push(node.variable, _Variable((*path, step), size, None))
            return
        first, second = ("@indices", "@items") if is_list else ("@keys", "@values")
        self._push(node.variable, _Variable((*path, first), key, None))
        self._push(node.variable2, _Variable((*path, second), value, None))


def literal_size(node: Node) -> Size | None:
    """The size that a literal shows; None for what is not a literal."""
    if isinstance(node, Literal):
        value = node.value
        return exactly(len(value) if isinstance(value, (str, bytes)) else 1)
    if isinstance(node, ListNode):
        return exactly(len(node.elements))
    if isinstance(node, MapNode):
        return exactly(len(node.entries))
    return None


def is_scalar(found: Type) -> bool:
    """Whether all values of a type have the size 1."""
    if found.name == "optional_type" and found.parameters:
        return is_scalar(found.parameters[0])
    return found.kind in _SCALARS
