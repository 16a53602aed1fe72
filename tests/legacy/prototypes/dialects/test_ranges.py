from __future__ import annotations

from random import Random
from typing import Any

from dractl.legacy.prototypes.dialects.ranges import Cells, overlaps, range_of, size_of
from tests.rows import each_row


@each_row(
    ("text", "expected"),
    [
        ("0-3", ((0, 3),)),
        ("0,3", ((0, 0), (3, 3))),
        ("3,1-2,2", ((1, 3),)),
        (7, ((7, 7),)),
        ("0-999999999", ((0, 999_999_999),)),
        ("3-1", None),
        ("a", None),
        ("1-", None),
    ],
)
def test_ranges_are_kept_as_bounds(text: Any, expected: object) -> None:
    assert range_of(text) == expected


def test_ranges_that_overlap() -> None:
    assert overlaps("0-3,2")
    assert not overlaps("0-3,4")
    assert size_of(range_of("0-3,2,9") or ()) == 5


def test_integers_that_no_range_tells_apart_are_one_cell() -> None:
    texts = ["0-99", "0-9", "5-19", "200"]
    cells = Cells(("slices", text) for text in texts)
    assert list(cells.of("slices", "0-9")) == [(0, 5), (5, 5)]
    assert list(cells.of("slices", "0-99")) == [(0, 5), (5, 5), (10, 10), (20, 80)]
    assert list(cells.counters("slices", "5-19")) == ["slices.5", "slices.10"]
    assert cells.widths() == {
        "slices.0": 5,
        "slices.5": 5,
        "slices.10": 10,
        "slices.20": 80,
        "slices.100": 100,
    }
    assert [cells.count("slices", text) for text in texts] == [4, 2, 2, 1]


def test_cells_overlap_where_integers_do() -> None:
    random = Random(1)  # noqa: S311 - a test
    for _ in range(200):
        texts = [
            ",".join(f"{low}-{low + random.randrange(6)}" for low in random.sample(range(40), 3))
            for _ in range(4)
        ]
        cells = Cells(("a", text) for text in texts)
        sets = [
            {number for first, last in range_of(text) or () for number in range(first, last + 1)}
            for text in texts
        ]
        taken = [set(cells.counters("a", text)) for text in texts]
        for left in range(4):
            for right in range(4):
                assert sets[left].isdisjoint(sets[right]) is taken[left].isdisjoint(taken[right])
                assert (sets[left] <= sets[right]) is (taken[left] <= taken[right])
