"""For which parts of a claim the devices in its status are: found again, because statuses do not say it.

A status lists devices in the order in which the search gives them to the parts, so the parts are read off
the list like words off a sentence. Where that can be done in several ways, a part is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from dractl.cluster.devices import Device
from dractl.legacy.prototypes.allocation.demand import Demand, Wish

__all__ = ["UNKNOWN", "Given", "Listed", "parts_of"]

UNKNOWN = "?"
"""What the part of a device is called that nobody can tell."""

Fits = Callable[[Wish, Device], bool]


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


def parts_of(listed: Sequence[Listed], demand: Demand, fits: Fits) -> list[Given]:
    """What each of the devices in a status was given for."""
    slots = _slots(demand)
    reader = _Reader(listed, slots, fits)
    readings = list(islice(reader.readings(0, 0), _MOST_READINGS)) if len(slots) <= _MOST_SLOTS else []
    if readings and reader.steps_left > 0:
        return [_agreed(found) for found in zip(*readings, strict=True)]
    return [_alone(entry, demand, fits) for entry in listed]


_MOST_READINGS, _MOST_SLOTS, _MOST_STEPS = 16, 200, 10_000


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

    def __init__(self, listed: Sequence[Listed], slots: Sequence[_Slot], fits: Fits) -> None:
        self._listed = listed
        self._slots = slots
        self._fits = fits
        self.steps_left = _MOST_STEPS

    def readings(self, at: int, number: int) -> Iterator[list[Given]]:
        """The ways to read the list from ``at`` on as what fills the slots from ``number`` on."""
        self.steps_left -= 1
        if self.steps_left <= 0:
            return
        if number == len(self._slots):
            if at == len(self._listed):
                yield []
            return
        slot = self._slots[number]
        for option, wish in slot.choices:
            least, most = (1, len(self._listed)) if slot.takes_all else (wish.least, wish.most)
            taken: list[Given] = []
            for entry in self._listed[at : at + most]:
                found = _fitting(entry, slot.part, wish, self._fits)
                device = found[0] if found else None
                is_again = device is not None and any(given.device is device for given in taken)
                if found is None or is_again:
                    break
                taken.append(Given(slot.part, option, slot.of, wish.admin, device))
                if len(taken) >= least:
                    others = self.readings(at + len(taken), number + 1)
                    yield from ([*taken, *reading] for reading in others)


def _fitting(entry: Listed, part: str, wish: Wish, fits: Fits) -> tuple[Device, ...] | None:
    """The candidates that a wish is for; empty if the input has none, None if it is for none of them."""
    if entry.part not in (None, part):
        return None
    if not entry.candidates:
        return ()
    return tuple(device for device in entry.candidates if fits(wish, device)) or None


def _agreed(found: tuple[Given, ...]) -> Given:
    """What all ways to read a list say of one device."""
    first = found[0]
    if all(other.part == first.part for other in found):
        is_one_option = all(other.option == first.option for other in found)
        option = (first.option, first.of) if is_one_option else (0, 0)
        return first._replace(option=option[0], of=option[1], admin=all(other.admin for other in found))
    return Given(UNKNOWN, 0, 0, all(other.admin for other in found), first.device)


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
