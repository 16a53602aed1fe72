"""The order in which pods are tried, and what is remembered of their attempts."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects, key_of
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.engine.scheduling_queue import PodStatus, SchedulingQueue
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.nodes import implied_node
from dractl.simulation.scheduler.schedule_result import Fit, Placed, Refused
from tests.simulation.build import claim, pod

NOWHERE = Refused("no-devices", "", {}, ())
FAILED = Refused("error", "", {}, ())


def pods(*items: dict[str, Any]) -> list[Pod]:
    return [Pod(item) for item in items]


def order(queue: SchedulingQueue, found: list[Pod]) -> list[str]:
    return [entry.name for entry in queue.ordered(found, Objects())]


def test_pods_are_tried_by_priority_then_age_and_failed_ones_last() -> None:
    queue = SchedulingQueue(Allowance())
    found = pods(pod("old"), pod("failed"), pod("young"), pod("urgent", priority=1))
    queue.set_status(found[1], PodStatus(refused=FAILED))
    queue.set_status(found[0], PodStatus(refused=NOWHERE))
    assert order(queue, found) == ["urgent", "old", "young", "failed"]
    queue.set_status(found[0], PodStatus(refused=NOWHERE, has_stepped_back=True))
    assert order(queue, found) == ["urgent", "young", "old", "failed"]


def test_pods_with_a_node_and_pods_that_ended_are_not_tried() -> None:
    ended = pod("ended", status={"phase": "Succeeded"})
    assert order(SchedulingQueue(Allowance()), pods(pod("bound", nodeName="n"), ended)) == []


def test_an_attempt_is_outdated_once_something_changed() -> None:
    queue, (one, other) = SchedulingQueue(Allowance()), pods(pod("one"), pod("other"))
    queue.set_status(one, PodStatus(refused=NOWHERE))
    assert queue.outdated([one, other]) == [other]
    queue.changes += 1
    assert queue.outdated([one, other]) == [one, other]


def test_a_pod_that_waits_for_binding_keeps_its_claims() -> None:
    queue, (item,) = SchedulingQueue(Allowance()), pods(pod("p"))
    reserved = claim("c")
    placed = Placed(Fit(implied_node("n"), ((reserved, {}),), None), (), {})
    assert queue.is_waiting(item), "never tried"
    queue.set_status(item, PodStatus("n", placed, FAILED))
    assert queue.is_waiting(item)
    assert list(queue.reserved_claims()) == [reserved]
    queue.set_status(item, PodStatus("n", placed))
    assert not queue.is_waiting(item)
    assert list(queue.reserved_claims()) == []


def test_a_pod_that_is_forgotten_starts_again() -> None:
    queue, (item,) = SchedulingQueue(Allowance()), pods(pod("p"))
    queue.set_status(item, PodStatus(refused=FAILED))
    queue.forget(key_of(item.data))
    assert queue.status(item) == PodStatus()
