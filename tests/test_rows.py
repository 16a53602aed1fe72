from __future__ import annotations

import pytest

from tests.rows import each_row


def test_each_row_runs_and_each_failure_is_reported() -> None:
    seen = []

    @each_row("left, right", [(1, 1), (2, 3), (4, 4), (5, 6)])
    def equal(left: int, right: int) -> None:
        seen.append(left)
        assert left == right

    with pytest.raises(ExceptionGroup, match="2 of 4 rows fail") as failed:
        equal()
    assert seen == [1, 2, 4, 5]
    assert [error.__notes__ for error in failed.value.exceptions] == [["row: (2, 3)"], ["row: (5, 6)"]]


def test_one_failure_is_raised_as_it_is() -> None:
    @each_row("value", [1, 0])
    def true(value: int) -> None:
        assert value

    with pytest.raises(AssertionError):
        true()
    assert true.__name__ == "true"


def test_a_table_without_rows_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="tests nothing"):
        each_row("value", [])
