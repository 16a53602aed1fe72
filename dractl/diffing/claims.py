"""Allocations of the input that become illegal, or legal again, each checked with the devices of its side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.auditing.model import Violation
from dractl.cluster.devices import DeviceID
from dractl.diffing.devices import Devices, differing, names_of
from dractl.diffing.model import AttributeChange, ClaimChange

__all__ = ["claim_changes"]

_Key = tuple[str, tuple[str, ...], str]


def claim_changes(
    before: Iterable[Violation], after: Iterable[Violation], old: Devices, new: Devices
) -> Iterator[ClaimChange]:
    """The violations of one audit that the other does not have: those that begin, then those that end."""
    had = {_key(found): found for found in before}
    has = {_key(found): found for found in after}
    for begins, found, others in ((True, has, had), (False, had, has)):
        for key, entry in found.items():
            if key not in others:
                attributes = tuple(_attributes(entry, old, new))
                yield ClaimChange(begins, entry.rule, entry.claims, entry.device, entry.message, attributes)


def _key(found: Violation) -> _Key:
    return found.rule, found.claims, found.device


def _attributes(found: Violation, old: Devices, new: Devices) -> Iterator[AttributeChange]:
    """The values of the device that differ."""
    driver, _, rest = found.device.partition("/")
    pool, _, name = rest.rpartition("/")
    device = DeviceID(driver, pool, name)
    before, after = old.by_id.get(device), new.by_id.get(device)
    if before is not None and after is not None:
        yield from differing(names_of(before, after), [(before, after)])
