"""Which parts of a device an update leaves as they are, so that they are not validated again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from dractl.api import release
from dractl.api.release import Minor
from dractl.versions.equality import Equal, field_equal
from dractl.versions.table import tables

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec

Unchanged = Callable[["Device"], frozenset[str]]
"""Names the fields of a device that are the same as in the stored device of its name."""

# In which minors an unchanged field is left alone; upstream: validateDevice.
_BETWEEN = {"taints": ("1.35", "1.37"), "capacity": ("1.37", "1.37")}


def unchanged_parts(minor: Minor, old: ResourceSliceSpec | None) -> Unchanged:
    """What tells the unchanged fields of a device, for an update of a slice with the spec ``old``."""
    if old is None:
        return lambda _device: frozenset()
    before: dict[str, Device] = {}
    for device in old.get("devices") or []:
        before.setdefault(device.get("name", ""), device)

    def unchanged(device: Device) -> frozenset[str]:
        known = before.get(device.get("name", ""))
        if known is None:
            return frozenset()
        return frozenset(
            name for name, equal in _comparisons(minor).items() if equal(device.get(name), known.get(name))
        )

    return unchanged


@cache
def _comparisons(minor: Minor) -> dict[str, Equal]:
    source = tables(release.NEWEST)
    fields = source.struct("resource/v1.Device").fields
    return {
        name: field_equal(source, fields[name])
        for name, (since, until) in _BETWEEN.items()
        if minor.within(release.at(since), release.at(until))
    }


def same_devices(spec: ResourceSliceSpec, old: ResourceSliceSpec) -> bool:
    """Whether an update leaves the list of devices as it is, in its order."""
    return _lists_equal()(spec.get("devices"), old.get("devices"))


@cache
def _lists_equal() -> Equal:
    source = tables(release.NEWEST)
    return field_equal(source, source.struct("resource/v1.ResourceSliceSpec").fields["devices"])
