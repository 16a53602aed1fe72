"""Tells a story again that was played on a control plane, and compares; chance decides as it did there.

Left to chance are the node among equally good ones, and which of several waiting pods is tried first once
there is room for some of them: claims are made, freed and reserved one by one while pods are tried, so that
a pod of lower priority may come first. With it goes the order in ``reservedFor``. Where a pod has left,
waiting pods may also be tried before its claims are free.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from itertools import islice, permutations
from typing import Any, NamedTuple

from dractl.api import gates, release
from dractl.api.gates import GateSet
from dractl.simulation.engine.replay import Replay
from dractl.simulation.pods.pods import Pod
from tests.conformance.clusters import chooser, compare, stored
from tests.conformance.difference import Difference

Row = Mapping[str, Any]

MOST_ORDERS = 130


class Retold(NamedTuple):
    """How a story went: what differs, at which step, and what was left to chance until then."""

    difference: Difference | None
    step: int
    has_chosen_order: bool
    has_ties: bool


def retell(row: Row) -> Retold:
    """Tell ``row``, in the format of stories, and stop at the first state that cannot be reached."""
    telling = _Telling(row)
    orders: dict[int, _Order] = {}
    for step, expected in enumerate(row["outcome"]):
        difference = telling.difference(step, orders)
        if difference is not None:
            order = telling.order_that_fits(step, orders, expected)
            if order is None:
                return Retold(difference, step, bool(orders), telling.has_ties)
            orders[step] = order
    return Retold(None, len(row["outcome"]), bool(orders), telling.has_ties)


class _Order(NamedTuple):
    """Which waiting pods are tried first after a step, and whether before claims are freed."""

    pods: Sequence[str]
    before_controllers: bool = False


class _Telling:
    """A row, ready to be told again and again."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._gates: GateSet = gates.resolve(release.parse(row["kube"]), row.get("gates"))
        self._choose = chooser(chosen(row))
        self.has_ties = False
        self._objects = [stored(item, self._gates) for item in row["objects"]]
        self._steps = [
            {
                word: stored(what, self._gates) if word in ("create", "update") else what
                for word, what in step.items()
            }
            for step in row["steps"]
        ]

    def replay(self, steps: int, orders: Mapping[int, _Order]) -> _OrderedStory:
        """The story up to a number of steps."""
        replay = _OrderedStory(self._objects, self._gates, choose=self._take)
        for number, step in enumerate(self._steps[:steps]):
            replay.tell_in_order(step, orders.get(number, _Order(())))
        return replay

    def _take(self, pod: Pod, nodes: Sequence[str]) -> str:
        self.has_ties = True
        return self._choose(pod, nodes)

    def difference(self, step: int, orders: Mapping[int, _Order]) -> Difference | None:
        state = self.replay(step + 1, orders).state()
        expected = self._row["outcome"][step]
        return compare(*((_loose(expected), _loose(state)) if orders else (expected, state)))

    def order_that_fits(
        self, step: int, orders: Mapping[int, _Order], expected: Mapping[str, Any]
    ) -> _Order | None:
        """An order of the waiting pods that leads to what is expected, those first that got something."""
        waiting = self.replay(step, orders).waiting()
        users = {name for claim in expected["claims"].values() for name in claim["reservedFor"]}
        won = [name for name in waiting if name in users or expected["pods"].get(name, {}).get("node")]
        others = [name for name in waiting if name not in won]
        orders_of_all = ((*first, *rest) for rest in permutations(others) for first in permutations(won))
        found = (_Order(names) for names in islice(orders_of_all, MOST_ORDERS))
        early = [_Order(names, before_controllers=True) for names in ((), *((name,) for name in won))]
        for order in (*early, *found):
            if self.difference(step, {**orders, step: order}) is None:
                return order
        return None


class _OrderedStory(Replay):
    """A story in which the order of waiting pods can be given."""

    def waiting(self) -> list[str]:
        """The pods without a node, in the order in which they would be tried."""
        return [pod.name for pod in self._scheduler._pending()]

    def tell_in_order(self, step: Mapping[str, Any], order: _Order) -> None:
        """Do one step, the pods named first in their order."""
        scheduler = self._scheduler
        queue = type(scheduler)._pending

        def ordered() -> list[Pod]:
            rank = {name: number for number, name in enumerate(order.pods)}
            return sorted(queue(scheduler), key=lambda pod: rank.get(pod.name, len(rank)))

        scheduler._pending = ordered  # type: ignore[method-assign]
        if order.before_controllers:
            sync = scheduler._controllers.sync_claims

            def skip_once() -> bool:
                scheduler._controllers.sync_claims = sync  # type: ignore[method-assign]
                return False

            scheduler._controllers.sync_claims = skip_once  # type: ignore[method-assign]
        self.tell(step)


def chosen(row: Row) -> dict[str, str]:
    """The node that each pod of a row got in the end."""
    return {
        name: pod["node"]
        for state in row["outcome"]
        for name, pod in state["pods"].items()
        if pod["node"] is not None
    }


def _loose(state: Mapping[str, Any]) -> dict[str, Any]:
    """The state with the users of claims in an order of their own: bindings are written side by side."""
    found: dict[str, Any] = copy.deepcopy(dict(state))
    for claim in found["claims"].values():
        claim["reservedFor"] = sorted(claim.get("reservedFor") or ())
    return found
