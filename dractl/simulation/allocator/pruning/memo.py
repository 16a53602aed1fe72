"""The memory of a long search: the states from which it found nothing.

Remembering changes how long a search takes and never what it finds. In the midst of a request the devices
before some position are tried already; where nothing was found from there on, nothing is found from any later
position, because these are some of the same devices.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from dractl.api import budgets

LIMIT = budgets.MEMORY_OF_SEARCH.value
"""The most positions and devices in states that are remembered."""

Answer = TypeVar("Answer")


class DeadEnd(NamedTuple, Generic[Answer]):
    """How a search ended from a state, and the steps that takes without a memory.

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
    """The states from which a search found nothing, with how it ended."""

    def __init__(self) -> None:
        """Start with nothing remembered."""
        self._ends: dict[Hashable, DeadEnd[Answer]] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._ends)

    def past(self, situation: Hashable) -> DeadEnd[Answer] | None:
        """How the search ended from this state before; None for a new state."""
        return self._ends.get(situation)

    def remember(self, situation: Hashable, past: DeadEnd[Answer], parts: int = 0) -> None:
        """Remember how the search ended; replaces an entry that covers fewer positions.

        ``parts`` is the number of devices of which the situation tells.
        """
        # Nothing is evicted: a device in a situation takes about 200 bytes, so that all of them take 200 MiB
        # at most.
        if self._size < LIMIT:
            self._size += len(past.rest) + parts
            self._ends[situation] = past
