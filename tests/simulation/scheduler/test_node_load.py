"""What the pods of a node take."""

from __future__ import annotations

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.node_load import NodeLoads
from tests.simulation.build import container, pod


def test_pods_add_up_on_their_nodes() -> None:
    loads = NodeLoads()
    first = Pod(pod("p", container(requests={"cpu": "500m", "memory": "1Ki"})))
    second = Pod(pod("q", container(requests={"cpu": "1"})))
    for item in (first, second):
        loads.add("node-a", item)
    assert loads.placed == {"node-a": [first, second]}
    load = loads.load(*loads.numbers(["node-a"]))
    assert (load.pods, load.requests) == (2, {"cpu": 1500, "memory": 1024})
    assert load.for_scores == {"cpu": 1500, "memory": 1024 + 200 * 1024 * 1024}
    assert loads.load(*loads.numbers(["node-b"])).pods == 0


def test_equal_loads_have_equal_numbers() -> None:
    loads = NodeLoads()
    small, large = (
        Pod(pod(name, container(requests={"cpu": cpu}))) for name, cpu in (("p", "1"), ("q", "2"))
    )
    for node, item in (("a", small), ("a", large), ("b", large), ("b", small), ("c", small), ("d", large)):
        loads.add(node, item)
    first, second, third, fourth, empty = loads.numbers(["a", "b", "c", "d", "e"])
    assert first == second
    assert len({first, third, fourth, empty}) == 4


def test_loads_are_equal_to_a_pod_that_looks_at_the_same_in_both() -> None:
    loads = NodeLoads()
    one, other, more = (
        Pod(pod(name, container(requests={"cpu": "1", f"example.com/{name}": "1"}))) for name in "abc"
    )
    for node, item in (("a", one), ("b", other), ("c", more), ("c", more)):
        loads.add(node, item)
    nodes = ["a", "b", "c", "d"]
    assert len(set(loads.numbers(nodes))) == 4
    first, second, third, empty = loads.numbers(nodes, frozenset({"cpu"}))
    assert first == second
    assert len({first, third, empty}) == 3
    assert len(set(loads.numbers(nodes, frozenset({"cpu", "example.com/b"})))) == 4
    loads.add("d", one)
    assert loads.numbers(nodes, frozenset({"cpu"}))[3] == first
