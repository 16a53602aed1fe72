"""What a search tells while it runs, and who may listen."""

from __future__ import annotations

from typing import Protocol

from dractl.cluster.devices import Device
from dractl.cluster.pools import Pool
from dractl.records import NamedTuple
from dractl.simulation.allocator.model.demand import Request
from dractl.simulation.allocator.model.reasons import Reason


class Slot(NamedTuple):
    """One device that is wanted: which claim, entry of its requests, subrequest, and which of its devices."""

    claim: int
    ask: int
    alternative: int
    number: int


class Observer(Protocol):
    """Hears every step of a search, in order."""

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        """A device was rejected."""

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        """A device was chosen; the search continues with the next slot."""

    def gave_back(self, slot: Slot, request: Request, device: Device) -> None:
        """A device was given back, because nothing after it worked out."""

    def found_none(self, slot: Slot, request: Request) -> None:
        """No device was left to try for the slot; for a request for all devices, none matches."""

    def exceeded(self, slot: Slot, request: Request) -> None:
        """The claim would hold more devices than one claim can."""

    def passed_over(self, pool: Pool) -> None:
        """A pool gives no devices, because it is incomplete or contradicts itself."""


class NullObserver:
    """An observer that does not listen."""

    __slots__ = ()

    def refused(self, slot: Slot, request: Request, device: Device, reason: Reason) -> None:
        """Nothing happens."""

    def chose(self, slot: Slot, request: Request, device: Device) -> None:
        """Nothing happens."""

    def gave_back(self, slot: Slot, request: Request, device: Device) -> None:
        """Nothing happens."""

    def found_none(self, slot: Slot, request: Request) -> None:
        """Nothing happens."""

    def exceeded(self, slot: Slot, request: Request) -> None:
        """Nothing happens."""

    def passed_over(self, pool: Pool) -> None:
        """Nothing happens."""
