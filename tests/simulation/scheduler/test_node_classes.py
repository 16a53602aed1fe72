"""Which nodes a pod can tell apart."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from dractl.simulation.engine.run import run
from dractl.simulation.pods.outcome import Outcome
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler import node_classes
from dractl.simulation.scheduler.node_classes import Interest, NodeClasses, interest_of
from dractl.simulation.scheduler.nodes import node_of
from dractl.simulation.scheduler.plugins import node_resources_balanced_allocation
from dractl.simulation.scheduler.plugins.registry import FILTER_PLUGINS
from tests.rows import each_row
from tests.simulation.build import (
    allocated,
    body,
    claim,
    container,
    device_class,
    environment,
    features,
    first_of,
    node,
    pod,
    resource_slice,
    result,
    sized_node,
    template,
)

Object = dict[str, Any]

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
TAINT = {"key": "a", "value": "b", "effect": "NoSchedule"}


def affinity(*, required: Sequence[Object] = (), preferred: Sequence[Object] = ()) -> Object:
    weighted = [{"weight": 3 + number, "preference": term} for number, term in enumerate(preferred)]
    found: Object = {PREFERRED: weighted} if weighted else {}
    if required:
        found[REQUIRED] = {"nodeSelectorTerms": list(required)}
    return {"nodeAffinity": found}


def expression(key: str, operator: str, *values: str) -> Object:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


def named(*names: str) -> Any:
    return {"matchFields": [{"key": "metadata.name", "operator": "In", "values": list(names)}]}


def leaders(item: Object, *found: Object, selectors: Any = ()) -> list[int]:
    return list(NodeClasses([node_of(data) for data in found]).leaders(interest_of(Pod(item), selectors)))


# What is asked for.


def test_a_plain_pod_asks_for_no_name_and_no_label() -> None:
    assert interest_of(Pod(pod("p"))) == Interest(frozenset(), frozenset())


def test_selectors_of_pod_and_claims_say_what_matters() -> None:
    item = pod(
        "p",
        nodeSelector={"disk": "ssd"},
        affinity=affinity(
            required=[expression("disk", "NotIn", "tape"), named("n1")],
            preferred=[expression("age", "Gt", "3"), expression("gpu", "Exists")],
        ),
    )
    found = interest_of(Pod(item), [{"nodeSelectorTerms": [named("n2")]}])
    assert found.names == {"n1", "n2"}
    assert found.labels == {("disk", frozenset({"ssd", "tape"})), ("age", None), ("gpu", frozenset())}


def test_a_label_that_is_compared_once_counts_with_every_value() -> None:
    for terms in (
        [expression("age", "Gt", "3"), expression("age", "In", "9")],
        [expression("age", "In", "9"), expression("age", "Gt", "3")],
    ):
        assert interest_of(Pod(pod("p", affinity=affinity(required=terms)))).labels == {("age", None)}


# Which nodes are alike.


def test_nodes_that_differ_in_name_and_hostname_only_are_alike() -> None:
    assert leaders(pod("p"), sized_node("a"), sized_node("b"), sized_node("c")) == [0, 0, 0]


@each_row(
    "other",
    [
        sized_node("b", cpu="5"),
        sized_node("b", extra={"example.com/gpu": "1"}),
        sized_node("b", spec={"unschedulable": True}),
        sized_node("b", spec={"taints": [TAINT]}),
        node("b"),
        node("b", status={**sized_node("b")["status"], "declaredFeatures": ["X"]}),
    ],
)
def test_nodes_that_differ_in_what_always_counts_are_not_alike(other: Object) -> None:
    assert leaders(pod("p"), sized_node("a"), other, sized_node("c")) == [0, 1, 0]


@each_row(
    ("taint", "expected"),
    [
        ({**TAINT, "timeAdded": "2026-01-01T00:00:00Z"}, [0, 0]),
        ({**TAINT, "value": "c"}, [0, 1]),
        ({**TAINT, "key": "c"}, [0, 1]),
        ({**TAINT, "effect": "PreferNoSchedule"}, [0, 1]),
    ],
)
def test_taints_are_alike_whenever_they_were_added(taint: Object, expected: list[int]) -> None:
    found = [sized_node(name, spec={"taints": [entry]}) for name, entry in (("a", TAINT), ("b", taint))]
    assert leaders(pod("p"), *found) == expected


LABELLED = [
    node("a"),
    node("b", labels={"disk": "ssd"}),
    node("c", labels={"disk": "hdd"}),
    node("d", labels={"disk": "tape"}),
    node("e", labels={"disk": ""}),
]


@each_row(
    ("spec", "expected"),
    [
        ({}, [0, 0, 0, 0, 0]),
        ({"nodeSelector": {"disk": "ssd"}}, [0, 1, 2, 2, 2]),
        ({"nodeSelector": {"disk": ""}}, [0, 1, 1, 1, 4]),
        ({"affinity": affinity(required=[expression("disk", "In", "ssd", "hdd")])}, [0, 1, 2, 3, 3]),
        ({"affinity": affinity(preferred=[expression("disk", "DoesNotExist")])}, [0, 1, 1, 1, 1]),
        ({"affinity": affinity(required=[expression("disk", "Lt", "3")])}, [0, 1, 2, 3, 4]),
        ({"affinity": affinity(required=[named("c", "d")])}, [0, 0, 2, 3, 0]),
        ({"nodeSelector": {"kubernetes.io/hostname": "b"}}, [0, 1, 0, 0, 0]),
    ],
)
def test_labels_and_names_tell_nodes_apart_where_they_are_asked_for(
    spec: Object, expected: list[int]
) -> None:
    assert leaders(pod("p", **spec), *LABELLED) == expected


def test_where_claims_are_allocated_tells_nodes_apart() -> None:
    assert leaders(pod("p"), *LABELLED, selectors=[{"nodeSelectorTerms": [named("d")]}]) == [0, 0, 0, 3, 0]


def test_only_so_many_ways_to_sort_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_classes, "_MAX_PARTITIONS", 2)
    classes = NodeClasses([node_of(data) for data in LABELLED])
    found = [
        classes.leaders(interest_of(Pod(pod("p", nodeSelector={"kubernetes.io/hostname": name}))))
        for name in "abcabc"
    ]
    assert [len(set(entry)) for entry in found] == [2] * 6
    assert found[:3] == found[3:]


# What comes of it.


def simulate(objects: Sequence[Object]) -> Outcome:
    return run(objects, features=features(), environment=environment())


def test_equal_nodes_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any) -> Any:
            calls.append(name)
            return real(*arguments)

        return counting

    filters = [row._replace(filter=counted(row.name, row.filter)) for row in FILTER_PLUGINS]
    monkeypatch.setattr("dractl.simulation.scheduler.filter.FILTER_PLUGINS", filters)
    read = counted("read", node_resources_balanced_allocation._cpu_and_memory)
    monkeypatch.setattr(node_resources_balanced_allocation, "_cpu_and_memory", read)
    sizes = ["4"] * 20 + ["8"] * 20
    found = simulate(
        [
            *(sized_node(f"n{number}", cpu=cpu) for number, cpu in enumerate(sizes)),
            *(resource_slice(f"s{number}", "d0", pool=f"n{number}") for number in range(40)),
            device_class("gpu"),
            template("t"),
            *(pod(f"p{n}", container(requests={"cpu": "1"}), templates={"gpu": "t"}) for n in range(6)),
        ]
    )
    assert len(found.placements) == 6
    assert all(len(item.scores) == 41 - number for number, item in enumerate(found.pods, 1))
    # Two sizes for each of six pods; without classes it would be forty nodes.
    assert calls.count("NodeUnschedulable") == 12
    # The larger nodes are taken first, one after the other: from the second pod on some carry a pod.
    assert calls.count("NodeResourcesFit") == 12 + 5
    # What carries a pod has no device left and is not scored: what is there and what is used of 12 nodes, and
    # what each of six pods asks for.
    assert calls.count("read") == 2 * 12 + 6


class _Apart(NodeClasses):
    """Every node in a class of its own."""

    def leaders(self, interest: Interest) -> Sequence[int]:  # noqa: ARG002 - nobody's interest matters
        return range(len(self.nodes))


def test_a_world_with_classes_is_the_one_without(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = [list(_Worlds(seed).objects()) for seed in range(60)]
    merged = [simulate(api_objects) for api_objects in worlds]
    with monkeypatch.context() as patch:
        patch.setattr("dractl.simulation.engine.caches.NodeClasses", _Apart)
        apart = [simulate(api_objects) for api_objects in worlds]
    for left, right in zip(merged, apart, strict=True):
        assert left == right
        # Equal mappings may differ in their order, which reports show.
        for one, other in zip(left.pending, right.pending, strict=True):
            assert list(one.nodes) == list(other.nodes)
    assert sum(len(api_objects.placements) for api_objects in merged) > 100
    categories = {
        refusal.category
        for api_objects in merged
        for entry in api_objects.pending
        for refusal in entry.nodes.values()
    }
    assert categories >= {
        "node-affinity",
        "node-taint",
        "node-unschedulable",
        "too-many-pods",
        "insufficient:cpu",
        "no-devices",
        "claim-elsewhere",
    }


class _Worlds:
    """Worlds of nodes that are alike in some ways and not in others, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - worlds are no secrets

    def pick(self, *of: Any) -> Any:
        return self.random.choice(of)

    def objects(self) -> Iterator[Object]:
        names = [f"n{number}" for number in range(self.pick(5, 9))]
        for name in names:
            yield self.node(name)
            devices = [f"d{number}" for number in range(self.pick(0, 1, 2))]
            yield resource_slice(f"s-{name}", *devices, pool=name)
        yield device_class("gpu", extendedResourceName="example.com/gpu")
        yield device_class("none", "false")
        yield template("t")
        yield template("first", first_of("gpu", none=body(of="none"), any=body()))
        held = allocated(claim("held"), result("d0", pool=names[0]), node_name=self.pick(*names))
        user = {"resource": "pods", "name": "other", "uid": "1"}
        yield {**held, "status": {**held["status"], "reservedFor": [user] if self.pick(0, 1) else []}}
        yield claim("open")
        yield {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": {"name": "s", "namespace": "default"},
            "spec": {"selector": {"app": "web"}},
        }
        for number in range(8):
            yield self.pod(f"p{number}", names)

    def node(self, name: str) -> Object:
        taints = [
            {"key": key, "effect": effect}
            for key, effect in (("a", "NoSchedule"), ("b", "PreferNoSchedule"))
            if self.random.random() < 0.2
        ]
        labels = {key: self.pick("1", "2", "x") for key in ("disk", "zone") if self.pick(0, 1, 1)}
        labels["topology.kubernetes.io/zone"] = self.pick("z1", "z2")
        spec: Object = {"taints": taints} if taints else {}
        if self.random.random() < 0.1:
            spec["unschedulable"] = True
        more: Object = {"extra": {"example.com/gpu": "1"}} if self.random.random() < 0.2 else {}
        return sized_node(
            name, cpu=self.pick("2", "4"), pods=self.pick("1", "3"), labels=labels, spec=spec, **more
        )

    def term(self, names: Sequence[str]) -> Any:
        if self.random.random() < 0.3:
            return named(self.pick(*names))
        key = self.pick("disk", "zone")
        found: Object = self.pick(
            expression(key, "In", "1", "x"),
            expression(key, "NotIn", "2"),
            expression(key, "Exists"),
            expression(key, "DoesNotExist"),
            expression(key, "Gt", "1"),
            {"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": [self.pick(*names)]}]},
        )
        return found

    def pod(self, name: str, names: Sequence[str]) -> Object:
        spec: Object = {}
        if self.random.random() < 0.2:
            spec["nodeSelector"] = self.pick({"disk": "1"}, {"kubernetes.io/hostname": self.pick(*names)})
        if self.random.random() < 0.5:
            wanted = [self.term(names) for _ in range(self.pick(0, 1, 2))]
            spec["affinity"] = affinity(required=wanted, preferred=[self.term(names), self.term(names)])
        if self.random.random() < 0.3:
            spec["tolerations"] = [{"key": self.pick("a", "b"), "operator": "Exists"}]
        if self.random.random() < 0.3:
            spec["metadata"] = {"labels": {"app": "web"}}
        requests = self.pick({}, {"cpu": "1"}, {"cpu": "3"}, {"example.com/gpu": "1", "memory": "1Gi"})
        claims = self.pick(
            {}, {"templates": {"g": "t"}}, {"templates": {"g": "first"}}, {"claims": {"g": "held"}}
        )
        return pod(name, container(requests=requests), **spec, **claims)
