"""Shared counters."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity
from dractl.cluster.devices import Device, NodeRef
from dractl.cluster.pools import Inventory, Pool, PoolError, PoolRules
from dractl.simulation.allocator.checks.counters import CounterCache, Plans, Reservations, own_shortage
from dractl.simulation.allocator.model.reasons import CounterShort, Fatal
from dractl.simulation.allocator.model.usage import Usage
from tests.simulation.build import allocated, claim, device, features, resource_slice, result

RULES = PoolRules(partitionable_devices=True, compatibility_groups=True, counters_from_anywhere=False)


def part(name: str, *taken: tuple[str, str, str], groups: list[str] | None = None) -> dict[str, Any]:
    """A device that takes from counter sets: set, counter, amount."""
    consumptions: dict[str, dict[str, Any]] = {}
    for set_name, counter, amount in taken:
        entry = consumptions.setdefault(set_name, {"counterSet": set_name, "counters": {}})
        entry["counters"][counter] = {"value": amount}
        if groups:
            entry["compatibilityGroups"] = groups
    return device(name, consumesCounters=list(consumptions.values()))


def pool_of(*devices: dict[str, Any], mem: str = "40Gi") -> Pool:
    sets = [
        {"name": "c0", "counters": {"mem": {"value": mem}}},
        {"name": "c1", "counters": {"mem": {"value": "10Gi"}}},
    ]
    slices = [
        resource_slice("s0", count=2, nodeName="node-a", sharedCounters=sets),
        resource_slice("s1", *devices, count=2),
    ]
    found = Inventory(slices).pools_on(NodeRef("node-a", {}), RULES)
    assert not isinstance(found, PoolError)
    return found[0]


def named(pool: Pool, *names: str) -> list[Device]:
    return [next(item for item in pool.devices if item.name == name) for name in names]


def usage(*results: dict[str, Any]) -> Usage:
    return Usage([allocated(claim("held"), *results)] if results else [], features())


def reservations(*results: dict[str, Any], kube: str = "1.37") -> Reservations:
    quirks = features(kube).quirks
    return Reservations(CounterCache(usage(*results), Plans(quirks)))


def short(name: str, available: str, wanted: str) -> CounterShort:
    return CounterShort(name, "mem", quantity.parse(available), quantity.parse(wanted))


SMALL, LARGE = ("c0", "mem", "20Gi"), ("c0", "mem", "40Gi")


def test_devices_draw_until_a_counter_is_used_up() -> None:
    pool = pool_of(part("a", SMALL), part("b", SMALL), part("c", SMALL))
    a, b, c = named(pool, "a", "b", "c")
    reserved = reservations()
    assert reserved.add(pool, a) is None
    assert reserved.add(pool, b) is None
    assert reserved.add(pool, c) == short("c0", "40Gi", "60Gi")
    # What was refused reserves nothing, and what is given back can be had again.
    reserved.drop(pool, a)
    assert reserved.add(pool, c) is None


def test_devices_in_use_leave_less() -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    assert reservations(result("a")).add(pool, b) == short("c0", "20Gi", "40Gi")


def test_admin_access_leaves_the_counters() -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    assert reservations(result("a", adminAccess=True)).add(pool, b) is None


@pytest.mark.parametrize(("kube", "draws"), [("1.35", False), ("1.36", True), ("1.37", True)])
def test_a_share_charges_the_counters_of_its_device(kube: str, draws: bool) -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    assert (reservations(result("a", shareID="x"), kube=kube).add(pool, b) is not None) is draws


def test_an_over_committed_counter_blocks_every_device_of_the_pool_that_draws() -> None:
    pool = pool_of(part("a", LARGE), part("b", SMALL), part("c", ("c1", "mem", "1Gi")))
    (c,) = named(pool, "c")
    assert reservations(result("a"), result("b")).add(pool, c) == short("c0", "-20Gi", "0")


def test_a_device_that_is_gone_consumes_nothing() -> None:
    pool = pool_of(part("b", LARGE))
    (b,) = named(pool, "b")
    assert reservations(result("gone")).add(pool, b) is None


def test_fractions_are_exact() -> None:
    pool = pool_of(*(part(name, ("c0", "mem", "333333333n")) for name in "abcd"), mem="1")
    reserved = reservations()
    found = [reserved.add(pool, item) for item in named(pool, *"abcd")]
    assert found == [None, None, None, short("c0", "1", "1333333332n")]


def test_what_is_left_is_computed_once() -> None:
    pool = pool_of(part("a", SMALL))
    (a,) = named(pool, "a")
    cache = CounterCache(usage(), Plans(features().quirks))
    assert cache.of(pool, a) is cache.of(pool, a)


def test_a_quantity_with_too_many_digits_is_an_error_and_no_crash() -> None:
    pool = pool_of(part("a", ("c0", "mem", "1")), mem="1e9999")
    (a,) = named(pool, "a")
    assert isinstance(reservations().add(pool, a), Fatal)
    pool = pool_of(part("a", ("c0", "mem", "1e9999")))
    (a,) = named(pool, "a")
    assert isinstance(reservations().add(pool, a), Fatal)


def two_pools() -> tuple[Pool, Pool]:
    """Two pools of one name, of two drivers."""
    sets = [{"name": "c0", "counters": {"mem": {"value": "40Gi"}}}]
    slices = [
        item
        for driver in ("a.example.com", "b.example.com")
        for item in (
            resource_slice(f"{driver}-c", count=2, driver=driver, nodeName="node-a", sharedCounters=sets),
            resource_slice(f"{driver}-d", part("d", LARGE), count=2, driver=driver),
        )
    ]
    found = Inventory(slices).pools_on(NodeRef("node-a", {}), RULES)
    assert not isinstance(found, PoolError)
    first, second = found
    return first, second


@pytest.mark.parametrize(("kube", "is_shared"), [("1.36.3", True), ("1.36.4", False), ("1.37", False)])
def test_pools_of_one_name_share_their_counters_up_to_1_36_3(kube: str, is_shared: bool) -> None:
    first, second = two_pools()
    reserved = reservations(kube=kube)
    assert reserved.add(first, first.devices[0]) is None
    assert (reserved.add(second, second.devices[0]) is not None) is is_shared


def in_one_slice(*devices: dict[str, Any]) -> Pool:
    """A pool of 1.33 or 1.34: the counters stand beside the devices."""
    sets = [{"name": name, "counters": {"mem": {"value": "40Gi"}}} for name in ("c0", "c1")]
    slices = [resource_slice("s", *devices, nodeName="node-a", sharedCounters=sets)]
    rules = RULES._replace(counters_per_slice=True)
    found = Inventory(slices).pools_on(NodeRef("node-a", {}), rules)
    assert not isinstance(found, PoolError)
    return found[0]


def test_counters_of_1_34_are_those_of_the_slice_and_unknown_ones_do_not_count() -> None:
    pool = in_one_slice(part("a", LARGE), part("b", SMALL), part("c", ("gone", "mem", "1Gi")))
    a, b, c = named(pool, "a", "b", "c")
    reserved = reservations(kube="1.34")
    assert reserved.add(pool, a) is None
    assert reserved.add(pool, b) == short("c0", "40Gi", "60Gi")
    assert reserved.add(pool, c) is None


def test_1_33_looks_only_at_the_counters_that_a_device_names() -> None:
    pool = in_one_slice(
        part("a", LARGE), part("b", LARGE), part("c", ("c1", "mem", "1Gi")), part("d", ("gone", "mem", "1Gi"))
    )
    a, b, c, d = named(pool, "a", "b", "c", "d")
    assert own_shortage(a, {b}.__contains__, {}) == short("c0", "0", "40Gi")
    # Both marked: the set c0 is over-committed, which is nothing to one that draws from c1.
    assert own_shortage(c, {a, b}.__contains__, {}) is None
    assert own_shortage(d, {a}.__contains__, {}) == short("gone", "0", "1Gi")
