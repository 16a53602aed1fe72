"""What dractl prints about each situation of ``testdata/pending``, on narrow and wide terminals."""

from __future__ import annotations

import pytest

from tests.situations import WIDTHS, expected, names, printed

MOST_LINES = 12


@pytest.mark.parametrize("name", names())
def test_a_situation_is_explained(name: str) -> None:
    assert printed(name) == expected(name)


@pytest.mark.parametrize("name", names())
def test_an_explanation_is_short(name: str) -> None:
    for width in WIDTHS:
        told = expected(name)[width].partition("\nLeft out")[0].splitlines()
        assert told[0].startswith("Pending ")
        assert len(told) <= MOST_LINES
        assert max(map(len, told)) <= width
