"""Rules about the devices that statuses of claims record: the input must have them."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.legacy.prototypes.allocation.inventory import Inventory, inventory_of
from dractl.legacy.prototypes.allocation.recorded import Recorded, is_allocated, recorded_of
from dractl.legacy.prototypes.allocation.restore import candidates_of
from dractl.legacy.prototypes.dialects.amounts import some
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION
from dractl.legacy.prototypes.dialects.directory import Directory

__all__ = ["check_allocated"]

_CLAIMS = ("DeviceClaim", "DeviceClaimGroup", "DevicePrivilegedClaim", "DeviceSetClaim", "ResourceClaim")


def check_allocated(directory: Directory) -> None:
    """Note the claims with devices that no pool has; without any pool in the input nothing is known."""
    claims = [item for item in directory.of_kind(*_CLAIMS) if is_allocated(item)]
    if not claims or not directory.of_kind("DevicePool", "ResourcePool"):
        return
    inventory = inventory_of(directory)
    sizes = {entry.known_as: len(pool.devices) for entry, pool in inventory.pools}
    for item in claims:
        missing = list(_missing(recorded_of(item), inventory, sizes))
        if missing:
            rule = "de-allocated" if item.family == EVOLUTION else "cl-18"
            place = "allocation" if item.family == EVOLUTION else "allocations"
            message = f"no pool in the input has its allocated devices: {some(missing)}"
            item.fault(rule, ("status", place), message)


def _missing(records: list[Recorded], inventory: Inventory, sizes: dict[str, int]) -> Iterator[str]:
    for record in records:
        if record.device is None:
            size = sizes.get(record.pool or "", 0)
            if record.number > size:
                yield f"{record.number} of {record.pool}, which has {size}"
        elif not candidates_of(record, inventory):
            yield "/".join(
                part or "" for part in (record.driver, record.pool, record.device) if part is not None
            )
