"""For which parts of a claim the devices in its status are: found again, because statuses do not say it.

A status lists devices in the order in which the search gives them to the parts, so the parts are read off
the list like words off a sentence. Of several ways the first counts, because the search would have come to
it first. Without any way a part is known only if no other takes the device.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dractl.cluster.devices import Device
from dractl.legacy.prototypes.allocation.demand import Demand, Wish
from dractl.records import NamedTuple

__all__ = ["UNKNOWN", "Given", "Listed", "parts_of"]

UNKNOWN = "?"
"""What the part of a device is called that nobody can tell."""

Fits = Callable[[Wish, Device], bool]
Value = Callable[[Device, str], object]
"""What a device has as an attribute, None if nothing."""


class Listed(NamedTuple):
    """A device of a status: what it may be, none of which is in the input if empty, and a part, if known."""

    candidates: tuple[Device, ...]
    part: str | None


class Given(NamedTuple):
    """What a listed device was given for, and which of the candidates it is (None: none of them).

    ``option`` counts from 1 where the part is a choice of ``of`` options.
    """

    part: str
    option: int
    of: int
    admin: bool
    device: Device | None


class _Slot(NamedTuple):
    """A place in a sentence of devices: a part, and what it may ask for there, each with its option.

    ``takes_all``: as many devices as match, whoever has them.
    """

    part: str
    of: int
    choices: tuple[tuple[int, Wish], ...]
    takes_all: bool = False


def parts_of(listed: Sequence[Listed], demand: Demand, fits: Fits, value: Value) -> list[Given]:
    """What each of the devices in a status was given for."""
    slots = _slots(demand)
    reader = _Reader(listed, slots, fits, value, demand.matched)
    found = next(reader.readings(0, 0), None) if len(slots) <= _MOST_SLOTS else None
    if found is not None:
        return found
    return [_alone(entry, demand, fits) for entry in listed]


_MOST_SLOTS, _MOST_STEPS = 200, 10_000


def _slots(demand: Demand) -> list[_Slot]:
    """The places in the order in which they are filled: access to all devices comes first."""
    first: list[_Slot] = []
    others: list[_Slot] = []
    for part in demand.parts:
        for wish in part.every:
            takes_all = wish.admin and not demand.one_admin
            (first if takes_all else others).append(_Slot(part.name, 0, ((0, wish),), takes_all))
        if part.options:
            others.append(_Slot(part.name, len(part.options), tuple(enumerate(part.options, start=1))))
    return first + others


class _Reader:
    """Reads a list of devices as what fills the slots, one after the other."""

    def __init__(
        self,
        listed: Sequence[Listed],
        slots: Sequence[_Slot],
        fits: Fits,
        value: Value,
        matched: Sequence[str],
    ) -> None:
        self._listed = listed
        self._slots = slots
        self._fits = fits
        self._value = value
        self._matched = matched
        self._steps_left = _MOST_STEPS

    def readings(self, at: int, number: int) -> Iterator[list[Given]]:
        """The ways to read the list from ``at`` on as what fills the slots from ``number`` on."""
        self._steps_left -= 1
        if self._steps_left <= 0:
            return
        if number == len(self._slots):
            if at == len(self._listed):
                yield []
            return
        slot = self._slots[number]
        for option, wish in slot.choices:
            # As many as match is tried from the longest on, a number of devices from the smallest.
            fillings = list(self._fillings(at, slot, option, wish))
            for taken in reversed(fillings) if slot.takes_all else fillings:
                others = self.readings(at + len(taken), number + 1)
                yield from ([*taken, *reading] for reading in others if not _is_given_twice(taken, reading))

    def _fillings(self, at: int, slot: _Slot, option: int, wish: Wish) -> Iterator[list[Given]]:
        """The ways to fill a slot from ``at`` on, with one device more each time."""
        least, most = (1, len(self._listed)) if slot.takes_all else (wish.least, wish.most)
        names = () if slot.takes_all else (*wish.matched, *self._matched)
        taken: list[Given] = []
        for entry in self._listed[at : at + most]:
            found = _fitting(entry, slot.part, wish, self._fits)
            device = found[0] if found else None
            is_again = device is not None and any(given.device is device for given in taken)
            if found is None or is_again:
                return
            taken.append(Given(slot.part, option, slot.of, wish.admin, device))
            if not self._do_match(taken, names):
                return
            if len(taken) >= least:
                yield list(taken)

    def _do_match(self, taken: Sequence[Given], names: Sequence[str]) -> bool:
        """Whether devices have the same of each attribute; what the input lacks may have anything."""
        devices = [given.device for given in taken if given.device is not None]
        values = ([self._value(device, name) for device in devices] for name in names)
        return all(None not in found and all(one == found[0] for one in found) for found in values)


def _is_given_twice(some: Sequence[Given], others: Sequence[Given]) -> bool:
    """Whether a device is among both for more than admin access."""
    mine = {id(given.device) for given in some if given.device is not None and not given.admin}
    return any(id(given.device) in mine for given in others if not given.admin)


def _fitting(entry: Listed, part: str, wish: Wish, fits: Fits) -> tuple[Device, ...] | None:
    """The candidates that a wish is for; empty if the input has none, None if it is for none of them."""
    if entry.part not in (None, part):
        return None
    if not entry.candidates:
        return ()
    return tuple(device for device in entry.candidates if fits(wish, device)) or None


def _alone(entry: Listed, demand: Demand, fits: Fits) -> Given:
    """What a device may be for where the list as a whole makes no sense: the only part that takes it."""
    device = entry.candidates[0] if entry.candidates else None
    if entry.part is not None or len(demand.parts) == 1:
        parts = [part for part in demand.parts if entry.part in (None, part.name)]
    else:
        parts = [
            part
            for part in demand.parts
            if device is not None and any(fits(wish, device) for wish in (*part.every, *part.options))
        ]
    if len(parts) != 1:
        return Given(entry.part or UNKNOWN, 0, 0, False, device)
    wishes = (*parts[0].every, *parts[0].options)
    return Given(parts[0].name, 0, 0, bool(wishes) and all(wish.admin for wish in wishes), device)
