"""What v1 cannot say of an input: gathered while it is converted."""

from __future__ import annotations

from dractl.api.path import Steps, path_text
from dractl.legacy.prototypes.dialects.reading import Item
from dractl.records import NamedTuple

__all__ = ["Losses", "Lost"]


class Lost(NamedTuple):
    """Something that v1 cannot say: the number of the object among those given, the field, and why.

    ``is_broken``: it cannot be read in its own dialect, so that there is nothing to lose.
    """

    number: int
    field: str
    reason: str
    is_broken: bool = False


class Losses:
    """Gathers what is lost; the same is said once."""

    def __init__(self) -> None:
        """Start with nothing lost."""
        self._found: dict[Lost, None] = {}

    def add(self, item: Item, steps: Steps, reason: str, *, is_broken: bool = False) -> None:
        """Note that v1 cannot say the value at ``steps`` of an object."""
        field = path_text(item.mended.source(steps))
        self._found[Lost(item.origin.index, field, reason, is_broken)] = None

    def all(self) -> list[Lost]:
        """What is lost, by object and in the order in which it was found."""
        return sorted(self._found, key=lambda lost: lost.number)
