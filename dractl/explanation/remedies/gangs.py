"""Pods that find no room one after the other, although there is room for all: what has to be chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

from dractl.api.json_types import JsonDict
from dractl.cluster.objects import Key, full_name, key_of
from dractl.explanation.model import Together
from dractl.explanation.trials.edits import replaced
from dractl.records import NamedTuple
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod

__all__ = ["MOST_PODS", "JointChoice", "joint_choice", "sentence"]

MOST_PODS = 6
"""Pods whose order is changed; they have 720 orders."""

MOST_NODES = 64
_MOST_TRIALS = 120
_MOST_TRIED = 2_000
"""Pods times nodes that all trials together may look at; they take about half a second."""
_HOSTNAME = "kubernetes.io/hostname"


class JointChoice(NamedTuple):
    """How all pods that wait get a node, although the usual order leaves one out.

    ``order`` are the pods in the order in which they have to be tried, by ``namespace/name``; ``nodes`` are
    what they get. ``kept_to`` is None, or a pod and the node that a node selector has to keep it to.
    ``objects`` are the cluster with the pods in that order, to be simulated.
    """

    order: tuple[str, ...]
    nodes: tuple[str, ...]
    kept_to: tuple[str, str] | None
    objects: tuple[JsonDict, ...]


def joint_choice(objects: Iterable[JsonDict], settings: Settings, pod: Key) -> JointChoice | None:
    """An order of the pods without a node that places them all, or else a node to keep one of them to.

    ``objects`` are those before the simulation that left ``pod`` out. None if there is nothing to choose, if
    nothing helps within the budget, or if the cluster is too large to try. Other pods keep their place, and
    no pod that gets a node in the usual order loses it.
    """
    everything = list(objects)
    pods = [item for item in everything if item.get("kind") == "Pod" and _waits(item)]
    others = [item for item in everything if not (item.get("kind") == "Pod" and _waits(item))]
    rivals = _rivals(pods, pod)
    if len(rivals) < 2:
        return None
    trials = _Trials(others, settings)
    nodes = trials.node_names()
    trials.left = min(_MOST_TRIALS, _MOST_TRIED // (max(1, len(nodes)) * len(pods)))
    if len(nodes) > MOST_NODES or trials.left < 2:
        return None
    start = pods.index(rivals[0])
    before = [item for item in pods[:start] if item not in rivals]
    after = [item for item in pods[start:] if item not in rivals]
    usual = trials.placed(pods, ()) or {}
    wanted = [item for item in pods if full_name(item) in usual or item in rivals]
    for order in _orders(rivals, pod):
        tried = [*before, *order, *after]
        found = trials.placed(tried, wanted)
        if found is not None:
            return _choice([*others, *tried], order, found, None)
        if not trials.left:
            return None
    for number, item in enumerate(rivals):
        for node in nodes:
            kept = replaced(item, ("spec", "nodeSelector", _HOSTNAME), node)
            order = [*rivals[:number], kept, *rivals[number + 1 :]]
            tried = [*before, *order, *after]
            found = trials.placed(tried, wanted)
            if found is not None:
                return _choice([*others, *tried], order, found, (full_name(item), node))
            if not trials.left:
                return None
    return None


def sentence(choice: JointChoice | Together) -> str:
    """The choice as a line, without an end mark."""
    number = len(choice.order)
    pods = "both pods" if number == 2 else f"all {number} pods"
    if choice.kept_to is not None:
        pod, node = choice.kept_to
        return f"{pods} fit if a node selector keeps pod {pod} to node {node}"
    return f"{pods} fit if they are created in the order {', '.join(choice.order)}"


class _Trials:
    """Simulations of the same cluster with its pods in different orders."""

    def __init__(self, others: Sequence[JsonDict], settings: Settings) -> None:
        self._others = others
        self._settings = settings
        self.left = _MOST_TRIALS

    def node_names(self) -> list[str]:
        """The nodes, in the order in which equally good ones are chosen."""
        return [node.name for node in Scheduler(self._others, self._settings).nodes]

    def placed(self, pods: Sequence[JsonDict], wanted: Sequence[JsonDict]) -> dict[str, str] | None:
        """The nodes of all pods that get one, if all the wanted ones do."""
        if not self.left:
            return None
        self.left -= 1
        scheduler = Scheduler([*self._others, *pods], self._settings)
        scheduler.settle()
        nodes = {
            pod.full_name: node
            for pod in scheduler.pods()
            if (node := pod.node or scheduler.decision(pod).node) and scheduler.decision(pod).refused is None
        }
        return nodes if nodes.keys() >= set(map(full_name, wanted)) else None


def _waits(item: JsonDict) -> bool:
    pod = Pod(item)
    return pod.node is None and not pod.is_finished and not pod.is_terminating


def _rivals(pods: Sequence[JsonDict], pod: Key) -> list[JsonDict]:
    """The pods whose order may matter: those of one group, or the waiting one and some before it."""
    own = next((item for item in pods if key_of(item) == pod), None)
    if own is None:
        return []
    group = Pod(own).group
    if group is not None:
        mine = [item for item in pods if (Pod(item).group, Pod(item).namespace) == (group, pod.namespace)]
        return mine if len(mine) <= MOST_PODS else []
    # The pods just before the waiting one are the likeliest to have what it needs.
    last = pods.index(own)
    return list(pods[max(0, last - MOST_PODS + 1) : last + 1])


def _orders(pods: Sequence[JsonDict], pod: Key) -> Iterator[list[JsonDict]]:
    """The orders other than the given one; those first in which the waiting pod comes first."""
    numbers = range(len(pods))
    alike = [str({**item, "metadata": {}}) for item in pods]
    own = next(number for number in numbers if key_of(pods[number]) == pod)
    seen = {tuple(alike)}
    first = [own, *(number for number in numbers if number != own)]
    for order in permutations(first):
        kinds = tuple(alike[number] for number in order)
        if kinds not in seen:
            seen.add(kinds)
            yield [pods[number] for number in order]


def _choice(
    objects: Sequence[JsonDict],
    order: Sequence[JsonDict],
    nodes: dict[str, str],
    kept_to: tuple[str, str] | None,
) -> JointChoice:
    names = tuple(map(full_name, order))
    return JointChoice(names, tuple(nodes[name] for name in names), kept_to, tuple(objects))
