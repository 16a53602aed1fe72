"""How a row can differ, and the causes that are known."""

from __future__ import annotations

from typing import Any, NamedTuple

MINOR = "minor"
STORY = "story"
COST = "cost"
OTHER = "other"

CAUSES: dict[str, str] = {
    MINOR: "an earlier minor than the newest does something otherwise, in a way that is not explained yet",
    STORY: "what controllers do after a pod was placed (release, eviction, binding) is not simulated yet",
    COST: "the cost of a loop that ends early depends on the order of a Go map, which is random",
    OTHER: "not explained yet",
}
"""Why a row may be known to differ; the headings of the file of known differences."""


class Difference(NamedTuple):
    """What was expected and what came out; ``cause`` is a key of CAUSES."""

    expected: Any
    got: Any
    cause: str = OTHER
