"""Scores: which of several feasible nodes the scheduler prefers.

Mirrors the default score plugins (1.37) with their weights. All divisions round down. A plugin that does not
count for a pod gives no entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dractl.api.selectors import node_term
from dractl.simulation.allocator.checks.taints import tolerates
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import PREFERRED, Node
from dractl.simulation.scheduler.resources import CPU, MEMORY, Demand, Load

PRIORITIZED_LIST = "DynamicResources"
RESOURCES_FIT = "NodeResourcesFit"
BALANCED = "NodeResourcesBalancedAllocation"
TAINTS = "TaintToleration"
AFFINITY = "NodeAffinity"
SPREAD = "PodTopologySpread"

MAX_ALTERNATIVES = 8
"""``FirstAvailableDeviceRequestMaxSize``: the first subrequest counts as much, the next one less."""

_HUNDRED = 100
_MAX_REMEMBERED = 1 << 16
"""So many uses of nodes are remembered: what one carries seldom changes from one pod to the next."""
_COUNTED = (CPU, MEMORY)

Scores = dict[str, int]


class Option(NamedTuple):
    """A feasible node: its load without the pod, and the subrequests that the pod's claims get on it."""

    node: Node
    load: Load
    alternatives: Sequence[int]


def scores_of(
    pod: Pod,
    demand: Demand,
    options: Sequence[Option],
    *,
    spread: list[int] | None,
    counts_alternatives: bool,
) -> list[Scores]:
    """The weighted scores per plugin, for every option in order.

    ``spread`` are the scores of topology spread, made elsewhere. ``counts_alternatives``: prioritized lists
    are on.
    """
    found: list[Scores] = [{} for _ in options]
    plugins: list[tuple[str, list[int] | None]] = [
        (PRIORITIZED_LIST, _prioritized(options) if counts_alternatives else None),
        (RESOURCES_FIT, [_fit(demand, option) for option in options]),
        (BALANCED, [_balance(demand, option) for option in options] if _asks_for_any(demand) else None),
        (TAINTS, _taints(pod, options)),
        (AFFINITY, _affinity(pod, options)),
        (SPREAD, spread),
    ]
    for name, values in plugins:
        if values is not None:
            for scores, value in zip(found, values, strict=True):
                scores[name] = value
    return found


def _prioritized(options: Sequence[Option]) -> list[int]:
    """Better subrequests score higher; weight 2."""
    raw = [sum(MAX_ALTERNATIVES - number for number in option.alternatives) for option in options]
    most = max(raw)
    return [2 * (_HUNDRED * value // most) if most else 0 for value in raw]


def _fit(demand: Demand, option: Option) -> int:
    """Least allocated: the mean of what is left of cpu and memory."""
    parts = []
    for name in _COUNTED:
        size = (option.node.allocatable or {}).get(name, 0)
        if size == 0:
            continue
        used = option.load.for_scores.get(name, 0) + demand.for_scores.get(name, 0)
        parts.append(0 if used > size else (size - used) * _HUNDRED // size)
    return sum(parts) // len(parts) if parts else 0


def _asks_for_any(demand: Demand) -> bool:
    return any(demand.requests.get(name) for name in _COUNTED)


def _balance(demand: Demand, option: Option) -> int:
    """How evenly cpu and memory are used, compared with before."""
    size = option.node.allocatable or {}
    cpu, memo = size.get(CPU, 0), size.get(MEMORY, 0)
    used_cpu, used_memory = option.load.requests.get(CPU, 0), option.load.requests.get(MEMORY, 0)
    before = _evenness(used_cpu, cpu, used_memory, memo)
    after = _evenness(
        used_cpu + demand.requests.get(CPU, 0), cpu, used_memory + demand.requests.get(MEMORY, 0), memo
    )
    return _HUNDRED // 2 + (_HUNDRED // 2 + after - before) // 2


@lru_cache(maxsize=_MAX_REMEMBERED)
def _evenness(used_cpu: int, cpu: int, used_memory: int, memo: int) -> int:
    if not cpu or not memo:
        return _HUNDRED
    apart = abs(min(1.0, used_cpu / cpu) - min(1.0, used_memory / memo))
    return int((1 - apart / 2) * _HUNDRED)


def _taints(pod: Pod, options: Sequence[Option]) -> list[int]:
    """Fewer taints with effect PreferNoSchedule that the pod does not tolerate; weight 3."""
    tolerations = [
        entry for entry in pod.tolerations if entry.get("effect") in (None, "", "PreferNoSchedule")
    ]
    counts = [
        sum(
            taint.get("effect") == "PreferNoSchedule"
            and not any(tolerates(toleration, taint) for toleration in tolerations)
            for taint in option.node.taints
        )
        for option in options
    ]
    most = max(counts)
    return [3 * (_HUNDRED - _HUNDRED * count // most) if most else 3 * _HUNDRED for count in counts]


def _affinity(pod: Pod, options: Sequence[Option]) -> list[int] | None:
    """The weights of the preferred terms that match; weight 2."""
    preferred: Sequence[Mapping[str, Any]] = pod.node_affinity.get(PREFERRED) or ()
    if not preferred:
        return None
    terms = [
        (entry.get("weight", 0), node_term(entry.get("preference") or {}, "preference"))
        for entry in preferred
    ]
    raw = [
        sum(
            weight
            for weight, term in terms
            if (term.expressions or term.fields) and term.matches(option.node.name, option.node.ref.labels)
        )
        for option in options
    ]
    most = max(raw)
    return [2 * (_HUNDRED * value // most) if most else 0 for value in raw]
