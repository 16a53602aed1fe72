"""Resources of pods and nodes."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.resources import Load, allocatable_of, demand_of, load_of, shortages, shown
from tests.rows import each_row
from tests.simulation.build import container, node, pod

MIB = 1024 * 1024


def asking(*containers: dict[str, Any], **spec: Any) -> dict[str, int]:
    return dict(demand_of(Pod(pod("p", *containers, **spec))).requests)


def of(**requests: str) -> dict[str, Any]:
    return container(requests=dict(requests))


def test_containers_add_up_in_whole_units() -> None:
    assert asking(of(cpu="100m", memory="1Mi"), of(cpu="1", memory="500k")) == {
        "cpu": 1100,
        "memory": MIB + 500_000,
    }


def test_limits_stand_in_for_requests() -> None:
    limited = {"name": "main", "resources": {"limits": {"cpu": "2", "example.com/gpu": 1}}}
    assert asking(limited) == {"cpu": 2000, "example.com/gpu": 1}


def test_an_init_container_counts_where_it_needs_more() -> None:
    init = {**of(cpu="3", memory="1Mi"), "name": "init"}
    assert asking(of(cpu="1", memory="2Mi"), initContainers=[init]) == {"cpu": 3000, "memory": 2 * MIB}


def test_a_sidecar_counts_next_to_everything_after_it() -> None:
    sidecar = {**of(cpu="1"), "restartPolicy": "Always"}
    assert asking(of(cpu="1"), initContainers=[sidecar, of(cpu="3")]) == {"cpu": 4000}
    assert asking(of(cpu="1"), initContainers=[of(cpu="3"), sidecar]) == {"cpu": 3000}


def test_overhead_is_added_and_pod_resources_take_the_place_of_cpu_and_memory() -> None:
    assert asking(of(cpu="1"), overhead={"cpu": "100m"}) == {"cpu": 1100}
    level = {"requests": {"cpu": "5", "example.com/gpu": "7"}}
    assert asking(of(cpu="1", memory="1Mi"), resources=level) == {"cpu": 5000, "memory": MIB}


def test_containers_without_requests_count_something_for_scores() -> None:
    demand = demand_of(Pod(pod("p", of(cpu="1"), container("other"))))
    assert demand.requests == {"cpu": 1000}
    assert demand.for_scores == {"cpu": 1100, "memory": 2 * 200 * MIB}


ROOM = {"cpu": 4000, "memory": 100, "pods": 2, "example.com/gpu": 0}


@each_row(
    ("requests", "load", "served", "expected"),
    [
        ({"cpu": 4000}, Load(0, {}, {}), (), []),
        ({"cpu": 4001}, Load(0, {}, {}), (), ["cpu"]),
        ({"cpu": 1, "memory": 1}, Load(1, {"cpu": 4000, "memory": 100}, {}), (), ["cpu", "memory"]),
        ({}, Load(2, {}, {}), (), ["pods"]),
        # What a pod does not ask for does not matter, even if it is over-committed.
        ({"memory": 1}, Load(1, {"cpu": 9000}, {}), (), []),
        ({"example.com/gpu": 1}, Load(0, {}, {}), (), ["example.com/gpu"]),
        ({"example.com/gpu": 1}, Load(0, {}, {}), ("example.com/gpu",), []),
        ({"unknown": 1}, Load(0, {}, {}), (), ["unknown"]),
        ({"unknown": 0}, Load(0, {}, {}), (), []),
    ],
)
def test_what_is_short(requests: Any, load: Load, served: tuple[str, ...], expected: list[str]) -> None:
    demand = demand_of(Pod(pod("p")))._replace(requests=requests)
    assert shortages(demand, load, ROOM, frozenset(served)) == expected


def test_a_load_adds_up_its_pods() -> None:
    demands = [demand_of(Pod(pod("p", of(cpu="1")))), demand_of(Pod(pod("q", of(cpu="2"))))]
    assert load_of(demands) == Load(2, {"cpu": 3000}, {"cpu": 3000, "memory": 2 * 200 * MIB})
    assert load_of(demands[:1]).plus(demands[1]) == load_of(demands)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"allocatable": {"cpu": "2", "pods": "10"}}, {"cpu": 2000, "pods": 10}),
        ({"capacity": {"cpu": "500m"}}, {"cpu": 500}),
        ({}, None),
    ],
)
def test_a_node_tells_what_it_has_or_not(status: dict[str, Any], expected: Any) -> None:
    assert allocatable_of(node("n", status=status)) == expected


@each_row(
    ("name", "amount", "text"),
    [
        ("cpu", 2000, "2"),
        ("cpu", 1500, "1500m"),
        ("memory", 8 * 2**30, "8Gi"),
        ("memory", 1536 * 2**20, "1536Mi"),
        ("memory", 1000, "1000"),
        ("hugepages-2Mi", 2**21, "2Mi"),
        ("memory", 0, "0"),
        ("example.com/gpu", 1024, "1024"),
    ],
)
def test_an_amount_is_shown_as_in_a_manifest(name: str, amount: int, text: str) -> None:
    assert shown(name, amount) == text
