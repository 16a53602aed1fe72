"""Resources other than devices: what a pod asks for, what a node has, and whether it is enough.

Amounts are integers, cpu in thousandths, everything else in its unit, as the scheduler counts. Mirrors
``resourcehelper.PodRequests`` and the resources fit plugin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING

from dractl.api import quantity
from dractl.api.json_types import Object
from dractl.records import NamedTuple
from dractl.simulation.pods.pods import Container, Pod

if TYPE_CHECKING:
    from dractl.api.objects import core

CPU = "cpu"
MEMORY = "memory"
PODS = "pods"
NODE_RESOURCES = (CPU, MEMORY, "ephemeral-storage")
"""What every node has; all other resources are scalar resources to the scheduler."""

DEFAULT_FOR_SCORES: Mapping[str, int] = {CPU: 100, MEMORY: 200 * 1024 * 1024}
"""What a container without a request counts for when nodes are scored."""

_POD_LEVEL = (CPU, MEMORY)

NOTHING: Mapping[str, int] = MappingProxyType({})

Amounts = dict[str, int]


class Demand(NamedTuple):
    """The requests of a pod: as written, and with the defaults that count for scores."""

    requests: Mapping[str, int]
    for_scores: Mapping[str, int]


def amount(resource: str, text: str) -> int:
    """A quantity as the scheduler counts it, rounded up."""
    value = quantity.parse(str(text))
    return value.milli_value if resource == CPU else value.value


_BINARY = (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10))
_OF_BYTES = (MEMORY, "ephemeral-storage", "hugepages-")


def shown(name: str, amount: int) -> str:
    """An amount as people write it in a manifest: 2 or 1500m of cpu, 8Gi of memory."""
    if name == CPU:
        return str(amount // 1000) if amount % 1000 == 0 else f"{amount}m"
    if amount and name.startswith(_OF_BYTES):
        return next(
            (f"{amount // unit}{suffix}" for suffix, unit in _BINARY if amount % unit == 0), str(amount)
        )
    return str(amount)


def amounts(entries: Mapping[str, str]) -> Amounts:
    """A resource list as integers."""
    return {name: amount(name, text) for name, text in entries.items()}


def demand_of(pod: Pod) -> Demand:
    """What a pod asks for: what runs at once or what an init container needs, if more, plus overhead."""
    level: Mapping[str, str] = (pod.spec.get("resources") or {}).get("requests") or {}
    overhead: Mapping[str, str] = pod.spec.get("overhead") or {}
    totals = []
    for stand_ins in ({}, DEFAULT_FOR_SCORES):
        total = aggregated(pod.containers, stand_ins)
        for name in _POD_LEVEL:
            if name in level:
                total[name] = amount(name, level[name])
        _add(total, amounts(overhead))
        totals.append(total)
    return Demand(*totals)


def aggregated(
    containers: Iterable[Container],
    stand_ins: Mapping[str, int] = NOTHING,
    extra: Mapping[str, Mapping[str, int]] = MappingProxyType({}),
) -> Amounts:
    """What containers need at most at one time; ``extra`` is what each needs beyond its requests, by name."""
    running: Amounts = {}
    largest: Amounts = {}
    for container in containers:
        own = {**stand_ins, **amounts(container.requests)}
        _add(own, extra.get(container.name, NOTHING))
        if container.is_long_lived:
            _add(running, own)
        if container.is_init:
            # An init container runs along with the sidecars that were started before it.
            during_init = dict(running)
            if not container.is_long_lived:
                _add(during_init, own)
            _raise(largest, during_init)
    _raise(running, largest)
    return running


def _add(total: Amounts, more: Mapping[str, int]) -> None:
    for name, value in more.items():
        total[name] = total.get(name, 0) + value


def _raise(total: Amounts, least: Mapping[str, int]) -> None:
    for name, value in least.items():
        total[name] = max(total.get(name, 0), value)


class Load(NamedTuple):
    """What the pods on a node take together."""

    pods: int
    requests: Mapping[str, int]
    for_scores: Mapping[str, int]

    def plus(self, demand: Demand) -> Load:
        """The load with one more pod."""
        requests, for_scores = dict(self.requests), dict(self.for_scores)
        _add(requests, demand.requests)
        _add(for_scores, demand.for_scores)
        return Load(self.pods + 1, requests, for_scores)


NO_LOAD = Load(0, {}, {})
"""The load of a node without pods."""


def load_of(demands: Iterable[Demand]) -> Load:
    """The load of pods with these demands."""
    return reduce(Load.plus, demands, NO_LOAD)


def shortages(
    demand: Demand, load: Load, allocatable: Mapping[str, int], served: frozenset[str]
) -> list[str]:
    """The resources, but for ``served`` ones, of which a node has too little for a pod; ``pods`` comes first.

    Mirrors ``fitsRequest``: a resource that the pod does not request is ignored.
    """
    short = []
    if load.pods + 1 > allocatable.get(PODS, 0):
        short.append(PODS)
    for name, wanted in demand.requests.items():
        if (
            wanted > 0
            and name not in served
            and wanted > allocatable.get(name, 0) - load.requests.get(name, 0)
        ):
            short.append(name)
    return short


def allocatable_of(node: Object) -> Amounts | None:
    """The allocatable resources of a node, otherwise its capacity; None if it reports neither."""
    status: core.NodeStatus = node.get("status") or {}
    entries = status.get("allocatable") or status.get("capacity")
    return None if entries is None else amounts(entries)
