"""The smallest number of nodes like one on which the pending pods of a cluster fit, each number simulated."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from dractl.api import budgets
from dractl.api.budgets import Budget
from dractl.api.json_types import Object
from dractl.cluster.objects import Key, Objects, key_of
from dractl.records import NamedTuple
from dractl.simulation.engine.scheduler import Scheduler
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.pods import Pod
from dractl.sizing.cloning import NodeTemplate
from dractl.sizing.filling import UNKNOWN, fill
from dractl.sizing.model import Addition, StillPending
from dractl.sizing.subjects import Subject

__all__ = ["add", "cheapest_first"]

_FEW = 4
"""Up to so many nodes every number is tried; beyond, those between a doubling are halved."""


class _Trial(NamedTuple):
    """The queue with some more nodes: what is placed, and what still waits with the reason."""

    placed: tuple[str, ...]
    pending: tuple[StillPending, ...]


def add(
    api_objects: Objects,
    queue: Sequence[Object],
    template: NodeTemplate,
    settings: Settings,
    subjects: Sequence[Subject],
    price: Decimal | None = None,
) -> Addition:
    """How many nodes like a template the ``queue`` needs in a cluster of ``api_objects``.

    The number is the smallest found for which as many pods are placed as with a node for each of them;
    with one node fewer the simulation places fewer. ``subjects`` are copied on one empty node.
    """
    keys = [key_of(pod) for pod in queue]
    waiting = set(keys)
    # Full nodes rarely matter and cost the most, so the number is looked for without them, then confirmed.
    alone = [item for item in api_objects if key_of(item) in waiting or not _is_of_node(item)]
    first = _Trials(Objects(alone), keys, template, settings, budgets.ADDED_TRIALS.value)
    number, _ = first.smallest()
    trials = _Trials(api_objects, keys, template, settings, first.work)
    if first.cut is not None:  # with full nodes, too, no more could be tried
        trials.cut, trials.is_complete = first.cut, False
        trial = trials.with_nodes(number)
    elif trials.confirms(number):
        trial = trials.with_nodes(number)
    else:
        number, trial = trials.smallest()
    return Addition(
        like=template.name,
        nodes=number,
        placed=trial.placed,
        still_pending=trial.pending,
        per_node=_per_node(api_objects, template, settings, subjects) if subjects else None,
        not_cloned=template.not_cloned,
        price=price,
        is_complete=trials.is_complete,
        notes=() if trials.cut is None else (trials.cut.message(),),
    )


def cheapest_first(choices: Sequence[Addition]) -> tuple[Addition, ...]:
    """The choices that leave the fewest pods Pending first; of those the cheapest, else the fewest nodes."""

    def rank(choice: Addition) -> tuple[int, Decimal, int]:
        cost = choice.cost
        return len(choice.still_pending), Decimal("Infinity") if cost is None else cost, choice.nodes

    return tuple(sorted(choices, key=rank))


class _Trials:
    """Simulations of one cluster with more and more nodes, as long as ``work`` lasts.

    ``cut`` is the limit that ended the search, if one did.
    """

    def __init__(
        self,
        api_objects: Objects,
        queue: Sequence[Key],
        template: NodeTemplate,
        settings: Settings,
        work: int,
    ) -> None:
        self._api_objects = api_objects
        self._queue = queue
        self._template = template
        self._settings = settings
        self._known: dict[int, _Trial] = {}
        self.work = work
        self._nodes = len(Scheduler(api_objects, settings).nodes)
        self.is_complete = True
        self.cut: Budget | None = None

    def smallest(self) -> tuple[int, _Trial]:
        """The smallest number of nodes with which no pod of the queue waits that more nodes would help."""
        most = min(len(self._queue), budgets.ADDED_NODES.value)
        number = 0
        while self.with_nodes(number).pending and number < most:
            following = min(most, number + 1 if number < _FEW else 2 * number)
            if not self._can_try(following):
                break
            number = following
        last = self.with_nodes(number)
        unknown = any(entry.category in UNKNOWN for entry in last.pending)
        if last.pending and number == most < len(self._queue):
            self.cut = budgets.ADDED_NODES
        goal = len(last.placed)
        high = min(tried for tried, trial in self._known.items() if len(trial.placed) >= goal)
        low = max((tried for tried in self._known if tried < high), default=-1)
        while high - low > 1 and self._can_try(middle := (low + high) // 2):
            if len(self.with_nodes(middle).placed) >= goal:
                high = middle
            else:
                low = middle
        self.is_complete = not unknown and self.cut is None
        return high, self.with_nodes(high)

    def confirms(self, number: int) -> bool:
        """Whether no pod of the queue waits with so many nodes, and one does with one node fewer."""
        if self.with_nodes(number).pending:
            return False
        return not number or bool(self.with_nodes(number - 1).pending)

    def _can_try(self, number: int) -> bool:
        """Whether so many nodes were tried, or can be."""
        if number in self._known or self._cost(number) <= self.work:
            return True
        self.cut = budgets.ADDED_TRIALS
        return False

    def _cost(self, number: int) -> int:
        return (self._nodes + number) * max(1, len(self._queue))

    def with_nodes(self, number: int) -> _Trial:
        """The simulation with so many nodes added."""
        known = self._known.get(number)
        if known is not None:
            return known
        self.work -= self._cost(number)
        clones = self._template.clones(number, self._api_objects)
        # Pods of DaemonSets come before the queue, as they would on a node that is just there.
        daemons = [item for item in clones if item["kind"] == "Pod"]
        others = [item for item in clones if item["kind"] != "Pod"]
        waiting = set(self._queue)
        base = [item for item in self._api_objects if key_of(item) not in waiting]
        queue = [item for item in self._api_objects if key_of(item) in waiting]
        scheduler = Scheduler([*base, *others, *daemons, *queue], self._settings)
        scheduler.settle()
        placed: list[str] = []
        pending: list[StillPending] = []
        for key in self._queue:
            pod = Pod(scheduler.api_objects.find(key) or {})
            status = scheduler.decision(pod)
            if pod.node is not None or status.node is not None:
                placed.append(pod.full_name)
            elif status.refused is not None:
                pending.append(StillPending(pod.full_name, status.refused.category, status.refused.message))
        trial = self._known[number] = _Trial(tuple(placed), tuple(pending))
        return trial


def _per_node(
    api_objects: Objects, template: NodeTemplate, settings: Settings, subjects: Sequence[Subject]
) -> int:
    """How many copies, or sets of a mix, one node takes that is new and alone; pools of others count."""
    base = [item for item in api_objects if not _is_of_node(item)]
    scheduler = Scheduler([*base, *template.clones(1, api_objects)], settings)
    scheduler.settle()
    settled = list(scheduler.api_objects)
    return fill(settled, Scheduler(settled, settings), subjects).sets


def _is_of_node(item: Object) -> bool:
    """Whether an object is a node, or what it has or runs."""
    kind = item["kind"]
    return kind in ("Node", "Pod") or (kind == "ResourceSlice" and bool(item["spec"].get("nodeName")))
