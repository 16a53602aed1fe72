"""Which devices stand for each other, and where none may."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.preparation import prepare
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.pruning.symmetry import Symmetry
from tests.rows import each_row
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import (
    allocated,
    body,
    claim,
    device,
    exactly,
    first_of,
    resource_slice,
    result,
    sharing,
)

IS_B = 'device.attributes["gpu.example.com"].model == "b"'
MATCH = {"matchAttribute": "gpu.example.com/model"}
DISTINCT = {"distinctAttribute": "gpu.example.com/model"}
TAINT = {"key": "k", "effect": "NoSchedule"}


def symmetry(devices: list[Any], *claims: Any, held: Any = (), **gates: bool) -> Symmetry:
    case = SearchCase([resource_slice("s", *devices)], *claims, held=held, **gates)
    checks = DeviceChecks(case.demands, case.supply, case.matcher, case.features)
    every = prepare(case.demands, case.supply, checks, case.features.quirks)
    assert not isinstance(every, Fatal)
    return Symmetry(case.demands, case.supply, checks, case.features, every)


def kinds(devices: list[Any], *claims: Any, **more: Any) -> str:
    """Letters, of which equal ones stand for devices of one kind."""
    found = symmetry(devices, *claims, **more)
    assert found.is_order_independent
    letters: dict[int, str] = {}
    return "".join(letters.setdefault(found.kind(entry), "abcdef"[len(letters)]) for entry in found.position)


A, B, C = device("a", "a"), device("b", "b"), device("c", "a")


def test_devices_are_alike_unless_a_request_tells_them_apart() -> None:
    assert kinds([A, B, C], claim("c")) == "aaa"
    assert kinds([A, B, C], claim("c", exactly("r", IS_B))) == "aba"
    assert kinds([A, B, C], claim("c", first_of("r", any=body(), b=body(IS_B)))) == "aba"
    assert kinds([A, B, C], claim("c"), claim("d", exactly("r", IS_B))) == "aba"


def test_constraints_tell_values_apart() -> None:
    assert kinds([A, B, C], claim("c", constraints=[MATCH])) == "aba"
    other = {"matchAttribute": "gpu.example.com/other"}
    assert kinds([A, B, C], claim("c", constraints=[other])) == "aaa"
    elsewhere = {**MATCH, "requests": ["two"]}
    assert kinds([A, B, C], claim("c", exactly("one"), constraints=[elsewhere])) == "aaa"


def test_devices_in_use_and_tainted_ones_are_of_other_kinds() -> None:
    held = [allocated(claim("other"), result("a"))]
    assert kinds([A, B, C], claim("c"), held=held) == "abb"
    assert kinds([A, device("b", taints=[TAINT]), C], claim("c")) == "aba"


def test_shares_depend_on_capacity_and_on_what_is_taken() -> None:
    goal = claim("c", exactly("r", capacity={"requests": {"mem": "1Gi"}}))
    devices = [sharing("a"), sharing("b"), sharing("c", "20Gi")]
    assert kinds(devices, goal) == "aab"
    taken = result("a", shareID="1", consumedCapacity={"mem": "1Gi"})
    assert kinds(devices, goal, held=[allocated(claim("other"), taken)]) == "abc"


def test_counters_tell_by_what_is_taken() -> None:
    def part(name: str, memo: str) -> dict[str, Any]:
        return device(name, consumesCounters=[{"counterSet": "c", "counters": {"memory": {"value": memo}}}])

    sets = [{"name": "c", "counters": {"memory": {"value": "4Gi"}}}]
    slices = [
        resource_slice("c", count=2, nodeName="node-a", sharedCounters=sets),
        resource_slice(
            "s", part("a", "1Gi"), part("b", "2Gi"), part("c", "1024Mi"), count=2, nodeName="node-a"
        ),
    ]
    case = SearchCase(slices, claim("c"))
    checks = DeviceChecks(case.demands, case.supply, case.matcher, case.features)
    found = Symmetry(case.demands, case.supply, checks, case.features, {})
    first, second, third = found.position
    assert found.kind(first) == found.kind(third) != found.kind(second)


@each_row(
    ("devices", "goal"),
    [
        # A selector that fails for some device, and a constraint on a request for all.
        ([A, {"name": "bare"}], claim("c", exactly("r", IS_B))),
        ([A, B], claim("c", exactly("r", count=None), constraints=[MATCH])),
        ([A, {"name": "bare"}], claim("c", exactly("r", count=None), constraints=[MATCH])),
        ([A, B], claim("c", exactly("r", count=None, of="a"), exactly("one"), constraints=[MATCH])),
        ([A, C], claim("c", exactly("r", count=None), constraints=[DISTINCT])),
    ],
)
def test_where_an_error_may_come_no_device_stands_for_another(devices: list[Any], goal: Any) -> None:
    found = symmetry(devices, goal)
    assert not found.is_order_independent
    assert [found.kind(entry) for entry in found.position] == [0, 1]


def test_an_error_may_hide_behind_a_device_in_use() -> None:
    held = [allocated(claim("other"), result("bare"))]
    assert not symmetry([A, {"name": "bare"}], claim("c", exactly("r", IS_B)), held=held).is_order_independent


def test_a_list_may_only_come_first_where_values_are_distinct() -> None:
    listed = {"name": "l", "attributes": {"model": {"strings": ["a", "b"]}}}
    goal = claim("c", exactly("r", count=2), constraints=[DISTINCT])
    assert not symmetry([listed, A], goal).is_order_independent
    assert symmetry([listed, A], goal, DRAListTypeAttributes=True).is_order_independent
    assert symmetry([listed, A], claim("c", exactly("r", count=2), constraints=[MATCH])).is_order_independent


def test_a_constraint_for_which_no_device_differs_refuses_none_of_all() -> None:
    every = exactly("r", count=None)
    assert symmetry([A, C], claim("c", every, constraints=[MATCH])).is_order_independent
    # The device of another value is for no request that the constraint concerns.
    rule = {**MATCH, "requests": ["r"]}
    only_a = exactly("r", count=None, of="a")
    assert symmetry([A, B, C], claim("c", only_a, exactly("one"), constraints=[rule])).is_order_independent
    # One that is held, and so cannot be had, is still one of all.
    held = [allocated(claim("other"), result("b"))]
    assert not symmetry([A, B, C], claim("c", every, constraints=[MATCH]), held=held).is_order_independent
