"""A sample of what ``python -m tests.explanation.claims_held`` checks of many pods."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.explanation.claims_held import check


def test_what_is_printed_of_random_pods_is_true(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    assert [line for seed in range(6) for line in check(seed, tmp_path, counts)] == []
    assert set(counts) >= {"pods", "ways out", "holders", "when"}
