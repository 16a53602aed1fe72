"""``PodTopologySpread``, as far as it counts for scores: pods of one kind keep apart.

Mirrors the scoring half of the plugin (1.37), with its default constraints. Constraints that forbid nodes
(``DoNotSchedule``) are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api.selectors import matches_labels, matches_set
from dractl.cluster.objects import Objects, namespace_of
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.quirks import Quirks
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.framework import MAX_SCORE, CycleState, FeasibleNode
from dractl.simulation.scheduler.node_load import PodKind, PodsOfNode
from dractl.simulation.scheduler.nodes import Node
from dractl.simulation.scheduler.plugins.node_affinity import meets_affinity

if TYPE_CHECKING:
    from dractl.api.objects import core
    from dractl.api.objects.meta import LabelSelector

NAME = "PodTopologySpread"

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"

DEFAULTS: tuple[tuple[str, int], ...] = ((HOSTNAME, 3), (ZONE, 5))
"""Topology key and maximum skew of the constraints of a pod that has none, but is selected by something."""

_OWNERS_WITH_SELECTOR = ("ReplicaSet", "StatefulSet", "Deployment")
_OWNERS_WITH_SET = ("ReplicationController",)

Labels = Mapping[str, str]


class Spread(NamedTuple):
    """A constraint that only counts for scores."""

    topology_key: str
    max_skew: int
    matches: Callable[[Labels], bool]


class Spreads(NamedTuple):
    """The constraints of a pod; its own ones leave out nodes that lack a label, the default ones do not."""

    constraints: tuple[Spread, ...]
    are_own: bool


def spreads_of(pod: Pod, api_objects: Objects, quirks: Quirks) -> Spreads:
    """The pod's own constraints, or the default ones where a Service or a workload selects it."""
    own: Sequence[core.TopologySpreadConstraint] = pod.spec.get("topologySpreadConstraints") or ()
    if own:
        return Spreads(tuple(_own(entry, pod, quirks) for entry in own if _is_soft(entry)), are_own=True)
    tests = [*_service_tests(pod, api_objects), *_owner_tests(pod, api_objects)]
    if not tests:
        return Spreads((), are_own=False)

    def matches(labels: Labels) -> bool:
        return all(test(labels) for test in tests)

    return Spreads(tuple(Spread(key, skew, matches) for key, skew in DEFAULTS), are_own=False)


def score(state: CycleState, nodes: Sequence[FeasibleNode]) -> list[int] | None:
    """The fewer pods of its kind share the domains of a node, the better; skips a pod without constraints."""
    spreads = spreads_of(state.pod, state.api_objects, state.quirks)
    candidates = [entry.node for entry in nodes]
    return scores(state.pod, spreads, candidates, state.nodes, state.placed)


def scores(
    pod: Pod,
    spreads: Spreads,
    options: Sequence[Node],
    nodes: Iterable[Node],
    placed: Mapping[str, PodsOfNode],
) -> list[int] | None:
    """The scores of the options, or None if spread does not count for the pod.

    ``nodes`` are all nodes, ``placed`` the pods on each.
    """
    if not spreads.constraints:
        return None
    counted = [node for node in options if not spreads.are_own or _has_all(node, spreads)]
    others = [node for node in nodes if not spreads.are_own or _has_all(node, spreads)]
    raw = {node.name: 0.0 for node in counted}
    for spread in spreads.constraints:
        counts = _counts(pod, spread, counted, others, placed)
        is_host = spread.topology_key == HOSTNAME
        weight = math.log((len(counted) if is_host else len(counts)) + 2)
        for node in counted:
            domain = node.ref.labels.get(spread.topology_key)
            if domain is not None:
                count = counts[node.name if is_host else domain]
                raw[node.name] += count * weight + spread.max_skew - 1
    rounded = {name: math.floor(value + 0.5) for name, value in raw.items()}
    least, most = min(rounded.values(), default=0), max(rounded.values(), default=0)
    final = {
        value: MAX_SCORE * (most + least - value) // most if most else MAX_SCORE for value in rounded.values()
    }
    return [final[rounded[node.name]] if node.name in rounded else 0 for node in options]


