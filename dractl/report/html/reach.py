"""For which nodes pools and devices are: one, all, or those that a selector matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dractl.cluster.devices import Device, Slice, Target
from dractl.records import NamedTuple
from dractl.report.listing import some_of
from dractl.simulation.scheduler.nodes import Node

__all__ = ["Reach"]

_MOST_NAMES = 3


class Reach:
    """Finds the nodes that a pool or device is for."""

    class Found(NamedTuple):
        """The one node, or None with a text about several; ``differs``: not all devices have the same."""

        node: str | None
        text: str
        differs: bool = False

    def __init__(self, nodes: Sequence[Node]) -> None:
        """Take the nodes of a cluster."""
        self._nodes = nodes
        self._by_selector: dict[int, frozenset[str]] = {}

    def of_pool(self, owners: Iterable[Device | Slice]) -> Found:
        """The nodes that the devices of a pool are for, or its slices if it has no devices."""
        every = {self._names(_target_of(owner)) for owner in owners}
        union: frozenset[str] | None = frozenset()
        for names in every:
            union = None if names is None or union is None else union | names
        found = self._found(union)
        return found._replace(differs=len(every) > 1)

    def of_device(self, device: Device) -> Found:
        """The nodes that a device is for."""
        return self._found(self._names(_target_of(device)))

    def _names(self, target: Target) -> frozenset[str] | None:
        """The names of the nodes; None for all."""
        if target.node_name:
            return frozenset((target.node_name,))
        if target.all_nodes:
            return None
        if target.selector is None or target.problems:
            return frozenset()
        key = id(target)
        if key not in self._by_selector:
            self._by_selector[key] = frozenset(
                node.name for node in self._nodes if target.selector.matches(node.name, node.ref.labels)
            )
        return self._by_selector[key]

    def _found(self, names: frozenset[str] | None) -> Found:
        if names is None:
            return self.Found(None, "for all nodes")
        if len(names) == 1:
            (name,) = names
            return self.Found(name, f"for {name}")
        if not names:
            return self.Found(None, "for no known node")
        if len(names) > _MOST_NAMES:
            return self.Found(None, f"for {len(names)} of {len(self._nodes)} nodes")
        return self.Found(None, f"for {some_of(sorted(names), _MOST_NAMES)}")


def _target_of(owner: Device | Slice) -> Target:
    if isinstance(owner, Slice):
        return owner.target
    return owner.target if owner.slice.is_per_device else owner.slice.target
