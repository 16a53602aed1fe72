"""What a long search remembers: from which situations it found nothing.

Remembering changes how long a search takes and never what it finds. In the midst of a request the devices
before some position are tried already; where nothing was found from there on, nothing is found from any later
position, because these are some of the same devices.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from dractl.api import budgets

LIMIT = budgets.MEMORY_OF_SEARCH.value
"""Most positions, and devices in situations, that are remembered; beyond it none is added."""

Answer = TypeVar("Answer")


class DeadEnd(NamedTuple, Generic[Answer]):
    """How a search ended from a situation, and how many steps that takes without a memory.

    ``first`` is the first position from which on nothing is found, and ``rest`` has for it, and each one
    after it, the steps from there to the end.
    """

    end: Answer
    first: int
    rest: list[int]

    def effort(self, position: int) -> int:
        """The steps from a position on."""
        number = position - self.first
        return self.rest[number] if number < len(self.rest) else 1


class Memo(Generic[Answer]):
    """The situations from which a search found nothing, and how it ended there."""

    def __init__(self) -> None:
        """Start with nothing remembered."""
        self._ends: dict[Hashable, DeadEnd[Answer]] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._ends)

    def past(self, situation: Hashable) -> DeadEnd[Answer] | None:
        """How the search ended from this situation before; None: it was not there yet."""
        return self._ends.get(situation)

    def remember(self, situation: Hashable, past: DeadEnd[Answer], parts: int = 0) -> None:
        """Keep how the search ended, in place of what was known of fewer positions.

        ``parts`` is the number of devices of which the situation tells.
        """
        # Nothing is evicted: a device in a situation takes about 200 bytes, so that all of them take 200 MiB
        # at most.
        if self._size < LIMIT:
            self._size += len(past.rest) + parts
            self._ends[situation] = past
