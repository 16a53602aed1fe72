"""Shared counters and compatibility groups."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import quantity
from dractl.cluster.devices import Device, NodeRef
from dractl.cluster.pools import Inventory, Pool, PoolError, PoolRules
from dractl.simulation.counters import counter_shortage, group_conflict
from dractl.simulation.reasons import CounterShort, Fatal, GroupsIncompatible
from dractl.simulation.supply import CounterCache, Usage
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


def available(pool: Pool, *results: dict[str, Any]) -> Any:
    return CounterCache(usage(*results)).of(pool)


SMALL, LARGE = ("c0", "mem", "20Gi"), ("c0", "mem", "40Gi")


def test_devices_draw_until_a_counter_is_used_up() -> None:
    pool = pool_of(part("a", SMALL), part("b", SMALL), part("c", SMALL))
    a, b, c = named(pool, "a", "b", "c")
    assert counter_shortage(available(pool), [], a) is None
    assert counter_shortage(available(pool), [a], b) is None
    assert counter_shortage(available(pool), [a, b], c) == CounterShort(
        "c0", "mem", quantity.parse("40Gi"), quantity.parse("60Gi")
    )


def test_devices_in_use_leave_less() -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    found = counter_shortage(available(pool, result("a")), [], b)
    assert found == CounterShort("c0", "mem", quantity.parse("20Gi"), quantity.parse("40Gi"))


def test_admin_access_leaves_the_counters() -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    assert counter_shortage(available(pool, result("a", adminAccess=True)), [], b) is None


def test_a_share_charges_the_counters_of_its_device() -> None:
    pool = pool_of(part("a", SMALL), part("b", LARGE))
    (b,) = named(pool, "b")
    assert counter_shortage(available(pool, result("a", shareID="x")), [], b) is not None


def test_an_over_committed_counter_blocks_every_device_of_the_pool_that_draws() -> None:
    pool = pool_of(part("a", LARGE), part("b", SMALL), part("c", ("c1", "mem", "1Gi")))
    (c,) = named(pool, "c")
    found = counter_shortage(available(pool, result("a"), result("b")), [], c)
    assert found == CounterShort("c0", "mem", quantity.parse("-20Gi"), quantity.parse("0"))


def test_a_device_that_is_gone_consumes_nothing() -> None:
    pool = pool_of(part("b", LARGE))
    (b,) = named(pool, "b")
    assert counter_shortage(available(pool, result("gone")), [], b) is None


def test_what_is_left_is_computed_once() -> None:
    pool = pool_of(part("a", SMALL))
    cache = CounterCache(usage())
    assert cache.of(pool) is cache.of(pool)


def test_quantities_too_far_apart_are_an_error_and_no_crash() -> None:
    pool = pool_of(part("a", ("c0", "mem", "1e9999")), part("b", ("c0", "mem", "1n")), mem="1e9999")
    a, b = named(pool, "a", "b")
    assert isinstance(counter_shortage(available(pool), [a], b), Fatal)
    assert isinstance(available(pool, result("b")), Fatal)


def conflict(candidate: list[str], *chosen: list[str], held: list[str] | None = None) -> Any:
    devices = [part(f"d{number}", SMALL, groups=groups) for number, groups in enumerate(chosen)]
    old = [] if held is None else [part("old", SMALL, groups=held)]
    pool = pool_of(*devices, part("new", SMALL, groups=candidate), *old)
    drawing = named(pool, *(f"d{number}" for number in range(len(chosen))))
    (new,) = named(pool, "new")
    in_use = usage(result("old")) if held is not None else usage()
    return group_conflict(pool, in_use, drawing, new)


REFUSED = GroupsIncompatible("c0")


@pytest.mark.parametrize(
    ("candidate", "chosen", "expected"),
    [
        (["ga"], [], None),
        ([], [], None),
        (["ga", "gb"], [["gb", "gc"]], None),
        (["ga"], [["gb"]], REFUSED),
        # All members must have a group in common, not only two at a time.
        (["ga", "gc"], [["ga", "gb"], ["gb", "gc"]], REFUSED),
        ([], [["ga"]], REFUSED),
        (["ga"], [[]], REFUSED),
        ([], [[]], None),
    ],
)
def test_devices_on_a_counter_set_share_a_group_or_have_none(
    candidate: list[str], chosen: list[list[str]], expected: Any
) -> None:
    assert conflict(candidate, *chosen) == expected


def test_devices_in_use_are_members_too() -> None:
    assert conflict(["ga"], held=["gb"]) == REFUSED
    assert conflict(["ga"], held=["ga", "gb"]) is None


def test_only_the_same_counter_set_counts() -> None:
    pool = pool_of(part("d0", SMALL, groups=["ga"]), part("new", ("c1", "mem", "1Gi"), groups=["gb"]))
    d0, new = named(pool, "d0", "new")
    assert group_conflict(pool, usage(), [d0], new) is None
