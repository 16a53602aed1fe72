"""Devices and slices read from objects."""

from __future__ import annotations

from typing import Any

from dractl.api import quantity
from dractl.cluster.devices import DeviceID, NodeRef, Slice
from tests.rows import each_row
from tests.simulation.build import device, resource_slice


def only_device(data: dict[str, Any], **spec: Any) -> Any:
    return Slice(resource_slice("s", data, **spec)).devices[0]


def test_a_device_knows_who_it_is() -> None:
    found = only_device(device("gpu-0"), pool="pool-1", nodeName="node-a")
    assert found.id == DeviceID("gpu.example.com", "pool-1", "gpu-0")
    assert str(found.id) == "gpu.example.com/pool-1/gpu-0"
    assert found.name == "gpu-0"
    assert not found.is_multi_use
    assert found.binding_conditions is None


def test_binding_conditions_may_be_there_and_empty() -> None:
    assert only_device(device("gpu-0", bindingConditions=[])).binding_conditions == []


@each_row(
    ("name", "expected"),
    [
        ("gpu.example.com/model", {"string": "qualified"}),
        ("gpu.example.com/size", {"int": 3}),
        ("example.org/root", {"string": "p0"}),
        ("other.example.com/size", None),
        ("model", {"string": "short"}),
        ("unknown", None),
    ],
)
def test_an_attribute_is_found_by_its_full_name_or_the_drivers_own(name: str, expected: Any) -> None:
    attributes = {
        "model": {"string": "short"},
        "gpu.example.com/model": {"string": "qualified"},
        "size": {"int": 3},
        "example.org/root": {"string": "p0"},
    }
    assert only_device({"name": "gpu-0", "attributes": attributes}).attribute(name) == expected


def test_capacity_is_read_with_its_policy() -> None:
    policy = {"default": "2", "validRange": {"min": "2", "max": "8", "step": "2"}}
    found = only_device(
        {
            "name": "gpu-0",
            "capacity": {"mem": {"value": "1Gi"}, "bw": {"value": "10", "requestPolicy": policy}},
        }
    ).capacity
    assert found["mem"].value == quantity.parse("1024Mi")
    assert found["mem"].policy is None
    assert found["bw"].policy.default == quantity.parse("2")
    assert found["bw"].policy.has_range
    assert [str(found["bw"].policy.minimum), str(found["bw"].policy.maximum)] == ["2", "8"]
    assert found["bw"].policy.valid_values == ()


def test_consumption_names_counters_and_groups() -> None:
    consumption = {
        "counterSet": "c0",
        "counters": {"mem": {"value": "10Gi"}},
        "compatibilityGroups": ["ga", "gb"],
    }
    (found,) = only_device({"name": "gpu-0", "consumesCounters": [consumption]}).consumes
    assert found.counter_set == "c0"
    assert found.counters == {"mem": quantity.parse("10Gi")}
    assert found.compatibility_groups == {"ga", "gb"}


NODE = NodeRef("node-a", {"rack": "r1"})


@each_row(
    ("target", "expected"),
    [
        ({"nodeName": "node-a"}, True),
        ({"nodeName": "node-b"}, False),
        # The name decides before the others are looked at.
        ({"nodeName": "node-b", "allNodes": True}, False),
        ({"allNodes": True}, True),
        ({"allNodes": False}, False),
        ({"nodeSelector": {"nodeSelectorTerms": []}}, False),
        (
            {
                "nodeSelector": {
                    "nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "Exists"}]}]
                }
            },
            True,
        ),
    ],
)
def test_a_slice_is_for_some_nodes(target: dict[str, Any], expected: bool) -> None:
    assert Slice(resource_slice("s", **target)).target.includes(NODE) is expected


def test_a_slice_tells_of_its_pool() -> None:
    found = Slice(resource_slice("s", "gpu-0", pool="p", generation=7, count=3, perDeviceNodeSelection=False))
    assert (found.name, found.pool, found.generation, found.slice_count) == ("s", "p", 7, 3)
    assert str(found.pool_id) == "gpu.example.com/p"
    assert found.tells_per_device
    assert not found.is_per_device
    assert not found.target.is_set
    assert not found.uses_groups


def test_counter_sets_keep_repeated_names() -> None:
    counters = [{"name": "c0", "counters": {"mem": {"value": "1"}}}] * 2
    found = Slice(resource_slice("s", nodeName="node-a", sharedCounters=counters))
    assert [name for name, _ in found.counter_sets()] == ["c0", "c0"]


@each_row(
    ("data", "expected"),
    [
        (device("d"), True),
        (device("d", capacity={"mem": {"value": "1Gi"}}), True),
        (device("d", capacity={"mem": {"value": "-1"}}), False),
        (device("d", capacity={"mem": {"value": "1Gi", "requestPolicy": {"default": "2Gi"}}}), False),
        (device("d", allowMultipleAllocations=True), False),
    ],
)
def test_a_device_for_one_user_gives_all_it_has(data: dict[str, Any], expected: bool) -> None:
    assert only_device(data).gives_all is expected


def test_devices_are_read_once() -> None:
    owner = Slice(resource_slice("s", "x", "y"))
    assert owner.devices is owner.devices
    assert not owner.uses_groups
