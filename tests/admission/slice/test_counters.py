from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.slice.counters import check_counter_sets
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import Counter, CounterSet

ONE: dict[str, Counter] = {"memory": {"value": "80Gi"}}


@each_row(
    ("counter_set", "expected"),
    [
        ({"name": "gpu-0", "counters": ONE}, set()),
        ({"name": "gpu-0", "counters": {"a": {"value": "-1"}, "b-c": {}}}, set()),
        ({"counters": ONE}, {"counterset/name-required Required spec[0].name"}),
        ({"name": "gpu_0", "counters": ONE}, {"counterset/name-format Invalid spec[0].name"}),
        ({"name": "a"}, {"counterset/counters-required Required spec[0].counters"}),
        ({"name": "a", "counters": {}}, {"counterset/counters-required Required spec[0].counters"}),
        ({"name": "a", "counters": {"A": {}}}, {"counterset/counter-name Invalid spec[0].counters"}),
        (
            {"name": "a", "counters": {f"C{number}": {} for number in range(33)}},
            {"counterset/counters-size TooMany spec[0].counters"},
        ),
        ({"name": "a", "counters": {f"c{number}": {} for number in range(32)}}, set()),
    ],
)
def test_one_counter_set(counter_set: CounterSet, expected: set[str]) -> None:
    assert refused(lambda ctx: check_counter_sets(ctx, [counter_set], SPEC)) == expected


def test_counter_sets_of_a_slice() -> None:
    def sets(*names: str) -> list[CounterSet]:
        return [{"name": name, "counters": ONE} for name in names]

    assert refused(lambda ctx: check_counter_sets(ctx, sets(*"abcdefgh"), SPEC)) == set()
    assert refused(lambda ctx: check_counter_sets(ctx, sets(*"AAAAAAAAA"), SPEC)) == {
        "slice/counter-sets-size TooMany spec"
    }
    assert refused(lambda ctx: check_counter_sets(ctx, sets("a", "b", "a"), SPEC)) == {
        "slice/counter-set-duplicate Duplicate spec[2]"
    }
    assert bad_values(lambda ctx: check_counter_sets(ctx, sets("a", "a", "a"), SPEC)) == ["a", "a"]
