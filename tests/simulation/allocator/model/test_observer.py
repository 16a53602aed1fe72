"""An observer hears of every device that is looked at; a search without one tells nobody."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.observer import NullObserver, Slot
from dractl.simulation.allocator.model.reasons import Fatal, Reason
from dractl.simulation.allocator.search import search
from tests.simulation.allocator.test_search import SearchCase
from tests.simulation.build import claim, exactly, resource_slice
from tests.simulation.oracle_allocator import searches_of
from tests.simulation.plain_search import AttemptError, Reference, TooLongError
from tests.simulation.random_clusters import WorldMaker
from tests.simulation.random_searches import SearchMaker

PLAIN = 10**9
STEPS = 5_000
WORLDS = 40


class Ear(NullObserver):
    """Writes down what it hears as the plain search does, and the reasons beside."""

    def __init__(self) -> None:
        self.trace: list[tuple[str, str, int, str]] = []
        self.reasons: list[Reason] = []
        self.pools: list[Pool] = []

    def _hear(self, what: str, slot: Slot, request: Request, device: Device | None = None) -> None:
        self.trace.append((what, request.full_name, slot.number, "" if device is None else str(device.id)))

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        self._hear("not", slot, request, device)
        self.reasons.append(reason)

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        self._hear("takes", slot, request, device)

    def gave_back(self, slot: Slot, request: Request, device: Device) -> None:
        self._hear("gives back", slot, request, device)

    def found_none(self, slot: Slot, request: Request) -> None:
        self._hear("none", slot, request)

    def exceeded(self, slot: Slot, request: Request) -> None:
        self._hear("too many", slot, request)

    def passed_over(self, pool: Pool) -> None:
        self.pools.append(pool)


def worlds() -> list[dict[str, Any]]:
    odd, hard = WorldMaker(5), SearchMaker(5)
    return [maker() for _ in range(WORLDS) for maker in (odd.api_objects, hard.search)]


def test_every_candidate_and_refusal_is_heard_in_the_order_of_the_plain_search() -> None:
    heard: set[type] = set()
    events: set[str] = set()
    for api_objects in worlds():
        for arguments in searches_of(api_objects):
            reference, ear = Reference(*arguments), Ear()
            try:
                reference.run(STEPS)
            except (AttemptError, TooLongError):
                continue
            search(*arguments, observer=ear, patience=PLAIN)
            assert ear.trace == reference.trace
            assert all(isinstance(reason, get_args(Reason)) for reason in ear.reasons)
            heard.update(map(type, ear.reasons))
            events.update(what for what, *_ in ear.trace)
    assert len(heard) > 8
    assert {"not", "takes", "gives back", "none"} <= events


def test_of_what_is_spared_an_observer_has_heard_the_like_before() -> None:
    compared = 0
    for api_objects in worlds():
        for arguments in searches_of(api_objects):
            plain, quick = Ear(), Ear()
            if isinstance(search(*arguments, observer=plain, patience=PLAIN, budget=STEPS), Fatal):
                continue
            search(*arguments, observer=quick, patience=1)
            # What is heard is heard of a plain search, too, in a shorter form.
            assert len(quick.trace) <= len(plain.trace)
            assert set(quick.trace) <= set(plain.trace)
            assert quick.pools == plain.pools
            compared += 1
    assert compared > WORLDS


def test_without_an_observer_nobody_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def loud(*_: Any) -> None:
        raise AssertionError

    for name in ("refused", "chose", "gave_back", "found_none", "exceeded", "passed_over"):
        monkeypatch.setattr(NullObserver, name, loud)
    slices = [resource_slice("s", "x", "y"), resource_slice("t", "z", pool="p", count=2, allNodes=True)]
    SearchCase(slices, claim("c", exactly("one"), exactly("none", "false"))).run()
