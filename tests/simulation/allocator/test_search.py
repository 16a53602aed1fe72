"""The search: which devices, in which order, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.cluster.devices import Device, NodeRef
from dractl.cluster.objects import Objects
from dractl.cluster.pools import Inventory, Pool
from dractl.simulation.allocator.checks.matching import Matcher
from dractl.simulation.allocator.device.inventory import PoolCache, Supply
from dractl.simulation.allocator.model.demand import ClaimDemand, Request, demand_of
from dractl.simulation.allocator.model.observer import NullObserver, Slot
from dractl.simulation.allocator.model.reasons import Fatal, InUse, Reason, SelectorFalse
from dractl.simulation.allocator.model.usage import Usage
from dractl.simulation.allocator.search import BUDGET, search
from dractl.simulation.allocator.search_result import Found, NotFound, Result
from tests.simulation.build import (
    allocated,
    body,
    claim,
    device,
    device_class,
    environment,
    exactly,
    features,
    first_of,
    resource_slice,
    result,
    sharing,
)

NODE = NodeRef("node-a", {})
CLASSES = [device_class("gpu"), device_class("a", 'device.attributes["gpu.example.com"].model == "a"')]
IS_B = 'device.attributes["gpu.example.com"].model == "b"'


class SearchCase:
    """A search to be run, with everything around it."""

    def __init__(
        self, slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = (), **gates: bool
    ) -> None:
        classes = Objects(CLASSES)
        self.features = features(**gates)
        self.demands: list[ClaimDemand] = []
        for item in claims:
            demand = demand_of(item, lambda name: classes.get("DeviceClass", "", name), self.features)
            assert isinstance(demand, ClaimDemand), demand
            self.demands.append(demand)
        supply = PoolCache(Inventory(slices), self.features).node_devices(Usage(held, self.features)).on(NODE)
        assert isinstance(supply, Supply)
        self.supply = supply
        self.matcher = Matcher(environment(**gates), self.features)

    def run(self, **options: Any) -> Result:
        return search(self.demands, self.supply, self.matcher, self.features, **options)


def chosen(slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = (), **gates: bool) -> list[str]:
    """``request=device`` for every choice."""
    found = SearchCase(slices, *claims, held=held, **gates).run()
    assert isinstance(found, Found), found
    return [f"{choice.request.full_name}={choice.device.name}" for choice in found.choices]


def refused(slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = (), **gates: bool) -> bool:
    found = SearchCase(slices, *claims, held=held, **gates).run()
    assert not isinstance(found, Fatal), found
    return isinstance(found, NotFound)


def error(slices: list[dict[str, Any]], *claims: dict[str, Any], held: Any = (), **gates: bool) -> str:
    found = SearchCase(slices, *claims, held=held, **gates).run()
    assert isinstance(found, Fatal), found
    return found.message


A_B = [resource_slice("s", device("z", "a"), device("y", "b"), device("x", "a"))]


def test_the_first_device_in_array_order_is_taken_whatever_its_name() -> None:
    assert chosen(A_B, claim("c")) == ["gpu=z"]


def test_selectors_choose() -> None:
    assert chosen(A_B, claim("c", exactly("gpu", IS_B))) == ["gpu=y"]
    assert chosen(A_B, claim("c", exactly("gpu", of="a", count=2))) == ["gpu=z", "gpu=x"]


def test_several_devices_of_a_request_follow_each_other() -> None:
    assert chosen(A_B, claim("c", exactly("gpu", count=3))) == ["gpu=z", "gpu=y", "gpu=x"]
    assert refused(A_B, claim("c", exactly("gpu", count=4)))


def test_a_device_in_use_is_passed_over() -> None:
    held = [allocated(claim("other"), result("z"))]
    assert chosen(A_B, claim("c"), held=held) == ["gpu=y"]
    assert refused(A_B, claim("c", exactly("gpu", count=3)), held=held)


def test_a_later_request_may_take_a_choice_back() -> None:
    requests = (exactly("first"), exactly("second", of="a", count=2))
    assert chosen(A_B, claim("c", *requests)) == ["first=y", "second=z", "second=x"]


def test_a_later_claim_may_take_a_choice_back() -> None:
    first, second = claim("c", exactly("one")), claim("d", exactly("two", of="a", count=2))
    assert chosen(A_B, first, second) == ["one=y", "two=z", "two=x"]


def test_the_order_of_claims_decides_who_gets_the_first_device() -> None:
    first, second = claim("c", exactly("one")), claim("d", exactly("two"))
    assert chosen(A_B, first, second) == ["one=z", "two=y"]
    assert chosen(A_B, second, first) == ["two=z", "one=y"]


def test_every_choice_for_a_subrequest_comes_before_the_next_subrequest() -> None:
    slices = [resource_slice("s", device("big", "a"), device("small", "b"))]
    item = claim("c", first_of("one", any=body(), small=body(IS_B)), exactly("two", of="a"))
    assert chosen(slices, item) == ["one/any=small", "two=big"]


def test_a_subrequest_that_cannot_be_met_gives_way_to_the_next() -> None:
    item = claim("c", first_of("gpu", many=body(count=4), two=body(count=2)))
    found = SearchCase(A_B, item).run()
    assert isinstance(found, Found)
    assert found.selected == {(0, 0): 1}
    assert [choice.request.full_name for choice in found.choices] == ["gpu/two", "gpu/two"]


def test_all_means_all_that_match() -> None:
    assert chosen(A_B, claim("c", exactly("gpu", of="a", count=None))) == ["gpu=z", "gpu=x"]


def test_all_needs_at_least_one_device() -> None:
    assert refused(A_B, claim("c", exactly("gpu", "false", count=None)))


def test_all_fails_if_one_device_is_in_use_unless_it_has_admin_access() -> None:
    held = [allocated(claim("other"), result("z"))]
    assert refused(A_B, claim("c", exactly("gpu", count=None)), held=held)
    found = chosen(A_B, claim("c", exactly("gpu", count=None, adminAccess=True)), held=held)
    assert found == ["gpu=z", "gpu=y", "gpu=x"]


def test_all_fails_if_one_device_is_tainted() -> None:
    taint = {"key": "k", "effect": "NoSchedule"}
    slices = [resource_slice("s", device("z", taints=[taint]), "y")]
    assert refused(slices, claim("c", exactly("gpu", count=None)))
    assert chosen(slices, claim("c", exactly("gpu"))) == ["gpu=y"]
    tolerant = exactly("gpu", count=None, tolerations=[{"operator": "Exists"}])
    assert chosen(slices, claim("c", tolerant)) == ["gpu=z", "gpu=y"]


def test_all_with_a_constraint_that_refuses_a_device_ends_the_attempt() -> None:
    match = {"matchAttribute": "gpu.example.com/model"}
    assert error(A_B, claim("c", exactly("gpu", count=None), constraints=[match])) == (
        "claim default/c, request gpu: requires all matching devices, but constraint #0 does not "
        "allow device gpu.example.com/node-a/y"
    )


def test_all_looks_at_every_pool_of_the_node() -> None:
    other = resource_slice("n", "n0", pool="p", driver="nic.example.com", count=2, allNodes=True)
    text = error([*A_B, other], claim("c", exactly("gpu", count=None)))
    assert text == (
        "claim default/c, request gpu: requires all matching devices, but pool nic.example.com/p is "
        "incomplete: 1 of 2 slices of generation 1 exist"
    )
    assert chosen([*A_B, other], claim("c")) == ["gpu=z"]


def test_a_claim_holds_32_devices_at_most() -> None:
    many = [resource_slice("s", *(f"d{number}" for number in range(40)))]
    assert "needs 33 devices, but can have at most 32" in error(many, claim("c", exactly("gpu", count=33)))
    assert "needs 40 devices" in error(many, claim("c", exactly("gpu", count=None)))
    assert len(chosen(many, claim("c", exactly("gpu", count=32)))) == 32
    assert "request two: the claim needs 33" in error(
        many, claim("c", exactly("one", count=32), exactly("two"))
    )


def test_a_subrequest_over_the_limit_is_left_out() -> None:
    many = [resource_slice("s", *(f"d{number}" for number in range(40)))]
    item = claim("c", exactly("one", count=30), first_of("two", all=body(count=None), few=body(count=2)))
    found = chosen(many, item)
    assert found[30:] == ["two/few=d30", "two/few=d31"]


def test_a_claim_whose_choices_are_all_too_large_gives_earlier_ones_another() -> None:
    many = [resource_slice("s", *(f"d{number}" for number in range(40)))]
    item = claim(
        "c", first_of("one", most=body(count=31), some=body(count=20)), first_of("two", x=body(count=10))
    )
    found = chosen(many, item)
    assert found[0] == "one/some=d0"
    assert found[-1] == "two/x=d29"


def test_a_failing_selector_is_an_error_only_if_it_is_reached() -> None:
    slices = [resource_slice("s", device("good", "b"), {"name": "bare"})]
    assert chosen(slices, claim("c", exactly("gpu", IS_B))) == ["gpu=good"]
    assert "no such key" in error(slices, claim("c", exactly("gpu", IS_B, count=2)))
    held = [allocated(claim("other"), result("bare"))]
    assert refused(slices, claim("c", exactly("gpu", IS_B, count=2)), held=held)
    # A request for all looks at devices in use, too.
    assert "no such key" in error(slices, claim("c", exactly("gpu", IS_B, count=None)), held=held)


def test_admin_access_shares_with_everybody_but_its_own_claim() -> None:
    slices = [resource_slice("s", "z")]
    held = [allocated(claim("other"), result("z"))]
    admin = exactly("gpu", adminAccess=True)
    assert chosen(slices, claim("c", admin), held=held) == ["gpu=z"]
    assert refused(slices, claim("c", exactly("gpu", count=2, adminAccess=True)))
    assert refused(slices, claim("c", exactly("one", adminAccess=True), exactly("two", adminAccess=True)))
    assert chosen(slices, claim("c"), claim("d", admin)) == ["gpu=z", "gpu=z"]
    assert refused(slices, claim("d", admin), claim("c"))


def test_a_multi_use_device_serves_several_requests_but_one_request_once() -> None:
    slices = [resource_slice("s", sharing("m", "10Gi"))]
    small = {"requests": {"mem": "4Gi"}}
    two = (exactly("one", capacity=small), exactly("two", capacity=small))
    assert chosen(slices, claim("c", *two)) == ["one=m", "two=m"]
    assert refused(slices, claim("c", exactly("gpu", capacity=small, count=2)))
    assert refused(slices, claim("c", *two, exactly("three", capacity=small)))


def test_a_share_without_a_capacity_request_takes_everything() -> None:
    slices = [resource_slice("s", sharing("m"))]
    assert chosen(slices, claim("c", exactly("one"))) == ["one=m"]
    assert refused(slices, claim("c", exactly("one"), exactly("two")))


def test_what_other_claims_consume_is_gone() -> None:
    slices = [resource_slice("s", sharing("m", "10Gi"), sharing("n", "10Gi"))]
    held = [allocated(claim("other"), result("m", shareID="1", consumedCapacity={"mem": "8Gi"}))]
    item = claim("c", exactly("gpu", capacity={"requests": {"mem": "4Gi"}}))
    assert chosen(slices, item, held=held) == ["gpu=n"]
    # A request for all wants it nevertheless.
    every = claim("c", exactly("gpu", capacity={"requests": {"mem": "4Gi"}}, count=None))
    assert refused(slices, every, held=held)


def test_counters_of_a_shared_device_are_charged_once() -> None:
    sets = [{"name": "c0", "counters": {"mem": {"value": "10Gi"}}}]
    taken = [{"counterSet": "c0", "counters": {"mem": {"value": "10Gi"}}}]
    slices = [
        resource_slice("s0", count=2, nodeName="node-a", sharedCounters=sets),
        resource_slice(
            "s1", sharing("m", consumesCounters=taken), device("d", consumesCounters=taken), count=2
        ),
    ]
    small = {"requests": {"mem": "1Gi"}}
    two = (exactly("one", capacity=small), exactly("two", capacity=small))
    assert chosen(slices, claim("c", *two)) == ["one=m", "two=m"]
    assert refused(slices, claim("c", *two, exactly("three", "!device.allowMultipleAllocations")))
    held = [allocated(claim("other"), result("m", shareID="1", consumedCapacity={"mem": "1Gi"}))]
    assert chosen(slices, claim("c", exactly("one", capacity=small)), held=held) == ["one=m"]


def test_counters_are_off_without_partitionable_devices() -> None:
    taken = [{"counterSet": "c0", "counters": {"mem": {"value": "1Gi"}}}]
    slices = [resource_slice("s", device("part", consumesCounters=taken), "whole")]
    assert chosen(slices, claim("c"), DRAPartitionableDevices=False) == ["gpu=whole"]


def test_node_operations_need_gate_and_node() -> None:
    slices = [resource_slice("s", "d", nodeName="node-a", skipNodeOperations=["NodePrepareResources"])]
    assert chosen(slices, claim("c")) == ["gpu=d"]
    assert refused(slices, claim("c"), DRAOptionalNodeOperations=True)
    assert refused(slices, claim("c"), DRAListTypeAttributes=True)


def test_nothing_to_allocate_is_found_at_once() -> None:
    assert chosen(A_B) == []


def test_an_invalid_pool_is_named_when_nothing_fits() -> None:
    slices = [resource_slice("s1", "d", "d", pool="bad", allNodes=True), *A_B]
    assert chosen(slices, claim("c")) == ["gpu=z"]
    found = SearchCase(slices, claim("c", exactly("gpu", count=4))).run()
    assert isinstance(found, NotFound)
    assert found.invalid_pools == ("gpu.example.com/bad: device d is in slices s1 and s1",)


def test_very_many_devices_need_no_stack() -> None:
    slices = [
        resource_slice(f"s{number:03}", *(f"d{number}-{n}" for n in range(100)), count=20)
        for number in range(20)
    ]
    claims = [claim(f"c{number}", exactly("gpu", count=32)) for number in range(60)]
    assert len(chosen(slices, *claims)) == 1920


@pytest.mark.parametrize(("patience", "budget"), [(100, 150), (BUDGET + 1, 500)])
def test_a_search_ends_with_its_budget(patience: int, budget: int) -> None:
    devices = [device(f"d{number}", "a" if number % 2 else "b") for number in range(16)]
    item = claim(
        "c",
        *(exactly(f"r{number}") for number in range(9)),
        constraints=[{"matchAttribute": "gpu.example.com/model"}],
    )
    case = SearchCase([resource_slice("s", *devices)], item)
    found = case.run(budget=budget, patience=patience)
    assert isinstance(found, Fatal)
    assert found.is_timeout
    assert f"stopped after {budget} steps" in found.message


class Diary(NullObserver):
    """Writes down what a search tells."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        self.lines.append(f"{request.full_name}#{slot.number}: not {device.name}, {type(reason).__name__}")

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        self.lines.append(f"{request.full_name}#{slot.number}: {device.name}")

    def gave_back(self, slot: Slot, request: Request, device: Device) -> None:
        self.lines.append(f"{request.full_name}#{slot.number}: gives {device.name} back")

    def found_none(self, slot: Slot, request: Request) -> None:
        self.lines.append(f"{request.full_name}#{slot.number}: none left")

    def exceeded(self, slot: Slot, request: Request) -> None:
        self.lines.append(f"{request.full_name}#{slot.number}: too many")

    def passed_over(self, pool: Pool) -> None:
        self.lines.append(f"pool {pool.id.pool} {pool.state.value}")


def test_an_observer_hears_every_step_in_order() -> None:
    slices = [
        resource_slice("s", device("z", "a"), device("y", "b")),
        resource_slice("t", "x", pool="p", count=2, allNodes=True),
    ]
    held = [allocated(claim("other"), result("none"))]
    diary = Diary()
    item = claim("c", exactly("one"), exactly("two", of="a"))
    SearchCase(slices, item, held=held).run(observer=diary)
    assert diary.lines == [
        "pool p incomplete",
        "one#0: z",
        "two#0: not z, Chosen",
        "two#0: not y, SelectorFalse",
        "two#0: none left",
        "one#0: gives z back",
        "one#0: y",
        "two#0: z",
    ]


def test_an_observer_hears_reasons_as_values() -> None:
    heard: list[Reason] = []

    class Ear(NullObserver):
        def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
            del slot, request, device
            heard.append(reason)

    held = [allocated(claim("other"), result("z"))]
    SearchCase(A_B, claim("c", exactly("gpu", of="a", count=2)), held=held).run(observer=Ear())
    expression = 'device.attributes["gpu.example.com"].model == "a"'
    assert heard == [
        InUse("default/other"),
        SelectorFalse("class a", 0, expression),
    ]
