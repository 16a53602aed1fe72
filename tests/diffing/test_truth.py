"""Random pairs of clusters: a difference equals that of two runs of every other command.

``$DRACTL_FUZZ_CASES`` and ``$DRACTL_FUZZ_SEED`` make the run longer or another one.
"""

from __future__ import annotations

import os

from tests.diffing.pairs import PairMaker
from tests.diffing.truth import disagreements

CASES = int(os.environ.get("DRACTL_FUZZ_CASES", "5"))
SEED = int(os.environ.get("DRACTL_FUZZ_SEED", "1"))


def test_a_difference_is_that_of_two_runs() -> None:
    maker = PairMaker(SEED)
    found = [line for _ in range(CASES) for line in disagreements(*maker.pair())]
    assert found == []
