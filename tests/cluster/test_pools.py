"""Slices gathered into the pools that a node sees, as ``GatherPools`` does."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import NodeRef, PoolID
from dractl.cluster.pools import Inventory, Pool, PoolError, PoolRules, PoolState
from tests.rows import each_row
from tests.simulation.build import device, resource_slice

NODE = NodeRef("node-a", {"rack": "r1"})
OTHER = NodeRef("node-b", {"rack": "r2"})
ALL = PoolRules(partitionable_devices=True, compatibility_groups=True, counters_from_anywhere=False)
DEFAULT = ALL._replace(compatibility_groups=False)
PLAIN = DEFAULT._replace(partitionable_devices=False)

RACK_1 = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "In", "values": ["r1"]}]}]}


def pools(*slices: dict[str, Any], node: NodeRef = NODE, rules: PoolRules = DEFAULT) -> tuple[Pool, ...]:
    found = Inventory(slices).pools_on(node, rules)
    assert not isinstance(found, PoolError)
    return found


def names(pool: Pool) -> list[str]:
    return [entry.name for entry in pool.devices]


def test_a_pool_has_the_devices_for_the_node_in_the_order_of_slice_names() -> None:
    (pool,) = pools(
        resource_slice("s2", "z", "a", count=2),
        resource_slice("s10", "m", count=2),
        resource_slice("other", "x", pool="node-b"),
    )
    assert pool.id == PoolID("gpu.example.com", "node-a")
    assert pool.state is PoolState.USABLE
    # Byte order puts s10 first; devices keep the order of their array.
    assert names(pool) == ["m", "z", "a"]


def test_pools_are_ordered_by_driver_and_name_wherever_they_are() -> None:
    found = pools(
        resource_slice("s1", "d", pool="b"),
        resource_slice("s2", "d", pool="a", allNodes=True),
        resource_slice("s3", "d", pool="z", driver="a.example.com", allNodes=True),
        resource_slice("s4", "d", pool="b", nodeName="node-a"),
        node=NodeRef("b", {}),
    )
    assert [str(pool.id) for pool in found] == ["a.example.com/z", "gpu.example.com/a", "gpu.example.com/b"]


def test_a_pool_with_binding_conditions_comes_last_as_a_whole() -> None:
    waiting = device("d1", bindingConditions=["attached"])
    found = pools(
        resource_slice("s1", "d0", waiting, pool="a", allNodes=True),
        resource_slice("s2", "d0", pool="b", allNodes=True),
    )
    assert [pool.id.pool for pool in found] == ["b", "a"]
    assert names(found[1]) == ["d0", "d1"]


def test_an_empty_list_of_binding_conditions_moves_the_pool_too() -> None:
    found = pools(
        resource_slice("s1", device("d0", bindingConditions=[]), pool="a", allNodes=True),
        resource_slice("s2", "d0", pool="b", allNodes=True),
    )
    assert [pool.id.pool for pool in found] == ["b", "a"]


@each_row(
    ("target", "on_node", "on_other"),
    [
        ({"nodeName": "node-a"}, True, False),
        ({"allNodes": True}, True, True),
        ({"nodeSelector": RACK_1}, True, False),
        ({"perDeviceNodeSelection": True}, True, False),
        ({"allNodes": False}, False, False),
        ({"perDeviceNodeSelection": False}, False, False),
    ],
)
def test_a_slice_is_seen_from_the_nodes_it_is_for(
    target: dict[str, Any], on_node: bool, on_other: bool
) -> None:
    item = resource_slice("s", device("d0", nodeName="node-a"), pool="p", **target)
    assert bool(pools(item)) is on_node
    assert bool(pools(item, node=OTHER)) is on_other


def test_a_slice_with_devices_for_several_nodes_shows_all_of_them() -> None:
    here, there = device("d0", nodeName="node-b"), device("d1", nodeSelector=RACK_1)
    (pool,) = pools(resource_slice("s", here, there, perDeviceNodeSelection=True))
    assert names(pool) == ["d0", "d1"]


def test_the_newest_generation_counts() -> None:
    old, new = resource_slice("s1", "old"), resource_slice("s2", "new", generation=2)
    for order in ([old, new], [new, old]):
        (pool,) = pools(*order)
        assert names(pool) == ["new"]


def test_an_old_generation_that_is_complete_on_the_node_is_used() -> None:
    (pool,) = pools(
        resource_slice("s1", "old", pool="p", nodeName="node-a"),
        resource_slice("s2", "new", pool="p", generation=2, nodeName="node-b"),
    )
    assert names(pool) == ["old"]


def test_an_old_generation_that_is_not_complete_makes_the_pool_vanish() -> None:
    assert (
        pools(
            resource_slice("s1", "old", pool="p", count=2, nodeName="node-a"),
            resource_slice("s2", "new", pool="p", generation=2, nodeName="node-b"),
        )
        == ()
    )


@pytest.mark.parametrize("stated", [1, 3])
def test_too_few_or_too_many_slices_make_a_pool_incomplete(stated: int) -> None:
    (pool,) = pools(resource_slice("s1", "d0", count=stated), resource_slice("s2", "d1", count=stated))
    assert pool.state is PoolState.INCOMPLETE
    assert pool.devices == ()
    assert pool.problem == f"2 of {stated} slices of generation 1 exist"


def test_slices_for_other_nodes_complete_a_pool_and_give_no_devices() -> None:
    (pool,) = pools(
        resource_slice("s1", "d0", pool="p", count=2, nodeName="node-a"),
        resource_slice("s2", "d1", pool="p", count=2, nodeName="node-b"),
    )
    assert pool.state is PoolState.USABLE
    assert names(pool) == ["d0"]
    assert [entry.name for entry in pool.background] == ["d1"]


def test_a_device_name_that_comes_twice_makes_a_pool_invalid() -> None:
    (pool,) = pools(resource_slice("s1", "d0", count=2), resource_slice("s2", "d0", count=2))
    assert pool.state is PoolState.INVALID
    assert pool.problem == "device d0 is in slices s1 and s2"
    assert pool.devices == ()


def test_a_device_name_may_come_again_on_another_node() -> None:
    slices = [
        resource_slice("s1", "d0", pool="p", count=2, nodeName="node-a"),
        resource_slice("s2", "d0", pool="p", count=2, nodeName="node-b"),
    ]
    (pool,) = pools(*slices)
    assert pool.state is PoolState.USABLE


def counters(name: str, **more: Any) -> dict[str, Any]:
    sets = [{"name": "c0", "counters": {"mem": {"value": "40Gi"}}}]
    return resource_slice(name, count=2, sharedCounters=sets, nodeName="node-a", **more)


def consuming(name: str, counter_set: str = "c0", counter: str = "mem", **more: Any) -> dict[str, Any]:
    taken = {"counterSet": counter_set, "counters": {counter: {"value": "10Gi"}}, **more}
    return device(name, consumesCounters=[taken])


def test_counter_sets_stand_in_slices_of_their_own() -> None:
    (pool,) = pools(counters("s1"), resource_slice("s2", consuming("d0"), count=2))
    assert pool.state is PoolState.USABLE
    assert names(pool) == ["d0"]
    assert {name: dict(values) for name, values in pool.counters.items()}.keys() == {"c0"}


@pytest.mark.parametrize(
    ("taken", "words"),
    [
        (consuming("d0", "c1"), "unknown counter set c1"),
        (consuming("d0", counter="sl"), "consumes unknown counter sl of counter set c0"),
    ],
)
def test_an_unknown_counter_makes_a_pool_invalid(taken: dict[str, Any], words: str) -> None:
    (pool,) = pools(counters("s1"), resource_slice("s2", taken, count=2))
    assert pool.state is PoolState.INVALID
    assert words in pool.problem


def test_an_unknown_counter_of_a_device_elsewhere_makes_a_pool_invalid_too() -> None:
    (pool,) = pools(
        resource_slice("s1", "d0", pool="p", count=2, nodeName="node-a"),
        resource_slice("s2", consuming("d1"), pool="p", count=2, nodeName="node-b"),
    )
    assert pool.state is PoolState.INVALID


def test_a_counter_set_that_comes_twice_makes_a_pool_invalid() -> None:
    (pool,) = pools(counters("s1"), counters("s2"))
    assert pool.state is PoolState.INVALID
    assert pool.problem == "counter set c0 is defined twice"


def test_without_partitionable_devices_slices_with_counters_are_ignored_but_complete_the_pool() -> None:
    (pool,) = pools(counters("s1"), resource_slice("s2", "d0", count=2), rules=PLAIN)
    assert pool.state is PoolState.USABLE
    assert names(pool) == ["d0"]


def test_without_partitionable_devices_per_device_selection_is_ignored_even_when_it_says_false() -> None:
    item = resource_slice("s", "d0", nodeName="node-a", perDeviceNodeSelection=False)
    assert len(pools(item)) == 1
    assert pools(item, rules=PLAIN) == ()


def test_without_compatibility_groups_slices_that_use_them_leave_the_pool_incomplete() -> None:
    slices = [
        counters("s1"),
        resource_slice("s2", consuming("d0", compatibilityGroups=["ga"]), count=2),
    ]
    (pool,) = pools(*slices)
    assert pool.state is PoolState.INCOMPLETE
    (pool,) = pools(*slices, rules=ALL)
    assert pool.state is PoolState.USABLE


def test_a_node_selector_that_cannot_be_read_is_an_error() -> None:
    bad = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "Near"}]}]}
    found = Inventory([resource_slice("s", "d0", nodeSelector=bad)]).pools_on(NODE, DEFAULT)
    assert isinstance(found, PoolError)
    assert found.message.startswith("ResourceSlice s: nodeSelector: ")
    per_device = resource_slice("t", device("d0", nodeSelector=bad), perDeviceNodeSelection=True)
    found = Inventory([per_device]).pools_on(NODE, DEFAULT)
    assert isinstance(found, PoolError)
    assert found.message.startswith("ResourceSlice t, device d0: nodeSelector: ")


def test_the_stable_allocator_reads_counters_for_any_node() -> None:
    stable = DEFAULT._replace(counters_from_anywhere=True)
    sets = [{"name": "c0", "counters": {"mem": {"value": "40Gi"}}}]
    item = resource_slice("s", pool="p", sharedCounters=sets, nodeName="node-b")
    assert pools(item) == ()
    (pool,) = pools(item, rules=stable)
    assert pool.devices == ()


def test_an_inventory_knows_the_nodes_that_slices_name() -> None:
    inventory = Inventory(
        [
            resource_slice("s1", "d0", pool="b", nodeName="node-b"),
            resource_slice("s2", device("d0", nodeName="node-a"), pool="p", perDeviceNodeSelection=True),
            resource_slice("s3", "d1", pool="b", nodeName="node-b"),
        ]
    )
    assert inventory.node_names == ("node-b", "node-a")
    assert [item.name for item in inventory.in_pool(PoolID("gpu.example.com", "b"))] == ["s1", "s3"]
