"""What v1 cannot say of an input: gathered while it is converted."""

from __future__ import annotations

from typing import NamedTuple

from dractl.prototypes.faults import Steps, field_text
from dractl.prototypes.reading import Item

__all__ = ["Losses", "Lost"]


class Lost(NamedTuple):
    """Something that v1 cannot say: the number of the object among those given, the field, and why."""

    number: int
    field: str
    reason: str


class Losses:
    """Gathers what is lost; the same is said once."""

    def __init__(self) -> None:
        """Start with nothing lost."""
        self._found: dict[Lost, None] = {}

    def add(self, item: Item, steps: Steps, reason: str) -> None:
        """Note that v1 cannot say what stands at ``steps`` of an object."""
        self._found[Lost(item.origin.index, field_text(item.mended.source(steps)), reason)] = None

    def all(self) -> list[Lost]:
        """What is lost, by object and in the order in which it was found."""
        return sorted(self._found, key=lambda lost: lost.number)
