"""How a search for devices on one node ended."""

from __future__ import annotations

from collections.abc import Mapping

from dractl.records import NamedTuple
from dractl.simulation.allocator.device.state import Choice
from dractl.simulation.allocator.model.reasons import Fatal

__all__ = ["Found", "NotFound", "Result"]


class Found(NamedTuple):
    """Devices for everything, in the order of choice, and the subrequest chosen per (claim, ask).

    ``effort`` is about how many steps the plain search takes to find this.
    """

    choices: tuple[Choice, ...]
    selected: Mapping[tuple[int, int], int]
    effort: int


class NotFound(NamedTuple):
    """Nothing fits on this node, others may do. ``invalid_pools`` are those that contradict themselves.

    ``effort`` is about how many steps the plain search takes to know this.
    """

    invalid_pools: tuple[str, ...]
    effort: int


Result = Found | NotFound | Fatal
