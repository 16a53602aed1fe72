"""When two situations of a search are the same, and when they are not."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from dractl.simulation.allocator.device.allocate_device import DeviceChecks
from dractl.simulation.allocator.device.preparation import prepare
from dractl.simulation.allocator.device.state import AllocationState, Choice
from dractl.simulation.allocator.model.observer import Slot
from dractl.simulation.allocator.model.reasons import Fatal
from dractl.simulation.allocator.pruning.state_keys import StateKeys
from dractl.simulation.allocator.pruning.symmetry import Symmetry
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import claim, device, exactly, resource_slice, sharing

MATCH = {"matchAttribute": "gpu.example.com/model"}
IS_B = 'device.attributes["gpu.example.com"].model == "b"'
AABB = [device("a1", "a"), device("a2", "a"), device("b1", "b"), device("b2", "b")]

Place = tuple[int, int, int, str]
"""Claim, request, which of its devices, and the name of the device."""


class Scene:
    """A search in which devices are chosen by hand."""

    def __init__(self, slices: list[Any], *claims: Any, **gates: bool) -> None:
        self.case = case = SearchCase(slices, *claims, **gates)
        self.checks = DeviceChecks(case.demands, case.supply, case.matcher, case.features)
        every = prepare(case.demands, case.supply, self.checks, case.features.quirks)
        assert not isinstance(every, Fatal)
        symmetry = Symmetry(case.demands, case.supply, self.checks, case.features, every)
        assert symmetry.is_order_independent
        self.state_keys = StateKeys(case.demands, case.supply, symmetry, case.features)

    def chosen(self, *places: Place) -> AllocationState:
        found = self.checks.nothing_chosen()
        candidates = {entry.device.name: entry for entry in self.case.supply.candidates}
        for number, ask, position, name in places:
            slot = Slot(number, ask, 0, position)
            request = self.case.demands[number].asks[ask].alternatives[0]
            choice = self.checks.any_device(slot, request, candidates[name], found)
            assert isinstance(choice, Choice), choice
            found.push(choice)
        return found

    def before(self, number: int, ask: int, *places: Place) -> Hashable:
        return self.state_keys.before(number, ask, self.chosen(*places))

    def within(self, slot: Slot, *places: Place) -> Hashable:
        return self.state_keys.within(slot, self.chosen(*places))


def test_what_counts_is_how_many_of_a_kind_are_gone_and_not_who_has_them() -> None:
    scene = Scene(
        [resource_slice("s", *AABB)], claim("c", exactly("one"), exactly("two"), exactly("b", IS_B))
    )
    assert scene.before(0, 1, (0, 0, 0, "a1")) == scene.before(0, 1, (0, 0, 0, "a2"))
    assert scene.before(0, 1, (0, 0, 0, "a1")) != scene.before(0, 1, (0, 0, 0, "b1"))
    first = ((0, 0, 0, "a1"), (0, 1, 0, "b1"))
    second = ((0, 0, 0, "b2"), (0, 1, 0, "a2"))
    assert scene.before(0, 2, *first) == scene.before(0, 2, *second)


def test_devices_that_nothing_ahead_could_take_do_not_count() -> None:
    scene = Scene([resource_slice("s", *AABB)], claim("c", exactly("one"), exactly("b", IS_B)))
    # Only the number of devices that the claim holds is left of these.
    assert scene.before(0, 1, (0, 0, 0, "a1")) == scene.before(0, 1, (0, 0, 0, "a2"))
    assert scene.before(0, 1, (0, 0, 0, "a1")) != scene.before(0, 1, (0, 0, 0, "b1"))


def test_constraints_count_by_the_value_they_have_come_to() -> None:
    more = device("x", "x"), device("y", "x")
    goal = claim("c", exactly("one"), exactly("none", "false"), constraints=[MATCH])
    scene = Scene([resource_slice("s", *AABB, *more)], goal)
    assert scene.before(0, 1, (0, 0, 0, "x")) == scene.before(0, 1, (0, 0, 0, "y"))
    assert scene.before(0, 1, (0, 0, 0, "x")) != scene.before(0, 1, (0, 0, 0, "a1"))
    # The claim after it is not concerned.
    scene = Scene(
        [resource_slice("s", *AABB)], claim("c", constraints=[MATCH]), claim("d", exactly("n", "false"))
    )
    assert scene.before(1, 0, (0, 0, 0, "a1")) == scene.before(1, 0, (0, 0, 0, "b1"))


def test_counters_count_by_what_is_reserved() -> None:
    def part(name: str, size: str) -> dict[str, Any]:
        return device(name, consumesCounters=[{"counterSet": "c", "counters": {"memory": {"value": size}}}])

    sets = [{"name": "c", "counters": {"memory": {"value": "6"}}}]
    slices = [
        resource_slice("c", count=2, nodeName="node-a", sharedCounters=sets),
        resource_slice("s", part("p1", "1"), part("p2", "2"), part("p3", "3"), count=2, nodeName="node-a"),
    ]
    scene = Scene(slices, claim("c", exactly("pair", count=2), exactly("other")))
    three = scene.before(0, 1, (0, 0, 0, "p1"), (0, 0, 1, "p2"))
    assert three != scene.before(0, 1, (0, 0, 0, "p1"), (0, 0, 1, "p3"))
    # Where nothing ahead draws from them they do not count.
    scene = Scene(slices, claim("c", exactly("pair", count=2), exactly("other", "false")))
    three = scene.before(0, 1, (0, 0, 0, "p1"), (0, 0, 1, "p2"))
    assert three == scene.before(0, 1, (0, 0, 0, "p1"), (0, 0, 1, "p3"))


def test_in_the_midst_of_a_request_the_very_devices_of_others_count() -> None:
    scene = Scene([resource_slice("s", *AABB)], claim("c", exactly("one"), exactly("two", count=2)))
    slot = Slot(0, 1, 0, 1)
    first = scene.within(slot, (0, 0, 0, "a1"), (0, 1, 0, "a2"))
    assert first == scene.within(slot, (0, 0, 0, "a1"), (0, 1, 0, "b1"))
    assert first != scene.within(slot, (0, 0, 0, "a2"), (0, 1, 0, "b1"))
    assert first != scene.within(Slot(0, 1, 0, 2), (0, 0, 0, "a1"), (0, 1, 0, "a2"))


def test_shares_count_by_device_and_amount() -> None:
    slices = [resource_slice("s", sharing("m"), sharing("n"))]

    def asks(*sizes: str) -> Any:
        return claim(
            "c",
            *(exactly(f"r{n}", capacity={"requests": {"mem": size}}) for n, size in enumerate(sizes)),
        )

    scene = Scene(slices, asks("1Gi", "1Gi", "1Gi"))
    together = scene.before(0, 2, (0, 0, 0, "m"), (0, 1, 0, "m"))
    assert together == scene.before(0, 2, (0, 0, 0, "n"), (0, 1, 0, "n"))
    assert together != scene.before(0, 2, (0, 0, 0, "m"), (0, 1, 0, "n"))
    scene = Scene(slices, asks("1Gi", "2Gi", "1Gi"))
    first = scene.before(0, 2, (0, 0, 0, "m"), (0, 1, 0, "n"))
    assert first == scene.before(0, 2, (0, 0, 0, "n"), (0, 1, 0, "m"))


def test_for_admin_access_it_counts_which_claim_has_a_device() -> None:
    slices = [resource_slice("s", *AABB)]
    first = claim("c", exactly("one"))
    plain = Scene(slices, first, claim("d", exactly("two"), exactly("three")))
    own, other = (1, 0, 0, "a2"), (0, 0, 0, "a1")
    swapped = (1, 0, 0, "a1"), (0, 0, 0, "a2")
    assert plain.before(1, 1, other, own) == plain.before(1, 1, swapped[1], swapped[0])
    goal = claim("d", exactly("two", IS_B), exactly("three", adminAccess=True))
    admin = Scene(slices, first, goal)
    assert admin.before(1, 1, (0, 0, 0, "b1"), (1, 0, 0, "b2")) != admin.before(
        1, 1, (0, 0, 0, "a1"), (1, 0, 0, "b2")
    )
