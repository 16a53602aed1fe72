"""Why a search for prototypes found nothing: the main path's sentence, and what sums came closest."""

from __future__ import annotations

from dractl.cluster.devices import Device
from dractl.simulation.allocator.explain import ReasonCollector
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.observer import NullObserver, Slot
from dractl.simulation.allocator.model.reasons import CapacityShort, Reason

__all__ = ["Steps", "SumListener"]


class Steps(NullObserver):
    """Counts the devices that a search looks at, more for those that draw from many counters."""

    __slots__ = ("_weights", "count")

    def __init__(self) -> None:
        """Start at nothing."""
        self.count = 0
        self._weights: dict[Device, int] = {}

    def add(self, device: Device) -> None:
        """Count a step; 8 counters take about as long as the rest of it."""
        weight = self._weights.get(device)
        if weight is None:
            drawn = sum(len(entry["counters"]) for entry in device.data["consumesCounters"])
            weight = self._weights[device] = 1 + drawn // 8
        self.count += weight

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:  # noqa: ARG002
        """A step."""
        self.add(device)

    def chose(self, slot: Slot, request: Request, device: Device) -> None:  # noqa: ARG002
        """A step."""
        self.add(device)


class SumListener(ReasonCollector):
    """A listener that remembers, by resource, the largest sum that was not enough."""

    def __init__(self) -> None:
        """Start with nothing heard."""
        super().__init__()
        self.steps = Steps()
        self.sums: dict[str, CapacityShort] = {}

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        """Remember the reason, and the sum where it is about one."""
        super().refused(slot, request, device, reason)
        self.steps.add(device)
        if isinstance(reason, CapacityShort):
            known = self.sums.get(reason.name)
            if known is None or known.size.compare(reason.size) < 0:
                self.sums[reason.name] = reason

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        """Count the step."""
        super().chose(slot, request, device)
        self.steps.add(device)

    def closest(self) -> str:
        """The largest sums, as the rest of a sentence; empty if sums were not the matter."""
        return "".join(
            f"; the largest sum of {name} is {short.size}, less than {short.wanted}"
            for name, short in self.sums.items()
        )
