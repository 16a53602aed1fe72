"""When the scheduler's own search would run so long that it gives up, or seems to hang.

Since 1.34 the scheduler stops a search for one node after ten seconds. Whether it comes to that is told from
the size of the tree that its plain search goes through, not from a clock.
"""

from __future__ import annotations

SCHEDULER_STEPS = 13_000_000
"""About as many steps as the scheduler's allocator takes in ten seconds for one node, where measured."""


def is_too_long(effort: int) -> bool:
    """Whether a plain search of so many steps takes more than ten seconds."""
    return effort > SCHEDULER_STEPS


def sentence(effort: int, *, has_limit: bool) -> str:
    """What the scheduler makes of a search of so many steps; ``has_limit``: it stops after ten seconds."""
    steps = f"{effort:,}" if effort < 10**15 else f"10^{len(str(effort)) - 1}"
    if has_limit:
        return f"the scheduler itself would try about {steps} steps, and stops after ten seconds"
    return f"the scheduler itself would try about {steps} steps, which takes it more than ten seconds"
