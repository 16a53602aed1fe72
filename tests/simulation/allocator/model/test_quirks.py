"""The rows of quirks, and the quirks of some allocators."""

from __future__ import annotations

from typing import Any

import pytest

from dractl.api import release
from dractl.api.release import Minor
from dractl.api.stored import read_table
from dractl.simulation.allocator.model.quirks import (
    EXPERIMENTAL,
    INCUBATING,
    ONLY,
    ROWS,
    STABLE,
    Quirks,
    is_in,
    quirks_of,
)
from tests.rows import each_row


def of(kube: str, implementation: str) -> set[str]:
    found = quirks_of(release.parse(kube), implementation)
    return {name for name in Quirks._fields if getattr(found, name)}


def test_every_quirk_has_rows_and_every_row_a_quirk() -> None:
    assert {row.name for row in ROWS} == set(Quirks._fields)


def test_rows_of_one_quirk_do_not_overlap() -> None:
    for minor in release.KNOWN:
        seen = [
            (row.name, implementation)
            for row in ROWS
            for implementation in row.implementations
            if is_in(minor, row.since, row.until)
        ]
        assert len(seen) == len(set(seen))


LAST = {
    "literal_names",
    "literal_versions",
    "incomplete_pool_is_error",
    "takes_negative_use",
    "eviction_needs_effect",
    "deleted_class_loses_name",
    "other_class_is_nameless",
    "empty_selector_spreads_nothing",
    "init_overhead_always_counts",
    "special_shares_are_unwritable",
}
"""What 1.38 ended."""


@pytest.mark.parametrize("implementation", [STABLE, INCUBATING, EXPERIMENTAL])
def test_the_newest_allocator_has_none(implementation: str) -> None:
    assert of("1.38", implementation) == set()


@pytest.mark.parametrize("implementation", [INCUBATING, EXPERIMENTAL])
def test_the_newer_ones_of_1_37_compare_texts(implementation: str) -> None:
    assert of("1.37", implementation) == LAST


def test_the_stable_one_of_1_37_has_its_own() -> None:
    assert of("1.37", STABLE) - LAST == {
        "counters_from_anywhere",
        "checks_counter_slices",
        "keeps_order",
        "tries_permutations",
        "knows_no_capacity",
    }


def test_each_minor_mends_something() -> None:
    assert "all_skips_class" in of("1.31", ONLY) - of("1.32", ONLY)
    assert "all_ends_search" in of("1.32", ONLY) - of("1.33", ONLY)
    assert "all_keeps_devices" in of("1.33", ONLY) - of("1.34", EXPERIMENTAL)
    assert "rechecks_another_device" in of("1.34", EXPERIMENTAL) - of("1.35", EXPERIMENTAL)
    assert "tries_permutations" in of("1.35", INCUBATING) - of("1.36", INCUBATING)
    assert "distinct_by_request" in of("1.36", INCUBATING) - of("1.37", INCUBATING)


TABLE: dict[str, Any] = read_table("patches.json")
ENTRIES = [row for row in TABLE["changes"] if "quirk" in row]
CHANGES = [(row["quirk"], version) for row in ENTRIES for version in row["fixed"]]


def _fixed_by(until: Minor) -> str:
    return until._replace(patch=until.patch + 1).version


def test_the_table_of_patches_lists_every_quirk_that_a_patch_ends() -> None:
    ends = [(row.name, release.at(row.until)) for row in ROWS if row.until]
    by_patch = {(name, _fixed_by(until)) for name, until in ends if until != until.at_newest_patch()}
    assert by_patch == set(CHANGES)
    assert len(CHANGES) == len(set(CHANGES))


@each_row(("name", "version"), CHANGES)
def test_a_patch_ends_its_quirk(name: str, version: str) -> None:
    minor = release.parse(version)
    before = minor._replace(patch=minor.patch - 1).version
    implementations = (ONLY,) if minor < Minor(1, 34, 0) else (STABLE, INCUBATING, EXPERIMENTAL)
    assert any(name in of(before, implementation) for implementation in implementations)
    assert not any(name in of(version, implementation) for implementation in implementations)


def test_a_minor_has_the_quirks_of_its_newest_patch() -> None:
    for minor in release.KNOWN:
        newest = list(release.patches_of(minor).values())[-1]
        for implementation in (ONLY, STABLE, INCUBATING, EXPERIMENTAL):
            assert of(str(minor), implementation) == of(newest, implementation)
