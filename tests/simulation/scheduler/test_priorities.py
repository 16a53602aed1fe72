"""Which pod comes first."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.priorities import Priorities
from tests.rows import each_row
from tests.simulation.build import pod


def priority_class(name: str, value: int, **more: Any) -> dict[str, Any]:
    metadata = {"name": name}
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": metadata,
        "value": value,
        **more,
    }


CLASSES = [priority_class("high", 1000), priority_class("low", -10)]
DEFAULT = priority_class("usual", 5, globalDefault=True)


@each_row(
    ("spec", "expected"),
    [
        ({}, 0),
        ({"priority": 7}, 7),
        ({"priorityClassName": "high"}, 1000),
        ({"priorityClassName": "low"}, -10),
        ({"priority": 0, "priorityClassName": "high"}, 0),
        ({"priorityClassName": "unknown"}, 0),
        ({"priorityClassName": "system-cluster-critical"}, 2_000_000_000),
        ({"priorityClassName": "system-node-critical"}, 2_000_001_000),
    ],
)
def test_a_pod_has_its_own_priority_or_that_of_its_class(spec: dict[str, Any], expected: int) -> None:
    assert Priorities(Objects(CLASSES)).of(Pod(pod("p", **spec))) == expected


def test_a_pod_that_names_no_class_gets_the_global_default() -> None:
    priorities = Priorities(Objects([*CLASSES, DEFAULT]))
    assert priorities.of(Pod(pod("p"))) == 5
    assert priorities.of(Pod(pod("p", priorityClassName="low"))) == -10


def test_of_several_global_defaults_the_lowest_counts() -> None:
    other = priority_class("other", 3, globalDefault=True)
    assert Priorities(Objects([DEFAULT, other])).of(Pod(pod("p"))) == 3
