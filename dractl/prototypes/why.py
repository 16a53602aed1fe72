"""Why a search for prototypes found nothing: the main path's sentence, and what sums came closest."""

from __future__ import annotations

from dractl.cluster.devices import Device
from dractl.simulation.demand import Request
from dractl.simulation.observer import Slot
from dractl.simulation.reasons import CapacityShort, Reason
from dractl.simulation.why import Listener

__all__ = ["SumListener"]


class SumListener(Listener):
    """A listener that remembers, by resource, the largest sum that was not enough."""

    def __init__(self) -> None:
        """Start with nothing heard."""
        super().__init__()
        self.sums: dict[str, CapacityShort] = {}

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        """Remember the reason, and the sum where it is about one."""
        super().refused(slot, request, device, reason)
        if isinstance(reason, CapacityShort):
            known = self.sums.get(reason.name)
            if known is None or known.size.compare(reason.size) < 0:
                self.sums[reason.name] = reason

    def closest(self) -> str:
        """The largest sums, as the rest of a sentence; empty if sums were not the matter."""
        return "".join(
            f"; at best the sum of {name} {short.size} is less than {short.wanted}"
            for name, short in self.sums.items()
        )
