"""The estimate up to 1.32: sizes are known by the path to a value only, not through variables or elements.

Mirrors ``checker/cost.go`` of cel-go before 0.23.
"""

from __future__ import annotations

from dractl.cel.common.overload import Overload
from dractl.cel.common.tree import Call, Comprehension, Ident, ListNode, Node
from dractl.cel.common.types import DYN
from dractl.cel.cost.call_cost import Argument, Charge
from dractl.cel.cost.cost import LIST_COST, STEP_COST, Coster, Entries, Path, is_scalar, literal_size
from dractl.cel.cost.sizes import Size, device_size, exactly, limited


def estimated_cost_by_paths(tree: Node) -> int:
    """The highest cost of evaluating a checked tree for any device, at most ``UNLIMITED``."""
    return _CosterByPaths().cost(tree)


def estimated_cost_without_sizes(tree: Node) -> int:
    """The same as up to 1.32.2, where no size of a device's strings and maps is known."""
    return _CosterByPaths(knows_sizes=False).cost(tree)


class _CosterByPaths(Coster):
    """One estimate: the ranges that variables run over give paths to what they hold, and nothing else."""

    def __init__(self, *, knows_sizes: bool = True) -> None:
        """Start with nothing known; ``knows_sizes``: some paths lead to a declared size."""
        super().__init__()
        self._knows_sizes = knows_sizes
        self._ranges: dict[str, list[Node]] = {}

    def path_of(self, node: Node) -> Path:
        return self.paths.get(node, ()) if self._knows_sizes else ()

    def size_of(self, node: Node) -> Size | None:
        known = self.sizes.get(node) or literal_size(node) or device_size(self.path_of(node))
        if known is None and (node.type or DYN).name != "optional_type" and is_scalar(node.type or DYN):
            return exactly(1)
        return known

    def elements_of(self, _node: Node) -> Entries | None:
        return None

    def ident(self, node: Ident) -> int:
        # The innermost loop hides a variable of the same name outside.
        ranges = self._ranges.get(node.name)
        if not ranges:
            self.paths[node] = (node.name,)
            return STEP_COST
        step = {"list": "@items", "map": "@keys"}.get((ranges[-1].type or DYN).kind)
        if step is not None:
            self.paths[node] = (*self.path_of(ranges[-1]), step)
        return STEP_COST

    def list_literal(self, node: ListNode) -> int:
        # Before 0.23 cel-go did not track ``computedEntrySizes``, so the elements have no size of their own.
        return limited(LIST_COST + sum(self.cost(element) for element in node.elements))

    def call(self, node: Call) -> int:
        costs = [self.cost(arg) for arg in node.args]
        total = 0 if node.target is None else self.cost(node.target)
        target = None if node.target is None else self.argument(node.target)
        charges = [self._charged(node, row, target, costs) for row in node.overloads]
        known = [charge.size for charge in charges if charge.size is not None]
        if known:
            size = known[0]
            for other in known[1:]:
                size = size.union(other)
            self.sizes[node] = size
        return limited(total + max(charge.cost for charge in charges))

    def _charged(self, node: Call, row: Overload, target: Argument | None, costs: list[int]) -> Charge:
        if row.cost in {"item", "entry"}:
            step = "@items" if row.cost == "item" else "@values"
            self.paths[node] = (*self.path_of(node.args[0]), step)
        return self.charge(node, row, target, [self.argument(arg) for arg in node.args], costs)

    def comprehension(self, node: Comprehension) -> int:
        total = limited(self.cost(node.range) + self.cost(node.initial))
        self._ranges.setdefault(node.variable, []).append(node.range)
        step = limited(self.cost(node.condition) + self.cost(node.step))
        self._ranges[node.variable].pop()
        total = limited(total + self.cost(node.result))
        count = self.size_or_unknown(node.range)
        # Also for ``all`` and ``exists``: only later versions look at what the loop begins with.
        self.sizes[node] = count
        return limited(total + limited(count.most * step))
