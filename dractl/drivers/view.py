"""The objects of a folder as the newest minor reads them: pools, devices, classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from dractl.api.gates import GateSet
from dractl.api.path import Steps
from dractl.finding import Location
from dractl.lint.base.input_pools import InputPool, InputSlice, pools_of
from dractl.lint.base.input_set import InputObject, InputSet
from dractl.lint.base.placing import location
from dractl.records import NamedTuple
from dractl.source.load import Loaded
from dractl.workflows.validate import admit_all

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device

__all__ = ["PublishedDevice", "View", "place", "qualified"]


class PublishedDevice(NamedTuple):
    """A device of the newest generation of its pool, with the slice and the number that it has there."""

    pool: InputPool
    entry: InputSlice
    number: int
    device: Device

    @property
    def name(self) -> str:
        """Its name."""
        return self.device.get("name", "")

    def location(self, *steps: str | int) -> Location:
        """The place of the device, or of a field of it, in the file."""
        return place(self.entry.given, ("spec", "devices", self.number, *steps))


class View:
    """What was read, looked at from the minor of ``gates``."""

    def __init__(self, loaded: Iterable[Loaded], gates: GateSet) -> None:
        """Admit the documents; of objects that this minor does not have, ``unserved`` has the kinds."""
        admitted = admit_all(loaded, gates, None)
        self.gates = gates
        self.unserved = frozenset(
            str(entry.document.value.get("kind"))
            for entry in admitted
            if entry.admission is None and isinstance(entry.document.value, dict)
        )
        self.inputs = InputSet((entry.document, entry.admission) for entry in admitted)

    @cached_property
    def pools(self) -> list[InputPool]:
        """The pools in order."""
        return pools_of(self.inputs)

    @cached_property
    def devices(self) -> list[PublishedDevice]:
        """The devices of the newest generation of all pools whose slices the server accepts."""
        return [
            PublishedDevice(pool, entry, number, device)
            for pool in self.pools
            if pool.is_sound
            for entry in pool.newest
            for number, device in enumerate(entry.devices)
        ]

    @property
    def drivers(self) -> tuple[str, ...]:
        """The drivers that publish something, in order."""
        return tuple(dict.fromkeys(pool.driver for pool in self.pools))

    def slices(self) -> Iterator[InputSlice]:
        """All slices, also those of older generations."""
        for pool in self.pools:
            yield from pool.slices


def place(given: InputObject, steps: Steps = ()) -> Location:
    """Where a place of the v1 shape of an object is in its file."""
    return location(given.document, given.in_version(steps))


def qualified(name: str, driver: str) -> tuple[str, str]:
    """The domain and the bare name of an attribute or capacity: without a domain it is the driver's."""
    domain, slash, bare = name.partition("/")
    return (domain, bare) if slash else (driver, name)
