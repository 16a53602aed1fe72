"""Node classes: nodes that a pod cannot distinguish, evaluated once per class.

Taints, what is allocatable, declared features and whether a node is unschedulable always count. Of names and
labels only that counts which something about the pod asks for, because every node has a name and a hostname
of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import PREFERRED, REQUIRED, Node

if TYPE_CHECKING:
    from dractl.api.objects import core

_MAX_PARTITIONS = 64
"""So many ways to sort the nodes are remembered; every pod that is pinned to a node has its own."""

_LISTING_OPERATORS = frozenset({"In", "NotIn", "Exists", "DoesNotExist"})
_OTHER = object()
"""The placeholder for names and label values that no selector uses."""


class Interest(NamedTuple):
    """What of the names and labels of nodes is asked for.

    ``names`` are the names that matter. ``labels`` has the values that matter per key; None: all of them do.
    """

    names: frozenset[str]
    labels: frozenset[tuple[str, frozenset[str] | None]]


def interest_of(pod: Pod, selectors: Iterable[core.NodeSelector] = ()) -> Interest:
    """What the node selector and the node affinity of a pod ask for, and ``selectors`` of its claims."""
    names: set[str] = set()
    labels: dict[str, set[str] | None] = {}
    wanted: Mapping[str, str] = pod.spec.get("nodeSelector") or {}
    for key, value in wanted.items():
        _want(labels, key, [value])
    for term in _terms(pod, selectors):
        for requirement in term.get("matchFields") or ():
            names.update(requirement.get("values") or ())
        for requirement in term.get("matchExpressions") or ():
            is_listing = requirement.get("operator") in _LISTING_OPERATORS
            _want(
                labels, requirement.get("key", ""), (requirement.get("values") or ()) if is_listing else None
            )
    found = ((key, None if values is None else frozenset(values)) for key, values in labels.items())
    return Interest(frozenset(names), frozenset(found))


def _terms(pod: Pod, selectors: Iterable[core.NodeSelector]) -> Iterator[core.NodeSelectorTerm]:
    required: core.NodeSelector = pod.node_affinity.get(REQUIRED) or {}
    for selector in (required, *selectors):
        yield from selector.get("nodeSelectorTerms") or ()
    for entry in pod.node_affinity.get(PREFERRED) or ():
        yield entry.get("preference") or {}


def _want(labels: dict[str, set[str] | None], key: str, values: Iterable[str] | None) -> None:
    known = labels.setdefault(key, set())
    if values is None:
        labels[key] = None
    elif known is not None:
        known.update(values)


class NodeClasses:
    """The nodes of a cluster in their order, and which of them are alike for whom."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        """Sort the nodes by what always counts."""
        self.nodes = nodes
        self.names = [node.name for node in nodes]
        self._always = _leaders(_content(node) for node in nodes)
        self._partitions: dict[Interest, Sequence[int]] = {}

    def leaders(self, interest: Interest) -> Sequence[int]:
        """For every node the position of the first one of its class."""
        if not interest.names and not interest.labels:
            return self._always
        found = self._partitions.get(interest)
        if found is None:
            if len(self._partitions) >= _MAX_PARTITIONS:
                self._partitions.clear()
            found = self._partitions[interest] = self._sorted(interest)
        return found

    def _sorted(self, interest: Interest) -> Sequence[int]:
        looks: list[Iterable[Hashable]] = [self._always]
        if interest.names:
            # A node without a name has no fields, so that it is unlike every other.
            looks.append(name if name in interest.names or not name else _OTHER for name in self.names)
        for key, values in interest.labels:
            looks.append(_looks(self.nodes, key, values))
        return _leaders(zip(*looks, strict=True))


def _content(node: Node) -> Hashable:
    """What of a node every pod may look at; when a taint was added does not matter."""
    taints = [(taint.get("key"), taint.get("value"), taint.get("effect")) for taint in node.taints]
    sizes = None if node.allocatable is None else frozenset(node.allocatable.items())
    return repr(taints), node.is_unschedulable, sizes, node.ref.declared_features


def _looks(nodes: Iterable[Node], key: str, values: frozenset[str] | None) -> Iterator[Hashable]:
    """What a label looks like on each node: absent, one of the values, or another one."""
    for node in nodes:
        value = node.ref.labels.get(key)
        yield value if value is None or values is None or value in values else _OTHER


def _leaders(looks: Iterable[Hashable]) -> Sequence[int]:
    first: dict[Hashable, int] = {}
    return [first.setdefault(look, position) for position, look in enumerate(looks)]
