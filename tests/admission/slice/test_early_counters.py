from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.early_counters import check_early_counters
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, DeviceCounterConsumption, ResourceSliceSpec

GATE = {"DRAPartitionableDevices": True}


def amounts(*names: str) -> dict[str, Counter]:
    return {name: {"value": "1"} for name in names}


def counters(size: int) -> dict[str, Counter]:
    return amounts(*(f"c{number}" for number in range(size)))


def spec(sets: dict[str, dict[str, Counter]], *devices: list[DeviceCounterConsumption]) -> ResourceSliceSpec:
    return {
        "sharedCounters": [{"name": name, "counters": found} for name, found in sets.items()],
        "devices": [{"name": f"d{number}", "consumesCounters": uses} for number, uses in enumerate(devices)],
    }


def use(name: str, consumed: dict[str, Counter]) -> DeviceCounterConsumption:
    return {"counterSet": name, "counters": consumed}


@each_row(
    ("value", "expected"),
    [
        ({}, set()),
        (spec({"a": amounts("m")}, [use("a", amounts("m"))]), set()),
        (
            spec({"a": amounts("m")}, [use("b", amounts("m"))], [{}]),
            {
                "device/consumes-set-unknown Invalid spec.devices[0].consumesCounters[0].counterSet",
                "device/consumes-set-unknown Invalid spec.devices[1].consumesCounters[0].counterSet",
            },
        ),
        (
            spec({"a": amounts("m"), "b": amounts("n")}, [use("a", amounts("m")), use("b", amounts("m"))]),
            {"device/consumes-counter-unknown Invalid spec.devices[0].consumesCounters[1].counters"},
        ),
        (spec({"a": counters(16), "b": counters(16)}), set()),
        (
            spec({"a": counters(16), "b": counters(17)}),
            {"slice/counters-total Invalid spec.sharedCounters"},
        ),
        (
            spec({"a": counters(20)}, [use("a", counters(20)), use("a", counters(13))]),
            {"device/consumes-total Invalid spec.devices[0]"},
        ),
        (spec({"a": counters(32)}, *([use("a", counters(32))] for _ in range(32))), set()),
        (
            spec({"a": counters(32)}, *([use("a", counters(n))] for n in [1, *[32] * 32])),
            {"slice/device-counters-total Invalid spec.devices"},
        ),
    ],
)
def test_counters_within_a_slice(value: ResourceSliceSpec, expected: set[str]) -> None:
    assert refused(lambda ctx: check_early_counters(ctx, value, SPEC), GATE, "1.34") == expected
    assert refused(lambda ctx: check_early_counters(ctx, value, SPEC), GATE, "1.33") == expected
    assert refused(lambda ctx: check_early_counters(ctx, value, SPEC), GATE, "1.35") == set()
