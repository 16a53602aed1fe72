"""Searches in which the real scheduler would time out or seem to hang.

Since 1.34 the scheduler stops a search for one node after ten seconds. This is decided by the
size of the tree of its plain search, not by a clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from dractl.records import NamedTuple
from dractl.simulation.pods.outcome import LongSearch

SCHEDULER_STEPS = 13_000_000
"""About as many steps as the scheduler's allocator takes in ten seconds for one node, where measured."""


def is_too_long(effort: int) -> bool:
    """Whether a plain search of so many steps takes more than ten seconds."""
    return effort > SCHEDULER_STEPS


def sentence(effort: int, *, has_limit: bool, is_open: bool = False) -> str:
    """A sentence on how a real scheduler handles a search of ``effort`` steps.

    ``has_limit``: it stops after ten seconds.

    ``is_open``: dractl reached its own limit, so the search takes more steps.
    """
    steps = f"{effort:,}" if effort < 10**15 else f"10^{len(str(effort)) - 1}"
    if is_open:
        return f"a real scheduler would try at least {steps} steps, {_end(effort, has_limit=has_limit)}"
    if has_limit:
        return f"a real scheduler would try about {steps} steps, but stops after ten seconds"
    return f"a real scheduler would try about {steps} steps, which takes more than ten seconds"


def _end(effort: int, *, has_limit: bool) -> str:
    if not has_limit:
        return "without a time limit"
    if is_too_long(effort):
        return "but stops after ten seconds"
    return "and may or may not finish within ten seconds"


class Subject(NamedTuple):
    """Whose search it is: a pod, or a claim that no pod refers to."""

    pod: str | None
    claim: str | None


class LongSearches:
    """The searches that are too long, of the last attempt for each subject."""

    def __init__(self, *, has_limit: bool) -> None:
        """Start with none; ``has_limit``: the scheduler stops after ten seconds."""
        self._has_limit = has_limit
        self._found: dict[Subject, dict[str, tuple[int, bool]]] = {}

    def begin(self, subject: Subject) -> None:
        """Forget earlier attempts."""
        self._found.pop(subject, None)

    def add(self, subject: Subject, node: str, effort: int, *, is_open: bool = False) -> None:
        """Record a search; ``is_open``: dractl reached its own limit after these steps."""
        self._found.setdefault(subject, {})[node] = effort, is_open

    def __iter__(self) -> Iterator[LongSearch]:
        for subject, nodes in self._found.items():
            for node, (effort, is_open) in nodes.items():
                yield LongSearch(*subject, node, effort, self._has_limit, is_open)