def _counts(
    pod: Pod,
    spread: Spread,
    options: Iterable[Node],
    nodes: Iterable[Node],
    placed: Mapping[str, PodsOfNode],
) -> dict[str, int]:
    """Matching pods per domain of the options; for the hostname label per node."""
    matching = _Matching(pod, spread)
    if spread.topology_key == HOSTNAME:
        return {node.name: matching.number(placed.get(node.name)) for node in options}
    counts = {node.ref.labels.get(spread.topology_key, ""): 0 for node in options}
    goes_anywhere = not pod.node_affinity and not pod.spec.get("nodeSelector")
    for node in nodes:
        domain = node.ref.labels.get(spread.topology_key, "")
        if domain not in counts or node.name not in placed:
            continue
        count = matching.number(placed[node.name])
        if count and (goes_anywhere or meets_affinity(pod, node.ref)):
            counts[domain] += count
    return counts


class _Matching:
    """Counts the pods that a constraint is about; of pods with equal labels one is looked at."""

    def __init__(self, pod: Pod, spread: Spread) -> None:
        self._namespace = pod.namespace
        self._spread = spread
        self._known: dict[PodKind, bool] = {}

    def number(self, pods: PodsOfNode | None) -> int:
        count = 0
        for kind, number in pods.kinds.items() if pods else ():
            is_match = self._known.get(kind)
            if is_match is None:
                namespace, labels = kind
                is_match = namespace == self._namespace and self._spread.matches(dict(labels))
                self._known[kind] = is_match
            if is_match:
                count += number
        return count


def _has_all(node: Node, spreads: Spreads) -> bool:
    return all(spread.topology_key in node.ref.labels for spread in spreads.constraints)


def _is_soft(entry: core.TopologySpreadConstraint) -> bool:
    return entry.get("whenUnsatisfiable") == "ScheduleAnyway"


def _own(entry: core.TopologySpreadConstraint, pod: Pod, quirks: Quirks) -> Spread:
    selector = entry.get("labelSelector")
    same = {key: pod.labels[key] for key in entry.get("matchLabelKeys") or () if key in pod.labels}
    counts_all = selector is not None and not any(selector.values()) and not same
    counts_none = counts_all and quirks.empty_selector_spreads_nothing

    def matches(labels: Labels) -> bool:
        return not counts_none and matches_labels(selector, labels) and matches_set(same, labels)

    return Spread(entry.get("topologyKey", ""), entry.get("maxSkew", 1), matches)


def _service_tests(pod: Pod, api_objects: Objects) -> list[Callable[[Labels], bool]]:
    selectors = [
        (service.get("spec") or {}).get("selector") or {}
        for service in api_objects.of_kind("Service")
        if namespace_of(service) == pod.namespace
    ]
    return [_set_test(selector) for selector in selectors if selector and matches_set(selector, pod.labels)]


def _owner_tests(pod: Pod, api_objects: Objects) -> list[Callable[[Labels], bool]]:
    found: list[Callable[[Labels], bool]] = []
    for owner in (pod.data.get("metadata") or {}).get("ownerReferences") or ():
        kind = owner.get("kind", "")
        item = (
            api_objects.get(kind, pod.namespace, owner.get("name", "")) if owner.get("controller") else None
        )
        selector = ((item or {}).get("spec") or {}).get("selector")
        if selector and kind in _OWNERS_WITH_SELECTOR:
            found.append(_selector_test(selector))
        elif selector and kind in _OWNERS_WITH_SET:
            found.append(_set_test(selector))
    return found


def _set_test(selector: Labels) -> Callable[[Labels], bool]:
    return lambda labels: matches_set(selector, labels)


def _selector_test(selector: LabelSelector) -> Callable[[Labels], bool]:
    return lambda labels: matches_labels(selector, labels)
