"""What is in use, and what a node offers."""

from __future__ import annotations

from dractl.api import quantity
from dractl.cluster.devices import DeviceID, NodeRef
from dractl.cluster.pools import Inventory
from dractl.simulation.allocator.device.inventory import PoolCache, Supply
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.model.usage import Usage
from tests.simulation.build import DRIVER, allocated, claim, features, resource_slice, result

GPU_0 = DeviceID(DRIVER, "node-a", "gpu-0")
NODE = NodeRef("node-a", {})


def test_a_claim_holds_its_devices_whether_or_not_anybody_uses_it() -> None:
    usage = Usage([allocated(claim("c"), result("gpu-0")), claim("pending")], features())
    assert usage.dedicated == {GPU_0: "default/c"}
    assert usage.holds(GPU_0)
    assert not usage.holds(GPU_0._replace(device="gpu-1"))


def test_admin_access_holds_nothing() -> None:
    usage = Usage([allocated(claim("c"), result("gpu-0", adminAccess=True))], features())
    assert not usage.holds(GPU_0)


def test_shares_add_up() -> None:
    usage = Usage(
        [
            allocated(claim("a"), result("gpu-0", shareID="1", consumedCapacity={"mem": "1Gi"})),
            allocated(claim("b"), result("gpu-0", shareID="2", consumedCapacity={"mem": "2Gi", "bw": "1"})),
            allocated(claim("c"), result("gpu-0", shareID="3")),
        ],
        features(),
    )
    assert usage.dedicated == {}
    assert usage.shared == {GPU_0: ["default/a", "default/b", "default/c"]}
    assert usage.consumed == {GPU_0: {"mem": quantity.parse("3Gi"), "bw": quantity.parse("1")}}


def test_without_consumable_capacity_a_share_is_the_whole_device() -> None:
    off = features(DRAConsumableCapacity=False)
    usage = Usage([allocated(claim("a"), result("gpu-0", shareID="1"))], off)
    assert usage.dedicated == {GPU_0: "default/a"}


def test_a_claim_can_be_added_later() -> None:
    usage = Usage([], features())
    usage.add(allocated(claim("c"), result("gpu-0")))
    assert usage.holds(GPU_0)


def test_a_node_offers_the_devices_of_usable_pools_in_order() -> None:
    inventory = Inventory(
        [
            resource_slice("s1", "b", "a"),
            resource_slice("s2", "x", pool="incomplete", count=2, allNodes=True),
            resource_slice("s3", "f", pool="fabric", allNodes=True),
        ]
    )
    supply = PoolCache(inventory, features()).node_devices(Usage([], features())).on(NODE)
    assert isinstance(supply, Supply)
    assert [str(pool.id) for pool in supply.pools] == [
        f"{DRIVER}/fabric",
        f"{DRIVER}/incomplete",
        f"{DRIVER}/node-a",
    ]
    candidates = list(supply.candidates)
    assert [candidate.device.name for candidate in candidates] == ["f", "b", "a"]
    assert candidates[0].pool is next(supply.pools)


def test_a_market_gathers_the_pools_of_a_node_once() -> None:
    pool_cache = PoolCache(Inventory([resource_slice("s1", "a")]), features())
    assert pool_cache.pools_of(NODE) is pool_cache.pools_of(NODE)


def test_a_slice_that_cannot_be_read_is_an_error_on_every_node() -> None:
    bad = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "rack", "operator": "Near"}]}]}
    pool_cache = PoolCache(Inventory([resource_slice("s", "a", nodeSelector=bad)]), features())
    assert isinstance(pool_cache.node_devices(Usage([], features())).on(NODE), Fatal)


def test_going_through_devices_ends_at_an_invalid_pool_where_that_is_an_error() -> None:
    slices = [
        resource_slice("s", "x", "y", pool="a", allNodes=True),
        resource_slice("t", "z", "z", pool="b", allNodes=True),
        resource_slice("u", "w", pool="c", allNodes=True),
    ]
    supply = (
        PoolCache(Inventory(slices), features()).node_devices(Usage([], features())).on(NodeRef("node-a", {}))
    )
    assert isinstance(supply, Supply)
    assert supply.scan_end(ends_at_invalid=False) == (3, None)
    position, pool = supply.scan_end(ends_at_invalid=True)
    assert (position, str(pool and pool.id)) == (2, "gpu.example.com/b")
