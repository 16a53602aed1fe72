from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.consumption import check_consumption
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, DeviceCounterConsumption

ONE: dict[str, Counter] = {"memory": {"value": "40Gi"}}


@each_row(
    ("consumption", "expected"),
    [
        ({"counterSet": "gpu-0", "counters": ONE}, set()),
        ({"counters": ONE}, {"device/consumes-set-required Required spec[0].counterSet"}),
        ({"counterSet": "GPU-0", "counters": ONE}, {"device/consumes-set-format Invalid spec[0].counterSet"}),
        ({"counterSet": "a"}, {"device/consumes-counters-required Required spec[0].counters"}),
        (
            {"counterSet": "a", "counters": {"b_c": {}}},
            {"device/consumes-counter-name Invalid spec[0].counters"},
        ),
        (
            {"counterSet": "a", "counters": {f"C{number}": {} for number in range(33)}},
            {"device/consumes-counters-size TooMany spec[0].counters"},
        ),
        ({"counterSet": "a", "counters": {f"c{number}": {} for number in range(32)}}, set()),
    ],
)
def test_consumption_from_one_set(consumption: DeviceCounterConsumption, expected: set[str]) -> None:
    assert refused(lambda ctx: check_consumption(ctx, [consumption], SPEC)) == expected


def test_consumption_of_a_device() -> None:
    def consumed(*names: str) -> list[DeviceCounterConsumption]:
        return [{"counterSet": name, "counters": ONE} for name in names]

    assert refused(lambda ctx: check_consumption(ctx, consumed("a", "b"), SPEC)) == set()
    assert refused(lambda ctx: check_consumption(ctx, consumed("a", "a"), SPEC)) == {
        "device/consumes-duplicate Duplicate spec[1]"
    }
    assert refused(lambda ctx: check_consumption(ctx, consumed("A", "A", "A"), SPEC)) == {
        "device/consumes-size TooMany spec"
    }
