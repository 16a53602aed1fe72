from __future__ import annotations

from functools import partial

from dractl.lint.cross_object import counters
from tests.lint.cross_object.objects import (
    Object,
    findings_of,
    places_of,
    resource_slice,
)
from tests.rows import each_row

found = partial(findings_of, counters.CHECKS)
said = partial(places_of, counters.CHECKS)


def _counted(*consumed: tuple[str, str, str], counters: str = "40Gi") -> list[Object]:
    pool = ("node-a", 1, 2)
    shared = [{"name": "gpu-0", "counters": {"memory": {"value": counters}}}]
    devices = [
        {
            "name": f"part-{number}",
            "consumesCounters": [{"counterSet": counter_set, "counters": {counter: {"value": amount}}}],
        }
        for number, (counter_set, counter, amount) in enumerate(consumed)
    ]
    return [
        resource_slice("a", [], pool=pool, sharedCounters=shared),
        resource_slice("b", devices, pool=pool),
    ]


CONSUMPTION = "spec.devices[0].consumesCounters[0]"


@each_row(
    ("consumed", "expected"),
    [
        (("gpu-0", "memory", "40Gi"), []),
        (("gpu0", "memory", "40Gi"), [("counter-missing", f"{CONSUMPTION}.counterSet")]),
        (("gpu-0", "slices", "1"), [("counter-missing", f"{CONSUMPTION}.counters[slices]")]),
        (("gpu-0", "memory", "41Gi"), [("counter-excess", f"{CONSUMPTION}.counters[memory]")]),
    ],
)
def test_counters(consumed: tuple[str, str, str], expected: list[tuple[str, str]]) -> None:
    assert said(*_counted(consumed)) == expected


def test_the_same_fault_of_many_devices_is_reported_once() -> None:
    assert len(said(*_counted(*[("gpu0", "memory", "1Gi")] * 20))) == 1


def test_counters_of_an_incomplete_pool_may_be_elsewhere() -> None:
    _, devices = _counted(("gpu0", "memory", "40Gi"))
    assert said(devices) == []


def test_a_counter_set_in_two_slices() -> None:
    counting, _ = _counted()
    again = {**counting, "metadata": {"name": "c"}}
    assert said(counting, again) == [("counter-set-twice", "spec.sharedCounters[0].name")]
