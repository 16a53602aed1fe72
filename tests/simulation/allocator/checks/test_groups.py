"""Compatibility groups."""

from __future__ import annotations

from typing import Any

from dractl.simulation.allocator.checks.groups import group_conflict
from dractl.simulation.allocator.model.reasons import GroupsIncompatible
from tests.rows import each_row
from tests.simulation.allocator.checks.test_counters import SMALL, named, part, pool_of, usage
from tests.simulation.build import result


def conflict(candidate: list[str], *chosen: list[str], held: list[str] | None = None) -> Any:
    devices = [part(f"d{number}", SMALL, groups=groups) for number, groups in enumerate(chosen)]
    old = [] if held is None else [part("old", SMALL, groups=held)]
    pool = pool_of(*devices, part("new", SMALL, groups=candidate), *old)
    drawing = named(pool, *(f"d{number}" for number in range(len(chosen))))
    (new,) = named(pool, "new")
    in_use = usage(result("old")) if held is not None else usage()
    return group_conflict(pool, in_use, drawing, new)


REFUSED = GroupsIncompatible("c0")


@each_row(
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
