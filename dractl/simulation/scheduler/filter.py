"""Filter: the nodes on which a pod fits, and why it does not fit on the others.

Mirrors ``findNodesThatFitPod``. Nodes that are alike to the pod are filtered once for all of them, except
by plugins that tell one from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from dractl.api.json_types import Object
from dractl.cluster.objects import Objects
from dractl.records import NamedTuple
from dractl.simulation.allocator.result_cache import NoDevices
from dractl.simulation.pods.outcome import TIMEOUT, Refusal
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import CycleState, FeasibleNode, FilterPlugin, NodeInfo, Scope
from dractl.simulation.scheduler.node_classes import interest_of
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins import dynamic_resources
from dractl.simulation.scheduler.plugins.registry import FILTER_PLUGINS
from dractl.simulation.scheduler.prefilter import SchedulingCycle
from dractl.simulation.scheduler.resources import CPU, MEMORY, NO_LOAD, Demand
from dractl.simulation.scheduler.schedule_result import NodeRefusals

NodeClassKey = tuple[int, int]
"""Nodes that are alike for a pod: the position of the first of their class, and the number of their load."""

_Check = Callable[[CycleState, Node, NodeInfo], Refusal | None]
_Selected = Mapping[str, tuple[int, ...]]
_Full = Mapping[str, NoDevices]
_NONE: _Selected = MappingProxyType({})
_NO_NODES: _Full = MappingProxyType({})
_NO_DEMAND = Demand({}, {})
_tuple = tuple.__new__


class Filtered(NamedTuple):
    """The nodes that passed all filters, and why each other node did not, in the order of the nodes.

    ``decided`` are the refusals that may end the attempt, by the name of the node.
    """

    feasible: Sequence[FeasibleNode]
    refusals: Mapping[str, Refusal]
    decided: Mapping[str, Refusal]


def find_nodes_that_fit(cycle: SchedulingCycle) -> Filtered:
    """Filter all nodes. If all claims are allocated and usable on nodes that fit, only those count."""
    filters = _Filters(cycle, FILTER_PLUGINS)
    keys = filters.node_class_keys()
    feasible = _where_claims_are(filters, keys)
    if feasible:
        return Filtered(feasible, {}, {})
    refusals: dict[str, Refusal | NoDevices] = {}
    decided: dict[str, Refusal] = {}
    results = filters.results(keys)
    state, allocator, snapshot = cycle
    for name, node, key in zip(snapshot.classes.names, snapshot.nodes, keys, strict=True):
        info = results[key]
        selected = info.known_to_fit.get(name)
        if selected is None:
            full = info.known_to_be_full.get(name)
            if full is not None:
                refusals[name] = full
                continue
            refusal = info.filter(state, node)
            if refusal is not None:
                refusals[name] = decided[name] = refusal
                if refusal.category == TIMEOUT and allocator.ends_attempt(refusal):
                    # Upstream looks at nodes side by side; one that times out fails the attempt all the same.
                    break
                continue
            selected = allocator.selected.get(name, ())
        # Every pod makes one for every node, and a named tuple takes its time to pass on its arguments.
        feasible.append(_tuple(FeasibleNode, (node, info, selected)))
    return Filtered(feasible, NodeRefusals(refusals, allocator.claims.names()), decided)


def _where_claims_are(filters: _Filters, keys: Sequence[NodeClassKey]) -> list[FeasibleNode]:
    """The nodes that fit, if all claims are allocated: then nothing can fail on any other node."""
    cycle = filters.cycle
    if not cycle.allocator.claims.has_settled_all:
        return []
    usable = {key for key in set(keys) if filters.are_claims_usable(key)}
    results = filters.results(usable)
    feasible = []
    for node, key in zip(cycle.snapshot.nodes, keys, strict=True):
        if key not in usable:
            continue
        info = results[key]
        if info.filter(cycle.state, node) is None:
            selected = cycle.allocator.selected.get(node.name, ())
            feasible.append(FeasibleNode(node, info, selected))
    return feasible


def first_refusal(state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:
    """Why a node does not take a pod, by all plugins in order, or None."""
    return _first(FILTER_PLUGINS, state, node, info)


def is_meant_for(pod: Pod, node: Node) -> bool:
    """Whether a pod may run on a node if that has room: what the DaemonSet controller asks."""
    state = CycleState(pod, _NO_DEMAND, Objects(), (), {})
    plugins = (row for row in FILTER_PLUGINS if row.scope is Scope.NODE_CLASS)
    return _first(plugins, state, node, NodeInfo(node, NO_LOAD)) is None


def _first(plugins: Iterable[FilterPlugin], state: CycleState, node: Node, info: NodeInfo) -> Refusal | None:
    refusals = (plugin.filter(state, node, info) for plugin in plugins)
    return next((refusal for refusal in refusals if refusal is not None), None)


class _FilteredClass(NodeInfo):
    """A class of nodes, and what the plugins that do not tell its nodes apart make of it.

    ``each_node`` are checks that still have to be made of each node, and come before ``refusal``.
    ``known_to_fit`` has the nodes that need no further look, with the subrequests that were chosen there;
    ``known_to_be_full`` has those that have no devices for the pod, with the reason.
    """

    __slots__ = ("each_node", "known_to_be_full", "known_to_fit", "refusal")

    refusal: Refusal | None
    each_node: Sequence[_Check]
    known_to_fit: _Selected
    known_to_be_full: _Full

    def filter(self, state: CycleState, node: Node) -> Refusal | None:
        """Why one node of the class does not take the pod, or None."""
        for check in self.each_node:
            refusal = check(state, node, self)
            if refusal is not None:
                return refusal
        return self.refusal


class _WhateverLoad(NamedTuple):
    """What is true of nodes that are alike whatever runs on them.

    ``rank`` is that of the plugin that refuses; without a refusal, the number of plugins.
    """

    rank: int
    refusal: Refusal | None
    served: frozenset[str]
    on_other_nodes: Sequence[Object]


class _Filters:
    """The filter plugins for one pod, each asked as seldom as its scope allows."""

    def __init__(self, cycle: SchedulingCycle, plugins: Sequence[FilterPlugin]) -> None:
        """Nodes are evaluated lazily."""
        self.cycle = cycle
        self._state = cycle.state
        self._nodes = cycle.snapshot.nodes
        self._load = cycle.snapshot.loads.load
        ranked = list(enumerate(plugins))
        self._number = len(plugins)
        self._always, self._loaded, self._each_node = (
            [(rank, row.filter) for rank, row in ranked if row.scope is scope] for scope in Scope
        )
        self._checks = [check for _, check in self._each_node]
        # Where only devices are left to look at, what an earlier search found is the last word.
        names = [row.name for row in plugins if row.scope is Scope.EACH_NODE]
        self._devices_decide = names == [dynamic_resources.NAME] and cycle.allocator.decides_by_devices
        self._results: dict[NodeClassKey, _FilteredClass] = {}
        self._whatever_load: dict[int, _WhateverLoad] = {}

    def node_class_keys(self) -> list[NodeClassKey]:
        """The class of every node."""
        snapshot = self.cycle.snapshot
        interest = interest_of(self.cycle.state.pod, self.cycle.allocator.claims.node_selectors())
        leaders = snapshot.classes.leaders(interest)
        numbers = snapshot.loads.numbers(snapshot.classes.names, self._resources())
        return list(zip(leaders, numbers, strict=True))

    def _resources(self) -> frozenset[str] | None:
        """The resources whose use on a node matters to the pod; None: all of them."""
        if not self.cycle.allocator.decides_by_devices:
            return None
        return frozenset((CPU, MEMORY, *self._state.demand.requests))

    def are_claims_usable(self, key: NodeClassKey) -> bool:
        """Whether all claims that are allocated can be used on the nodes of a class."""
        return not self.cycle.allocator.claims.on_other_nodes(self._nodes[key[0]])

    def results(self, keys: Iterable[NodeClassKey]) -> Mapping[NodeClassKey, _FilteredClass]:
        """What the plugins make of each of these classes of nodes."""
        results = self._results
        for key in set(keys):
            if key not in results:
                results[key] = self._filtered(*key)
        return results

    def _filtered(self, leader: int, number: int) -> _FilteredClass:
        node = self._nodes[leader]
        always = self._whatever_load.get(leader)
        if always is None:
            always = self._whatever_load[leader] = self._filtered_always(node)
        end, refusal, served, on_other_nodes = always
        info = _FilteredClass(node, self._load(number), served, on_other_nodes)
        for rank, check in self._loaded:
            if rank > end:
                break
            found = check(self._state, node, info)
            if found is not None:
                end, refusal = rank, found
                break
        info.refusal = refusal
        if refusal is not None:
            info.each_node = [check for rank, check in self._each_node if rank < end]
            info.known_to_fit, info.known_to_be_full = _NONE, _NO_NODES
            return info
        # Parsed for the class, because that also brings the answers up to date.
        answers = self.cycle.allocator.claims.pending_claims(served).answers
        info.each_node = self._checks
        info.known_to_fit = answers.plain if self._devices_decide and not on_other_nodes else _NONE
        info.known_to_be_full = answers.full if self._devices_decide else _NO_NODES
        return info

    def _filtered_always(self, node: Node) -> _WhateverLoad:
        claims = self.cycle.allocator.claims
        served = claims.served_on(node)
        info = NodeInfo(node, NO_LOAD, served)
        for rank, check in self._always:
            refusal = check(self._state, node, info)
            if refusal is not None:
                return _WhateverLoad(rank, refusal, served, ())
        return _WhateverLoad(self._number, None, served, claims.on_other_nodes(node))
